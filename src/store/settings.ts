/** What a database remembers of the deployment it belongs to. */
import type { Database } from './database.ts';

const SECRET_KEY_FINGERPRINT = 'secret_key_fingerprint';
const DEMO = 'demo';
/** When `claimcheck backup` last wrote a copy, ISO 8601 UTC. */
export const LAST_BACKUP_AT = 'last_backup_at';

/** Whether what this database holds was made up, all of it. */
export async function isDemoDatabase(db: Database): Promise<boolean> {
  const known = await db.read
    .selectFrom('settings')
    .select('value')
    .where('name', '=', DEMO)
    .executeTakeFirst();
  return known !== undefined;
}

/** Every page says so from the next start on. `madeAt`: when it was filled, ISO 8601 UTC. */
export async function markAsDemo(db: Database, madeAt: string): Promise<void> {
  await db.transaction((tx) => tx.insertInto('settings').values({ name: DEMO, value: madeAt }).execute());
}

/** Fingerprint of the secret key that this database was used with first; `null` before that. */
export async function knownSecretKey(db: Database): Promise<string | null> {
  const known = await db.read
    .selectFrom('settings')
    .select('value')
    .where('name', '=', SECRET_KEY_FINGERPRINT)
    .executeTakeFirst();
  return known?.value ?? null;
}

/**
 * Whether this database was used with the secret key of this fingerprint before; the first one is remembered.
 * With another key the tokens in circulation still verify, but links shown again would carry other tokens.
 */
export async function isSecretKeyOfDatabase(db: Database, fingerprint: string): Promise<boolean> {
  let known = await knownSecretKey(db);
  if (known === null) {
    await db.transaction((tx) =>
      tx
        .insertInto('settings')
        .values({ name: SECRET_KEY_FINGERPRINT, value: fingerprint })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    known = await knownSecretKey(db);
  }
  return known === fingerprint;
}

/** When `claimcheck backup` last wrote a copy of this database, ISO 8601 UTC; `null` where it never did. */
export async function lastBackupAt(db: Database): Promise<string | null> {
  const row = await db.read
    .selectFrom('settings')
    .select('value')
    .where('name', '=', LAST_BACKUP_AT)
    .executeTakeFirst();
  return row?.value ?? null;
}
