import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import type { EventLogLimits } from '../../base/events/sweep.ts';
import { hasFailed, readJobReports } from '../../base/jobs/queries.ts';
import { listWithheldCodes } from '../../marketplace/offers/code-queries.ts';
import { message, storedText, t } from '../../platform/languages/translate.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import type { Database } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { isAboveReserve, readDiskSpace } from '../../platform/store/disk-reserve.ts';
import {
  latestVersion,
  READ_SCHEMA_STATE,
  toSchemaState,
} from '../../platform/store/migrations/migrations.ts';
import { DATABASE_FILE } from '../../platform/store/open.ts';
import { LAST_BACKUP_AT, readSetting } from '../../platform/store/settings.ts';
import { HOUR_MS } from '../../platform/text/durations.ts';
import { sizeText } from '../../platform/text/text.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';
import { BACKUP_JOB, type BackupSchedule, listBackups } from './back-up.ts';
import { isFromFuture, listCopies, readCopyState, timeOfBackup } from './backup-copies.ts';
import { type Check, examined, failed, noted, passed } from './check.ts';
import { CLOCK_SKEW_MS, examineClock } from './clock.ts';
import {
  type Connections,
  examineConnectionLimit,
  examineDatabaseLink,
  examineIdentityProviders,
  examineMail,
  examineMailDelivery,
  examineProxies,
  examineServers,
  examineUnusedMail,
  STANDBY_SETTING,
} from './connections.ts';
import { examineLog, noteOnFileSystem } from './database-file.ts';
import { examineEventLog } from './event-log.ts';
import { examineFolders } from './folders.ts';
import { examineSecretKeys, type SecretKeysInUse } from './secret-keys.ts';
import { examineUpdates } from './updates.ts';

export interface Deployment {
  readonly db: Database;
  readonly secretKeys: SecretKeysInUse;
  readonly files: DeploymentFiles;
  readonly connections: Connections;
  readonly eventLog: EventLogLimits;
  readonly backups: BackupSchedule | null;
  /** `null`: the service doesn't look for newer versions. */
  readonly updateCheckUrl: string | null;
  readonly now: () => EpochMs;
}

export interface DeploymentFiles {
  readonly dataDir: string;
  readonly isEmbedded: boolean;
  /** `null`: no backups are scheduled. */
  readonly backupDir: string | null;
  /** The path of each file with a secret, by the setting that names it. */
  readonly secretFiles: Readonly<Record<string, string>>;
}

/** Minimum free space for the disk check to pass. The write-ahead log and a day of events need less. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;
const OTHERS = 0o077;

/**
 * Returns the most important checks first. `isThorough` adds slow checks, and checks that contact the identity provider
 * and the backup bucket.
 */
export async function examine(deployment: Deployment, isThorough: boolean): Promise<readonly Check[]> {
  return [
    ...(await examineDatabase(deployment, isThorough)),
    ...(await examineFiles(deployment.files)),
    await examineMail(deployment.connections.mail, isThorough),
    ...(await examineMailDelivery(deployment.db, deployment.connections.mail, deployment.now())),
    ...(await examineUnusedMail(deployment.db, deployment.connections.mail, deployment.now())),
    ...(isThorough ? await examineIdentityProviders(deployment.connections.providers) : []),
    ...examineDatabaseLink(deployment.connections.database),
    ...(await examineProxies(deployment.db, deployment.connections)),
    ...(await examineUpdates(deployment.db, deployment.updateCheckUrl)),
  ];
}

const examineDatabase = (deployment: Deployment, isThorough: boolean) =>
  examined('database', async () => {
    const { db, secretKeys, eventLog, now } = deployment;
    const report = await db.report();
    const durability = Object.entries(report.settings)
      .filter(([name]) => !name.includes('version') && name !== STANDBY_SETTING)
      .map(([name, value]) => `${name} = ${value}`);
    return [
      passed(
        'database',
        message('{software} at {location}', { software: report.software, location: report.location }),
      ),
      // A database with unsafe settings can't be opened, so these settings are safe.
      passed('durability', durability.join(', ')),
      ...examineServers(report),
      ...examineConnectionLimit(report),
      await examineSchema(db),
      ...(await examineWriting(db)),
      ...(await examineBackup(deployment, isThorough)),
      ...(await examineJobs(db)),
      ...(await examineClock(db, now())),
      ...(await examineCodes(db)),
      ...(await examineEventLog(db, eventLog, now())),
      ...(await examineSecretKeys(db, secretKeys, isThorough)),
    ];
  });

/** A newer release may have migrated the database before the operator went back to this one. */
async function examineSchema({ read }: Database): Promise<Check> {
  const { rows } = await sql.raw<Record<string, unknown>>(READ_SCHEMA_STATE).execute(read);
  const { version } = toSchemaState(rows[0]);
  return version <= latestVersion()
    ? passed('schema', message('version {version}', { version }))
    : noted(
        'schema',
        message('version {version}, which a newer release created; this release can use it', { version }),
      );
}

const examineWriting = (db: Database) =>
  examined('writing', async () => {
    await db.checkWritable();
    return passed('writing', message('the database accepts writes'));
  });

/** How late a backup may be. Allows for large databases and for retries. */
const BACKUP_DELAY_MS = 6 * HOUR_MS;

/** Without BACKUP_DIR, a missing backup is only a note, because the operator may use another backup tool. */
const examineBackup = ({ db, backups, now }: Deployment, isThorough: boolean) =>
  examined('backup', async () => {
    if (backups !== null) {
      const check = await examineSchedule(db, backups, now());
      return check.ok ? ((await findCopyFault(db, backups, isThorough, now())) ?? check) : check;
    }
    const { backupCommand } = DIALECTS[db.engine];
    if (backupCommand !== null) {
      return passed(
        'backup',
        message("set BACKUP_DIR for scheduled backups, or use PostgreSQL's own tool: {command}", {
          command: backupCommand,
        }),
      );
    }
    const at = await readSetting(db.read, LAST_BACKUP_AT);
    if (at !== null && Date.parse(at) > now() + CLOCK_SKEW_MS) {
      return failed(
        'backup',
        message(
          'the last backup is dated in the future, {at}: a clock was wrong when it was made, or is wrong now; correct the clock and make another backup',
          { at },
        ),
      );
    }
    return at === null
      ? noted(
          'backup',
          message('there is no backup yet; set BACKUP_DIR for scheduled backups, or run {command}', {
            command: `${COMMAND_NAME} backup claims.db`,
          }),
        )
      : passed('backup', message('the last backup is from {at}', { at }));
  });

async function examineSchedule(db: Database, backups: BackupSchedule, nowMs: EpochMs): Promise<Check> {
  if (db.backups.problem !== null) return failed('backup', db.backups.problem);
  const files = await listBackups(backups);
  const future = files.find(({ file }) => isFromFuture(file, nowMs));
  if (future !== undefined) {
    return failed(
      'backup',
      message(
        '{file} is dated in the future: a clock was wrong when it was made, or is wrong now. It is not counted; correct the clock, and delete or rename the file',
        { file: future.file },
      ),
    );
  }
  const [newest] = files;
  if (newest === undefined) {
    const job = (await readJobReports(db.read, '')).find(({ name }) => name === BACKUP_JOB);
    if (job !== undefined && hasFailed(job)) {
      return failed(
        'backup',
        message("the first backup in {dir} failed at {at}; see the service's log", {
          dir: backups.dir,
          at: String(job.failedAt),
        }),
      );
    }
    return noted(
      'backup',
      message('the first backup in {dir} will be made within minutes', { dir: backups.dir }),
    );
  }
  const at = timeOfBackup(newest.file);
  if (nowMs > at + backups.everyMs + BACKUP_DELAY_MS) {
    return failed(
      'backup',
      message("a backup is overdue: the newest one in {dir} began at {at}; see the service's log", {
        dir: backups.dir,
        at: toIso(at),
      }),
    );
  }
  return passed(
    'backup',
    message(
      '{count, plural, one {# backup} other {# backups}} in {dir}; the last backup began at {at}. Backups do not contain the secret key: keep a copy of the key elsewhere',
      { count: files.length, dir: backups.dir, at: toIso(at) },
    ),
  );
}

/** A check of the last upload; with `isThorough`, also of the list of uploaded copies. */
async function findCopyFault(
  db: Database,
  { copies }: BackupSchedule,
  isThorough: boolean,
  nowMs: EpochMs,
): Promise<Check | null> {
  if (copies === null) return null;
  const state = await readCopyState(db.read);
  if (isThorough) {
    const problem = await listCopies(copies).then((objects) => {
      const future = objects.find(({ name }) => isFromFuture(name, nowMs));
      return (
        future &&
        message('{name} is dated in the future and not counted; delete or rename it', { name: future.name })
      );
    }, explainFailure);
    if (problem !== undefined) {
      return failed('backup', message('{url}: {problem}', { url: copies.url, problem }));
    }
  }
  return state === null || state.failure === null ? null : failed('backup', state.failure);
}

const examineCodes = (db: Database) =>
  examined('codes', async () => {
    const withheld = await listWithheldCodes(db.read);
    if (withheld.length === 0) return [];
    const codes = withheld.reduce((sum, offer) => sum + offer.codes, 0);
    return noted(
      'codes',
      message(
        '{codes, plural, one {# code} other {# codes}} of {offers, plural, one {# offer} other {# offers}} withheld after a restore; release them at Desk → System or with {command}',
        { codes, offers: withheld.length, command: `${COMMAND_NAME} release-codes` },
      ),
    );
  });

const examineJobs = (db: Database) =>
  examined('background work', async () => {
    const failing = (await readJobReports(db.read, '')).filter(hasFailed);
    if (failing.length === 0) {
      return passed('background work', message('the last run of each job succeeded'));
    }
    const failures = () =>
      failing
        .map(({ name, failedAt }) =>
          t('"{job}" failed at {at}', { job: storedText(name), at: String(failedAt) }),
        )
        .join(', ');
    return failed('background work', message("{failures}; see the service's log", { failures }));
  });

export async function examineFiles(files: DeploymentFiles): Promise<readonly Check[]> {
  const { dataDir, isEmbedded } = files;
  return [
    ...(await examineSecretFiles(files.secretFiles)),
    ...(await examineFolders(foldersOf(files))),
    ...(isEmbedded ? await examineDisk(dataDir) : []),
    ...(isEmbedded && existsSync(dataDir) ? [...noteOnFileSystem(dataDir), ...examineLog(dataDir)] : []),
  ];
}

const foldersOf = ({ dataDir, isEmbedded, backupDir, secretFiles }: DeploymentFiles): readonly string[] => [
  ...(isEmbedded ? [dataDir] : []),
  ...(backupDir === null ? [] : [backupDir]),
  ...Object.values(secretFiles).map((file) => dirname(resolve(file))),
];

const examineSecretFiles = (files: DeploymentFiles['secretFiles']) =>
  examined('secret files', async () => {
    // Windows has other permissions.
    if (process.getuid === undefined) return [];
    // The first operator's password is needed only at the first start, so its file may have been deleted.
    const paths = Object.entries(files).flatMap(([name, path]) =>
      name === 'ADMIN_PASSWORD_FILE' && !existsSync(path) ? [] : [path],
    );
    const modes = await Promise.all(paths.map(async (path) => ({ path, mode: (await stat(path)).mode })));
    const open = modes.filter(({ mode }) => (mode & OTHERS) !== 0).map(({ path }) => path);
    if (open.length > 0) {
      return failed(
        'secret files',
        message('{paths} can be accessed by users other than the owner; run chmod 600 on each.', {
          paths: open.join(', '),
        }),
      );
    }
    if (paths.length === 0) return [];
    const fields = { paths: paths.join(', ') };
    return passed('secret files', message('readable only by the owner: {paths}', fields));
  });

export async function examineAtStart(
  deployment: Pick<Deployment, 'files' | 'connections'>,
): Promise<readonly Check[]> {
  const checks = [
    ...(await examineSecretFiles(deployment.files.secretFiles)),
    ...(await examineFolders(foldersOf(deployment.files))),
    ...examineDatabaseLink(deployment.connections.database),
    ...(deployment.files.isEmbedded ? noteOnFileSystem(deployment.files.dataDir) : []),
  ];
  return checks.filter(({ ok, note }) => !ok || note === true);
}

const examineDisk = (dataDir: string) =>
  examined('disk', async () => {
    const space = await readDiskSpace(dataDir);
    const { freeBytes: free, totalBytes } = space;
    const { size } = await stat(join(dataDir, DATABASE_FILE));
    // A backup or migration needs space for a second copy of the database.
    const needed = Math.max(MIN_FREE_BYTES, size);
    const sizes = {
      free: sizeText(free),
      total: sizeText(totalBytes),
      dir: dataDir,
      size: sizeText(size),
      needed: sizeText(needed),
    };
    if (!isAboveReserve(space)) {
      return failed(
        'disk',
        message(
          '{free} free of {total} at {dir}; the database takes {size}. While less than {reserve} is free, only redemptions and changes by operators are accepted. At least {needed} should be free.',
          { ...sizes, reserve: sizeText(space.reservedBytes) },
        ),
      );
    }
    return free >= needed
      ? passed('disk', message('{free} free of {total} at {dir}; the database takes {size}', sizes))
      : failed(
          'disk',
          message(
            '{free} free of {total} at {dir}; the database takes {size}. At least {needed} should be free.',
            sizes,
          ),
        );
  });
