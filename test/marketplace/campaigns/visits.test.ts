/** Every visit is counted, and each visitor once per day and label. Visitor data is deleted after the day ends. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { aggregateLabelDeltas, countLabels } from '../../../src/marketplace/campaigns/count.ts';
import {
  createVisitCounter,
  FORGET_AFTER_MS,
  MAX_UNKNOWN_LABELS,
  NEW_LABELS_BY_NETWORK,
} from '../../../src/marketplace/campaigns/count-visits.ts';
import { LAUNCH_LABEL, OTHER_LABELS } from '../../../src/marketplace/campaigns/label.ts';
import { listUnreadableLabels } from '../../../src/marketplace/campaigns/queries.ts';
import { registerLabel } from '../../../src/marketplace/campaigns/register-label.ts';
import { type Caller, visitOf } from '../../../src/marketplace/campaigns/visit.ts';
import { MAX_VISITORS_A_DAY, VISITOR_STORES } from '../../../src/marketplace/campaigns/visitor-queries.ts';
import { DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { recordStatements } from '../../support/plans.ts';
import { shareDatabase } from '../../support/shared.ts';
import { allTexts } from '../../support/tables.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');

const from = (address: string, userAgent = FIREFOX, purpose?: string): Caller => ({
  address,
  userAgent,
  purposes: [purpose],
});
const visit = ({ accountId, listingId }: Owner, via: string | null) =>
  visitOf({ id: listingId, account_id: accountId }, via);

describe.each(ENGINES)('visits on %s', (engine) => {
  const { context } = shareDatabase(engine);

  const at = (ms: number): Context => ({ ...context, now: () => ms });
  const countsOf = async (owner: Owner, days: { from?: string; to?: string } = {}) => {
    const labels = await countLabels(at(NOON), { listing: owner.slug, ...days });
    return Object.fromEntries(labels.map(({ via, visits, visitors }) => [via ?? '', [visits, visitors]]));
  };

  test('each view counts as a visit, and each person as one visitor per day and label', async () => {
    const owner = await createOwner(context);
    const counter = createVisitCounter(at(NOON));
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2', '192.0.2.1']) {
      counter.count(visit(owner, 'news'), from(address));
    }
    counter.count(visit(owner, 'news'), from('192.0.2.1', `${FIREFOX} other`));
    counter.count(visit(owner, 'News?utm_source=x'), from('192.0.2.9'));
    counter.count(visit(owner, null), from('192.0.2.1'));
    expect(await countsOf(owner)).toEqual({});
    await counter.flush();
    const expected = { news: [7, 5], '': [1, 1] };
    expect(await countsOf(owner)).toEqual(expected);
    await aggregateLabelDeltas(context);
    expect(await countsOf(owner)).toEqual(expected);
    counter.count(visit(owner, 'news'), from('192.0.2.1'));
    await counter.close();
    expect(await countsOf(owner)).toEqual({ ...expected, news: [8, 5] });
  });

  test('bots and prefetches are ignored, and no visit is counted while the disk is nearly full', async () => {
    const owner = await createOwner(context);
    const full = createVisitCounter(at(NOON), { mayGrow: () => false });
    full.count(visit(owner, 'news'), from('192.0.2.1'));
    await full.close();
    const counter = createVisitCounter(at(NOON));
    for (const caller of [
      from('192.0.2.1', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'),
      from('192.0.2.1', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'),
      from('192.0.2.1', 'curl/8.5.0'),
      { ...from('192.0.2.1'), userAgent: undefined },
      from('192.0.2.1', FIREFOX, 'prefetch'),
      from('192.0.2.1', FIREFOX, 'prefetch;prerender'),
    ]) {
      counter.count(visit(owner, 'news'), caller);
    }
    await counter.close();
    expect(await countsOf(owner)).toEqual({});
  });

  test('each invalid label has its own count up to a limit; further invalid labels share one count', async () => {
    const owner = await createOwner(context);
    const counter = createVisitCounter(at(NOON));
    for (let n = 0; n < 3; n += 1) counter.count(visit(owner, 'Frühling'), from('192.0.2.1'));
    await counter.flush();
    for (let n = 0; n < 50; n += 1) counter.count(visit(owner, `ü${n}`), from('192.0.2.1'));
    await counter.close();
    const rows = await context.db.read
      .selectFrom('unreadable_labels')
      .select(['found', 'visits', 'claims'])
      .where('listing_id', '=', owner.listingId)
      .execute();
    expect(rows).toContainEqual({ found: 'Frühling', visits: 3, claims: 0 });
    expect(rows).toContainEqual({ found: '', visits: 31, claims: 0 });
    expect(rows).toHaveLength(21);
    // Visits with an invalid label count as visits without a label. All of the visits are by one person.
    expect(await countsOf(owner)).toEqual({ '': [53, 1] });
  });

  test('above the limit of buffered entries, visitors are not counted; at twice the limit, labels are omitted, also invalid ones', async () => {
    const owner = await createOwner(context);
    const counter = createVisitCounter(at(NOON), { maxPending: 2 });
    for (const label of ['one', 'two', 'three', 'four', 'five', 'Frühling']) {
      counter.count(visit(owner, label), from('192.0.2.1'));
    }
    await counter.close();
    expect(await countsOf(owner)).toEqual({
      one: [1, 1],
      two: [1, 1],
      // New labels count as other labels if the visitor's network is not known.
      [OTHER_LABELS]: [2, 0],
      '': [2, 0],
    });
    expect(await listUnreadableLabels(context.db.read, owner.accountId, owner.listingId)).toEqual([]);
  });

  test('one network adds few labels; the rest count as other labels, except registered labels and labels with claims', async () => {
    const owner = await createOwner(context);
    const { accountId, slug: listing } = owner;
    await registerLabel(context, { accountId, listing, label: 'planned' });
    await issueTokens(context, owner, 1, { via: 'bought' });
    const counter = createVisitCounter(at(NOON));
    const eve = (n: number) => from(`2001:db8:1:${n.toString(16)}::1`);
    for (let n = 0; n < 1_000; n += 1) counter.count(visit(owner, `l${n}`), eve(n % 4));
    counter.count(visit(owner, '__proto__'), eve(1));
    for (const label of ['planned', 'bought', 'Frühling'])
      counter.count(visit(owner, label), from('192.0.2.1'));
    await counter.close();
    const counts = await countsOf(owner);
    // All /64 of one /56 together have twice the limit of a /64.
    expect(Object.keys(counts).filter((label) => /^(?:l\d|__proto__)/.test(label))).toHaveLength(
      2 * NEW_LABELS_BY_NETWORK.attempts,
    );
    expect([counts['planned']![0], counts['bought']![0], counts[OTHER_LABELS]![0]]).toEqual([1, 1, 981]);
    const other = createVisitCounter(at(NOON));
    other.count(visit(owner, 'real'), from('192.0.2.1'));
    await other.close();
    expect((await countsOf(owner))['real']![0]).toBe(1);
  });

  test('visits with new labels from a network above its limit don’t read the days of the listing', async () => {
    const owner = await createOwner(context);
    const { plugin, texts } = recordStatements();
    const watched: Context = {
      ...at(NOON),
      db: {
        ...context.db,
        transaction: (work) => context.db.transaction((tx) => work(tx.withPlugin(plugin))),
      },
    };
    const readsDays = () => texts().some((text) => text.includes('label_days'));
    const add = async (counting: Context, labels: number) => {
      const counter = createVisitCounter(counting);
      for (let n = 0; n < labels; n += 1) counter.count(visit(owner, `new-${n}`), from('198.51.100.99'));
      await counter.close();
    };
    await add(at(NOON), NEW_LABELS_BY_NETWORK.attempts);
    await add(watched, 2 * NEW_LABELS_BY_NETWORK.attempts);
    expect(readsDays()).toBe(false);
    const control = createVisitCounter(watched);
    control.count(visit(owner, 'elsewhere'), from('198.51.100.98'));
    await control.close();
    expect(readsDays()).toBe(true);
  });

  test('many networks fill the unknown labels of a listing; the owner’s are still counted, and old ones make space', async () => {
    const owner = await createOwner(context);
    const { accountId, slug: listing } = owner;
    const visitFrom = async (day: number, networks: number, labelOf: (n: number) => string) => {
      const counter = createVisitCounter(at(NOON + day * DAY_MS));
      for (let n = 0; n < networks; n += 1)
        counter.count(visit(owner, labelOf(n)), from(`198.51.${day}.${n}`));
      await counter.close();
      await aggregateLabelDeltas(context);
    };
    await visitFrom(0, 210, (n) => `noise-${n}`);
    await registerLabel(context, { accountId, listing, label: 'campaign' });
    await visitFrom(1, 3, () => 'campaign');
    await visitFrom(1, 2, () => 'mistyped');
    // Nobody registered this label, but every owner gets a link with it.
    await visitFrom(1, 2, () => LAUNCH_LABEL);
    let counts = await countsOf(owner);
    expect(Object.keys(counts).filter((label) => label.startsWith('noise'))).toHaveLength(MAX_UNKNOWN_LABELS);
    expect([counts['campaign']![0], counts[OTHER_LABELS]![0]]).toEqual([3, 12]);
    await visitFrom(40, 2, () => 'late');
    counts = await countsOf(owner);
    expect(counts).toMatchObject({ late: [2, 2], campaign: [3, 3], [OTHER_LABELS]: [212, 212] });
    expect(counts[LAUNCH_LABEL]).toEqual([2, 2]);
    expect(Object.keys(counts).filter((label) => label.startsWith('noise'))).toEqual([]);
  });

  test('concurrent processes count visits exactly and each visitor once', async () => {
    const owner = await createOwner(context);
    // SQLite allows only one server process.
    const counters = Array.from({ length: engine === 'sqlite' ? 1 : 4 }, () => createVisitCounter(at(NOON)));
    const rounds = Array.from({ length: 10 }, async (_, round) => {
      for (const counter of counters) {
        for (let n = 0; n < 60; n += 1) {
          counter.count(visit(owner, n % 2 === 0 ? 'even' : null), from(`198.51.100.${(round + n) % 50}`));
        }
      }
      await Promise.all(counters.map((counter) => counter.flush()));
    });
    await Promise.all([...rounds, aggregateLabelDeltas(context), aggregateLabelDeltas(context)]);
    await Promise.all(counters.map((counter) => counter.close()));
    const visits = 300 * counters.length;
    expect(await countsOf(owner)).toEqual({ even: [visits, 50], '': [visits, 50] });
  });

  test('visits are retried if the database is unavailable, and dropped after any other error', async () => {
    const owner = await createOwner(context);
    let failure: Error | null = new DatabaseUnavailable('away');
    const transaction: typeof context.db.transaction = (work) =>
      failure === null ? context.db.transaction(work) : Promise.reject(failure);
    const failures: string[] = [];
    const counter = createVisitCounter(
      { ...at(NOON), db: { ...context.db, transaction } },
      { onFailure: (error) => failures.push((error as Error).message) },
    );
    counter.count(visit(owner, 'news'), from('192.0.2.1'));
    await counter.flush();
    counter.count(visit(owner, 'news'), from('192.0.2.1'));
    failure = null;
    await counter.flush();
    expect(await countsOf(owner)).toEqual({ news: [2, 1] });
    failure = new Error('a fault');
    counter.count(visit(owner, 'news'), from('192.0.2.1'));
    await counter.flush();
    failure = null;
    await counter.close();
    expect(await countsOf(owner)).toEqual({ news: [2, 1] });
    expect(new Set(failures)).toEqual(new Set(['away', 'a fault']));
  });

  test('each visit counts for the day on which it happened, and visitor data is deleted after that day', async () => {
    const owner = await createOwner(context);
    let now = NOON;
    const counter = createVisitCounter({ ...context, now: () => now });
    const agent = `${FIREFOX} Remarkable/1`;
    counter.count(visit(owner, 'news'), from('203.0.113.77', agent));
    await counter.flush();
    const midnight = Date.parse('2026-11-21T00:00:00.000Z');
    now = midnight - 1;
    counter.count(visit(owner, 'news'), from('203.0.113.77', agent));
    now = midnight + 1_000;
    counter.count(visit(owner, 'news'), from('203.0.113.77', agent));
    await counter.flush();
    expect(await countsOf(owner, { from: '2026-11-20', to: '2026-11-20' })).toEqual({ news: [2, 1] });
    expect(await countsOf(owner, { from: '2026-11-21', to: '2026-11-21' })).toEqual({ news: [1, 1] });
    await aggregateLabelDeltas(context);
    expect(await countsOf(owner, { from: '2026-11-20', to: '2026-11-20' })).toEqual({ news: [2, 1] });

    now = midnight + DAY_MS + FORGET_AFTER_MS;
    await counter.close();
    const text = await allTexts(context);
    expect(text).toContain(owner.slug);
    for (const trace of ['203.0.113', 'Remarkable', 'Mozilla/5.0 (X11']) expect(text).not.toContain(trace);
    if (engine === 'postgres') {
      for (const table of ['visitors', 'visitor_days'] as const) {
        const rows = await context.db.read.selectFrom(table).select('day').execute();
        expect(rows.filter(({ day }) => day < '2026-11-22')).toEqual([]);
      }
    }
    // The day's salt is deleted, so a late write cannot recognize visitors. It counts the visit, but no new visitor.
    now = midnight - 1;
    const late = createVisitCounter({ ...context, now: () => now });
    late.count(visit(owner, 'news'), from('203.0.113.77', agent));
    now = midnight + DAY_MS + FORGET_AFTER_MS;
    await late.close();
    expect(await countsOf(owner, { from: '2026-11-20', to: '2026-11-20' })).toEqual({ news: [3, 1] });
  });

  test('visitors are stored only as salted hashes, with a different salt each day', async () => {
    const owner = await createOwner(context);
    const counter = createVisitCounter(at(NOON));
    counter.count(visit(owner, 'news'), from('203.0.113.78'));
    await counter.flush();
    expect(await allTexts(context)).not.toContain('203.0.113.78');
    if (engine === 'sqlite') return;
    const tomorrow = createVisitCounter(at(NOON + DAY_MS));
    tomorrow.count(visit(owner, 'news'), from('203.0.113.78'));
    await tomorrow.close();
    const hashes = await context.db.read
      .selectFrom('visitors')
      .select('hash')
      .where('day', '>=', '2026-11-21')
      .execute();
    const salts = await context.db.read.selectFrom('visitor_days').select(['day', 'salt']).execute();
    expect(hashes.length).toBeGreaterThan(0);
    expect(new Set(salts.map(({ salt }) => Buffer.from(salt).toString('hex'))).size).toBe(salts.length);
    // `u` means unlogged: the rows are not in the write-ahead log and not on standbys.
    const kinds = await sql<{ kind: string }>`
      select distinct relpersistence as kind from pg_class where relname in ('visitors', 'visitor_days')`.execute(
      context.db.read,
    );
    expect(kinds.rows).toEqual([{ kind: 'u' }]);
    await counter.close();
  });

  // On SQLite, the day’s visitors are kept in memory, because SQLite allows only one server process.
  test.runIf(engine === 'sqlite')('visitors beyond the daily limit do not count as new', async () => {
    const book = VISITOR_STORES.sqlite(context.random);
    await context.db.transaction(async (tx) => {
      const addVisitors = (first: number, amount: number) => {
        const visitors = Array.from({ length: amount }, (_, n) => `visitor ${first + n}`);
        return book.add(tx, '2026-11-20', visitors, true);
      };
      const many = await addVisitors(0, MAX_VISITORS_A_DAY - 1);
      expect(many.isNew).not.toContain(false);
      many.committed();
      expect((await addVisitors(MAX_VISITORS_A_DAY - 2, 4)).isNew).toEqual([false, true, false, false]);
    });
  });

  test.runIf(engine === 'postgres')(
    'visits are still counted after the daily visitor limit is reached',
    async () => {
      const owner = await createOwner(context);
      const counter = createVisitCounter(at(NOON + 100 * DAY_MS));
      counter.count(visit(owner, 'news'), from('192.0.2.1'));
      await counter.flush();
      await context.db.transaction((tx) =>
        tx
          .updateTable('visitor_days')
          .set({ visitors: MAX_VISITORS_A_DAY - 1 })
          .execute(),
      );
      for (const n of [2, 3, 4]) counter.count(visit(owner, 'news'), from(`192.0.2.${n}`));
      await counter.close();
      expect(await countsOf(owner)).toEqual({ news: [4, 2] });
    },
  );
});
