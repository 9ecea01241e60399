import { firstBrand } from '../../src/brand/brand.ts';
import { DEFAULT_TIME_ZONE } from '../../src/text/time-zone.ts';

/** What an installation without settings has. */
export const UNBRANDED = firstBrand({
  marketplaceName: null,
  securityContact: null,
  timeZone: DEFAULT_TIME_ZONE,
  language: 'en',
});
