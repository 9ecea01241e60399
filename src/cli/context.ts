import { join } from 'node:path';
import { type ContextOptions, type OpenContext, openContext } from '../app/open-context.ts';
import { type Config, parseConfig } from '../config.ts';
import { keepingReserve } from '../store/disk-reserve.ts';
import { DATABASE_FILE } from '../store/open.ts';
import type { Io } from './output.ts';
import { requireLocal } from './remote.ts';

const OTHER_SECRET_KEY =
  "Warning: this database was used with a different secret key before. Add that key after the current one, or the links of earlier claims can't be shown again.";

/**
 * A server may run on the same database at the same time. Only commands that can work on an empty database create a
 * missing one. The others fail, since the data folder may be the wrong one.
 */
export async function withContext<T>(
  io: Io,
  work: (context: OpenContext) => Promise<T>,
  options?: ContextOptions,
): Promise<T> {
  return await withConfig(io, parseConfig(io.env), work, options);
}

/** `withContext` for writing many rows. On the embedded database, disk space is kept free for redemptions. */
export const withBulkContext = <T>(io: Io, work: (context: OpenContext) => Promise<T>): Promise<T> =>
  withContext(io, (context) => {
    const { config, db } = context;
    return work(
      config.databaseUrl === null
        ? { ...context, db: keepingReserve(db, join(config.dataDir, DATABASE_FILE)) }
        : context,
    );
  });

export async function withConfig<T>(
  io: Io,
  config: Config,
  work: (context: OpenContext) => Promise<T>,
  options?: ContextOptions,
): Promise<T> {
  requireLocal(io.target(), 'This command');
  const context = await openContext(config, io, options);
  try {
    if (!context.secretKeyFits) io.stderr.write(`${OTHER_SECRET_KEY}\n`);
    return await work(context);
  } finally {
    await context.db.close();
  }
}
