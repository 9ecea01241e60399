import type { PagesOptions } from '../../src/http/routes.tsx';
import { UNBRANDED } from './brand.ts';

/** Options of routes without pages, accounts and a database. */
export const NO_PAGES: PagesOptions = {
  groups: [],
  findPicture: async () => null,
  findViewer: async () => null,
  admitChange: async () => {},
  countWaiting: async () => 0,
  isDemo: false,
  marketplace: { look: { ...UNBRANDED, logo: null, icon: null }, version: 0, refresh: () => null },
  isSetUp: async () => true,
};
