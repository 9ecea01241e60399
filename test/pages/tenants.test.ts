/**
 * Tenant isolation: no account can read or change another account's data. Every route that takes an ID responds to
 * another account's ID in the same way as to an unknown ID.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SWITCH_PATH } from '../../src/base/paths.ts';
import { ENGINES } from '../support/engines.ts';
import type { Ids, PersonName } from './sample-data.ts';
import { everyField, fieldsFor, pathWith, type Route, routesOf, ruleOf } from './site-routes.ts';
import { dumpRows, openWholeSite, type WholeAnswer, type WholeSite } from './whole-site.ts';

describe.each(ENGINES)('another account’s data on %s', (engine) => {
  /** Runs a test on SQLite only, because the router and the page frame do not depend on the engine. */
  const testOnSqlite = test.runIf(engine === 'sqlite');
  let site: WholeSite;
  let routes: readonly Route[];
  let withIds: readonly Route[];

  beforeAll(async () => {
    site = await openWholeSite(engine);
    routes = routesOf(site.service).filter(({ method }) => method !== 'ALL');
    withIds = routes.filter((route) => route.parameters.length > 0 && ruleOf(route).whose !== 'everyone');
  });
  afterAll(() => site?.close());

  const ask = (person: PersonName | null, route: Route, ids: Ids): Promise<WholeAnswer> =>
    site.request(person, route.method, pathWith(route, ids), { form: fieldsFor(route, ids) });
  const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
  const isDesk = ({ path }: Route): boolean => path === '/desk' || path.startsWith('/desk/');

  /** Runs `check` on each route. Returns all failed checks and all database rows that have changed. */
  async function faultsOf(
    asked: readonly Route[],
    check: (route: Route) => Promise<string | null>,
  ): Promise<readonly string[]> {
    const faults: string[] = [];
    const before = await dumpRows(site);
    for (const route of asked) {
      const fault = await check(route);
      if (fault !== null) faults.push(`${nameOf(route)}: ${fault}`);
    }
    const changed = new Set(before).symmetricDifference(new Set(await dumpRows(site)));
    return [...faults, ...[...changed].map((row) => `changed ${row}`)];
  }

  testOnSqlite('is reachable only by GET and POST', () => {
    expect(withIds.length).toBeGreaterThan(30);
    const others = routesOf(site.service).filter(
      ({ method }) => !['GET', 'POST', 'OPTIONS'].includes(method),
    );
    expect(others).toEqual([]);
  });

  test('is indistinguishable from missing data to a stranger, and cannot be changed', async () => {
    const faults = await faultsOf(withIds, async (route) => {
      const real = await ask('stranger', route, site.ids);
      const missing = await ask('stranger', route, site.missing);
      if (missing.status !== 404) return `${missing.status} for an unknown ID`;
      return real.bytes === missing.bytes
        ? null
        : `${real.status}, and the bytes differ from those for an unknown ID`;
    });
    expect(faults).toEqual([]);
  });

  test('is not found (404) under an ID that is not a UUID', async () => {
    const malformed = Object.fromEntries(Object.keys(site.ids).map((name) => [name, 'none'])) as never;
    const asked = withIds.filter((route) => pathWith(route, malformed) !== pathWith(route, site.ids));
    const faults = await faultsOf(asked, async (route) => {
      const { status } = await ask(ruleOf(route).whose as PersonName | null, route, malformed);
      return status === 404 ? null : `${status}`;
    });
    expect(faults).toEqual([]);
    const form = { account: 'none' };
    expect((await site.request('owner', 'POST', SWITCH_PATH, { form })).status).toBe(404);
  });

  testOnSqlite('is not found (404) for any other signed-in person', async () => {
    for (const person of ['owner', 'coOwner', 'member', 'removed', 'claimant', 'operator'] as const) {
      const isInAccount = person === 'coOwner' || person === 'member';
      const others = withIds.filter((route) => {
        const { whose } = ruleOf(route);
        // `roles.test.ts` tests what members can do in their account.
        return (
          whose !== null && whose !== person && !(isInAccount && (whose === 'owner' || whose === 'member'))
        );
      });
      const faults = await faultsOf(others, async (route) => {
        const { status } = await ask(person, route, site.ids);
        return status === 404 ? null : `${status} for the ${person}`;
      });
      expect(faults, person).toEqual([]);
    }
  });

  testOnSqlite('requires sign-in: requests are redirected to sign-in, even for an unknown ID', async () => {
    const faults = await faultsOf(withIds, async (route) => {
      // The form is empty, because the response to a form with fields is a page that preserves the input.
      // `test/people/accounts/account.test.ts` tests that page.
      const askEmpty = (ids: Ids) => site.request(null, route.method, pathWith(route, ids), { form: {} });
      const real = await askEmpty(site.ids);
      const missing = await askEmpty(site.missing);
      const isPublic = ruleOf(route).whose === null;
      if (isPublic) return real.bytes === missing.bytes && real.status === 404 ? null : String(real.status);
      const path = pathWith(route, site.ids);
      const next = route.method === 'GET' ? `?next=${encodeURIComponent(path)}` : '?ended=1';
      // A page fragment redirects to its page, which redirects to the sign-in page.
      const isFine = real.location === `/sign-in${next}` || path.startsWith(`${real.location}/`);
      if (real.status !== 303 || !isFine) return `${real.status} ${real.location}`;
      return missing.status === 303 ? null : `${missing.status} for an unknown ID`;
    });
    expect(faults).toEqual([]);
  });

  // `access.test.ts` requests the desk in every other role, and checks the status.
  testOnSqlite('is shown at the desk only to operators; everyone else gets the usual 404 page', async () => {
    const desk = routes.filter(isDesk);
    expect(desk.length).toBeGreaterThan(10);
    for (const person of ['owner', 'claimant'] as const) {
      const form = everyField(site.ids);
      const nothing = (method: string) => site.request(person, method, '/nothing-here', { form });
      const missing = { GET: await nothing('GET'), POST: await nothing('POST') };
      const faults = await faultsOf(desk, async (route) => {
        const answer = await ask(person, route, site.ids);
        const { bytes } = missing[route.method as keyof typeof missing];
        return answer.bytes === bytes ? null : `${answer.status} for the ${person}`;
      });
      expect(faults, person).toEqual([]);
    }
  });

  test('cannot be reached through query parameters or form fields', async () => {
    const plainRoutes = routes.filter(
      ({ path, parameters }) =>
        parameters.length === 0 &&
        /^\/(?:dashboard|account|claims)(?:\/|$)/.test(path) &&
        path !== '/account/delete',
    );
    const { accountId, email } = site.people.stranger;
    const ofOthers = async () =>
      (await dumpRows(site)).filter(
        (row) => !row.includes(accountId) && !row.includes(email) && !INVITATION_CODE.test(row),
      );
    const before = await ofOthers();
    for (const route of plainRoutes) {
      const [real, missing] = await Promise.all(
        [site.ids, site.missing].map(async (ids) => {
          const query = new URLSearchParams({
            listing: ids.listing,
            offer: ids.offer,
            key: ids.key,
            claim: ids.claim,
            account: ids.account,
          });
          const path = route.method === 'GET' ? `${route.path}?${query}` : route.path;
          const answer = await site.request('stranger', route.method, path, { form: fieldsFor(route, ids) });
          return answer.text.replaceAll(UUID, 'ID');
        }),
      );
      if (route.method === 'GET') expect(real === missing, nameOf(route)).toBe(true);
      for (const secret of ['Adele', 'adele@', 'Bo Claimant', 'SPRING20', 'person-4711', 'podcast']) {
        expect(real?.includes(secret), `${nameOf(route)} shows ${secret}`).toBe(false);
      }
    }
    expect(await ofOthers()).toEqual(before);
  });

  test('control: the same requests succeed for the person who owns the data', async () => {
    const faults: string[] = [];
    // Routes to request last. They delete data or sessions that the other requests need.
    const last = [
      /\/members\/:id\/remove$|\/leave$/,
      /\/delete$/,
      /^\/account\/sessions\//,
      /^\/desk\/accounts\//,
    ];
    const rank = ({ path }: Route) => last.findIndex((pattern) => pattern.test(path));
    for (const route of withIds.toSorted((one, other) => rank(one) - rank(other))) {
      const { whose } = ruleOf(route);
      if (whose === null || whose === 'everyone') continue;
      const { status } = await ask(whose, route, site.ids);
      // 409 and 422: the data was found, but its state or the form does not allow the change. 415: the route expects a
      // file upload.
      if (![200, 204, 303, 409, 415, 422].includes(status)) faults.push(`${nameOf(route)}: ${status}`);
    }
    expect(faults).toEqual([]);
  });
});

/**
 * Matches the row of an invitation's code. This row contains neither an account ID nor an email address, so `ofOthers`
 * could not tell whose row it is. The row in `invitations` contains the account ID.
 */
const INVITATION_CODE = /^one_time_codes .*"purpose":"invitation"/;

/** The test replaces UUIDs before it compares responses, because the form for a new key contains a random UUID. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
