/** Downloads are what an export is, made beside everything else, as far as they are read and no longer than needed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportSearch } from '../../src/claims/export.ts';
import { EXPORT_FORMATS, type OwnerExportInput } from '../../src/claims/export-input.ts';
import { createExporter, type Exporter } from '../../src/claims/exporter.ts';
import { issueClaimFor } from '../../src/claims/issue.ts';
import { DatabaseUnavailable } from '../../src/store/database.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { busyMs, ended, threadsOf } from '../support/threads.ts';

const CLAIMS = 20_000;
/** An export that nobody holds up takes longer than this of a processor; one that rests takes next to nothing. */
const WATCHED_MS = 700;
const RESTING_MS = 30;
const BELOW_NORMAL = 10;

const textOf = (download: ReadableStream<Uint8Array>): Promise<string> => new Response(download).text();

describe.each(ENGINES)('downloads of claims on %s', (engine) => {
  let database: TestDatabase;
  let owner: Owner;
  const exporters: Exporter[] = [];
  const open = (options?: { restMs: number }): Exporter => {
    const exporter = createExporter(database, options);
    exporters.push(exporter);
    return exporter;
  };
  const input = (more: Partial<OwnerExportInput> = {}): OwnerExportInput => ({
    accountId: owner.accountId,
    filter: {},
    format: 'csv',
    ...more,
  });

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    owner = await createOwner(database.context);
    await issueTokens(database.context, owner, CLAIMS, { via: 'spring' });
    const grete = { offerId: owner.offerId, claimantRef: 'Größe', mode: 'live', via: 'rare' } as const;
    await issueClaimFor(database.context, { ...grete, replace: false });
  });
  afterAll(async () => {
    for (const exporter of exporters) await exporter.close();
    await database.close();
  });

  test('hold what the export holds, several at once too', async () => {
    const exporter = open();
    const filters = [{}, { via: 'rare' }, { via: 'nobody' }, { state: 'redeemed' }] as const;
    const inputs = EXPORT_FORMATS.flatMap((format) => filters.map((filter) => input({ format, filter })));
    const texts = await Promise.all(inputs.map(async (one) => textOf(await exporter.export(one))));
    for (const [at, one] of inputs.entries()) {
      let expected = '';
      for await (const { text } of exportSearch(database, one)) expected += text;
      expect(texts[at] === expected, JSON.stringify(one)).toBe(true);
    }
    expect(texts[0]!.split('\n')).toHaveLength(CLAIMS + 3);
    expect(texts[2]).toMatch(/^claim_id,[a-z_,]+\n$/);
    expect(texts[1]).toContain('Größe');
  });

  test('are read as far as somebody reads them, and no further once nobody does', async () => {
    const { result, threads } = await threadsOf(() => open().export(input({ format: 'ndjson' })));
    const [thread] = threads;
    const reader = result.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toMatch(/^\{"claim_id":/);
    expect(await busyMs(thread!, WATCHED_MS)).toBeLessThan(RESTING_MS);
    await reader.read();
    await reader.cancel();
    expect(await busyMs(thread!, WATCHED_MS)).toBeLessThan(RESTING_MS);
  });

  test('have a thread while there are some, and a new one when it has ended', async () => {
    const exporter = open({ restMs: 1 });
    const first = await threadsOf(async () => textOf(await exporter.export(input())));
    expect(first.threads).toHaveLength(1);
    await ended(first.threads[0]!);
    const second = await threadsOf(() => exporter.export(input()));
    expect(second.threads).toHaveLength(1);
    await second.threads[0]!.terminate();
    await expect(textOf(second.result)).rejects.toThrow(DatabaseUnavailable);
    expect(await textOf(await exporter.export(input()))).toBe(first.result);
  });

  test('end when the service does', async () => {
    const exporter = open();
    const download = await exporter.export(input());
    await exporter.close();
    await expect(textOf(download)).rejects.toThrow();
  });

  test.runIf(process.platform === 'linux')('leave the processors to others', async () => {
    const priorities = () =>
      readdirSync('/proc/self/task').map((id) => {
        const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
      });
    const download = await open().export(input());
    const below = priorities().filter((nice) => nice === BELOW_NORMAL).length;
    // The thread that reads the file is one of its own.
    expect(below).toBeGreaterThanOrEqual(engine === 'sqlite' ? 2 : 1);
    const main = readFileSync('/proc/self/stat', 'utf8');
    expect(Number(main.slice(main.lastIndexOf(')') + 2).split(' ')[16])).toBeLessThan(BELOW_NORMAL);
    await download.cancel();
  });
});

test('a database that does not answer is said to be away before a download begins', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'claimcheck-test-'));
  const nobody = { accountId: 'nobody', filter: {}, format: 'csv' } as const;
  for (const databaseUrl of [null, `postgres://nobody@127.0.0.1:${await freePort()}/none`]) {
    const exporter = createExporter({ databaseUrl, dataDir });
    await expect(exporter.export(nobody)).rejects.toThrow(DatabaseUnavailable);
    await exporter.close();
  }
  rmSync(dataDir, { recursive: true });
});
