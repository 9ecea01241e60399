/** Claims are found by what people quote, in their own account and at the desk, without a scan of all claims. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { findClaimsByReference, findClaimsByShortId, searchClaims } from '../../src/claims/search/search.ts';
import { shortClaimId } from '../../src/claims/short-id.ts';
import { ENGINES } from '../support/engines.ts';
import { claimsOf, createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { onDatabase, readNodeUrls } from '../support/nodes.ts';
import { recordStatements } from '../support/plans.ts';
import { shareDatabase } from '../support/shared.ts';
import { issueFor } from './support.ts';

const CLAIMS = 300;
const NOW_MS = Date.parse('2026-11-20T10:00:00.000Z');

describe.each(ENGINES)('claims that people quote, on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  let owner: Owner;
  let stranger: Owner;
  let ids: readonly string[];
  beforeAll(async () => {
    owner = await createOwner(context);
    stranger = await createOwner(context);
    await issueTokens(context, owner, CLAIMS);
    await issueTokens(context, stranger, CLAIMS);
    ids = (await claimsOf(context, owner)).map(({ id }) => id);
  });

  const byShortId = async (accountId: string | null, text: string, limit = 10) =>
    (await findClaimsByShortId(context, { accountId, text, limit })).map(({ id }) => id);
  const listed = async (accountId: string, id: string, filter = {}) => {
    const search = { accountId, filter: { short_id: shortClaimId(id), ...filter } };
    return (await searchClaims(context, search)).rows.map((row) => row.id);
  };

  test('a short ID finds its claim, but not in another account', async () => {
    const id = ids[100]!;
    for (const typed of [shortClaimId(id), shortClaimId(id).toLowerCase().replace('-', '')]) {
      expect(await byShortId(owner.accountId, typed)).toContain(id);
      expect(await byShortId(null, typed)).toContain(id);
      expect(await byShortId(stranger.accountId, typed)).not.toContain(id);
    }
    expect(await listed(owner.accountId, id)).toContain(id);
    expect(await listed(owner.accountId, id, { mode: 'test' })).toEqual([]);
    expect(await listed(owner.accountId, id, { state: 'redeemed' })).toEqual([]);
    for (const other of [
      { claimant: 'nobody' },
      { reference: 'none' },
      { via: 'spring' },
      { offer: stranger.offerId },
    ]) {
      expect(await listed(owner.accountId, id, other), JSON.stringify(other)).toEqual([]);
    }
    // A claim of another account may have the same short ID.
    expect(await listed(stranger.accountId, id)).not.toContain(id);
    expect(await byShortId(null, 'no short id')).toEqual([]);
  });

  test('claims with the same short ID are all found, and other accounts’ claims don’t displace them', async () => {
    const before = ids.length;
    for (const [nth, account] of [owner, stranger].entries()) {
      // The last byte of every ID is zero.
      const random = (bytes: number) => new Uint8Array(bytes).map((_, at) => (at % 10 === 4 ? nth : 0));
      await issueTokens({ ...context, now: () => NOW_MS, random }, account, 3);
    }
    const same = (await claimsOf(context, owner)).slice(before).map(({ id }) => id);
    const shortId = shortClaimId(same[0]!);
    expect(new Set(same.map(shortClaimId)).size).toBe(1);
    expect(await byShortId(null, shortId)).toHaveLength(6);
    expect(await byShortId(null, shortId, 2)).toHaveLength(2);
    expect((await byShortId(owner.accountId, shortId, 3)).toSorted()).toEqual(same.toSorted());
    expect((await byShortId(stranger.accountId, shortId, 3)).length).toBe(3);
    expect((await listed(owner.accountId, same[0]!)).toSorted()).toEqual(same.toSorted());
  });

  test('the desk finds claims by the references of owners and of other marketplaces, also replaced ones', async () => {
    const byReference = async (text: string, limit = 10) =>
      (await findClaimsByReference(context, { text, limit })).map(({ id }) => id);
    const { claimId } = await issueFor(context, stranger, 'customer-4711');
    const { claimId: replaced } = await issueFor(context, owner, 'customer-4712');
    await context.db.transaction(async (tx) => {
      const { rows } = await sql<{ seq: number; account_number: number }>`
        select seq, account_number from claims where id = ${claimId}`.execute(tx);
      await sql`insert into claim_references (account_number, claim_seq, reference)
        values (${rows[0]!.account_number}, ${rows[0]!.seq}, 'order-931492')`.execute(tx);
      await sql`update claim_rows set redeemed_at = claimed_at, replaced_at = claimed_at
        where claimant_ref = 'customer-4712'`.execute(tx);
    });
    expect(await byReference('customer-4711')).toEqual([claimId]);
    expect(await byReference('order-931492')).toEqual([claimId]);
    expect(await byReference('customer-4712')).toEqual([replaced]);
    for (const nothing of ['order-9', 'customer', '', '%', 'x'.repeat(201), 'a\nb']) {
      expect(await byReference(nothing), nothing).toEqual([]);
    }
  });

  // On PostgreSQL, sequential scans are off: in a table as small as this one, they would be cheaper. Lists also read
  // without bitmap scans (`inIndexOrder`).
  test('these searches read only ranges of indexes', async () => {
    const { plugin, stepsOnPostgres, steps } = recordStatements();
    const watched = { db: { ...context.db, read: context.db.read.withPlugin(plugin) } };
    for (const accountId of [null, owner.accountId]) {
      await findClaimsByShortId(watched, { accountId, text: shortClaimId(ids[0]!), limit: 10 });
    }
    await findClaimsByReference(watched, { text: 'order-1', limit: 10 });
    const plan = engine === 'sqlite' ? steps(database.dataDir) : await stepsOnPostgres(await withoutScans());
    expect(plan.join('\n')).toMatch(/claims_by_id/);
    expect(plan.join('\n')).toMatch(/claims_by_reference/);
    expect(plan.filter((step) => SCANS.test(step))).toEqual([]);
  });

  /** Turns sequential scans off in new connections to the database, on every node of Citus. */
  async function withoutScans(): Promise<string> {
    const databaseUrl = database.databaseUrl!;
    const name = new URL(databaseUrl).pathname.slice(1);
    for (const url of await readNodeUrls(databaseUrl)) {
      await onDatabase(url, (client) => client.query(`alter database "${name}" set enable_seqscan = off`));
    }
    return databaseUrl;
  }
});

const SCANS = /SCAN (?:c|r|claim_rows|claim_references)\b|Seq Scan on (?:claim_rows|claim_references)/;
