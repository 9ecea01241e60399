/** What a database remembers of the deployment it belongs to. */
import type { Database } from './database.ts';

const SECRET_KEY_FINGERPRINT = 'secret_key_fingerprint';

/**
 * Whether this database was used with the secret key of this fingerprint before; the first one is remembered.
 * With another key the tokens in circulation still verify, but links shown again would carry other tokens.
 */
export async function isSecretKeyOfDatabase(db: Database, fingerprint: string): Promise<boolean> {
  const read = () =>
    db.read
      .selectFrom('settings')
      .select('value')
      .where('name', '=', SECRET_KEY_FINGERPRINT)
      .executeTakeFirst();
  let known = await read();
  if (known === undefined) {
    await db.transaction((tx) =>
      tx
        .insertInto('settings')
        .values({ name: SECRET_KEY_FINGERPRINT, value: fingerprint })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    known = await read();
  }
  return known?.value === fingerprint;
}
