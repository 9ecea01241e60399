import { join } from 'node:path';
import { keepingReserve } from '../../platform/store/disk-reserve.ts';
import { isUpgrade, type MigrationResult } from '../../platform/store/migrations/migrations.ts';
import { DATABASE_FILE } from '../../platform/store/open.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { type ContextOptions, type OpenContext, openContext } from '../open-context.ts';
import { type CommonOptions, createOutput, type Io, type Output } from './output.ts';
import { requireLocal } from './remote.ts';

const OTHER_SECRET_KEY =
  "Warning: this database was used with a different secret key before. Add that key after the current one, or the links of earlier claims can't be shown again.";

/**
 * A server may use the same database concurrently. A missing database is created only for commands that can start with
 * an empty database. Other commands fail, because a missing database may mean a wrong data folder.
 */
export const withContext = (
  io: Io,
  options: CommonOptions,
  work: (context: OpenContext, output: Output) => Promise<void>,
  contextOptions?: ContextOptions,
): Promise<void> =>
  withConfig(io, parseConfig(io.env), (context) => work(context, createOutput(io, options)), contextOptions);

/** `withContext` for bulk writes, which must not use the disk space reserved for redemptions. */
export const withBulkContext: typeof withContext = (io, options, work) =>
  withContext(
    io,
    options,
    (context, output) => {
      const { config, db } = context;
      if (config.databaseUrl !== null) return work(context, output);
      return work({ ...context, db: keepingReserve(db, join(config.dataDir, DATABASE_FILE)) }, output);
    },
    { readsInline: true },
  );

export async function withConfig<T>(
  io: Io,
  config: Config,
  work: (context: OpenContext) => Promise<T>,
  options?: ContextOptions,
): Promise<T> {
  requireLocal(io.target(), 'This command');
  const onMigrated = (migration: MigrationResult) => {
    if (isUpgrade(migration)) io.stderr.write(`${sentenceOf(migration)}\n`);
  };
  const context = await openContext(config, io, { onMigrated, ...options });
  try {
    if (!context.secretKeyFits) io.stderr.write(`${OTHER_SECRET_KEY}\n`);
    return await work(context);
  } finally {
    await context.db.close();
  }
}

const sentenceOf = ({ from, to, backup }: MigrationResult): string =>
  `Migrated the database from schema version ${from} to ${to}.${backup === null ? '' : ` The database before the migration is in ${backup}.`}`;
