import type { Deployment, DeploymentFiles } from '../background/system/examine.ts';
import { openMarketplace } from '../base/brand/marketplace.ts';
import type { Context } from '../base/context.ts';
import { createClaimTokens } from '../claims/token.ts';
import { VERIFY_THREAD } from '../claims/verify/verifier.ts';
import { createMailServer, type MailServer } from '../people/mail/check-server.ts';
import { createSecretBox, fingerprintOf, type SecretKeys } from '../platform/secrets/secret-keys.ts';
import { type OpenOptions, openDatabase } from '../platform/store/open.ts';
import { databaseLink } from '../platform/store/postgres/connection-options.ts';
import { isDatabaseOfSecretKeys, knownSecretKeys } from '../platform/store/settings.ts';
import { type EpochMs, toIso } from '../platform/text/time-text.ts';
import { baseUrlOf } from './config/address.ts';
import type { Config } from './config/config.ts';
import { loadSecretKeys, makeSecretKey } from './config/secret-key.ts';

export interface Surroundings {
  readonly now: () => EpochMs;
  readonly random: (bytes: number) => Uint8Array;
}

export interface OpenContext extends Context {
  readonly config: Config;
  readonly secretKeys: SecretKeys;
  /** `false`: the database was used only with other secret keys, so its claim links cannot be shown. */
  readonly secretKeyFits: boolean;
  /** `null`: SMTP_URL is not set. */
  readonly mailServer: MailServer | null;
}

export interface ContextOptions
  extends Pick<OpenOptions, 'readsInline' | 'isBeingFilled' | 'engine' | 'onMigrated'> {
  /** Whether to create a missing database. By default, opening a missing database fails. */
  readonly create?: boolean;
}

/**
 * Opens and migrates the database; the caller closes it. The database records a key after the key is on disk, so a key
 * that it has recorded but nobody finds was lost, and no new one is created.
 */
export async function openContext(
  config: Config,
  { now, random }: Surroundings,
  { create = false, ...options }: ContextOptions = {},
): Promise<OpenContext> {
  const loadedKeys = await loadSecretKeys(config);
  const db = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    sqliteThread: VERIFY_THREAD,
    now,
    mustExist: !create,
    ...options,
  });
  try {
    const secretKeys =
      loadedKeys ?? (await makeSecretKey(config, (await knownSecretKeys(db)).length > 0, random));
    return {
      config,
      db,
      now,
      at() {
        return toIso(this.now());
      },
      marketplace: await openMarketplace(db, config.firstBrand, now),
      random,
      tokens: createClaimTokens(...secretKeys),
      secretBox: createSecretBox(secretKeys, random),
      secretKeys,
      secretKeyFits: await isDatabaseOfSecretKeys(db, secretKeys.map(fingerprintOf)),
      mailServer: config.smtpUrl === null ? null : createMailServer(config.smtpUrl),
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

export const deploymentOf = ({ config, db, now, tokens, ...context }: OpenContext): Deployment => ({
  db,
  now,
  eventLog: config.eventLog,
  backups: config.backups,
  updateCheckUrl: config.updateCheckUrl,
  secretKeys: {
    fingerprints: context.secretKeys.map(fingerprintOf),
    fit: context.secretKeyFits,
    tokens,
  },
  files: deploymentFiles(config),
  connections: {
    mail: context.mailServer,
    providers: config.oidc.providers,
    database: config.databaseUrl === null ? null : databaseLink(config.databaseUrl),
    reachedAt: baseUrlOf(config),
    isAnyProxyTrusted: config.trustedProxies.rules.length > 0,
  },
});

export const deploymentFiles = ({ secretKey, ...config }: Config): DeploymentFiles => ({
  dataDir: config.dataDir,
  isEmbedded: config.databaseUrl === null,
  backupDir: config.backups?.dir ?? null,
  secretFiles: {
    ...config.secretFiles,
    ...(secretKey.from === 'data-folder' && { DATA_DIR: secretKey.path }),
  },
});
