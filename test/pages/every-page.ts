/** All pages of the router, each with the person who visits it. */
import { DOCS_PATH, guidePath, NEW_EMAIL_PATH } from '../../src/base/paths.ts';
import { DOWNLOADS, GUIDE, PICTURES } from '../../src/pages/docs/guide.ts';
import type { PersonName } from './sample-data.ts';
import { pathWith, type Route, routesOf } from './site-routes.ts';
import type { WholeSite } from './whole-site.ts';

/**
 * GET routes that are not tested as pages, because they do not return a complete page or because another test covers
 * the page.
 */
const NO_PAGES: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/.well-known/jwks.json',
  '/.well-known/change-password',
  '/.well-known/security.txt',
  '/manifest.webmanifest',
  // Redirects to the first section.
  '/desk/settings',
  '/favicon.ico',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap/:page',
  '/feed.xml',
  '/apple-touch-icon.png',
  '/apple-touch-icon-precomposed.png',
  '/posters/:file',
  '/l/:slug/badge.svg',
  '/l/:slug/posters/:file',
  '/l/:slug/offers/:offer/posters/:file',
  '/llms.txt',
  '/llms-full.txt',
  ...[...DOWNLOADS, ...PICTURES].map((file) => `${DOCS_PATH}/${file}`),
  '/assets/:file',
  '/pictures/:file',
  '/home',
  '/sign-in/check',
  // Requires a confirmed address. `looks.test.ts` tests this page.
  '/sign-in/ended-access',
  // Requires an opened invitation. `members.test.ts` tests this page.
  '/invitation/open',
  // Requires a mail server. `claim-by-mail.test.ts` tests this page.
  '/l/:slug/offers/:offer/claim',
  // Requires a mail server. `waiting-list.test.ts` tests this page.
  '/l/:slug/offers/:offer/waiting-list',
  '/claims/:id/look',
  '/dashboard/set-up',
  '/dashboard/requests/followed',
  '/dashboard/webhooks/:id/deliveries/:delivery/look',
  '/desk/webhooks/:id/deliveries/:delivery/look',
  '/dashboard/link-checks/:id/look',
  '/account/data.csv',
  '/account/data.json',
  '/desk/accounts/:id/data.csv',
  '/desk/accounts/:id/data.json',
  '/dashboard/campaigns/export.csv',
  '/dashboard/campaigns/qr.png',
  '/dashboard/campaigns/qr.svg',
  '/dashboard/claims/export.csv',
  '/dashboard/claims/export.ndjson',
  '/dashboard/offers/:id/codes/export.csv',
  '/dashboard/offers/:id/codes/export.ndjson',
  '/desk/events/export.csv',
  '/desk/events/export.ndjson',
  // Shows a mail. Mails do not use the page styles.
  '/desk/outbox/previews/:index',
]);
/**
 * Documentation pages that are tested here. All documentation pages share one template, and these three pages contain
 * every kind of block. `test/pages/docs/browser.test.ts` checks the other documentation pages.
 */
const GUIDE_VISITED: ReadonlySet<string> = new Set(['/docs', '/docs/verify', '/docs/self-hosting']);
const GUIDE_PATHS: ReadonlySet<string> = new Set(GUIDE.flatMap(({ pages }) => pages.map(guidePath)));

export interface Visit {
  /** Unique within a site. */
  readonly name: string;
  readonly path: string;
  /** `null`: a visitor who is not signed in. */
  readonly person: PersonName | null;
}

const isNoPage = (path: string): boolean =>
  NO_PAGES.has(path) || path.endsWith('.md') || (GUIDE_PATHS.has(path) && !GUIDE_VISITED.has(path));

const personOf = (path: string): PersonName | null => {
  if (path === '/desk' || path.startsWith('/desk/')) return 'operator';
  if (path.startsWith('/account/accounts/')) return 'member';
  if (path === NEW_EMAIL_PATH) return null;
  if (path === '/dashboard' || path.startsWith('/dashboard/') || path.startsWith('/account')) return 'owner';
  return path.startsWith('/claims') ? 'claimant' : null;
};

/** Returns a visit to every page of the router. If `isFilled` is `false`, skips routes that have parameters. */
export function pagesOf(site: WholeSite, isFilled: boolean): readonly Visit[] {
  const shown = { ...site.ids, draftSlug: site.slug };
  return routesOf(site.service)
    .filter(
      ({ method, path, parameters }) =>
        method === 'GET' && !isNoPage(path) && (isFilled || parameters.length === 0),
    )
    .map((route: Route) => ({
      name: route.path,
      path: pathWith(route, shown),
      person: personOf(route.path),
    }));
}

const REFUSED_FILTERS = 'outcome=good&since=noon&cause=placeholder_sent';

/** Visits that `pagesOf` does not return: pages in other states, and pages opened by another person. */
export const moreVisits = (site: WholeSite): readonly Visit[] => {
  const { ids, slug } = site;
  return [
    { name: 'marketplace, signed in', path: '/', person: 'claimant' },
    { name: 'marketplace, no results', path: '/?q=nothing-of-this&kind=gift', person: null },
    { name: 'new address, signed in', path: NEW_EMAIL_PATH, person: 'claimant' },
    { name: 'listing, signed out', path: `/l/${slug}`, person: null },
    { name: 'listing, opened through a share link', path: `/l/${slug}?via=newsletter`, person: 'claimant' },
    {
      name: 'offer with a link waiting for review',
      path: `/dashboard/offers/${ids.waitingOffer}`,
      person: 'owner',
    },
    { name: 'claims, filtered', path: '/dashboard/claims?via=podcast', person: 'owner' },
    { name: 'claims, no results', path: '/dashboard/claims?via=nobody', person: 'owner' },
    {
      name: 'requests, invalid filters',
      path: `/dashboard/requests?${REFUSED_FILTERS}`,
      person: 'owner',
    },
    { name: 'refused request', path: `/dashboard/requests/${ids.refusedRequest}`, person: 'owner' },
    { name: 'requests, no results', path: '/dashboard/requests?code=rate_limited', person: 'owner' },
    { name: 'requests, on a plan without API keys', path: '/dashboard/requests', person: 'claimant' },
    { name: 'API keys, on a plan without them', path: '/dashboard/settings/keys', person: 'claimant' },
    { name: 'plan, without API keys', path: '/dashboard/settings/plan', person: 'claimant' },
    { name: 'accounts, no results', path: '/desk/accounts?q=nobody', person: 'operator' },
    { name: 'events of one account', path: '/desk/events?account=adele@acme.example', person: 'operator' },
    { name: 'listings, no results', path: '/desk/listings?q=nobody', person: 'operator' },
    { name: 'documentation search', path: '/docs/search?q=key', person: null },
    {
      name: 'documentation with the owner’s failed calls',
      path: '/docs/errors/invalid_request',
      person: 'owner',
    },
    { name: 'page not found', path: '/nothing-here', person: 'owner' },
  ];
};
