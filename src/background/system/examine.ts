import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sql } from 'kysely';
import type { EventLogLimits } from '../../base/events/sweep.ts';
import { hasFailed, readJobReports } from '../../base/jobs/queries.ts';
import { listWithheldCodes } from '../../marketplace/offers/code-queries.ts';
import { message, storedText, t } from '../../platform/languages/translate.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import type { Database } from '../../platform/store/database.ts';
import {
  latestVersion,
  READ_SCHEMA_STATE,
  toSchemaState,
} from '../../platform/store/migrations/migrations.ts';
import type { EpochMs } from '../../platform/text/time-text.ts';
import type { BackupSchedule } from './back-up.ts';
import { examineBackup } from './backup-checks.ts';
import { type Check, examined, failed, noted, passed } from './check.ts';
import { examineClock } from './clock.ts';
import {
  type Connections,
  examineConnectionLimit,
  examineDatabaseLink,
  examineIdentityProviders,
  examineProxies,
  examineServers,
  STANDBY_SETTING,
} from './connections.ts';
import { examineDisk, examineFileSystem, examineLog } from './database-file.ts';
import { examineEventLog } from './event-log.ts';
import { examineFolders, examineSecretFiles } from './folders.ts';
import { examineMail, examineMailDelivery, examineUnusedMail } from './mail-checks.ts';
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

/**
 * Returns the most important checks first. `isThorough` adds slow checks, and checks that contact the identity provider
 * and the backup bucket.
 */
export async function examine(deployment: Deployment, isThorough: boolean): Promise<readonly Check[]> {
  const { db, files, connections, updateCheckUrl, now } = deployment;
  return [
    ...(await examineDatabase(deployment, isThorough)),
    ...(await examineFiles(files)),
    await examineMail(connections.mail, isThorough),
    ...(await examineMailDelivery(db, connections.mail, now())),
    ...(await examineUnusedMail(db, connections.mail, now())),
    ...(isThorough ? await examineIdentityProviders(connections.providers) : []),
    ...examineDatabaseLink(connections.database),
    ...(await examineProxies(db, connections)),
    ...(await examineUpdates(db, updateCheckUrl)),
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
    ...(isEmbedded && existsSync(dataDir) ? [...examineFileSystem(dataDir), ...examineLog(dataDir)] : []),
  ];
}

const foldersOf = ({ dataDir, isEmbedded, backupDir, secretFiles }: DeploymentFiles): readonly string[] => [
  ...(isEmbedded ? [dataDir] : []),
  ...(backupDir === null ? [] : [backupDir]),
  ...Object.values(secretFiles).map((file) => dirname(resolve(file))),
];

export async function examineAtStart(
  deployment: Pick<Deployment, 'files' | 'connections'>,
): Promise<readonly Check[]> {
  const checks = [
    ...(await examineSecretFiles(deployment.files.secretFiles)),
    ...(await examineFolders(foldersOf(deployment.files))),
    ...examineDatabaseLink(deployment.connections.database),
    ...(deployment.files.isEmbedded ? examineFileSystem(deployment.files.dataDir) : []),
  ];
  return checks.filter(({ ok, note }) => !ok || note === true);
}
