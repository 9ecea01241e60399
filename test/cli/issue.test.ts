/** An interrupted `claims issue --count`: it prints as many lines as claims, or reports the difference. */
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestPlace, ENGINES, type TestPlace } from '../support/engines.ts';
import { launch } from '../support/program.ts';
import { record, run } from './support.ts';

const MANY = '5000000';
const LINES = /with (\d+) claims? issued and (\d+) lines? written/;

let place: TestPlace;
afterEach(() => place?.remove());

async function createOffer(): Promise<string> {
  const account = ['--account', 'ada@example.com'];
  await record(['accounts', 'create', '--email', 'ada@example.com', '--name', 'Ada'], place.env);
  const listing = ['--slug', 'notes', '--name', 'N', '--url', 'https://n.example', '--approve'];
  await record(['listings', 'create', ...account, ...listing], place.env);
  const offer = ['--listing', 'notes', '--offer', 'O', '--kind', 'gift', '--code', 'C'];
  return String((await record(['offers', 'create', ...offer], place.env))['id']);
}

/** Claims of the database, as an export counts them. */
async function claims(): Promise<number> {
  const { stdout } = await run(['claims', 'export', '--format', 'ndjson'], place.env);
  return stdout.split('\n').length - 1;
}

describe.each(ENGINES)('claims issue --count on %s', (engine) => {
  let issue: readonly string[];
  beforeEach(async () => {
    place = await createTestPlace(engine);
    issue = ['claims', 'issue', '--offer', await createOffer(), '--count'];
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('stops at %s with a line for each claim, and says how many', async (signal, exitCode) => {
    const { child, kill, stdout, stderr } = launch(place, [...issue, MANY]);
    await once(child.stdout!, 'data');
    const { code } = await kill(signal);
    expect(code).toBe(exitCode);
    expect(stderr()).toMatch(/^[^\n]+\n$/);
    expect(stderr()).toContain(`Stopped by ${signal} with `);
    const [, issued, written] = LINES.exec(stderr())!.map(Number);
    expect(issued).toBeGreaterThan(0);
    expect([issued, written]).toEqual([await claims(), stdout().split('\n').length - 1]);
    expect(written).toBe(issued);
  });

  it('reports how many lines are missing when the reader closes the pipe', async () => {
    const { child, exited, stderr } = launch(place, [...issue, MANY]);
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    const { code } = await exited;
    expect(code).toBe(141);
    expect(stderr()).toMatch(/^The output was closed: [^\n]+\n$/);
    const [, issued, written] = /: (\d+) claims? issued and at least (\d+) lines? written;/
      .exec(stderr())!
      .map(Number);
    expect(issued).toBe(await claims());
    expect(written).toBeLessThan(issued!);
  });
});

describe('an output file that takes no more', () => {
  beforeEach(async () => {
    place = await createTestPlace('postgres');
  });

  it('ends the command with the numbers issued and written, also where the last write was only cut short', async () => {
    const offer = await createOffer();
    const path = join(place.dataDir, 'tokens.ndjson');
    const file = openSync(path, 'w');
    // A limit on the file acts like a full disk: the write that reaches it is cut short, the next one fails.
    const { exited, stderr } = launch(place, ['claims', 'issue', '--offer', offer, '--count', '1000'], {
      wrapper: ['bash', '-c', 'ulimit -f 8; exec "$@"', '-'],
      stdoutFile: file,
    });
    closeSync(file);
    const { code } = await exited;
    expect(statSync(path).size).toBeLessThanOrEqual(8 * 1_024);
    expect(code).toBe(1);
    expect(stderr()).toMatch(/^The output cannot be written \(EFBIG[^)]*\): [^\n]+\n$/);
    const [, issued, written] = /: (\d+) claims? issued and at least (\d+) lines? written;/
      .exec(stderr())!
      .map(Number);
    const client = new pg.Client({ connectionString: place.databaseUrl! });
    await client.connect();
    expect((await client.query('select count(*)::int as n from claims')).rows[0].n).toBe(issued);
    await client.end();
    expect(written).toBeLessThanOrEqual(readFileSync(path, 'utf8').split('\n').length - 1);
  });
});

describe('the messages of the claims commands', () => {
  beforeEach(async () => {
    place = await createTestPlace('sqlite');
  });

  const failure = async (...args: string[]) => {
    const { code, stderr } = await run(args, place.env);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    return stderr;
  };

  it('refuse a count that is too large', async () => {
    expect(await failure('claims', 'issue', '--offer', 'x', '--count', '99999999999999999999')).toBe(
      '--count is too large: at most 10000000 claims are issued at a time.\n',
    );
    expect(await failure('claims', 'issue', '--offer', 'x', '--count', '1e3')).toContain('whole number');
  });

  it('name file and line of an import that cannot be read', async () => {
    expect((await run(['migrate'], place.env)).code).toBe(0);
    const folder = join(place.dataDir, 'folder');
    mkdirSync(folder);
    expect(await failure('claims', 'import', folder)).toBe(`${folder} is a folder; name a CSV file.\n`);
    const latin = join(place.dataDir, 'latin.csv');
    writeFileSync(latin, Buffer.from('token,offer,\xe4\n', 'latin1'));
    expect(await failure('claims', 'import', latin)).toBe(
      `${latin}: Line 1: The line is not UTF-8. In Excel, save the file as “CSV UTF-8”.\n`,
    );
  });

  it('use the singular for one claim and one row', async () => {
    const offer = await createOffer();
    const file = join(place.dataDir, 'one.csv');
    writeFileSync(file, `token,offer\noutside-token-1,${offer}\n,${offer}\n`);
    const { stderr } = await run(['claims', 'import', file], place.env);
    expect(stderr).toContain('Imported 1 claim; 0 were there already; 1 row was bad.\n');
    expect((await run(['claims', 'import', file], place.env)).stderr).toContain(
      'Imported 0 claims; 1 was there already; 1 row was bad.\n',
    );
  });
});
