/** Opens everything a verb needs, runs it, and closes again whatever happened. */
import { createClaimTokens } from '../claims/token.ts';
import { verifyProgram } from '../claims/verify-program.ts';
import { type Config, loadSecretKey, parseConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { openDatabase } from '../store/open.ts';
import type { Io } from './output.ts';

export interface CliContext extends Context {
  readonly config: Config;
}

/**
 * Parses the configuration, loads the secret key, opens the database (creating or migrating it) and runs
 * `work`. A server may run on the same database meanwhile.
 */
export async function withContext<T>(io: Io, work: (context: CliContext) => Promise<T>): Promise<T> {
  const config = parseConfig(io.env);
  const secretKey = await loadSecretKey(config, io.random);
  const db = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    programs: [verifyProgram],
    now: io.now,
  });
  try {
    const tokens = createClaimTokens(Buffer.from(secretKey).toString('utf8'));
    return await work({ config, db, now: io.now, random: io.random, tokens });
  } finally {
    await db.close();
  }
}
