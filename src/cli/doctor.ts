/** claimcheck doctor: what is right, what is wrong, and what to do about it. */
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type OpenContext, openContext } from '../app.ts';
import { baseUrlOf, type Config, ConfigProblems, parseConfig } from '../config.ts';
import { latestVersion } from '../store/migrations/migrations.ts';
import { DATABASE_FILE } from '../store/open.ts';
import { explainFailure } from '../failure.ts';
import { asSentence, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

interface Check {
  readonly check: string;
  readonly ok: boolean;
  /** What was found; where it is wrong, also what to do. */
  readonly detail: string;
}

/** Below this a disk counts as full: the write-ahead log and a day of events fit in it. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;
const MIB = 1024 * 1024;
/** Permission bits of everybody but the owner of a file. */
const OTHERS = 0o077;

const passed = (check: string, detail: string): Check => ({ check, ok: true, detail });
const failed = (check: string, detail: string): Check => ({ check, ok: false, detail });

export function registerDoctor(program: Command, io: Io): void {
  example(
    program
      .command('doctor')
      .description('check settings, secret key, database and disk; exit code 1 where something is wrong'),
    'claimcheck doctor',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    const checks = await examine(io);
    await output.table(
      checks,
      [
        { title: '', value: ({ ok }) => (ok ? 'ok' : 'WRONG') },
        { title: 'check', value: ({ check }) => check },
        { title: 'found', value: ({ detail }) => detail },
      ],
      '',
    );
    const wrong = checks.filter(({ ok }) => !ok).length;
    if (wrong > 0) throw new Error(`${wrong} of ${checks.length} checks found something wrong.`);
  });
}

async function examine(io: Io): Promise<readonly Check[]> {
  let config: Config;
  try {
    config = parseConfig(io.env);
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    return error.problems.map((problem) => failed('settings', problem));
  }
  const checks = [passed('settings', `the service is reached at ${baseUrlOf(config)}`)];
  try {
    const context = await openContext(config, io);
    try {
      checks.push(...(await examineDatabase(context)));
    } finally {
      await context.db.close();
    }
  } catch (error) {
    checks.push(failed('database', asSentence(explainFailure(error))));
  }
  checks.push(...(await examineSecretKeyFile(config)));
  if (config.databaseUrl === null) checks.push(...(await examineDisk(config)));
  return checks;
}

async function examineDatabase({ db, tokens, secretKeyFits }: OpenContext): Promise<readonly Check[]> {
  const { engine, version, location, settings } = await db.report();
  const durability = Object.entries(settings)
    .filter(([name]) => !name.includes('version'))
    .map(([name, value]) => `${name} = ${value}`);
  return [
    passed('database', `${engine} ${version} at ${location}`),
    // Opening refuses unsafe ones, so these are safe.
    passed('durability', durability.join(', ')),
    passed('schema', `version ${latestVersion()}`),
    await examineWriting(() => db.checkWritable()),
    secretKeyFits
      ? passed('secret key', `fingerprint ${tokens.keyFingerprint}, the one this database was filled under`)
      : failed(
          'secret key',
          `fingerprint ${tokens.keyFingerprint} is not that of the key this database was filled under; put the former key back, or claim links made with it cannot be shown again.`,
        ),
  ];
}

async function examineWriting(checkWritable: () => Promise<void>): Promise<Check> {
  try {
    await checkWritable();
    return passed('writing', 'the database takes writes');
  } catch (error) {
    return failed('writing', asSentence(explainFailure(error)));
  }
}

async function examineSecretKeyFile({ secretKey }: Config): Promise<readonly Check[]> {
  if (secretKey.from === 'environment') return [];
  try {
    const { mode } = await stat(secretKey.path);
    return (mode & OTHERS) === 0
      ? [passed('secret key file', `${secretKey.path} is readable by its owner alone`)]
      : [failed('secret key file', `Others can read ${secretKey.path}; run chmod 600 on it.`)];
  } catch (error) {
    return [failed('secret key file', asSentence(explainFailure(error)))];
  }
}

async function examineDisk({ dataDir }: Config): Promise<readonly Check[]> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const { size } = await stat(join(dataDir, DATABASE_FILE));
    // A backup and a migration write the database a second time.
    const needed = Math.max(MIN_FREE_BYTES, size);
    const words = `${Math.floor(free / MIB)} MiB free at ${dataDir}, the database has ${Math.ceil(size / MIB)} MiB`;
    return [
      free >= needed
        ? passed('disk', words)
        : failed('disk', `${words}; make room for at least ${Math.ceil(needed / MIB)} MiB.`),
    ];
  } catch (error) {
    return [failed('disk', asSentence(explainFailure(error)))];
  }
}
