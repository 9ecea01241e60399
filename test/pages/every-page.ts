/** Every page of the service, from the router, with the person who visits it. */
import { GUIDE, guidePath } from '../../src/docs/guide.ts';
import { type PersonName, pathWith, type Route, routesOf, type WholeSite } from './whole-site.ts';

/** Routes for programs and for parts of pages. A new route counts as a page unless it is listed here. */
const NO_PAGES: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/.well-known/jwks.json',
  '/.well-known/change-password',
  '/.well-known/security.txt',
  '/manifest.webmanifest',
  // Redirects to its first section.
  '/desk/settings',
  '/favicon.ico',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap/:page',
  '/feed.xml',
  '/posters/:file',
  '/l/:slug/badge.svg',
  '/l/:slug/posters/:file',
  '/l/:slug/offers/:offer/posters/:file',
  '/llms.txt',
  '/llms-full.txt',
  '/docs/grafana/claimcheck.json',
  '/assets/:file',
  '/pictures/:file',
  '/home',
  '/sign-in/check',
  // A page only in a browser that has opened an invitation; another test looks at it there.
  '/invitation/open',
  // A page only if there is a mail server; another test looks at it there.
  '/l/:slug/offers/:offer/claim',
  '/claims/:id/look',
  '/dashboard/set-up',
  '/dashboard/requests/followed',
  '/dashboard/webhooks/:id/deliveries/:delivery/look',
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
  '/desk/events/export.csv',
  '/desk/events/export.ndjson',
  // A mail, which doesn't use the styles of pages.
  '/desk/outbox/previews/:place',
]);
/**
 * Pages of the documentation share one template: these have every kind of block. The others are looked at once, by
 * `test/docs/browser.test.ts`.
 */
const GUIDE_VISITED: ReadonlySet<string> = new Set(['/docs', '/docs/verify', '/docs/self-hosting']);
const GUIDE_PATHS: ReadonlySet<string> = new Set(GUIDE.flatMap(({ pages }) => pages.map(guidePath)));

/** A page and the person who visits it. */
export interface Visit {
  /** Name of the route; unique among visits of a site. */
  readonly name: string;
  readonly path: string;
  readonly person: PersonName | null;
}

const isNoPage = (path: string): boolean =>
  NO_PAGES.has(path) || path.endsWith('.md') || (GUIDE_PATHS.has(path) && !GUIDE_VISITED.has(path));

const personOf = (path: string): PersonName | null => {
  if (path === '/desk' || path.startsWith('/desk/')) return 'operator';
  if (path.startsWith('/account/accounts/')) return 'member';
  if (path === '/dashboard' || path.startsWith('/dashboard/') || path.startsWith('/account')) return 'owner';
  return path.startsWith('/claims') ? 'claimant' : null;
};

/** Every page of the router; on an empty site those that need no id. */
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
