/**
 * Roles × routes × verbs: every route of the dashboard, asked by everybody who may have something to do with an account.
 * A member answers for what they did with their own name, and keys, plan and members are left to owners.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { lastSeq } from '../../src/events/queries.ts';
import { isForOwners } from '../../src/http/pages/pages.ts';
import { ENGINES } from '../support/engines.ts';
import {
  dumpRows,
  everyField,
  openWholeSite,
  type PersonName,
  pathWith,
  type Route,
  routesOf,
  type WholeSite,
} from './whole-site.ts';

/** What ends things comes last, so that the routes before find them. */
const LAST = [/\/delete$/, /\/remove$/, /^\/dashboard\/switch$/];
const rank = ({ method, path }: Route): number =>
  (method === 'GET' ? 0 : 1) + 2 * (1 + LAST.findIndex((pattern) => pattern.test(path)));

const dashboardRoutes = (site: WholeSite): readonly Route[] =>
  routesOf(site.service)
    .filter(({ method, path }) => method !== 'ALL' && /^\/dashboard(?:\/|$)/.test(path))
    .toSorted((one, other) => rank(one) - rank(other));

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

describe.each(ENGINES)('the dashboard of an account on %s', (engine) => {
  let site: WholeSite | undefined;
  /** Number of the last event of the fixture. */
  let madeUpTo = 0;
  afterEach(() => site?.close());

  /** The status of each route for a person, on a new site. */
  async function statusesFor(person: PersonName): Promise<ReadonlyMap<string, number>> {
    site = await openWholeSite(engine);
    madeUpTo = await lastSeq(site.context.db.read);
    const statuses = new Map<string, number>();
    // Owners remove somebody else than themselves.
    const ids = { ...site.ids, coOwner: site.people.member.accountId };
    for (const route of dashboardRoutes(site)) {
      const form = { ...everyField(ids), email: 'new@acme.example', version: await versionOf(site) };
      const path = pathWith(route, ids) + (route.method === 'GET' ? `?listing=${ids.listing}` : '');
      const { status } = await site.request(person, route.method, path, { form });
      statuses.set(nameOf(route), status);
    }
    return statuses;
  }

  /** Of the listing, so that changes are not refused as outdated. */
  async function versionOf({ context, ids }: WholeSite): Promise<string> {
    const row = await context.db.read
      .selectFrom('listings')
      .select('version')
      .where('id', '=', ids.listing)
      .executeTakeFirst();
    return String(row?.version ?? 1);
  }

  /** Who has changed what the account has since the site was made. */
  async function actors({ context, ids }: WholeSite): Promise<readonly string[]> {
    const rows = await context.db.read
      .selectFrom('events')
      .select('actor')
      .distinct()
      .where('account_id', '=', ids.account)
      .where('seq', '>', madeUpTo)
      .execute();
    return rows.map(({ actor }) => actor);
  }

  it('is open to co-owners, and to members except for the settings', async () => {
    const own = await statusesFor('owner');
    expect(own.size).toBeGreaterThan(60);
    expect([...own].filter(([, status]) => status === 403 || status === 404)).toEqual([]);
    await site?.close();

    const coOwner = await statusesFor('coOwner');
    expect([...coOwner]).toEqual([...own]);
    expect(await actors(site!)).toEqual([`account:${site!.people.coOwner.accountId}`]);
    await site?.close();

    const member = await statusesFor('member');
    const forMembers = [...own].map(([name, status]) => [name, isOfOwners(name) ? 403 : status]);
    expect([...member]).toEqual(forMembers);
    expect(forMembers.filter(([, status]) => status === 403).length).toBeGreaterThan(10);
    expect(await actors(site!)).toEqual([`account:${site!.people.member.accountId}`]);
  });

  const isOfOwners = (name: string): boolean => isForOwners(name.split(' ')[1]!);

  it('changes nothing for members where only owners may', async () => {
    site = await openWholeSite(engine);
    const before = await dumpRows(site);
    for (const route of dashboardRoutes(site).filter(({ path }) => isForOwners(path))) {
      const path = pathWith(route, site.ids);
      await site.request('member', route.method, path, { form: everyField(site.ids) });
    }
    expect(await dumpRows(site)).toEqual(before);
  });

  it('does not exist for strangers and former members', async () => {
    site = await openWholeSite(engine);
    const withIds = dashboardRoutes(site).filter(({ parameters }) => parameters.length > 0);
    const before = await dumpRows(site);
    for (const person of ['removed', 'stranger', 'claimant'] as const) {
      for (const route of withIds) {
        const path = pathWith(route, site.ids);
        const { status } = await site.request(person, route.method, path, { form: everyField(site.ids) });
        expect(status, `${nameOf(route)} for ${person}`).toBe(404);
      }
      const start = await site.request(person, 'GET', '/dashboard/listings');
      expect(start.text).not.toContain('Not seen yet');
    }
    expect(await dumpRows(site)).toEqual(before);
  });
});
