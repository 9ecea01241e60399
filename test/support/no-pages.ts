import type { PagesOptions } from '../../src/http/routes.tsx';

/** Options of routes without pages, accounts and a database. */
export const NO_PAGES: PagesOptions = {
  groups: [],
  findPicture: async () => null,
  findViewer: async () => null,
  admitChange: async () => {},
  countWaiting: async () => 0,
  isDemo: false,
  timeZone: 'UTC',
  isSetUp: async () => true,
  isUnavailable: () => false,
};
