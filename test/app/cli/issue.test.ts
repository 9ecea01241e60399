/**
 * If a bulk command is interrupted or runs out of disk space, the output has a line for each issued claim, or the
 * message reports the number of claims and the number of lines.
 */
import { once } from 'node:events';
import fs, {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DISK_RESERVE_BYTES } from '../../../src/platform/store/disk-reserve.ts';
import type { DbLocation, TestEngine } from '../../support/engines.ts';
import { launch, runCommand } from '../../support/program.ts';
import { shareProcesses } from '../../support/server-process.ts';
import { createOffer, run } from './support.ts';

const MANY = '5000000';
const LINES = /: (\d+) claims? issued and (\d+) lines? written/;
const AT_LEAST = /: (\d+) claims? issued and at least (\d+) lines? written;/;

const { newDbLocation } = shareProcesses();
let dbLocation: DbLocation;

/** Returns the number of claims in the database. */
async function claims(): Promise<number> {
  const { stdout } = await run(['claims', 'export', '--format', 'ndjson'], dbLocation.env);
  return stdout.split('\n').length - 1;
}

describe('claims issue --count', () => {
  const issueMany = async (engine: TestEngine) => {
    dbLocation = await newDbLocation(engine);
    const program = launch(dbLocation, [
      'claims',
      'issue',
      '--offer',
      await createOffer(dbLocation.env),
      '--count',
      MANY,
    ]);
    await once(program.child.stdout!, 'data');
    return program;
  };

  test.each([
    ['SIGTERM', 'sqlite', 143],
    ['SIGINT', 'postgres', 130],
  ] as const)(
    'stops on %s (%s) with a line for each issued claim, and reports the count',
    async (signal, engine, exitCode) => {
      const { kill, stdout, stderr } = await issueMany(engine);
      const { code } = await kill(signal);
      expect(code).toBe(exitCode);
      expect(stderr()).toMatch(/^[^\n]+\n$/);
      expect(stderr()).toContain(`Stopped by ${signal}: `);
      const [, issued, written] = LINES.exec(stderr())!.map(Number);
      expect(issued).toBeGreaterThan(0);
      expect([issued, written]).toEqual([await claims(), stdout().split('\n').length - 1]);
      expect(written).toBe(issued);
    },
  );

  test('reports the number of claims and lines if the reader closes the pipe', async () => {
    const { child, exited, stderr } = await issueMany('sqlite');
    child.stdout!.destroy();
    const { code } = await exited;
    expect(code).toBe(141);
    expect(stderr()).toMatch(/^The output was closed: [^\n]+\n$/);
    const [, issued, written] = AT_LEAST.exec(stderr())!.map(Number);
    expect(issued).toBe(await claims());
    expect(written).toBeLessThan(issued!);
  });
});

/** Runs `work` on a simulated disk. `freeBytes` returns the free space and is called at each check. */
async function onDiskWith<T>(freeBytes: () => number, work: () => Promise<T>): Promise<T> {
  const bsize = 1_024;
  const look = vi
    .spyOn(fs, 'statfsSync')
    .mockImplementation(() => ({ bsize, blocks: 2 ** 30, bavail: freeBytes() / bsize }) as fs.StatsFs);
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    look.mockRestore();
    syncBuiltinESMExports();
  }
}

/** Returns a `freeBytes` function. The first two checks find enough space, later checks only the reserve. */
const soonFull = () => {
  let looks = 0;
  return () => {
    looks += 1;
    return looks > 2 ? DISK_RESERVE_BYTES : DISK_RESERVE_BYTES + 2 ** 26;
  };
};

describe('nearly full disk', () => {
  const FULL =
    /^The disk at \S+ has 256 MiB free\. This operation could write up to [\d.]+ MiB, but the last 256 MiB are reserved for redemptions\. Free some space first\.$/;
  const ROWS = 3_000;

  /** Runs a command for `ROWS` claims while the disk fills up. `made` is the number of claims in the database. */
  const runOn = async (engine: TestEngine, commandOf: (offer: string) => readonly string[]) => {
    dbLocation = await newDbLocation(engine);
    const command = commandOf(await createOffer(dbLocation.env));
    return {
      command,
      ...(await onDiskWith(soonFull(), () => run(command, dbLocation.env))),
      made: await claims(),
    };
  };
  const issue = (offer: string) => ['claims', 'issue', '--offer', offer, '--count', String(ROWS)];

  test('stops an import before it uses the reserve; a second run imports the rest', async () => {
    const { command, code, stderr, made } = await runOn('sqlite', (offer) => {
      const rows = Array.from({ length: ROWS }, (_, at) => `outside-token-${at},${offer}\n`);
      const file = join(dbLocation.dataDir, 'many.csv');
      writeFileSync(file, `token,offer\n${rows.join('')}`);
      return ['claims', 'import', file];
    });
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      `Rows processed: ${made}. You can import the same file again.`,
      expect.stringMatching(FULL),
      '',
    ]);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(ROWS);
    expect((await run(command, dbLocation.env)).stderr).toContain(
      `Imported ${ROWS - made} claims; ${made} already existed; 0 rows had errors.\n`,
    );
  });

  test('stops `claims issue --count` with a line for each issued claim', async () => {
    const { code, stdout, stderr, made } = await runOn('sqlite', issue);
    expect(stdout.split('\n').length - 1).toBe(made);
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      `Claims issued and printed before this failure: ${made} of ${ROWS}.`,
      expect.stringMatching(FULL),
      '',
    ]);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(ROWS);
  });

  test('does not stop commands on PostgreSQL, because PostgreSQL uses its own disk', async () => {
    expect(await runOn('postgres', issue)).toMatchObject({ code: 0, made: ROWS });
  });
});

test('a backup is rejected if the disk is nearly full, but can be written to another disk', async ({
  skip,
}) => {
  dbLocation = await newDbLocation('sqlite');
  expect((await run(['migrate'], dbLocation.env)).code).toBe(0);
  const copy = join(dbLocation.dataDir, 'copy.db');
  const backUp = (file: string) =>
    onDiskWith(
      () => DISK_RESERVE_BYTES,
      () => run(['backup', file], dbLocation.env),
    );
  const { code, stderr } = await backUp(copy);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /256 MiB free\. This operation could write up to [\d.]+ MiB, but the last 256 MiB are reserved/,
  );
  expect(existsSync(copy)).toBe(false);
  const disk = (folder: string) => statSync(folder).dev;
  const elsewhere = [tmpdir(), '/dev/shm'].find((folder) => disk(folder) !== disk(dbLocation.dataDir));
  if (elsewhere === undefined) return skip('This machine has no second disk.');
  const other = join(elsewhere, `claimcheck-copy-${process.pid}.db`);
  expect((await backUp(other)).code).toBe(0);
  fs.rmSync(other);
});

test('claims issue reports the number of claims and lines if the output file cannot be written', async () => {
  dbLocation = await newDbLocation('postgres');
  const offer = await createOffer(dbLocation.env);
  const path = join(dbLocation.dataDir, 'tokens.ndjson');
  const file = openSync(path, 'w');
  // A file size limit acts like a full disk: the write that reaches the limit is truncated, and the next write fails.
  const { exited, stderr } = launch(dbLocation, ['claims', 'issue', '--offer', offer, '--count', '1000'], {
    wrapper: ['bash', '-c', 'ulimit -f 8; exec "$@"', '-'],
    stdoutFile: file,
  });
  closeSync(file);
  const { code } = await exited;
  expect(statSync(path).size).toBeLessThanOrEqual(8 * 1_024);
  expect(code).toBe(1);
  expect(stderr()).toMatch(/^The output cannot be written \(EFBIG[^)]*\): [^\n]+\n$/);
  const [, issued, written] = AT_LEAST.exec(stderr())!.map(Number);
  expect(issued).toBe(await claims());
  expect(written).toBeLessThanOrEqual(readFileSync(path, 'utf8').split('\n').length - 1);
});

describe('claims commands', () => {
  beforeEach(async () => {
    dbLocation = await newDbLocation('sqlite');
  });

  const failure = async (...args: string[]) => {
    const { code, stderr } = await run(args, dbLocation.env);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    return stderr;
  };

  test('reject a count that is too large or not a whole number', async () => {
    expect(await failure('claims', 'issue', '--offer', 'x', '--count', '99999999999999999999')).toBe(
      '--count must be a whole number from 1 to 10000000; found "99999999999999999999".\n',
    );
    expect(await failure('claims', 'issue', '--offer', 'x', '--count', '1e3')).toContain('whole number');
  });

  test('name the file and line of an import that cannot be read', async () => {
    expect((await run(['migrate'], dbLocation.env)).code).toBe(0);
    const folder = join(dbLocation.dataDir, 'folder');
    mkdirSync(folder);
    expect(await failure('claims', 'import', folder)).toBe(`${folder} is a folder; name a CSV file.\n`);
    const latin = join(dbLocation.dataDir, 'latin.csv');
    writeFileSync(latin, Buffer.from('token,offer,\xe4\n', 'latin1'));
    expect(await failure('claims', 'import', latin)).toBe(
      `${latin}: Line 1: The line is not UTF-8. In Excel, save the file as “CSV UTF-8”.\n`,
    );
  });

  test.each(['a closed pipe', '/dev/full'])(
    'an import continues if its messages cannot be written, here to %s',
    async (target) => {
      const offer = await createOffer(dbLocation.env);
      const file = join(dbLocation.dataDir, 'many.csv');
      writeFileSync(file, `token,offer\n${'bad\n'.repeat(20_000)}outside-token-1,${offer}\n`);
      const redirect = target === '/dev/full' ? '2>/dev/full' : '2> >(head -1 >/dev/null)';
      const wrapper = ['bash', '-c', `exec "$@" ${redirect}`, '-'];
      expect(await runCommand(dbLocation, ['claims', 'import', file], { wrapper })).toMatchObject({
        code: 1,
      });
      expect((await run(['claims', 'export'], dbLocation.env)).stdout).toContain(offer);
    },
  );

  test('use the singular in messages about one claim or one row', async () => {
    const offer = await createOffer(dbLocation.env);
    const file = join(dbLocation.dataDir, 'one.csv');
    writeFileSync(file, `token,offer\noutside-token-1,${offer}\n,${offer}\n`);
    const { stderr } = await run(['claims', 'import', file], dbLocation.env);
    expect(stderr).toContain('Imported 1 claim; 0 already existed; 1 row had errors.\n');
    expect((await run(['claims', 'import', file], dbLocation.env)).stderr).toContain(
      'Imported 0 claims; 1 already existed; 1 row had errors.\n',
    );
  });
});
