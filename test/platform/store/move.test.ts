/** A move from the embedded database to PostgreSQL: everything arrives, and a token can be redeemed in one of them. */
import { once } from 'node:events';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/platform/store/database.ts';
import { type MoveOptions, moveToPostgres, undoMove } from '../../../src/platform/store/move/move.ts';
import { tableNames } from '../../../src/platform/store/move/tables.ts';
import { DATABASE_FILE, openDatabase, schemaDifference } from '../../../src/platform/store/open.ts';
import { MOVED_FROM } from '../../../src/platform/store/settings.ts';
import { writeMove } from '../../../src/platform/store/sqlite/moved.ts';
import { restoreBackup } from '../../../src/platform/store/sqlite/restore.ts';
import { lockDataFolder } from '../../../src/platform/store/sqlite/serving-lock.ts';
import { record, run } from '../../app/cli/support.ts';
import { createDbLocation, type DbLocation, TEST_SECRET_KEY } from '../../support/engines.ts';
import { nodeUrls, onDatabase, urlOf } from '../../support/nodes.ts';
import { launch, runCommand } from '../../support/program.ts';
import { readTables } from '../../support/tables.ts';
import { loadRelease } from '../../upgrades/load.ts';

const NOW_MS = Date.UTC(2027, 2, 1);

describe.skipIf(nodeUrls().length > 1)('a move to PostgreSQL', () => {
  let from: DbLocation;
  let to: DbLocation;
  let file: string;
  let url: string;
  beforeEach(async () => {
    [from, to] = await Promise.all([
      loadRelease('1.0.0', 'sqlite'),
      createDbLocation('postgres', { isEmpty: true }),
    ]);
    file = join(from.dataDir, DATABASE_FILE);
    url = to.databaseUrl!;
    onSource(fillEmptyTables);
  });
  afterEach(() => Promise.all([from.remove(), to.remove()]));

  const onSource = <T>(work: (source: DatabaseSync) => T): T => {
    using source = new DatabaseSync(file);
    return work(source);
  };
  const optionsOf = (more: Partial<MoveOptions> = {}): MoveOptions => ({
    file,
    url,
    now: () => NOW_MS,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    checkSecretKeys: () => {},
    onProgress: () => {},
    ...more,
  });
  const move = (more?: Partial<MoveOptions>) => moveToPostgres(optionsOf(more));
  const failure = (moving: Promise<unknown>): Promise<string> =>
    moving.then(
      () => 'no failure',
      (error: Error) => error.message,
    );
  const countOnTarget = (table: string): Promise<number> =>
    onDatabase(url, async (client) => {
      const exists = await client.query('select to_regclass($1) as name', [table]);
      if (exists.rows[0].name === null) return 0;
      const { rows } = await client.query(`select count(*)::int as count from ${table}`);
      return rows[0].count;
    });
  const openSource = () => openDatabase({ databaseUrl: null, dataDir: from.dataDir, now: () => NOW_MS });

  test('copies every row of every table, as the code reads it', async () => {
    const before = await openSource();
    const expected = await readComparable(before);
    await before.close();
    expect([...expected].filter(([, rows]) => rows.length === 0)).toEqual([]);

    const result = await move();
    const after = await openDatabase({ databaseUrl: url, dataDir: to.dataDir, now: () => NOW_MS });
    try {
      const copied = await readComparable(after);
      expect(copied.get('settings')).toContain(
        JSON.stringify({ name: MOVED_FROM, value: await movedFrom(url) }),
      );
      expect(new Map([...copied].map(([name, rows]) => [name, rows.filter(isNotOfMove)]))).toEqual(expected);
      const isView = (name: string) => name === 'claims' || name === 'events';
      const tables = [...expected].filter(([name]) => !isView(name));
      expect(result).toMatchObject({
        tables: tables.length,
        rows: tables.reduce((sum, [, rows]) => sum + rows.length, 0),
      });
      expect(await schemaDifference(to)).toBeNull();
    } finally {
      await after.close();
    }
  });

  test('numbers new rows above the copied ones, and puts old rows into the partitions of their months', async () => {
    const last = onSource((source) => {
      source.exec(
        "update attempts set at = '2026-01-15T00:00:00.000Z' where id = (select min(id) from attempts)",
      );
      source.exec('update webhook_endpoints set cursor = 100000 where rowid = 1');
      return Number(source.prepare('select max(number) as last from accounts').get()!['last']);
    });
    await move();
    await onDatabase(url, async (client) => {
      const next = await client.query(
        `select nextval(pg_get_serial_sequence('accounts', 'number'))::int as account,
          nextval(pg_get_serial_sequence('event_rows', 'seq'))::int as event`,
      );
      expect(next.rows).toEqual([{ account: last + 1, event: 100_001 }]);
      const { rows } = await client.query('select count(*)::int as count from attempts_2026_01');
      expect(rows).toEqual([{ count: 1 }]);
    });
    expect(await countOnTarget('event_rows_rest')).toBe(0);
    expect(await countOnTarget('attempts_rest')).toBe(0);
  });

  test('leaves a file that no command uses, restores or moves again', async () => {
    const copy = join(to.dataDir, 'copy.db');
    onSource((source) => source.prepare('vacuum into ?').run(copy));
    await move();
    const moved = /was moved to PostgreSQL.*set DATABASE_URL to postgres/;
    expect(await failure(openSource())).toMatch(moved);
    expect(() => restoreBackup(copy, file, () => NOW_MS)).toThrow(moved);
    // What a program of an earlier version reads.
    expect(
      onSource((source) =>
        source.prepare('select max(compatible_with) as newest from schema_migrations').get(),
      ),
    ).toEqual({ newest: 1_000_000_000 });
    expect(await move()).toBeNull();
    const other = await createDbLocation('postgres', { isEmpty: true });
    try {
      expect(await failure(move({ url: other.databaseUrl! }))).toContain('does not have this copy');
    } finally {
      await other.remove();
    }
  });

  test('is refused while a server or another move uses the file', async () => {
    const unlock = lockDataFolder(from.dataDir);
    expect(await failure(move())).toContain('Another server is already running');
    unlock();
    const db = await openSource();
    expect(await failure(move())).toContain('is in use; first stop the server');
    await db.close();
    const outcomes = await Promise.all([move(), move().catch((error: Error) => error.message)]);
    expect(outcomes).toEqual([expect.objectContaining({ location: expect.any(String) }), expect.any(String)]);
  });

  test('is refused by a database that is not empty or has another key, and accepts empty tables', async () => {
    const isFilled = openDatabase({ databaseUrl: url, dataDir: to.dataDir, now: () => NOW_MS });
    await (await isFilled).close();
    await onDatabase(url, (client) => client.query("insert into settings values ('demo', 'x')"));
    expect(await failure(move())).toContain('is not empty: its table settings has rows');
    const checkSecretKeys = () => {
      throw new Error('another key');
    };
    expect(await failure(move({ checkSecretKeys }))).toBe('another key');
    expect(await failure(openSource().then((db) => db.close()))).toBe('no failure');
    await onDatabase(url, (client) => client.query('truncate settings'));
    expect(await move()).toMatchObject({ rows: expect.any(Number) });
  });

  test('names the values that PostgreSQL cannot store, before it copies anything', async () => {
    onSource((source) => {
      for (const [change] of UNSTORABLE) source.exec(change);
    });
    const steps = new Set<string>();
    const message = await failure(move({ onProgress: (step) => steps.add(step) }));
    for (const [, words] of UNSTORABLE) expect(message).toContain(words);
    expect([...steps]).toEqual(['examine']);
    expect(await countOnTarget('accounts')).toBe(0);
    expect(await failure(openSource().then((db) => db.close()))).toBe('no failure');
    onSource((source) => source.exec('pragma foreign_keys = off; delete from listings where rowid = 1'));
    expect(await failure(move())).toContain("refers to a row of listings that doesn't exist");
  });

  test('keeps replacement characters, escapes and the largest numbers', async () => {
    const subject = '\ufffd \\N \\. \t\r\n\v "';
    onSource((source) => {
      source.prepare('update mails set subject = ? where rowid = 1').run(subject);
      source.exec('update deliveries set event_seq = 9223372036854775807 where rowid = 1');
    });
    await move();
    await onDatabase(url, async (client) => {
      const { rows } = await client.query('select max(event_seq)::text as seq from deliveries');
      expect(rows).toEqual([{ seq: '9223372036854775807' }]);
      expect((await client.query('select 1 from mails where subject = $1', [subject])).rowCount).toBe(1);
    });
  });

  test.each(['examine', 'copy', 'verify'])('can be repeated after a failure of the step %s', async (step) => {
    const onProgress: MoveOptions['onProgress'] = (current, rows, total) => {
      if (current === step && rows > total / 2) throw new Error('interrupted');
    };
    expect(await failure(move({ onProgress }))).toBe('interrupted');
    expect(await countOnTarget('accounts')).toBe(0);
    expect(await failure(openSource().then((db) => db.close()))).toBe('no failure');
    expect(await move()).not.toBeNull();
  });

  test('is rolled back if the copy differs', async () => {
    const proxy = await startProxy(url, { change: ['olga@stored', 'olgb@stored'] });
    try {
      expect(await failure(move({ url: proxy.url }))).toContain('The copy of accounts differs');
    } finally {
      proxy.close();
    }
    expect(await countOnTarget('accounts')).toBe(0);
    expect(await failure(openSource().then((db) => db.close()))).toBe('no failure');
  });

  describe('whose connection ends at the commit', () => {
    const env = () => ({ DATA_DIR: from.dataDir, SECRET_KEY: from.env['SECRET_KEY']! });

    test.each([true, false])('finds out what happened, if the commit arrived: %s', async (arrives) => {
      const proxy = await startProxy(url, { atCommit: { arrives, onCommit: () => {} } });
      try {
        const message = await failure(move({ url: proxy.url }));
        expect(message === 'no failure').toBe(arrives);
        expect((await countOnTarget('accounts')) > 0).toBe(arrives);
        expect(await failure(openSource().then((db) => db.close()))).toMatch(
          arrives ? /was moved to PostgreSQL/ : /no failure/,
        );
      } finally {
        proxy.close();
      }
    });

    test.each([true, false])(
      'leaves nothing usable if it cannot find out, until it is repeated; arrived: %s',
      async (arrives) => {
        const proxy = await startProxy(url, { atCommit: { arrives, onCommit: () => proxy.close() } });
        expect(await failure(move({ url: proxy.url }))).toContain('neither database can be used');
        expect(await failure(openSource())).toContain('was interrupted');
        const other = await createDbLocation('postgres', { isEmpty: true });
        expect(await failure(move({ url: other.databaseUrl! }))).toContain('may be complete there');
        await other.remove();
        expect((await move()) === null).toBe(arrives);
        expect(await countOnTarget('accounts')).toBeGreaterThan(5);
        expect(await failure(openSource())).toContain('was moved to PostgreSQL');
      },
    );

    test.each([true, false])('is completed by a second run after kill -9; arrived: %s', async (arrives) => {
      const proxy = await startProxy(url, {
        atCommit: { arrives, onCommit: () => void program.kill('SIGKILL') },
      });
      const program = launch({ env: { ...env(), DATABASE_URL: proxy.url } }, ['migrate', '--from-embedded']);
      try {
        expect(await program.exited).toMatchObject({ signal: 'SIGKILL' });
      } finally {
        proxy.close();
      }
      const refused = await runCommand({ env: env() }, ['accounts', 'list']);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('was interrupted')]);
      const again = await runCommand({ env: { ...env(), DATABASE_URL: url } }, [
        'migrate',
        '--from-embedded',
      ]);
      expect([again.code, again.stderr]).toEqual([
        0,
        expect.stringContaining(arrives ? 'moved already' : 'Everything is in PostgreSQL now'),
      ]);
      expect(await countOnTarget('accounts')).toBeGreaterThan(5);
    });
  });

  test('is one command, which needs DATABASE_URL and the same secret key', async () => {
    const base = { DATA_DIR: from.dataDir, SECRET_KEY: from.env['SECRET_KEY']! };
    const env = { ...base, DATABASE_URL: url };
    const command = ['migrate', '--from-embedded'];
    expect(await run(command, base)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Set DATABASE_URL'),
    });
    expect(await run([...command, '--dry-run'], env)).toMatchObject({ code: 2 });
    expect(await run(command, { ...env, SECRET_KEY: TEST_SECRET_KEY })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not the key of the embedded database'),
    });
    expect(await record(command, env)).toMatchObject({ from: file, tables: expect.any(Number) });
    expect(await run(['migrate'], base)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('was moved to PostgreSQL'),
    });
    expect(await record(['migrate', '--undo-move'], env)).toEqual({ database: file, lost_events: 0 });
    expect(await run(['migrate'], base)).toMatchObject({ code: 0 });
  });

  describe('can be undone', () => {
    test('until a claim has been redeemed, which drops the copy', async () => {
      await move();
      expect(await undoMove({ file, url })).toEqual({ lostEvents: 0 });
      expect(await countOnTarget('accounts')).toBe(0);
      expect(await failure(openSource().then((db) => db.close()))).toBe('no failure');
      await move();
      await onDatabase(url, (client) =>
        client.query(
          'update claim_rows set redeemed_at = now() where seq = (select min(seq) from claim_rows where redeemed_at is null)',
        ),
      );
      expect(await failure(undoMove({ file, url }))).toContain('created, changed or redeemed');
      expect(await countOnTarget('accounts')).toBeGreaterThan(5);
      expect(await failure(openSource())).toContain('was moved to PostgreSQL');
    });

    test('also after it was interrupted, but not if the copy is missing', async () => {
      await move();
      const mark = onSource((source) =>
        JSON.parse(
          String(source.prepare('select name from schema_migrations order by version desc').get()!['name']),
        ),
      );
      const empty = await createDbLocation('postgres', { isEmpty: true });
      try {
        expect(await failure(undoMove({ file, url: empty.databaseUrl! }))).toContain(
          'does not have this copy',
        );
        // As if the process had ended before the commit.
        const target = String(mark.target).replace(nameOf(url), nameOf(empty.databaseUrl!));
        onSource((source) => writeMove(source, { ...mark, target, isComplete: false }));
        expect(await undoMove({ file, url: empty.databaseUrl! })).toEqual({ lostEvents: 0 });
      } finally {
        await empty.remove();
      }
      expect(await failure(openSource().then((db) => db.close()))).toBe('no failure');
      expect(await failure(undoMove({ file, url }))).toContain('was not moved');
    });
  });
});

/** Changes of the embedded database, and what the command says about them. */
const UNSTORABLE: readonly (readonly [change: string, words: string])[] = [
  [
    "update mails set subject = 'a' || char(0) || 'b' where rowid = 1",
    'mails, rowid 1, column subject: contains a NUL',
  ],
  [
    "update mails set subject = cast(x'61eda080' as text) where rowid = 2",
    'mails, rowid 2, column subject: contains invalid Unicode',
  ],
  [
    'update listings set undo = \'{"a":["\\ud800"]}\' where rowid = 1',
    'rowid 1, column undo: contains half of a surrogate pair',
  ],
  ['update listings set undo = \'{"a\\u0000":1}\' where rowid = 2', 'rowid 2, column undo: contains a NUL'],
  ["update listings set undo = '{' where rowid = 3", 'rowid 3, column undo: is not JSON'],
  [
    "update jobs set started_at = '2026-11-20' where rowid = 1",
    'jobs, rowid 1, column started_at: is not a time',
  ],
  [
    'update claim_rows set claimed_at = 1000000000000000 where seq = 1',
    'claim_rows, rowid 1, column claimed_at: is not a time',
  ],
  [
    'update claim_rows set offer_number = 3000000000 where seq = 2',
    'rowid 2, column offer_number: 3000000000 is out of range',
  ],
  ["update sessions set works_in_id = 'X' where rowid = 1", 'column works_in_id: is not a UUID'],
];

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

const isNotOfMove = (row: string): boolean => !row.startsWith(`{"name":"${MOVED_FROM}"`);

const movedFrom = (url: string): Promise<string> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query('select value from settings where name = $1', [MOVED_FROM]);
    return rows[0].value;
  });

/** Rows with any values that fit, for tables that the stored database leaves empty. */
function fillEmptyTables(source: DatabaseSync): void {
  for (const table of tableNames(source)) {
    if (source.prepare(`select 1 from ${table}`).get() !== undefined) continue;
    const columns = source.prepare('select name, type from pragma_table_info(?)').all(table);
    const values = columns.map(({ name, type }) =>
      sampleOf(String(name), String(type).toLowerCase(), source),
    );
    source.prepare(`insert into ${table} values (${values.map(() => '?').join(', ')})`).run(...values);
  }
}

function sampleOf(name: string, type: string, source: DatabaseSync): string | number {
  if (type === 'integer') return 1;
  if (name.endsWith('_at')) return '2027-02-28T12:34:56.789Z';
  if (name === 'at') return '2027-02-28T12:34:56.001Z';
  if (name.endsWith('_id')) return String(source.prepare('select id from accounts').get()!['id']);
  return `a "${name}"`;
}

/** The rows of tables and views as JSON, sorted. Compact values are only in the views. */
async function readComparable(db: Database): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = new Map<string, readonly unknown[]>(await readTables({ db }));
  for (const name of ['schema_migrations', 'visitor_days', 'visitors']) tables.delete(name);
  for (const view of ['claims', 'events']) {
    tables.set(view, (await sql`select * from ${sql.table(view)}`.execute(db.read)).rows);
  }
  return new Map(
    [...tables]
      .sort()
      .map(([name, rows]) => [name, rows.map((row) => comparable(name, row as object)).sort()]),
  );
}

const COMPACT = ['id', 'claimed_at', 'redeemed_at', 'replaced_at', 'at', 'padding'];

function comparable(table: string, row: object): string {
  const isCompact = table === 'claim_rows' || table === 'event_rows';
  const members = Object.entries(row)
    .filter(([name]) => !isCompact || !COMPACT.includes(name))
    .map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : plain(value),
    ]);
  return JSON.stringify(Object.fromEntries(members));
}

/** JSON without the order of its members. */
function plain(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  return JSON.parse(value, (_name, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort())
      : member,
  );
}

interface ProxyOptions {
  /** Calls `onCommit` and ends the connections at the first `commit`; `arrives`: after PostgreSQL's response to it. */
  readonly atCommit?: { readonly arrives: boolean; readonly onCommit: () => void };
  /** A text and its replacement, of the same length, in what the client sends. */
  readonly change?: readonly [string, string];
}

/** Passes bytes on to PostgreSQL. */
async function startProxy(url: string, { atCommit, change }: ProxyOptions) {
  const sockets = new Set<Socket>();
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  let isOver = atCommit === undefined;
  const endAtCommit = (upstream: Socket, client: Socket, bytes: Buffer) => {
    isOver = true;
    const stop = () => {
      atCommit!.onCommit();
      end();
    };
    if (!atCommit!.arrives) return stop();
    upstream.unpipe(client);
    upstream.once('data', stop);
    upstream.resume();
    upstream.write(bytes);
  };
  const server = createServer((client) => {
    const { hostname, port } = new URL(url);
    const upstream = connectTo(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
    upstream.pipe(client);
    client.on('data', (bytes: Buffer) => {
      if (!isOver && bytes.includes('commit\0')) endAtCommit(upstream, client, bytes);
      else upstream.write(change === undefined ? bytes : replaced(bytes, change));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const proxied = new URL(urlOf(url, nameOf(url)));
  proxied.host = `127.0.0.1:${port}`;
  return {
    url: proxied.href,
    close: () => {
      server.close();
      end();
    },
  };
}

function replaced(bytes: Buffer, [text, by]: readonly [string, string]): Buffer {
  const at = bytes.indexOf(text);
  if (at !== -1) bytes.write(by, at);
  return bytes;
}
