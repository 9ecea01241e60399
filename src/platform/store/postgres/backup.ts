/** Backups with `pg_dump` and `pg_restore`, which must be installed on the machine that runs the service. */
import { closeSync, openSync } from 'node:fs';
import { splitPassword } from '../../network/database-url.ts';
import { writeWhole } from '../../process/files.ts';
import { runCommand } from '../../process/run-command.ts';
import type { BackupWriter } from '../database.ts';

export const createBackupWriter = (databaseUrl: string): BackupWriter => ({
  ending: 'dump',
  problem: null,
  write: (target, signal) =>
    writeWhole(target, async (partial) => {
      const { url, password } = splitPassword(databaseUrl);
      // Create the file first, so that only its owner can access it.
      closeSync(openSync(partial, 'w', 0o600));
      const env = password === null ? {} : { PGPASSWORD: password };
      // Unlogged tables contain only visitor data, which must not be kept longer than a day.
      const options = ['--format=custom', '--no-unlogged-table-data', '--no-password', `--file=${partial}`];
      await runCommand('pg_dump', [...options, url], { signal, env });
      // Verify the dump. Unlike `--list`, this reads the complete file.
      await runCommand('pg_restore', ['--file=/dev/null', partial], { signal });
    }),
});
