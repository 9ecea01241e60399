/** Claim downloads: a worker thread produces them at the reader's pace and exits when idle. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { exportSearch, type OwnerExportInput } from '../../src/claims/export/export.ts';
import { createExporter } from '../../src/claims/export/exporter.ts';
import { DatabaseUnavailable } from '../../src/platform/store/database.ts';
import { DATABASE_FILE } from '../../src/platform/store/open.ts';
import { EXPORT_FORMATS } from '../../src/platform/text/record-writer.ts';
import { ENGINES, openTestDatabase } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { createOwner, issueTokens } from '../support/marketplace.ts';
import { shareDatabase, shareOwner } from '../support/shared.ts';
import { ended, readOn, threadsOf, untilResting } from '../support/threads.ts';
import { issueFor } from './support.ts';

/** Number of claims. The buffers of a download hold only a fraction of them. */
const CLAIMS = 8_000;
/** Pause before each read. The pause exposes a stream that fails between reads. */
const PAUSE_MS = 20;
/** More than the buffers of a download hold. */
const READ_BYTES = 512 * 1024;
/** How long the test locks a table. The timeout for getting a connection to PostgreSQL is shorter. */
const BUSY_MS = 2_500;
const BELOW_NORMAL = 10;
/** After this time, a thread with `restMs: 1` has begun to exit. */
const ENDING_MS = 5;
/** `threadId` of a thread that has exited. */
const NO_THREAD = -1;

/** Keeps the byte order mark, which `Response.text()` would drop. */
const textOf = async (download: ReadableStream<Uint8Array>): Promise<string> =>
  Buffer.from(await new Response(download).arrayBuffer()).toString();

describe.each(ENGINES)('claim downloads on %s', (engine) => {
  const database = shareDatabase(engine);
  const owner = shareOwner(database.context);
  const open = (options?: { restMs: number }) => {
    const exporter = createExporter(options);
    onTestFinished(() => exporter.close());
    return exporter;
  };
  const input = (more: Partial<OwnerExportInput> = {}): OwnerExportInput => ({
    accountId: owner.accountId,
    filter: {},
    format: 'csv',
    ...more,
  });

  beforeAll(async () => {
    await issueTokens(database.context, owner, CLAIMS, { via: 'spring' });
    await issueFor(database.context, owner, 'Größe', { via: 'rare' });
  });

  test('contain the output of exportSearch, even if several run concurrently in one thread', async () => {
    const exporter = open();
    const filters = [{}, { via: 'rare' }, { via: 'nobody' }] as const;
    const inputs = EXPORT_FORMATS.flatMap((format) => filters.map((filter) => input({ format, filter })));
    const { result: texts, threads } = await threadsOf(() =>
      Promise.all(inputs.map(async (one) => textOf(await exporter.export(one, database.db)))),
    );
    expect(threads).toHaveLength(1);
    for (const [at, one] of inputs.entries()) {
      let expected = '';
      for await (const { text } of exportSearch(database, one)) expected += text;
      expect(texts[at] === expected, JSON.stringify(one)).toBe(true);
    }
    expect(texts[0]!.split('\n')).toHaveLength(CLAIMS + 3);
    expect(texts[1]).toContain('Größe');
    expect(texts[2]).toMatch(/^\ufeffclaim_id,[a-z_,]+\r\n$/);
  });

  test('are cut off with a generic error if a query fails midway, and the thread exits', async () => {
    const { result, threads } = await threadsOf(() => open({ restMs: 1 }).export(input(), database.db));
    const end = ended(threads[0]!);
    const reader = result.getReader();
    let closed: unknown = 'not yet';
    reader.closed.catch((error: unknown) => {
      closed = error;
    });
    const rename = (from: string, to: string) =>
      database.db.transaction((tx) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx),
      );
    await rename('listings', 'listings_away');
    const failure = await (async () => {
      for (;;) {
        await sleep(PAUSE_MS);
        expect(closed).toBe('not yet');
        await reader.read();
      }
    })().catch((error: unknown) => error);
    await rename('listings_away', 'listings');
    expect(failure).toMatchObject({ message: 'The export was cut off.' });
    expect((failure as Error).cause).toMatchObject({ message: expect.stringContaining('listings') });
    await end;
  });

  test.runIf(process.platform === 'linux')('run at a lower thread priority than the service', async () => {
    const low = () =>
      readdirSync('/proc/self/task').filter((id) => getPriority(Number(id)) === BELOW_NORMAL).length;
    const before = low();
    const download = await open().export(input(), database.db);
    // On SQLite, a second thread reads the file.
    expect(low() - before).toBe(engine === 'sqlite' ? 2 : 1);
    expect(getPriority()).toBeLessThan(BELOW_NORMAL);
    await download.cancel();
  });

  // Threads and streams do not depend on the engine, so SQLite is enough.
  if (engine === 'postgres') return;

  test('are produced at the pace of the reader, and cancellation ends the thread', async () => {
    const { result, threads } = await threadsOf(() =>
      open({ restMs: 1 }).export(input({ format: 'ndjson' }), database.db),
    );
    const thread = threads[0]!;
    const reader = result.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toMatch(/^\{"claim_id":/);
    await untilResting(thread);
    // The thread has not read these claims yet, unless it has read ahead of the reader.
    await database.db.transaction((tx) =>
      sql`update claim_rows set via = 'summer' where via = 'spring'`.execute(tx),
    );
    expect(await readOn(reader, READ_BYTES)).toContain('"via":"summer"');
    const end = ended(thread);
    await reader.cancel();
    await end;
  });

  test('run in a thread that exits when idle; the next download starts a new thread', async () => {
    const exporter = open({ restMs: 1 });
    const rare = input({ filter: { via: 'rare' } });
    const first = await threadsOf(async () => textOf(await exporter.export(rare, database.db)));
    expect(first.threads).toHaveLength(1);
    await ended(first.threads[0]!);
    const second = await threadsOf(() => exporter.export(input(), database.db));
    expect(second.threads).toHaveLength(1);
    await second.threads[0]!.terminate();
    await expect(textOf(second.result)).rejects.toMatchObject({ cause: expect.any(DatabaseUnavailable) });
    const third = await threadsOf(async () => textOf(await exporter.export(rare, database.db)));
    expect(third.result).toBe(first.result);
    await sleep(ENDING_MS);
    await exporter.close();
    expect(third.threads[0]!.threadId).toBe(NO_THREAD);
  });

  test('are aborted when the exporter closes', async () => {
    const exporter = open();
    const download = await exporter.export(input(), database.db);
    await exporter.close();
    await expect(textOf(download)).rejects.toThrow();
  });
});

test.concurrent('`exporter.export` rejects with DatabaseUnavailable if the database is unavailable', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'claimcheck-test-'));
  const nobody = { accountId: 'nobody', filter: {}, format: 'csv' } as const;
  const file = join(dataDir, DATABASE_FILE);
  const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
  const sources = [
    { engine: 'sqlite', address: file },
    { engine: 'postgres', address: url },
    { engine: 'citus', address: url },
  ] as const;
  for (const source of sources) {
    const exporter = createExporter();
    await expect(exporter.export(nobody, { source: async () => source })).rejects.toThrow(
      DatabaseUnavailable,
    );
    await exporter.close();
  }
  rmSync(dataDir, { recursive: true });
});

test.concurrent('concurrent downloads queue instead of timing out if PostgreSQL is slow', async () => {
  const database = await openTestDatabase('postgres');
  const owner = await createOwner(database.context);
  await issueTokens(database.context, owner, 1);
  const exporter = createExporter();
  const held = database.db.transaction(async (tx) => {
    await sql`lock table listings in access exclusive mode`.execute(tx);
    await sleep(BUSY_MS);
  });
  const input = { accountId: owner.accountId, filter: {}, format: 'ndjson' } as const;
  const texts = await Promise.all(
    Array.from({ length: 10 }, async () => textOf(await exporter.export(input, database.db))),
  );
  await held;
  for (const text of texts) expect(text.split('\n')).toHaveLength(2);
  await exporter.close();
  await database.close();
});
