import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Backup, runBackupNow } from '../../background/system/back-up.ts';
import { signalExitCode } from '../../platform/process/failure.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { requireSpaceForCopy } from '../../platform/store/disk-reserve.ts';
import { DATABASE_FILE } from '../../platform/store/open.ts';
import { rememberBackup, writePacedBackup } from '../../platform/store/sqlite/backup.ts';
import { requireDatabase } from '../../platform/store/sqlite/database.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { withConfig } from './context.ts';
import { UsageError } from './options.ts';
import { type CommonOptions, createOutput, type Io, type Output } from './output.ts';
import { example } from './program.ts';

export function registerBackup(program: Command, io: Io): void {
  example(
    program
      .command('backup')
      .summary('copy the embedded database to a file')
      .description(
        'copy the embedded database to a file, or make the scheduled backup now; the service may be running',
      )
      .argument('[file]', 'file to create, which must not exist yet (default: a new file in BACKUP_DIR)'),
    'claimcheck backup claims-2026-11-20.db',
    'claimcheck backup',
  ).action(async (file: string | undefined, options: CommonOptions) => {
    const output = createOutput(io, options);
    const config = parseConfig(io.env);
    if (file === undefined) await output.record({ ...(await scheduledBackup(io, output, config)) });
    else {
      requireName(file, 'for the backup');
      const database = embeddedDatabase(config, DIALECTS.postgres.backupCommand);
      requireDatabase(database);
      requireSpaceForCopy(database, file);
      const stop = io.stopSignal();
      try {
        await writePacedBackup(database, file, undefined, stop);
      } catch (error) {
        if (!stop.aborted) throw error;
        output.say(`Stopped by ${stop.reason}: no backup was written.`);
        io.setExitCode(signalExitCode(stop.reason));
        return;
      }
      const isRemembered = rememberBackup(database, new Date(io.now()).toISOString());
      await output.record({ file, bytes: statSync(file).size });
      if (!isRemembered)
        output.say('The backup is complete, but its time could not be recorded in the database.');
    }
    output.say('Back up the secret key as well, in a different place: claim links derive from it.');
  });
}

async function scheduledBackup(io: Io, output: Output, config: Config): Promise<Backup> {
  const { backups } = config;
  if (backups === null) throw new UsageError('Name the file to write the backup to, or set BACKUP_DIR.');
  const onWait = () => output.say('Waiting for a backup that another process is making.');
  return await withConfig(io, config, (context) => runBackupNow(context, backups, onWait));
}

/** Throws if the name is empty, because a script passes an empty name if its variable is not set. */
export function requireName(file: string, role: string): void {
  if (file.trim() === '') throw new UsageError(`The name of the file ${role} is empty.`);
}

/** Returns the path of the database file. On PostgreSQL, throws an error that names the equivalent command. */
export function embeddedDatabase(config: Config, onPostgres: string | null): string {
  if (config.databaseUrl !== null) {
    throw new Error(`DATABASE_URL is set. Use PostgreSQL's own tool: ${onPostgres}.`);
  }
  return join(config.dataDir, DATABASE_FILE);
}
