/** The routes of the service, whose data each path shows, and the IDs and fields that requests to them need. */
import { OPERATIONS } from '../../src/api/operations.ts';
import type { Service } from '../../src/app/service.ts';
import { type RouteRules, rulesOf } from '../../src/pages/frame/page-router.ts';
import { routePathOf } from '../../src/platform/http/operations/operation-routes.ts';
import type { Ids, PersonName } from './sample-data.ts';

export interface Route {
  readonly method: string;
  readonly path: string;
  /** Names of the path parameters. */
  readonly parameters: readonly string[];
  /** `undefined` for routes that aren't pages, such as health checks and assets. */
  readonly rules: RouteRules | undefined;
}

/** The router's entry for the middleware that runs for every request. */
const MIDDLEWARE = 'ALL /*';

/** Returns each route once. Omits the middleware and the API operations. `test/platform/http/` covers the API operations. */
export function routesOf({ routes }: Service): readonly Route[] {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  byName.delete(MIDDLEWARE);
  for (const operation of OPERATIONS) byName.delete(`ALL ${routePathOf(operation)}`);
  return [...byName.keys()].sort().map((name) => {
    const { method, path, handler } = byName.get(name)!;
    const parameters = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
    return { method, path, parameters, rules: rulesOf(handler) };
  });
}

/** Who owns the data under a path, and which ID each path parameter takes. */
interface Rule {
  readonly below: string;
  /** `null`: nobody may see the data, because it is not published. `everyone`: the data belongs to no account. */
  readonly whose: PersonName | null | 'everyone';
  readonly parameters: Readonly<Record<string, (ids: Ids) => string>>;
}

const RULES: readonly Rule[] = [
  { below: '/docs/errors/', whose: 'everyone', parameters: { code: () => 'invalid_request' } },
  { below: '/docs/reference/', whose: 'everyone', parameters: { operation: () => 'verifyClaim' } },
  { below: '/pictures/', whose: 'everyone', parameters: { file: () => 'none.webp' } },
  { below: '/assets/', whose: 'everyone', parameters: { file: () => 'none.css' } },
  { below: '/posters/', whose: 'everyone', parameters: { file: () => '0.png' } },
  { below: '/sitemap/', whose: 'everyone', parameters: { page: () => 'start.xml' } },
  {
    below: '/l/',
    whose: null,
    parameters: { slug: (ids) => ids.draftSlug, offer: (ids) => ids.offer, file: () => '0.png' },
  },
  { below: '/claims/', whose: 'claimant', parameters: { id: (ids) => ids.claim } },
  {
    below: '/dashboard/listings/',
    whose: 'owner',
    parameters: { id: (ids) => ids.listing, link: (ids) => ids.accessLink },
  },
  { below: '/dashboard/link-checks/', whose: 'owner', parameters: { id: (ids) => ids.offer } },
  { below: '/dashboard/offers/', whose: 'owner', parameters: { id: (ids) => ids.offer } },
  { below: '/dashboard/requests/', whose: 'owner', parameters: { id: (ids) => ids.request } },
  { below: '/dashboard/claims/', whose: 'owner', parameters: { id: (ids) => ids.claim } },
  { below: '/dashboard/settings/keys/', whose: 'owner', parameters: { id: (ids) => ids.key } },
  {
    below: '/dashboard/webhooks/',
    whose: 'owner',
    parameters: { id: (ids) => ids.endpoint, delivery: (ids) => ids.delivery },
  },
  { below: '/dashboard/settings/members/', whose: 'owner', parameters: { id: (ids) => ids.coOwner } },
  { below: '/dashboard/settings/invitations/', whose: 'owner', parameters: { id: (ids) => ids.invitation } },
  { below: '/account/accounts/', whose: 'member', parameters: { id: (ids) => ids.account } },
  { below: '/account/sessions/', whose: 'owner', parameters: { id: (ids) => ids.session } },
  { below: '/account/passkeys/', whose: 'owner', parameters: { id: (ids) => ids.passkey } },
  {
    below: '/desk/listings/',
    whose: 'operator',
    parameters: {
      id: (ids) => ids.listing,
      offer: (ids) => ids.waitingOffer,
      link: (ids) => ids.otherAccessLink,
    },
  },
  {
    below: '/desk/settings/people/access/',
    whose: 'operator',
    parameters: { link: (ids) => ids.marketLink },
  },
  { below: '/desk/calls/', whose: 'operator', parameters: { id: (ids) => ids.request } },
  { below: '/desk/claims/', whose: 'operator', parameters: { id: (ids) => ids.claim } },
  { below: '/desk/keys/', whose: 'operator', parameters: { id: (ids) => ids.operatorKey } },
  {
    below: '/desk/accounts/invitations/owner/',
    whose: 'operator',
    parameters: { id: (ids) => ids.account },
  },
  {
    below: '/desk/accounts/invitations/',
    whose: 'operator',
    parameters: { id: (ids) => ids.marketInvitation },
  },
  {
    below: '/desk/webhooks/',
    whose: 'operator',
    parameters: { id: (ids) => ids.marketEndpoint, delivery: (ids) => ids.marketDelivery },
  },
  { below: '/desk/accounts/', whose: 'operator', parameters: { id: (ids) => ids.account } },
  { below: '/desk/outbox/previews/', whose: 'operator', parameters: { index: () => '0' } },
  { below: '/desk/outbox/refused/', whose: 'operator', parameters: { id: (ids) => ids.account } },
  { below: '/mail/stop/', whose: 'everyone', parameters: { code: (ids) => ids.stopCode } },
  { below: '/waiting-list/confirm/', whose: 'everyone', parameters: { code: (ids) => ids.joinListCode } },
  { below: '/waiting-list/stop/', whose: 'everyone', parameters: { code: (ids) => ids.leaveListCode } },
  { below: '/invitation/stop/', whose: 'everyone', parameters: { code: (ids) => ids.stopInvitationsCode } },
];

/** Throws if no rule covers the route. */
export function ruleOf(route: Route): Rule {
  const rule = RULES.find(({ below }) => route.path.startsWith(below));
  const unknown = route.parameters.filter((name) => rule?.parameters[name] === undefined);
  if (rule === undefined || unknown.length > 0) {
    throw new Error(
      `${route.method} ${route.path} has path parameters without a rule: add one to RULES in site-routes.ts.`,
    );
  }
  return rule;
}

/** Returns the route's path with the parameters replaced by IDs. */
export function pathWith(route: Route, ids: Ids): string {
  if (route.parameters.length === 0) return route.path;
  const { parameters } = ruleOf(route);
  return route.path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, (_, name: string) => parameters[name]!(ids));
}

/** The fields of all forms, so that every form accepts the same body. */
export const everyField = (ids: Ids): Readonly<Record<string, string>> => ({
  name: 'Changed',
  slug: 'changed',
  url: 'https://notes.example/changed',
  summary: 'Changed.',
  description: 'Changed.',
  offer: 'Changed',
  kind: 'discount',
  redemption_link: 'https://notes.example/changed?claim={claim}',
  code: 'CHANGED',
  reason: 'Changed.',
  plan: 'everything',
  keep: '24h',
  keys: '24h',
  role: 'owner',
  version: '1',
  mode: 'live',
  id: ids.session,
  listing: ids.listing,
  claim: ids.claim,
  key: ids.key,
  account: ids.account,
  session: ids.session,
  passkey: ids.passkey,
  endpoint: ids.endpoint,
  delivery: ids.delivery,
  since: '24h',
  people: '10',
  days: '7',
  'claim.created': 'yes',
  'claims:read': 'yes',
});

export const fieldsFor = ({ path }: Route, ids: Ids): Readonly<Record<string, string>> => ({
  ...everyField(ids),
  // The URL has an IP address, because the DNS lookup of a host name would take a second.
  ...(/^\/(?:dashboard|desk)\/webhooks/.test(path) && { url: 'https://10.0.0.1/changed' }),
});
