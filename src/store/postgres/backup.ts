/** Backups of PostgreSQL with its own tools, which must be installed on the same machine. */
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { urlWithoutPassword } from '../../network/database-hosts.ts';
import { flush } from '../../process/files.ts';
import { runCommand } from '../../process/run-command.ts';
import type { BackupWriter } from '../database.ts';

export const createBackupWriter = (databaseUrl: string): BackupWriter => ({
  ending: 'dump',
  problem: null,
  write: async (target, signal) => {
    const { url, password } = urlWithoutPassword(databaseUrl);
    const partial = `${target}.partial-${process.pid}`;
    try {
      // Created here, so that only its owner can access it.
      closeSync(openSync(partial, 'w', 0o600));
      const env = password === null ? {} : { PGPASSWORD: password };
      // Unlogged tables contain only data that must not outlive the day.
      const options = ['--format=custom', '--no-unlogged-table-data', '--no-password', `--file=${partial}`];
      await runCommand('pg_dump', [...options, url], { signal, env });
      await runCommand('pg_restore', ['--list', partial], { signal });
      flush(partial);
      renameSync(partial, target);
      flush(dirname(target));
    } finally {
      rmSync(partial, { force: true });
    }
  },
});
