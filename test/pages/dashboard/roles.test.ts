/**
 * Requests every dashboard route in every role. Members can use everything except the settings (keys, plan, members),
 * and each event records the person who made the change.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastSeq } from '../../../src/base/events/queries.ts';
import type { PersonName } from '../sample-data.ts';
import { fieldsFor, pathWith, type Route, routesOf } from '../site-routes.ts';
import { dumpRows, openWholeSite, type WholeSite } from '../whole-site.ts';

/** Routes to request last. They switch the account or delete data that other routes need. */
const LAST = [/\/delete$/, /\/remove$/, /^\/dashboard\/switch$/];
const rank = ({ method, path }: Route): number =>
  (method === 'GET' ? 0 : 1) + 2 * (1 + LAST.findIndex((pattern) => pattern.test(path)));

const dashboardRoutes = (site: WholeSite): readonly Route[] =>
  routesOf(site.service)
    .filter(({ method, path }) => method !== 'ALL' && /^\/dashboard(?:\/|$)/.test(path))
    .toSorted((one, other) => rank(one) - rank(other));

const isForOwners = ({ rules }: Route): boolean => rules?.for === 'owner';

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

describe('an account’s dashboard', () => {
  /** A site for the tests that do not change the site's data. */
  let site: WholeSite;
  beforeAll(async () => {
    site = await openWholeSite('sqlite');
  });
  afterAll(() => site?.close());

  /** Requests every dashboard route on a new site. Returns the statuses, and the actors of the account's new events. */
  async function answersTo(person: PersonName) {
    const own = await openWholeSite('sqlite');
    try {
      const { read } = own.context.db;
      const madeUpTo = await lastSeq(read);
      // Routes that change or remove a member use `ids.coOwner`. Here, `ids.coOwner` is the ID of `member`, so that the
      // co-owner does not remove themselves.
      const ids = { ...own.ids, coOwner: own.people.member.accountId };
      const statuses: [name: string, status: number][] = [];
      for (const route of dashboardRoutes(own)) {
        // Edits increase the version, and the service rejects a form with an outdated version.
        const { version } = (await read
          .selectFrom('listings')
          .select('version')
          .where('id', '=', ids.listing)
          .executeTakeFirst()) ?? { version: 1 };
        const form = { ...fieldsFor(route, ids), email: 'new@acme.example', version: String(version) };
        const path = pathWith(route, ids) + (route.method === 'GET' ? `?listing=${ids.listing}` : '');
        const { status } = await own.request(person, route.method, path, { form });
        statuses.push([nameOf(route), status]);
      }
      const rows = await read
        .selectFrom('events')
        .select('actor')
        .distinct()
        .where('account_id', '=', ids.account)
        .where('seq', '>', madeUpTo)
        .execute();
      const { accountId } = own.people[person];
      return { statuses, actors: rows.map(({ actor }) => actor.replace(accountId, 'own')) };
    } finally {
      await own.close();
    }
  }

  test('gives co-owners full access, and members access to everything except the settings', async () => {
    const { statuses: own } = await answersTo('owner');
    expect(own.length).toBeGreaterThan(60);
    expect(own.filter(([, status]) => status === 403 || status === 404)).toEqual([]);
    expect(await answersTo('coOwner')).toEqual({ statuses: own, actors: ['account:own'] });
    const forOwners = new Set(dashboardRoutes(site).filter(isForOwners).map(nameOf));
    const forMembers = own.map(([name, status]) => [name, forOwners.has(name) ? 403 : status]);
    expect(await answersTo('member')).toEqual({ statuses: forMembers, actors: ['account:own'] });
    expect(forMembers.filter(([, status]) => status === 403).length).toBeGreaterThan(10);
  });

  test('changes no data if a member requests an owner-only route', async () => {
    const before = await dumpRows(site);
    const forOwners = dashboardRoutes(site).filter(isForOwners);
    expect(forOwners.length).toBeGreaterThan(10);
    for (const route of forOwners) {
      const path = pathWith(route, site.ids);
      await site.request('member', route.method, path, { form: fieldsFor(route, site.ids) });
    }
    expect(await dumpRows(site)).toEqual(before);
  });

  test('returns 404 to strangers and former members for every route with an ID', async () => {
    const withIds = dashboardRoutes(site).filter(({ parameters }) => parameters.length > 0);
    const before = await dumpRows(site);
    for (const person of ['removed', 'stranger', 'claimant'] as const) {
      for (const route of withIds) {
        const path = pathWith(route, site.ids);
        const { status } = await site.request(person, route.method, path, {
          form: fieldsFor(route, site.ids),
        });
        expect(status, `${nameOf(route)} for ${person}`).toBe(404);
      }
      const start = await site.request(person, 'GET', '/dashboard/listings');
      expect(start.text).not.toContain('Not seen yet');
    }
    expect(await dumpRows(site)).toEqual(before);
  });
});
