/**
 * Every route, with every verb, in every role and every spelling of its path. The routes and what they declare come from
 * the router, so a new route is tested too. Refused requests show nothing of the account and change nothing.
 */
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteAudience } from '../../src/pages/frame/page-router.ts';
import { suspendAccount } from '../../src/people/members/suspend.ts';
import { signedInAs } from '../support/person.ts';
import { fieldsFor, pathWith, type Route, routesOf } from './site-routes.ts';
import { dumpRows, openWholeSite, type WholeSite } from './whole-site.ts';

/** `locked`: an operator who signed in without the second factor that the desk requires. */
const ROLES = [
  'nobody',
  'suspended',
  'claimant',
  'stranger',
  'member',
  'owner',
  'locked',
  'operator',
] as const;
type Role = (typeof ROLES)[number];

const SIGNED_OUT: readonly Role[] = ['nobody', 'suspended'];

/** Who may use a route. Everybody is the owner of their own account; the member's session works in the owner's. */
const MAY_USE: Readonly<Record<RouteAudience, (role: Role) => boolean>> = {
  anyone: () => true,
  'signed-in': (role) => !SIGNED_OUT.includes(role),
  member: (role) => !SIGNED_OUT.includes(role),
  owner: (role) => !SIGNED_OUT.includes(role) && role !== 'member',
  operator: (role) => role === 'operator',
};

/** The most powerful role that may not use the route. */
const BELOW: Readonly<Record<Exclude<RouteAudience, 'anyone'>, Role>> = {
  'signed-in': 'nobody',
  member: 'nobody',
  owner: 'member',
  operator: 'locked',
};

/** Texts of the owner's account and of other people, which a refused request must not show. */
const SECRETS = ['nina@', 'cora@', 'SPRING20', 'person-4711', 'Not seen yet'];

const first = /(?<=\/)[a-z]/;
const last = /[a-z](?=[a-z-]*$)/;
const hex = (letter: string) => letter.charCodeAt(0).toString(16);

/** Ways to write a path so that some reader might take it for the original. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  'an encoded letter': (path) => path.replace(first, (letter) => `%${hex(letter)}`),
  'an encoded letter at the end': (path) => path.replace(last, (letter) => `%${hex(letter)}`),
  'a letter encoded twice': (path) => path.replace(first, (letter) => `%25${hex(letter)}`),
  'an overlong letter': (path) =>
    path.replace(first, (letter) => `%c1%${(letter.charCodeAt(0) + 0x40).toString(16)}`),
  'two slashes first': (path) => `/${path}`,
  'two slashes last': (path) => path.replace(/\/(?=[^/]*$)/, '//'),
  'a trailing slash': (path) => `${path}/`,
  'a dot segment': (path) => path.replace(/\/(?=[^/]*$)/, '/./'),
  'an encoded dot segment': (path) => path.replace(/\/(?=[^/]*$)/, '/%2e/'),
  'a parent segment': (path) => path.replace(/^\//, '/x/%2E%2e/'),
  'an encoded slash': (path) => path.replace(/\/(?=[^/]*$)/, '%2f'),
  'a backslash': (path) => path.replace(/\/(?=[^/]*$)/, '\\'),
  'a parameter': (path) => path.replace(/^\/[^/]+/, (segment) => `${segment};x=y`),
  'mixed case': (path) => path.replace(first, (letter) => letter.toUpperCase()),
};

interface Sent {
  readonly role: Role;
  readonly method: string;
  readonly route: Route;
  readonly path: string;
}

describe('access to every route', () => {
  let site: WholeSite;
  let cookies: ReadonlyMap<Role, string>;
  let pages: readonly Route[];
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  beforeAll(async () => {
    site = await openWholeSite('sqlite', { env: { OPERATOR_SECOND_FACTOR: 'required' } });
    const { service, context, people } = site;
    const locked = await signedInAs(service, { email: 'lock@claims.example', name: 'Lou', operator: true });
    const suspended = await signedInAs(service, { email: 'sus@claims.example', name: 'Sue' });
    await suspendAccount(context, { account: suspended.accountId, actor: 'operator' });
    await context.db.transaction((tx) =>
      tx
        .updateTable('sessions')
        .set({ factors: 2 })
        .where('account_id', '=', people.operator.accountId)
        .execute(),
    );
    const everyone = { ...people, locked, suspended };
    cookies = new Map(ROLES.map((role) => [role, role === 'nobody' ? '' : everyone[role].person.cookie]));
    pages = routesOf(service).filter(({ rules }) => rules !== undefined);
  });
  afterAll(async () => {
    agent.destroy();
    await site?.close();
  });

  /** `fetch` would change the spelling of the path. */
  const send = ({ role, method, path, route }: Sent) =>
    new Promise<{ status: number; text: string; location: string }>((resolve, reject) => {
      const { hostname, port, origin } = new URL(site.service.baseUrl);
      const body =
        method === 'GET' || method === 'HEAD' ? '' : String(new URLSearchParams(fieldsFor(route, site.ids)));
      const headers = {
        cookie: cookies.get(role)!,
        origin,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
      };
      const sent = request({ hostname, port, path, method, headers, agent }, async (response) => {
        const chunks: Buffer[] = await response.toArray();
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, text: Buffer.concat(chunks).toString(), location: received.location ?? '' });
      });
      sent.on('error', reject);
      sent.end(body);
    });

  /** Sends all requests, a few at a time. Returns the complaints of `check`, shown secrets and changed rows. */
  async function faultsOf(
    requests: readonly Sent[],
    check: (status: number, sent: Sent, location: string) => boolean,
  ): Promise<readonly string[]> {
    const faults: string[] = [];
    const before = await dumpRows(site);
    const queue = requests.values();
    const work = async () => {
      for (const sent of queue) {
        const { status, text, location } = await send(sent);
        const name = `${sent.role}: ${sent.method} ${sent.path}`;
        if (!check(status, sent, location)) faults.push(`${name}: ${status} ${location}`);
        const shown = SECRETS.find((secret) => text.includes(secret));
        if (shown !== undefined) faults.push(`${name} shows ${shown}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    const changed = new Set(before).symmetricDifference(new Set(await dumpRows(site)));
    return [...faults, ...[...changed].map((row) => `changed ${row}`)].slice(0, 20);
  }

  const sentTo = (route: Route, role: Role, method: string): Sent => ({
    role,
    method,
    route,
    path: pathWith(route, site.ids),
  });

  test('is declared by every page, in keeping with its folder', async () => {
    const audiences = Object.groupBy(pages, ({ rules }) => rules!.for);
    for (const audience of Object.keys(MAY_USE)) expect(audience in audiences, audience).toBe(true);
    const wrong = pages.filter(({ path, rules }) => {
      const folder = /^\/(desk|dashboard|account|claims)(?=\/|$)/.exec(path)?.[1];
      return rules!.for === 'anyone' ? folder !== undefined : folder === undefined;
    });
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([
      // Keeps the code of the link while the person signs in.
      'GET /account/email/confirm',
      'GET /claims/:id/look',
      'POST /account/email/confirm',
    ]);
    const isWrong = ({ path, rules }: Route) =>
      path.startsWith('/desk') !== (rules!.for === 'operator') ||
      path.startsWith('/dashboard/settings') !== (rules!.for === 'owner');
    expect(pages.filter(isWrong)).toEqual([]);
    const undeclared = routesOf(site.service).filter(({ rules }) => rules === undefined);
    expect([...new Set(undeclared.map(({ path }) => path))].sort()).toEqual(MACHINE_PATHS);
    const machine = Object.values(SPELLINGS).map((spell) => spell('/metrics'));
    for (const path of [
      ...machine,
      ...Object.values(SPELLINGS).map((spell) => spell('/api/v1/operator/accounts')),
    ]) {
      const { status } = await send({ role: 'operator', method: 'POST', path, route: undeclared[0]! });
      expect([400, 404], path).toContain(status);
    }
  });

  test('is refused to everyone else', async () => {
    // HEAD runs the handler of GET, so the most powerful role is enough for it.
    const methodsOf = ({ method, rules }: Route, role: Role) =>
      method === 'GET' && rules!.for !== 'anyone' && role === BELOW[rules!.for] ? ['GET', 'HEAD'] : [method];
    const refused = pages.flatMap((route) =>
      ROLES.filter((role) => !MAY_USE[route.rules!.for](role)).flatMap((role) =>
        methodsOf(route, role).map((method) => sentTo(route, role, method)),
      ),
    );
    expect(refused.length).toBeGreaterThan(800);
    const faults = await faultsOf(refused, (status, { role, method, route }, location) => {
      const { for: audience } = route.rules!;
      // A form that was sent without a session gets a page that preserves its fields.
      if (SIGNED_OUT.includes(role)) return method === 'POST' ? status === 403 : status === 303;
      if (audience === 'owner') return status === 403;
      if (role === 'locked') return status === 303 && location.startsWith('/account/prove');
      return status === 404;
    });
    expect(faults).toEqual([]);
  });

  test('does not exist for other methods', async () => {
    expect([...new Set(pages.map(({ method }) => method))].sort()).toEqual(['GET', 'POST']);
    // The router has handlers only for these two, so one other method per route is sent, in turn.
    const methods = ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];
    const others = pages.map((route, index) =>
      sentTo(route, index % 2 === 0 ? 'owner' : 'operator', methods[index % methods.length]!),
    );
    const root = pages.find(({ path }) => path === '/')!;
    others.push(sentTo(root, 'owner', 'OPTIONS'));
    const faults = await faultsOf(others, (status, { method, path }) =>
      method === 'OPTIONS' && path === '/'
        ? status === 200
        : status === 404 || status === 405 || status === 501,
    );
    expect(faults).toEqual([]);
  });

  test('does not exist in another spelling of the path', async () => {
    const spelled = pages.flatMap((route): readonly Sent[] => {
      const { for: audience } = route.rules!;
      if (audience === 'anyone') return [];
      const plain = pathWith(route, site.ids);
      const paths = Object.values(SPELLINGS).map((spell) => spell(plain));
      const allowed: Role = audience === 'operator' ? 'operator' : 'owner';
      // A path that isn't served to who may use the route isn't served to anybody.
      return paths
        .filter((path) => path !== plain)
        .flatMap((path, index) =>
          (index === 0 ? [allowed, BELOW[audience]] : [allowed]).map((role) => ({
            role,
            method: route.method,
            route,
            path,
          })),
        );
    });
    // 400: no browser sends a path with a backslash or without a slash. 303, 403: with an encoded slash, the rest of the
    // path is the ID of the route above it, which is refused too.
    const faults = await faultsOf(spelled, (status, { role, method, route }, location) =>
      status === 308
        ? method === 'GET' && !location.startsWith('//')
        : [400, 404].includes(status) || (!MAY_USE[route.rules!.for](role) && [303, 403].includes(status)),
    );
    expect(faults).toEqual([]);
  });

  test('is refused to a member who spells the path of an owners’ page differently', async () => {
    const { key } = site.ids;
    const paths = ['/dashboard/%73ettings/members', `/dashboard/%73ettings/keys/${key}/roll`];
    const route = pages.find(({ path }) => path === '/dashboard/settings/members')!;
    const faults = await faultsOf(
      paths.map((path) => ({ role: 'member', method: 'POST', path, route })),
      (status) => status === 404,
    );
    expect(faults).toEqual([]);
  });

  test('control: the same requests in the normal spelling are served', async () => {
    const served = pages.filter(({ method, rules }) => method === 'GET' && rules!.for === 'operator');
    for (const route of served) {
      const { status } = await send(sentTo(route, 'operator', 'GET'));
      expect([200, 204, 303], route.path).toContain(status);
    }
    const members = await send(
      sentTo(pages.find(({ path }) => path === '/dashboard/settings/members')!, 'owner', 'GET'),
    );
    expect(members.text).toContain('nina@');
  });
});

/** Routes that aren't pages. They need no session, or check their own credentials. */
const MACHINE_PATHS = [
  '/',
  '/.well-known/change-password',
  '/.well-known/jwks.json',
  '/.well-known/security.txt',
  '/assets/:file',
  '/favicon.ico',
  '/healthz',
  '/manifest.webmanifest',
  '/metrics',
  '/openapi.json',
  '/pictures/:file',
  '/readyz',
  '/robots.txt',
];
