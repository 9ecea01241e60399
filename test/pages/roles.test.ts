/**
 * Roles × routes × HTTP methods: every route of the dashboard, requested by everybody who has or had a role in an
 * account. Each change is recorded under the name of who made it; keys, plan and members are left to owners.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastSeq } from '../../src/events/queries.ts';
import { isForOwners } from '../../src/http/pages/pages.ts';
import {
  dumpRows,
  fieldsFor,
  openWholeSite,
  type PersonName,
  pathWith,
  type Route,
  routesOf,
  type WholeSite,
} from './whole-site.ts';

/** Routes that delete or end something come last, so that the others still find it. */
const LAST = [/\/delete$/, /\/remove$/, /^\/dashboard\/switch$/];
const rank = ({ method, path }: Route): number =>
  (method === 'GET' ? 0 : 1) + 2 * (1 + LAST.findIndex((pattern) => pattern.test(path)));

const dashboardRoutes = (site: WholeSite): readonly Route[] =>
  routesOf(site.service)
    .filter(({ method, path }) => method !== 'ALL' && /^\/dashboard(?:\/|$)/.test(path))
    .toSorted((one, other) => rank(one) - rank(other));

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

const isOfOwners = (name: string): boolean => isForOwners(name.split(' ')[1]!);

describe('the dashboard of an account', () => {
  /** No test changes it. */
  let site: WholeSite;
  beforeAll(async () => {
    site = await openWholeSite('sqlite');
  });
  afterAll(() => site?.close());

  /** The status of each route for a person on a new site, and the actors of the changes to the account. */
  async function answersTo(person: PersonName) {
    const own = await openWholeSite('sqlite');
    try {
      const { read } = own.context.db;
      const madeUpTo = await lastSeq(read);
      // Owners remove somebody other than themselves.
      const ids = { ...own.ids, coOwner: own.people.member.accountId };
      const statuses: [name: string, status: number][] = [];
      for (const route of dashboardRoutes(own)) {
        // Changes with an old version would be refused.
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

  it('is open to co-owners, and to members except for the settings', async () => {
    const { statuses: own } = await answersTo('owner');
    expect(own.length).toBeGreaterThan(60);
    expect(own.filter(([, status]) => status === 403 || status === 404)).toEqual([]);
    expect(await answersTo('coOwner')).toEqual({ statuses: own, actors: ['account:own'] });
    const forMembers = own.map(([name, status]) => [name, isOfOwners(name) ? 403 : status]);
    expect(await answersTo('member')).toEqual({ statuses: forMembers, actors: ['account:own'] });
    expect(forMembers.filter(([, status]) => status === 403).length).toBeGreaterThan(10);
  });

  it('changes nothing when a member requests what only owners may do', async () => {
    const before = await dumpRows(site);
    const forOwners = dashboardRoutes(site).filter(({ path }) => isForOwners(path));
    expect(forOwners.length).toBeGreaterThan(10);
    for (const route of forOwners) {
      const path = pathWith(route, site.ids);
      await site.request('member', route.method, path, { form: fieldsFor(route, site.ids) });
    }
    expect(await dumpRows(site)).toEqual(before);
  });

  it('does not exist for strangers and former members', async () => {
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
