/** Monthly partitions of events and attempts on PostgreSQL, and the default partition for all other months. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { examineEventLog } from '../../../src/background/system/event-log.ts';
import { appendEvent, readEventsAt } from '../../../src/base/events/queries.ts';
import { attemptsNeedSweep, sweepAttempts } from '../../../src/claims/attempts/sweep.ts';
import { EVENT_NUMBER } from '../../../src/platform/store/citus/event-numbers.ts';
import { DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import { readAccountNumber } from '../../../src/platform/store/numbers.ts';
import {
  arePartitionsMissing,
  MONTHS_AHEAD,
  missingMonths,
  monthStart,
  type Partitions,
} from '../../../src/platform/store/partitions.ts';
import { LOCK_TIMEOUT_MS } from '../../../src/platform/store/postgres/partitions.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { inEnglish } from '../../support/english.ts';
import { createEventReader } from '../../support/event-reader.ts';
import { nodeUrls, onDatabase, urlOf } from '../../support/nodes.ts';
import { shareDatabase, shareOwner } from '../../support/shared.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;
/** Number of events that are moved while other events are written and read. */
const MOVED = 6_000;

const PAUSED = { change: 'paused', offer: 'An offer' } as const;

/** The tests share a database and write events in different years. */
describe('partitions', () => {
  const database = shareDatabase('postgres');
  const { context } = database;
  const owner = shareOwner(context);
  let partitions: Partitions;
  beforeAll(() => {
    partitions = database.db.partitions!;
  });

  const append = (at: string) =>
    context.db.transaction(async (tx) => {
      await appendEvent(tx, {
        accountId: owner.accountId,
        type: 'offer.changed',
        at,
        actor: 'operator',
        subjectId: uuidv7(context),
        data: PAUSED,
      });
    });
  const strays = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from event_rows_rest`.execute(
      context.db.read,
    );
    return rows[0]!.count;
  };
  const indexesOf = async (table: string) => {
    const { rows } = await sql`select from pg_index where indrelid = ${table}::regclass`.execute(
      context.db.read,
    );
    return rows;
  };
  const log = () => context.db.read.selectFrom('events').select(['seq', 'at']).orderBy('seq').execute();
  const logOf = async (year: string) => (await log()).filter(({ at }) => at.startsWith(year));
  const partOf = async (month: string) =>
    (await partitions.list('event_rows')).find(({ from }) => from.startsWith(month))!;
  const look = async (atMs: number) => (await examineEventLog(context.db, { months: null }, atMs))[1]!;
  /** Runs statements in a transaction that stays open until `end`. */
  const hold = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: database.databaseUrl! });
    await client.connect();
    for (const statement of ['begin', ...statements]) await client.query(statement);
    const end = async () => {
      await client.query('commit');
      await client.end();
    };
    return { client, end };
  };
  const addAttempt = (at: string) =>
    sql`insert into attempts (account_id, mode, at, request_id, cause, latency_us)
      values (${owner.accountId}, 'live', ${at}, 'one', 'valid', 1)`.execute(context.db.read);

  test('a new database has partitions for the coming months, and doctor reports missing ones', async () => {
    const nowMs = Date.now();
    const wanted = Array.from({ length: MONTHS_AHEAD + 1 }, (_, later) => monthStart(nowMs, later));
    for (const table of ['event_rows', 'attempts'] as const) {
      expect((await partitions.list(table)).map(({ from }) => from)).toEqual(wanted);
    }
    expect(await arePartitionsMissing(partitions, nowMs)).toBe(false);
    expect(await look(nowMs)).toMatchObject({ check: 'partitions', ok: true });
    expect(await look(nowMs)).not.toHaveProperty('note');
    const month = monthStart(nowMs, MONTHS_AHEAD + 1).slice(0, 7);
    expect(inEnglish(await look(Date.parse(monthStart(nowMs, 1))))).toMatchObject({
      note: true,
      detail: expect.stringContaining(`events of ${month} have no partition`),
    });
  });

  test('creates partitions, except for a month with attempts in the default partition', async () => {
    const nowMs = Date.now();
    const month = monthStart(nowMs, MONTHS_AHEAD + 1);
    await addAttempt(month);
    const later = nowMs + 2 * MONTH_MS;
    expect(await arePartitionsMissing(partitions, later)).toBe(true);
    await Promise.all([partitions.create(later), partitions.create(later)]);
    await partitions.create(later);
    expect(missingMonths(await partitions.list('event_rows'), later)).toEqual([]);
    expect(missingMonths(await partitions.list('attempts'), later)).toEqual([month]);
    const attempts = context.db.transaction((tx) => tx.deleteFrom('attempts').returning('at').execute());
    expect(await attempts).toEqual([{ at: month }]);
    await partitions.create(later);
    expect(await arePartitionsMissing(partitions, later)).toBe(false);
  });

  test('an event without a partition goes to the default partition, and the next creation of partitions moves it', async () => {
    const times = ['1970-01-01T00:00:00.000Z', '2019-12-31T23:59:59.999Z', '2020-01-01T00:00:00.000Z'];
    times.push('2199-07-01T12:00:00.000Z');
    for (const at of times) await append(at);
    expect(await strays()).toBe(times.length);
    const before = await log();
    expect(await arePartitionsMissing(partitions, context.now())).toBe(true);
    expect(inEnglish(await look(context.now()))).toMatchObject({
      note: true,
      detail: expect.stringContaining('4 events in the default partition'),
    });

    await partitions.create(context.now());
    expect(await strays()).toBe(0);
    expect(await log()).toEqual(before);
    const froms = (await partitions.list('event_rows')).map(({ from }) => from);
    for (const at of times) expect(froms).toContain(monthStart(Date.parse(at)));
    // July 2199 now has a partition, because an event of that month was moved.
    await append('2199-07-31T23:00:00.000Z');
    expect(await strays()).toBe(0);
  });

  test('a reader gets each event exactly once while the creation of partitions moves events and new events are written', async () => {
    const reader = createEventReader(context, 'now');
    await reader.next();
    const first = reader.cursor();
    const old = (n: number) => new Date(Date.UTC(2015, n % 5, 10, 0, 0, 0, n)).toISOString();
    await sql`insert into event_rows (account_number, type, at, actor, subject_id, data)
      select account_number, type, timestamptz '2014-03-01' + make_interval(mins => n), actor, subject_id, data
      from (select * from event_rows order by seq desc limit 1) one, generate_series(1, ${sql.lit(MOVED)}) n`.execute(
      context.db.read,
    );
    let done = false;
    let written = MOVED;
    const writing = Array.from({ length: 3 }, async () => {
      while (!done) {
        await append(old(written));
        written += 1;
        await sleep(1);
      }
    });
    const seen: number[] = [];
    const reading = (async () => {
      for (let last = false; !last; ) {
        last = done && (await Promise.all(writing).then(() => true));
        for (let events = await reader.next(); events.length > 0; events = await reader.next()) {
          seen.push(...events.map(({ seq }) => seq));
        }
      }
    })();
    for (let round = 0; round < 3; round += 1) await partitions.create(context.now());
    done = true;
    await reading;
    expect(seen).toHaveLength(written);
    expect(new Set(seen).size).toBe(written);
    expect(seen.every((seq, at) => seq > (seen[at - 1] ?? first))).toBe(true);
    await partitions.create(context.now());
    expect(await strays()).toBe(0);
    expect([...(await logOf('2014')), ...(await logOf('2015'))]).toHaveLength(written);
  });

  test('a partition is created with all its indexes, so that no index is built while the table is locked', async () => {
    await append('2010-03-03T00:00:00.000Z');
    await partitions.create(context.now());
    // A table's row in `pg_type` is never updated, so the row's `xmin` is the transaction that created the table.
    const { rows } = await sql<{ withTable: boolean }>`
      select i.xmin::text = t.xmin::text as "withTable" from pg_index i join pg_type t on t.typrelid = i.indrelid
      where i.indrelid = 'event_rows_2010_03'::regclass`.execute(context.db.read);
    const { length } = await indexesOf('event_rows');
    expect(rows).toEqual(Array.from({ length }, () => ({ withTable: true })));
  });

  test('an event is not lost if its transaction was open when the creation of partitions began to copy', async () => {
    // This event has a lower number than the next one and commits later.
    const writer = await hold(
      `insert into event_rows (account_number, type, at, actor, subject_id, data)
       select account_number, type, '2016-06-01', actor, subject_id, data from event_rows limit 1`,
    );
    await append('2016-06-02T00:00:00.000Z');
    const making = partitions.create(context.now());
    await sleep(LOCK_TIMEOUT_MS * 2);
    await writer.end();
    await making;
    expect(await logOf('2016')).toHaveLength(2);
  });

  describe.skipIf(nodeUrls().length === 1)('events written on a worker (requires Citus)', () => {
    const [, workerUrl] = nodeUrls();
    const onWorker = (work: (worker: pg.Client) => Promise<void>) =>
      onDatabase(urlOf(workerUrl!, new URL(database.databaseUrl!).pathname.slice(1)), work);
    /** Writes an event with a number drawn by the worker, like a batch of redemptions. */
    const writeAt = async (worker: pg.Client, account: number) =>
      await worker.query(
        `insert into event_rows (seq, account_number, type, at, actor, subject_id, data)
         values (${EVENT_NUMBER('1')}, $1, 'offer.changed', '2018-06-02', 'operator', $2, '{}')`,
        [account, owner.accountId],
      );

    test('are not lost if their numbers are below the numbers drawn by the coordinator', async () => {
      const account = await readAccountNumber(context.db.read, owner.accountId);
      const rows = 20_000;
      // The account number is a parameter, because Citus 13.2 inserts no rows if the select joins a reference table
      // with a function.
      await sql`insert into event_rows (account_number, type, at, actor, subject_id, data)
        select ${account}::int, 'offer.changed', '2018-06-01', 'operator', ${owner.accountId}::uuid, '{}'
        from generate_series(1, ${rows}::int)`.execute(context.db.read);
      let done = false;
      let written = 0;
      const begun = Promise.withResolvers<void>();
      const writing = onWorker(async (worker) => {
        // This transaction is open when makeRoom begins to copy.
        await worker.query('begin');
        await writeAt(worker, account);
        begun.resolve();
        await sleep(LOCK_TIMEOUT_MS * 2);
        await worker.query('commit');
        for (written = 1; !done; written += 1) await writeAt(worker, account);
      });
      await begun.promise;
      await partitions.create(context.now());
      done = true;
      await writing;
      expect(await logOf('2018')).toHaveLength(rows + written);
    });

    test('cause the creation of partitions to fail while their transaction is open, and are moved afterwards', async () => {
      await append('2008-03-03T00:00:00.000Z');
      const before = await logOf('2018');
      const account = await readAccountNumber(context.db.read, owner.accountId);
      await onWorker(async (worker) => {
        await worker.query('begin');
        await writeAt(worker, account);
        await expect(partitions.create(context.now())).rejects.toBeInstanceOf(DatabaseUnavailable);
        await worker.query('commit');
      });
      await partitions.create(context.now());
      expect(await strays()).toBe(0);
      expect(await logOf('2018')).toHaveLength(before.length + 1);
    });
  });

  test('a write succeeds while the partition of its month is being created', async () => {
    const nowMs = Date.now() + 24 * MONTH_MS;
    const holder = await hold('lock table event_rows_rest in access share mode');
    const making = partitions.create(nowMs);
    const isWaiting = async () => {
      const { rows } = await holder.client.query(
        `select from pg_locks where relation = 'event_rows_rest'::regclass and not granted`,
      );
      return rows.length > 0;
    };
    while (!(await isWaiting()));
    const writing = append(new Date(nowMs).toISOString());
    await sleep(LOCK_TIMEOUT_MS / 3);
    await holder.end();
    await Promise.all([writing, making]);
    // If the event was written after a lock timeout, it is in the default partition and is moved now.
    await partitions.create(nowMs);
    expect(await strays()).toBe(0);
    expect((await log()).at(-1)!.at).toBe(new Date(nowMs).toISOString());
  });

  test('creating partitions replaces copies left behind by a killed process', async () => {
    await append('2011-05-05T00:00:00.000Z');
    const killed = await hold(
      'create table event_rows_2011_05 (like event_rows)',
      'insert into event_rows_2011_05 select * from event_rows_rest',
    );
    await killed.end();
    await partitions.create(context.now());
    expect(await logOf('2011')).toHaveLength(1);
    expect(await strays()).toBe(0);
  });

  test('drop gives up while a reader locks the partition, and blocks writes only briefly', async () => {
    const old = '2012-02-02T00:00:00.000Z';
    await append(old);
    await partitions.create(context.now());
    const part = await partOf('2012-02');
    const holder = await hold('select count(*) from events');
    let done = false;
    let slowestMs = 0;
    const writing = (async () => {
      while (!done) {
        const startedMs = performance.now();
        await append(new Date().toISOString());
        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
        await sleep(2);
      }
    })();
    expect(await partitions.drop(part)).toBe(false);
    await holder.end();
    expect(await partitions.drop(part)).toBe(true);
    done = true;
    await writing;
    // Without a lock timeout, writes would wait until the reader's transaction ends.
    expect(slowestMs).toBeLessThan(LOCK_TIMEOUT_MS * 10);
    expect(await logOf('2012')).toEqual([]);
  });

  test('drop keeps a partition that has an event with a number above upTo', async () => {
    for (const at of ['2009-02-02T00:00:00.000Z', '2009-02-03T00:00:00.000Z']) await append(at);
    await partitions.create(context.now());
    const part = await partOf('2009-02');
    const last = (await log()).at(-1)!.seq;
    await append('2009-02-04T00:00:00.000Z');
    expect(await partitions.drop(part, last)).toBe(false);
    expect(await logOf('2009')).toHaveLength(3);
    expect(await partitions.drop(part, (await log()).at(-1)!.seq)).toBe(true);
    expect(await logOf('2009')).toEqual([]);
  });

  test('creating partitions fails and loses no event while a reader locks the default partition', async () => {
    await append('2013-03-03T00:00:00.000Z');
    const holder = await hold('select count(*) from events');
    const failing = partitions.create(context.now());
    await expect(failing).rejects.toBeInstanceOf(DatabaseUnavailable);
    await holder.end();
    expect(await logOf('2013')).toHaveLength(1);
    await partitions.create(context.now());
    expect(await strays()).toBe(0);
  });

  test('an expired month of attempts is dropped, or deleted row by row if a reader locks its partition', async () => {
    const nowMs = Date.now();
    const old = nowMs - 4 * MONTH_MS;
    await partitions.create(old);
    const months = async () => (await partitions.list('attempts')).map(({ from }) => from);
    const kept = (await months()).filter((from) => from >= monthStart(nowMs));
    const limits = { days: 7, calls: 100 };
    const late = { ...context, now: () => nowMs };
    const { signal } = new AbortController();
    const calls = () => context.db.read.selectFrom('attempts').select('at').execute();
    await addAttempt(new Date(old).toISOString());
    await addAttempt(new Date(nowMs).toISOString());
    const reader = await hold(`select from attempts_${monthStart(old).slice(0, 7).replace('-', '_')}`);
    await sweepAttempts(late, limits, signal);
    expect(await calls()).toHaveLength(1);
    await reader.end();
    expect((await months()).length).toBeGreaterThan(kept.length);
    expect(await attemptsNeedSweep(late, limits)).toBe(true);
    await sweepAttempts(late, limits, signal);
    expect((await months()).filter((from) => from < monthStart(nowMs - 9 * DAY_MS))).toEqual([]);
    expect(await calls()).toHaveLength(1);
  });

  // The test checks which partitions are locked. On Citus, the coordinator locks all partitions, even if the workers
  // read only some of them.
  test.skipIf(nodeUrls().length > 1)(
    'readEventsAt reads only the partitions of the requested events',
    async () => {
      for (const at of ['2017-01-31T23:59:59.999Z', '2017-02-01T00:00:00.000Z']) await append(at);
      await partitions.create(context.now());
      const places = await logOf('2017');
      await context.db.read.transaction().execute(async (read) => {
        const events = await readEventsAt({ ...context.db, read }, places);
        expect(events.map(({ seq, at }) => ({ seq, at }))).toEqual(places);
        const { rows } = await sql<{ name: string }>`select relation::regclass::text as name from pg_locks
        where pid = pg_backend_pid() and relation::regclass::text ~ '^event_rows_[0-9r][0-9a-z_]*$'
          and relation in (select inhrelid from pg_inherits)`.execute(read);
        const looked = rows.map(({ name }) => name).filter((name) => !name.includes('idx'));
        expect(looked.sort()).toEqual(['event_rows_2017_01', 'event_rows_2017_02']);
      });
    },
  );
});
