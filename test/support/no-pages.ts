import { raw } from 'hono/html';
import { FIELD_LENGTHS } from '../../src/app/field-lengths.ts';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { FIRST_PLANS } from '../../src/base/brand/plans.ts';
import { createFindDisplay } from '../../src/pages/account/display-pages.ts';
import type { PagesOptions } from '../../src/pages/frame/routes.tsx';
import { newForm } from '../../src/pages/ui/form-state.ts';

/** Default page options for tests: no page groups, accounts or database. */
export const NO_PAGES: PagesOptions = {
  groups: [],
  findPicture: async () => null,
  findViewer: async () => null,
  findDisplay: createFindDisplay('http://127.0.0.1'),
  limitChange: async () => {},
  countWaiting: async () => 0,
  isStillAllowed: async () => true,
  confirmIdentity: async () => ({ form: newForm(), fields: null }),
  isDemo: false,
  hasSignUp: true,
  renderOpenOffers: async () => raw(''),
  fieldLengths: FIELD_LENGTHS,
  marketplace: {
    look: { ...DEFAULT_BRAND, logo: null, icon: null },
    plans: FIRST_PLANS,
    announcement: null,
    version: 0,
    refresh: () => null,
  },
  isSetUp: async () => true,
};
