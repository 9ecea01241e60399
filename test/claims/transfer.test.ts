/** A transfer moves a listing with all its data, even during concurrent redemptions and edits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { cursorAt, parseCursor, readFeed } from '../../src/base/events/feed.ts';
import { lastSeq } from '../../src/base/events/queries.ts';
import { createReadSettled } from '../../src/base/events/settled.ts';
import { openClaim } from '../../src/claims/claimants/open.ts';
import { claimOffer } from '../../src/claims/creation/claim-offer.ts';
import { transferListing } from '../../src/claims/transfer/transfer-listing.ts';
import { createVerifier } from '../../src/claims/verify/verifier.ts';
import { aggregateLabelDeltas, countLabels } from '../../src/marketplace/campaigns/count.ts';
import { editListing } from '../../src/marketplace/listings/edit.ts';
import { findListing } from '../../src/marketplace/listings/queries.ts';
import { addCodes } from '../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { editOffer } from '../../src/marketplace/offers/edit.ts';
import { suspendAccount } from '../../src/people/members/suspend.ts';
import { acceptAccessLink, createAccessLink } from '../../src/people/visibility/access-link.ts';
import { readPersonFacts } from '../../src/people/visibility/queries.ts';
import { ask } from '../../src/platform/store/batch-queue.ts';
import { DIALECTS } from '../../src/platform/store/dialects.ts';
import { fakeFiles, put } from '../marketplace/pictures/support.ts';
import { ENGINES } from '../support/engines.ts';
import { refusalOf } from '../support/events.ts';
import { claimsOf, createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { nodeUrls } from '../support/nodes.ts';
import { shareDatabase } from '../support/shared.ts';
import { readTables } from '../support/tables.ts';
import { outcomeIn, redeemAll, verificationOf } from '../support/verify.ts';
import { createPerson, importFile } from './support.ts';

describe.each(ENGINES)('listing transfer on %s', (engine) => {
  /** Whether claims are stored on several Citus nodes. Such claims cannot move between accounts. */
  const isDistributed = engine === 'postgres' && nodeUrls().length > 1;
  const moves = test.skipIf(isDistributed);
  const { context } = shareDatabase(engine);

  const transfer = (owner: Owner, to: Pick<Owner, 'accountId'>) =>
    transferListing(context, { listing: owner.slug, to: to.accountId, actor: 'operator' });
  /**
   * Creates an owner with two offers, one of them with codes. Both offers have claims, and the first has a test claim.
   * Some claims are redeemed, and some counts are folded.
   */
  async function busyOwner() {
    const owner = await createOwner(context);
    const actor = `account:${owner.accountId}` as const;
    const coded = await createOffer(context, {
      listing: owner.slug,
      offer: 'With a code each',
      kind: 'gift',
      code_list: 'close',
      actor: 'operator',
    });
    const lines = ['ONE', 'TWO', 'THREE'].map((text, line) => ({ line, text }));
    await addCodes(context, { offerId: coded.id, actor, lines });
    const claimantAccountId = await createPerson(context);
    const own = { claimantAccountId, listing: owner.slug };
    const { claimId } = await claimOffer(context, { ...own, offerId: owner.offerId, via: 'mail' });
    await openClaim(context, { claimantAccountId, claimId });
    await claimOffer(context, { ...own, offerId: coded.id, via: 'Frühling' });
    const tokens = await issueTokens(context, owner, 6, { via: 'spring' });
    await issueTokens(context, owner, 1, { mode: 'test' });
    await redeemAll(context, owner.liveKey, tokens.slice(0, 2));
    const { seq } = await context.db.read
      .selectFrom('claims')
      .select('seq')
      .where('id', '=', claimId)
      .executeTakeFirstOrThrow();
    const { number } = await context.db.read
      .selectFrom('accounts')
      .select('number')
      .where('id', '=', owner.accountId)
      .executeTakeFirstOrThrow();
    const reference = { account_number: number, claim_seq: seq, reference: 'order 1' };
    await context.db.transaction((tx) => tx.insertInto('claim_references').values(reference).execute());
    const { listingId, accountId } = owner;
    await put(context, { id: listingId, listingId, accountId });
    await put(context, { id: coded.id, listingId, accountId }, fakeFiles(), 'offer');
    await aggregateLabelDeltas(context);
    await redeemAll(context, owner.liveKey, tokens.slice(2, 3));
    return { owner, coded, tokens, claimId };
  }
  /**
   * Resolves once `count` transactions are waiting for a lock. On SQLite, resolves immediately, because transactions
   * run in call order.
   */
  async function untilWaiting(count: number): Promise<void> {
    if (engine === 'sqlite') return;
    const waiting = sql`select from pg_locks l join pg_database d on d.oid = l.database
      where not l.granted and l.locktype = 'advisory' and d.datname = current_database()`;
    const countWaiting = async () => (await waiting.execute(context.db.read)).rows.length;
    await expect.poll(countWaiting, { timeout: 20_000 }).toBe(count);
  }
  const eventsOf = (accountId: string) =>
    context.db.read
      .selectFrom('events')
      .select(['type', 'at', 'actor', 'subject_id', 'data'])
      .where('account_id', '=', accountId)
      .where('type', 'like', 'claim.%')
      .orderBy('seq')
      .execute();

  moves('moves claims, codes, counts and events unchanged, but not API keys', async () => {
    const { owner, tokens } = await busyOwner();
    const buyer = await createOwner(context);
    const [claims, labels, events] = [
      await claimsOf(context, owner),
      await countLabels(context, { listing: owner.slug }),
      await eventsOf(owner.accountId),
    ];
    expect(claims).toHaveLength(9);
    const moved = await transfer(owner, buyer);
    expect(moved.account_id).toBe(buyer.accountId);

    const rows = await claimsOf(context, buyer);
    const kept = ({ account_id: _, account_number: __, ...claim }: (typeof claims)[number]) => claim;
    expect(rows.map(kept)).toEqual(claims.map(kept));
    expect(await claimsOf(context, owner)).toEqual([]);
    expect(await countLabels(context, { listing: owner.slug })).toEqual(labels);
    expect(await eventsOf(buyer.accountId)).toEqual(events);
    expect(await eventsOf(owner.accountId)).toEqual([]);

    expect(await redeemAll(context, owner.liveKey, tokens)).toEqual(tokens.map(() => 'not_found'));
    expect(await redeemAll(context, buyer.liveKey, tokens)).toEqual([
      ...tokens.slice(0, 3).map(() => 'already_redeemed'),
      ...tokens.slice(3).map(() => 'redeemed'),
    ]);
    await aggregateLabelDeltas(context);
    const spring = (await countLabels(context, { listing: owner.slug })).find(({ via }) => via === 'spring');
    expect(spring).toMatchObject({ claims: 6, redeemed: 6 });
    const next = await claimOffer(context, {
      claimantAccountId: await createPerson(context),
      listing: owner.slug,
      offerId: owner.offerId,
    });
    expect((await claimsOf(context, buyer)).at(-1)?.id).toBe(next.claimId);
  });

  moves('answers a form that is sent twice like the first time, and records one transfer', async () => {
    const [owner, buyer] = [await createOwner(context), await createOwner(context)];
    const { version } = await findListing(context.db.read, owner.slug);
    const send = () =>
      transferListing(context, { listing: owner.slug, to: buyer.accountId, version, actor: 'operator' });
    const moved = [...(await Promise.all([send(), send()])), await send()];
    expect(moved.map(({ account_id }) => account_id)).toEqual(Array(3).fill(buyer.accountId));
    const events = await context.db.read
      .selectFrom('events')
      .select('type')
      .where('account_id', '=', buyer.accountId)
      .where('type', '=', 'listing.transferred')
      .execute();
    expect(events).toHaveLength(1);
    expect(await refusalOf(transfer(owner, buyer))).toContain('already belongs');
  });

  // A new table with rows that belong to a listing must be added to the transfer and to this test.
  moves('moves all rows of the listing, except the request log and events about the listing', async () => {
    const { owner, coded, claimId } = await busyOwner();
    const buyer = await createOwner(context);
    const numbers = await context.db.read.selectFrom('accounts').select(['id', 'number']).execute();
    const numberOf = (id: string) => numbers.find((row) => row.id === id)!.number;
    const offerNumbers = await context.db.read
      .selectFrom('offers')
      .select('number')
      .where('listing_id', '=', owner.listingId)
      .execute();
    const about = new Set([owner.listingId, owner.offerId, coded.id, claimId]);
    const ofListing = (row: Record<string, unknown>, account: string) =>
      (row['account_id'] === account || row['account_number'] === numberOf(account)) &&
      (['id', 'listing_id', 'offer_id', 'claim_id'].some((name) => about.has(String(row[name]))) ||
        offerNumbers.some(({ number }) => number === row['offer_number']) ||
        typeof row['claim_seq'] === 'number' ||
        // Matches rows of `pictures`. Events about the listing also have a `subject_id`, but do not move.
        ('replaced_at' in row && about.has(String(row['subject_id']))));
    const left = async (account: string) =>
      [...(await readTables(context))].flatMap(([table, rows]) =>
        (rows as Record<string, unknown>[]).filter((row) => ofListing(row, account)).map(() => table),
      );
    const before = (await left(owner.accountId)).sort();
    expect(new Set(before)).toEqual(
      new Set([
        ...['cards', 'claim_openings', 'claim_references', 'claim_rows', 'event_rows'],
        ...['label_counts', 'label_days', 'label_deltas', 'label_months'],
        ...['listings', 'offer_claims', 'offer_codes', 'offers', 'pictures', 'unreadable_labels'],
      ]),
    );
    expect(await left(buyer.accountId)).toEqual([]);
    await transfer(owner, buyer);
    expect(await left(owner.accountId)).toEqual([]);
    expect((await left(buyer.accountId)).sort()).toEqual(before);
  });

  moves('is atomic with respect to concurrent redemptions and claims', async () => {
    const { owner } = await busyOwner();
    const buyer = await createOwner(context);
    const tokens = await issueTokens(context, owner, 200);
    const verifier = createVerifier(context.db, context.now, { batch: () => {} });
    const redeem = async (token: string, key: string) =>
      outcomeIn(await ask(verifier, verificationOf({ key, token })));
    const claimants = await Promise.all(Array.from({ length: 10 }, () => createPerson(context)));
    const [outcomes] = await Promise.all([
      Promise.all(
        tokens.map(async (token, n) => {
          await sleep(n / 4);
          return redeem(token, owner.liveKey);
        }),
      ),
      transfer(owner, buyer),
      ...claimants.map((claimantAccountId) =>
        claimOffer(context, { claimantAccountId, listing: owner.slug, offerId: owner.offerId }),
      ),
      aggregateLabelDeltas(context),
    ]);
    expect(new Set(outcomes).isSubsetOf(new Set(['redeemed', 'not_found']))).toBe(true);
    // The new key can redeem exactly the tokens that the old key did not redeem.
    const now = await redeemAll(context, buyer.liveKey, tokens);
    expect(now).toEqual(outcomes.map((was) => (was === 'redeemed' ? 'already_redeemed' : 'redeemed')));
    expect(await claimsOf(context, owner)).toEqual([]);
    const claims = await claimsOf(context, buyer);
    const counts = await countLabels(context, { listing: owner.slug });
    const live = claims.filter(({ mode }) => mode === 'live');
    expect(counts.reduce((sum, { claims: some }) => sum + some, 0)).toBe(live.length);
    expect(counts.reduce((sum, { redeemed }) => sum + redeemed, 0)).toBe(
      live.filter(({ redeemed_at }) => redeemed_at !== null).length,
    );
    const events = await eventsOf(buyer.accountId);
    expect(events.filter(({ type }) => type === 'claim.redeemed')).toHaveLength(
      live.filter(({ redeemed_at }) => redeemed_at !== null).length,
    );
    expect(await eventsOf(owner.accountId)).toEqual([]);
  });

  moves(
    'is rejected for the current owner, a suspended account, an outdated version or a duplicate token',
    async () => {
      const { owner } = await busyOwner();
      expect(await refusalOf(transfer(owner, owner))).toContain('already');
      const suspended = await createOwner(context);
      await suspendAccount(context, { account: suspended.accountId, actor: 'operator' });
      expect(await refusalOf(transfer(owner, suspended))).toContain('suspended');
      const outdated = {
        listing: owner.slug,
        to: suspended.accountId,
        version: 1,
        actor: 'operator',
      } as const;
      expect(await refusalOf(transferListing(context, outdated))).toContain('just changed');

      const twin = await createOwner(context);
      for (const { offerId } of [owner, twin]) {
        const { imported } = await importFile(context, `offer,token\n${offerId},imported-token-4711\n`);
        expect(imported).toBe(1);
      }
      expect(await refusalOf(transfer(owner, twin))).toContain('same imported token');
      expect((await claimsOf(context, owner)).length).toBeGreaterThan(5);
    },
  );

  moves('preserves an Idempotency-Key unless the new account has used the same key', async () => {
    const [owner, buyer] = [await createOwner(context), await createOwner(context)];
    const verifier = createVerifier(context.db, context.now, { batch: () => {} });
    const redeem = async (key: string, token: string, idempotencyKey: string) =>
      outcomeIn(await ask(verifier, verificationOf({ key, token, idempotencyKey })));
    const [one, two] = await issueTokens(context, owner, 2);
    const [other] = await issueTokens(context, buyer, 1);
    expect(await redeem(owner.liveKey, one!, 'order-1')).toBe('redeemed');
    expect(await redeem(owner.liveKey, two!, 'order-2')).toBe('redeemed');
    expect(await redeem(buyer.liveKey, other!, 'order-2')).toBe('redeemed');
    await transfer(owner, buyer);
    expect(await redeem(buyer.liveKey, one!, 'order-1')).toBe('redeemed');
    expect(await redeem(buyer.liveKey, two!, 'order-2')).toBe('idempotency_key_reused');
    expect(await redeem(buyer.liveKey, two!, 'order-3')).toBe('already_redeemed');
  });

  test.runIf(isDistributed)(
    'is rejected on a distributed database if the listing has claims or codes',
    async () => {
      const [owner, buyer] = [await createOwner(context), await createOwner(context)];
      await issueTokens(context, owner, 1, { mode: 'test' });
      const refused = 'stored on one of several database servers';
      expect(await refusalOf(transfer(owner, buyer))).toContain(refused);
      const other = await createOwner(context);
      const actor = `account:${other.accountId}` as const;
      await editOffer(context, { offerId: other.offerId, actor, code_list: 'close' });
      await addCodes(context, { offerId: other.offerId, actor, lines: [{ line: 1, text: 'ONE' }] });
      expect(await refusalOf(transfer(other, buyer))).toContain(refused);
      expect(await claimsOf(context, owner)).toHaveLength(1);
    },
  );

  moves('refuses more claims or codes than it can move quickly', async () => {
    const { owner } = await busyOwner();
    const buyer = await createOwner(context);
    const within = (claims: number, codes: number) =>
      transferListing(
        context,
        { listing: owner.slug, to: buyer.accountId, actor: 'operator' },
        { claims, codes },
      );
    expect(await refusalOf(within(8, 3))).toContain('too many claims: at most 8 can be transferred');
    expect(await refusalOf(within(9, 2))).toContain('too long: at most 2 codes can be transferred');
    expect(await within(9, 3)).toMatchObject({ account_id: buyer.accountId });
  });

  test('ends the invitation links that the old account may know, for everyone who has not used them', async () => {
    const [owner, buyer] = [await createOwner(context), await createOwner(context)];
    const { accountId, listingId } = owner;
    const actor = `account:${accountId}` as const;
    const link = { listingId, accountId, actor, name: 'Newsletter', people: 10, days: 300 };
    const { code } = await createAccessLink(context, link);
    const [early, late] = [await createPerson(context), await createPerson(context)];
    await acceptAccessLink(context, { code, personId: early });
    await transfer(owner, buyer);
    expect(await refusalOf(acceptAccessLink(context, { code, personId: late }))).toContain('does not work');
    const facts = await readPersonFacts(context.db.read, [early]);
    expect(facts.get(early)!.grants).toEqual([listingId]);
  });

  test('moves a listing without claims', async () => {
    const [owner, buyer] = [await createOwner(context), await createOwner(context)];
    await transfer(owner, buyer);
    const [token] = await issueTokens(context, owner, 1);
    expect(await redeemAll(context, owner.liveKey, [token!])).toEqual(['not_found']);
    expect(await redeemAll(context, buyer.liveKey, [token!])).toEqual(['redeemed']);
  });

  moves('keeps feed cursors valid', async () => {
    const { owner } = await busyOwner();
    const buyer = await createOwner(context);
    const seq = await lastSeq(context.db.read);
    // The event at the cursor moves to the new account.
    await redeemAll(context, owner.liveKey, await issueTokens(context, owner, 1));
    const cursor = parseCursor(await cursorAt(context.db, await lastSeq(context.db.read)))!;
    expect(cursor.seq).toBeGreaterThan(seq);
    await transfer(owner, buyer);
    const readSettled = createReadSettled(context.db, context.now);
    const types = ['claim.redeemed'] as const;
    const input = { accountId: owner.accountId, types, after: cursor, limit: 10 };
    const { events } = await readFeed({ db: context.db, readSettled }, input);
    expect(events).toEqual([]);
  });

  moves('rejects edits by the former owner, even edits that waited for the lock', async () => {
    const { owner } = await busyOwner();
    const buyer = await createOwner(context);
    const actor = `account:${owner.accountId}` as const;
    const { promise: freed, resolve: free } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const holding = context.db.transaction(async (tx) => {
      await DIALECTS[context.db.engine].takeLock(tx, owner.listingId);
      hold();
      await freed;
    });
    await held;
    // The transfer is first in the queue for the lock, so the transfer runs before both edits.
    const transferring = transfer(owner, buyer);
    await untilWaiting(1);
    const edits = [
      refusalOf(editListing(context, { listing: owner.slug, summary: 'Mine.', actor })),
      refusalOf(editOffer(context, { offerId: owner.offerId, conditions: 'Mine.', actor })),
    ];
    await untilWaiting(3);
    free();
    await Promise.all([holding, transferring]);
    expect(await Promise.all(edits)).toEqual([
      expect.stringContaining('nothing at this address'),
      expect.stringContaining('nothing at this address'),
    ]);
    const log = await context.db.read
      .selectFrom('events')
      .select(['account_id', 'data'])
      .where('type', '=', 'listing.transferred')
      .where('subject_id', '=', owner.listingId)
      .orderBy('seq')
      .execute();
    expect(log.map(({ account_id }) => account_id)).toEqual([owner.accountId, buyer.accountId]);
  });
});
