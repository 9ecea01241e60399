/** What a database remembers of the deployment it belongs to. */
import type { Database } from './database.ts';

const SECRET_KEY_FINGERPRINT = 'secret_key_fingerprint';

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
