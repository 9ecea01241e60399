/** The check of backups: of the schedule, or of the last backup that somebody made. */

import type { Context } from '../../base/context.ts';
import { hasFailed, readJobReports } from '../../base/jobs/queries.ts';
import { message } from '../../platform/languages/translate.ts';
import { explainFailure } from '../../platform/process/failure.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import type { Database } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { LAST_BACKUP_AT, readSetting } from '../../platform/store/settings.ts';
import { HOUR_MS } from '../../platform/text/durations.ts';
import { type EpochMs, toIso } from '../../platform/text/time-text.ts';
import { BACKUP_JOB, type BackupSchedule, listBackups } from './back-up.ts';
import { isFromFuture, listCopies, readCopyState, timeOfBackup } from './backup-copies.ts';
import { type Check, examined, failed, noted, passed } from './check.ts';
import { CLOCK_SKEW_MS } from './clock.ts';

/** How late a backup may be. Allows for large databases and for retries. */
const BACKUP_DELAY_MS = 6 * HOUR_MS;

/** Without BACKUP_DIR, a missing backup is only a note, because the operator may use another backup tool. */
export const examineBackup = (
  { db, backups, now }: Pick<Context, 'db' | 'now'> & { readonly backups: BackupSchedule | null },
  isThorough: boolean,
) =>
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
