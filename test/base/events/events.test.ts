/** The event log: concurrent writes, the audit log, and merged edits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createEndpoint, editEndpoint } from '../../../src/background/webhooks/endpoints.ts';
import type { Context } from '../../../src/base/context.ts';
import { type Cursor, parseCursor } from '../../../src/base/events/feed.ts';
import { appendEvent, lastSeq, toRecord } from '../../../src/base/events/queries.ts';
import { createReadSettled } from '../../../src/base/events/settled.ts';
import { readRedemptions } from '../../../src/claims/redemptions.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { submitListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { AUDIT_PAGE_SIZE, type AuditFilter, readAuditLog } from '../../../src/pages/desk/audit/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { renameAccount } from '../../../src/people/accounts/rename.ts';
import { networkList } from '../../../src/platform/network/network.ts';
import { createOutgoing } from '../../../src/platform/network/outgoing-request.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { ENGINES } from '../../support/engines.ts';
import { createEventReader } from '../../support/event-reader.ts';
import { createOwner, issueTokens } from '../../support/marketplace.ts';
import { nodeUrls } from '../../support/nodes.ts';
import { shareDatabase, shareOwner } from '../../support/shared.ts';

const WRITERS = 4;
const EVENTS_PER_WRITER = 30;

/** Factor for sleep times. Several Citus nodes need longer sleeps, because a read of the log takes longer. */
const SLOW = nodeUrls().length > 1 ? 10 : 1;

const PAUSED = { change: 'paused', offer: 'An offer' } as const;

describe.each(ENGINES)('events on %s', (engine) => {
  const { context } = shareDatabase(engine);
  const owner = shareOwner(context);

  const changeOf = (subjectId: string) => ({
    accountId: owner.accountId,
    type: 'offer.changed' as const,
    at: new Date(context.now()).toISOString(),
    actor: 'operator' as const,
    subjectId,
    data: PAUSED,
  });
  const append = (
    subjectId: string,
    waits: { before?: number; after?: number | (() => Promise<void>) } = {},
  ) =>
    context.db.transaction(async (tx) => {
      if (waits.before !== undefined) {
        // This write assigns the transaction ID. The event number is drawn after the sleep.
        await tx.insertInto('settings').values({ name: subjectId, value: '' }).execute();
        await sleep(waits.before);
      }
      await appendEvent(tx, changeOf(subjectId));
      if (typeof waits.after === 'number') await sleep(waits.after);
      else await waits.after?.();
    });

  /** Appends an event and keeps the transaction open. Returns a function that commits the transaction. */
  const appendHeld = async (subjectId: string): Promise<() => Promise<void>> => {
    const [drawn, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = append(subjectId, {
      after: () => {
        drawn.resolve();
        return mayCommit.promise;
      },
    });
    await drawn.promise;
    return async () => {
      mayCommit.resolve();
      await writing;
    };
  };

  test('a reader gets every event of concurrent writers exactly once', async () => {
    const written: string[] = [];
    const reader = createEventReader(context, 'now');
    await reader.next();
    const seen: string[] = [];
    let done = false;
    const reading = (async () => {
      for (let last = false; !last; ) {
        last = done;
        seen.push(...(await reader.next()).map(({ subjectId }) => subjectId));
        await sleep(1);
      }
    })();
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let at = 0; at < EVENTS_PER_WRITER; at += 1) {
          const id = uuidv7(context);
          const wait = (at * 7 + writer * 3) % 9;
          await append(id, at % 3 === 0 ? { before: wait, after: wait % 4 } : { after: wait });
          written.push(id);
        }
      }),
    );
    done = true;
    await reading;
    expect(seen).toHaveLength(new Set(seen).size);
    expect(new Set(seen)).toEqual(new Set(written));
  });

  // SQLite has only one writer at a time.
  test.skipIf(engine === 'sqlite')(
    'control: a reader that compares only event numbers misses events that commit late',
    async () => {
      const read = async (after: number) => {
        const rows = await context.db.read
          .selectFrom('events')
          .select(['seq', 'subject_id'])
          .where('seq', '>', after)
          .orderBy('seq')
          .execute();
        return { ids: rows.map(({ subject_id }) => subject_id), cursor: rows.at(-1)?.seq ?? after };
      };
      const [slow, quick] = [uuidv7(context), uuidv7(context)];
      const before = await lastSeq(context.db.read);
      const commit = await appendHeld(slow);
      await append(quick);
      const early = await read(before);
      await commit();
      const late = await read(early.cursor);
      expect([early.ids, late.ids]).toEqual([[quick], []]);
    },
  );

  test('events are held back while the transaction of an earlier event is open, then returned in order', async () => {
    const reader = createEventReader(context, 'now');
    await reader.next();
    const [slow, quick] = [uuidv7(context), uuidv7(context)];
    const commit = await appendHeld(slow);
    const overtaking = append(quick);
    await sleep(50 * SLOW);
    const early = (await reader.next()).map(({ subjectId }) => subjectId);
    expect(early).toEqual([]);
    await commit();
    await overtaking;
    // The two events may arrive in separate reads.
    const late = [...(await reader.next())];
    while (late.length < 2) late.push(...(await reader.next()));
    expect(late.map(({ subjectId }) => subjectId)).toEqual([slow, quick]);
    expect(await createEventReader(context, late[0]!.seq).next()).toEqual([late[1]]);
  });

  test('readSettled returns a place before events of open transactions, and catches up after they commit', async () => {
    const readSettled = createReadSettled(context.db, context.now);
    await readSettled();
    const [slow, quick] = [uuidv7(context), uuidv7(context)];
    const commit = await appendHeld(slow);
    const overtaking = append(quick);
    const during: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      const all = await Promise.all([readSettled(), readSettled(), readSettled()]);
      // The calls share one check, because concurrent checks would overwrite each other's list of open writers.
      expect(new Set(all).size).toBe(1);
      during.push(...all.map((settled) => settled!.seq));
    }
    await Promise.all([commit(), overtaking]);
    const before = context.now();
    const last = (await readSettled())!;
    const rows = await context.db.read
      .selectFrom('events')
      .select(['seq', 'subject_id'])
      .where('subject_id', 'in', [slow, quick])
      .execute();
    const [first] = rows.map(({ seq }) => seq).sort((one, other) => one - other);
    expect(Math.max(...during)).toBeLessThan(first!);
    if (SLOW === 1) expect(last.seq).toBe(await lastSeq(context.db.read));
    else expect(last.seq).toBeGreaterThanOrEqual(await lastSeq(context.db.read));
    expect(last.atMs).toBeGreaterThanOrEqual(before);
  });

  test('a rolled-back transaction does not block readers', async () => {
    const reader = createEventReader(context, 'now');
    await reader.next();
    const failed = context.db.transaction(async (tx) => {
      await appendEvent(tx, changeOf(uuidv7(context)));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    const id = uuidv7(context);
    await append(id);
    expect((await reader.next()).map(({ subjectId }) => subjectId)).toEqual([id]);
  });

  test('the audit log returns each matching event once, and claim events only on request', async () => {
    const owner = await createOwner(context);
    await issueTokens(context, owner, 60);
    for (const operator of [false, true]) {
      const email = `self-${operator}@example.com`;
      await createAccount(context, { email, name: 'Self', operator, actor: 'self' });
    }
    const collect = async (filter: AuditFilter, limit = AUDIT_PAGE_SIZE) => {
      const seen: { seq: number; type: string; accountId: string }[] = [];
      for (let after: string | undefined, more = true; more; ) {
        const page = await readAuditLog(context.db.read, { filter, after, limit });
        seen.push(...page.events);
        after = page.next ?? undefined;
        more = page.next !== null;
      }
      return seen.map(({ seq }) => seq);
    };
    const all = await context.db.read.selectFrom('events').selectAll().orderBy('seq', 'desc').execute();
    const those = (which: (event: (typeof all)[number]) => boolean) =>
      all.filter(which).map(({ seq }) => seq);
    expect(await collect({})).toEqual(those(({ type }) => !type.startsWith('claim.')));
    const isSignUp = (event: (typeof all)[number]) =>
      event.type === 'account.created' &&
      event.actor === `account:${event.subject_id}` &&
      !event.data.includes('self-true');
    expect(await collect({ withoutSignIns: true }, 20)).toEqual(
      those(
        (event) =>
          !event.type.startsWith('claim.') && !/^session\.signed_/.test(event.type) && !isSignUp(event),
      ),
    );
    expect(await collect({ accountId: owner.accountId }, 2)).toEqual(
      those((event) => event.account_id === owner.accountId && !event.type.startsWith('claim.')),
    );
    expect(await collect({ type: 'key.created' })).toEqual(those(({ type }) => type === 'key.created'));
    expect(await collect({ type: 'claim.created', accountId: owner.accountId })).toEqual(
      those(({ type, account_id }) => type === 'claim.created' && account_id === owner.accountId),
    );
    expect(await collect({ accountId: 'nobody' })).toEqual([]);
    const [newest] = (await readAuditLog(context.db.read, { filter: { accountId: owner.accountId } })).events;
    expect(newest).toMatchObject({ type: 'key.created', accountEmail: expect.stringContaining('owner-') });
  });

  describe('repeated edits of the same subject', () => {
    let clock = Date.parse('2026-11-20T10:00:00.000Z');
    const later = (ms = 1_000): Context => {
      clock += ms;
      return { ...context, now: () => clock };
    };
    const eventsAbout = async (subjectId: string) =>
      (await context.db.read.selectFrom('events').selectAll().orderBy('seq').execute())
        .map(toRecord)
        .filter((event) => event.subjectId === subjectId);
    /** An account without an approved listing, whose new names need no review. */
    const newcomer = (email: string, name: string) =>
      createAccount(context, { email: `${email}@example.com`, name, actor: 'operator' });
    const rename = (accountId: string, name: string, ms?: number) =>
      renameAccount(later(ms), { accountId, name });

    test('within a minute are merged into one event that reaches every reader', async () => {
      const { id: accountId } = await newcomer('merged', 'A');
      const reader = createEventReader(context, 'now');
      await reader.next();
      await rename(accountId, 'B');
      const [first] = await reader.next();
      await rename(accountId, 'C');
      await rename(accountId, 'D');
      const [second, ...others] = await reader.next();
      expect([first?.data, second?.data, others]).toEqual([
        { from: 'A', to: 'B' },
        { from: 'A', to: 'D', since: first?.at, through: ['B', 'C'] },
        [],
      ]);
      expect(await eventsAbout(accountId)).toMatchObject([{ type: 'account.created' }, { seq: second?.seq }]);
      // One minute after the first edit, a new event starts, even if edits keep coming.
      for (let at = 0; at < 5; at += 1) await rename(accountId, `D${at}`, 15_000);
      const edits = (await eventsAbout(accountId)).slice(1).map(({ data }) => [data['from'], data['to']]);
      expect(edits).toEqual([
        ['A', 'D2'],
        ['D2', 'D4'],
      ]);
    });

    test('are merged field by field, unless another event about the subject is in between', async () => {
      const owner = await createOwner(context);
      const actor = `account:${owner.accountId}` as const;
      const listing = await createListing(later(), {
        account: owner.accountId,
        slug: `edits-${owner.accountId.slice(-8)}`,
        name: 'Edits',
        url: 'https://edits.example',
        actor,
      });
      const edit = (change: object) => editListing(later(), { listing: listing.id, actor, ...change });
      await edit({ name: 'Two', description: 'x'.repeat(4_000) });
      await edit({ name: 'Three', summary: 'short' });
      await edit({ name: 'Three', description: `${'y'.repeat(300)}😀` });
      const [, edited, ...others] = await eventsAbout(listing.id);
      expect(others).toEqual([]);
      expect(edited?.data).toMatchObject({
        from: { name: 'Edits', description: null, summary: null },
        to: { name: 'Three', summary: 'short', description: `${'y'.repeat(200)}… (301 characters in all)` },
      });
      const offer = { listing: listing.id, offer: '20 % off', kind: 'discount', code: 'X', actor } as const;
      await createOffer(later(), offer);
      await submitListing(later(), { listing: listing.id, actor });
      await edit({ name: 'Four' });
      const types = (await eventsAbout(listing.id)).map(({ type }) => type);
      expect(types.slice(1)).toEqual(['listing.changed', 'listing.submitted', 'listing.changed']);
    });

    test('keep intermediate names and URLs, at most ten per event', async () => {
      const { id: accountId } = await newcomer('intermediate', 'Ada');
      await rename(accountId, 'Support');
      await rename(accountId, 'Ada');
      const outgoing = createOutgoing({ allowed: networkList([]), resolve: async () => ['1.1.1.1'] });
      const actor = `account:${accountId}` as const;
      const mine = { accountId, actor, eventTypes: ['offer.changed'], url: 'https://mine.example/' } as const;
      const { id: endpointId } = await createEndpoint(later(), outgoing, mine);
      await editEndpoint(later(), outgoing, { ...mine, endpointId, url: 'https://evil.example/' });
      await editEndpoint(later(), outgoing, { ...mine, endpointId });
      expect((await eventsAbout(accountId)).at(-1)?.data).toMatchObject({
        from: 'Ada',
        to: 'Ada',
        through: ['Support'],
      });
      expect((await eventsAbout(endpointId)).slice(1)).toMatchObject([
        { data: { origin: 'https://mine.example', through: ['https://evil.example'] } },
      ]);
      for (let n = 0; n < 15; n += 1) await rename(accountId, `N${n}`, 1);
      const edits = (await eventsAbout(accountId)).slice(1).map(({ data }) => data['through']);
      expect(edits.map((through) => (through as string[]).length)).toEqual([10, 5]);
    });

    test('do not invalidate a feed cursor that points at a replaced event', async () => {
      const { id: accountId } = await newcomer('cursor', 'A');
      const read = async (after: Cursor | null) => {
        const readSettled = createReadSettled(context.db, context.now);
        const input = { accountId, mode: 'live', after } as const;
        const page = await readRedemptions({ db: context.db, readSettled }, input);
        return parseCursor(page.next);
      };
      await rename(accountId, 'B');
      const cursor = await read(null);
      await rename(accountId, 'C');
      await expect(read(cursor)).resolves.not.toBeNull();
    });
  });
});
