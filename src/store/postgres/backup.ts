/** Backups of PostgreSQL with its own tools, which must be installed on the machine that runs the service. */
import { closeSync, openSync } from 'node:fs';
import { urlWithoutPassword } from '../../network/database-hosts.ts';
import { writeWhole } from '../../process/files.ts';
import { runCommand } from '../../process/run-command.ts';
import type { BackupWriter } from '../database.ts';

export const createBackupWriter = (databaseUrl: string): BackupWriter => ({
  ending: 'dump',
  problem: null,
  write: (target, signal) =>
    writeWhole(target, async (partial) => {
      const { url, password } = urlWithoutPassword(databaseUrl);
      // Created here, so that only its owner can access it.
      closeSync(openSync(partial, 'w', 0o600));
      const env = password === null ? {} : { PGPASSWORD: password };
      // Unlogged tables contain only data that must not outlive the day.
      const options = ['--format=custom', '--no-unlogged-table-data', '--no-password', `--file=${partial}`];
      await runCommand('pg_dump', [...options, url], { signal, env });
      // Reads the whole file, unlike `--list`.
      await runCommand('pg_restore', ['--file=/dev/null', partial], { signal });
    }),
});
