/** Opens what a configuration names: the secret key and the database. Commands need no more than this. */
import { createClaimTokens } from './claims/token.ts';
import { verifyProgram } from './claims/verify/program.ts';
import { type Config, loadSecretKey, makeSecretKey } from './config.ts';
import type { Context } from './context.ts';
import { deriveSecret } from './secrets.ts';
import { openDatabase } from './store/open.ts';
import { isSecretKeyOfDatabase, knownSecretKey } from './store/settings.ts';
import type { Deployment, DeploymentFiles } from './system/checks.ts';

/** Each use of the secret key derives a secret under a name of its own. */
const SIGN_IN_SECRET_USE = 'claimcheck/sign-in/1';

/** Clock and randomness, passed in from the process edge. */
export interface Surroundings {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** `bytes` cryptographically random bytes. */
  readonly random: (bytes: number) => Uint8Array;
}

export interface OpenContext extends Context {
  readonly config: Config;
  /** `false`: this database was filled under another secret key, so links shown again would be wrong. */
  readonly secretKeyFits: boolean;
  /** What cookies are signed and second factors are encrypted with. */
  readonly signInSecret: string;
}

/**
 * Loads the secret key and opens the database, creating or migrating it. A key is made only for a database that has
 * known none: whoever made it did so before the database knew it, so that a missing one is really lost. The
 * caller closes `db`.
 */
export async function openContext(config: Config, { now, random }: Surroundings): Promise<OpenContext> {
  const found = await loadSecretKey(config);
  const db = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    programs: [verifyProgram],
    now,
  });
  try {
    const secretKey = found ?? (await makeSecretKey(config, (await knownSecretKey(db)) !== null, random));
    const tokens = createClaimTokens(Buffer.from(secretKey).toString('utf8'));
    const secretKeyFits = await isSecretKeyOfDatabase(db, tokens.keyFingerprint);
    const signInSecret = deriveSecret(secretKey, SIGN_IN_SECRET_USE);
    return { config, db, now, random, tokens, secretKeyFits, signInSecret };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** What `doctor` and the system page look at. */
export const deploymentOf = ({ config, db, tokens, secretKeyFits }: OpenContext): Deployment => ({
  db,
  keyFingerprint: tokens.keyFingerprint,
  secretKeyFits,
  files: deploymentFiles(config),
  sendsMail: config.smtpUrl !== null,
});

export const deploymentFiles = ({ dataDir, databaseUrl, secretKey }: Config): DeploymentFiles => ({
  dataDir,
  isEmbedded: databaseUrl === null,
  secretKeyPath: secretKey.from === 'environment' ? null : secretKey.path,
});
