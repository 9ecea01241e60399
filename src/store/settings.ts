/** Facts about the deployment, stored in its database. */
import type { Database } from './database.ts';

const SECRET_KEY_FINGERPRINTS = 'secret_key_fingerprints';
const DEMO = 'demo';
/** When `claimcheck backup` last wrote a copy, ISO 8601 UTC. */
export const LAST_BACKUP_AT = 'last_backup_at';

const UNTRUSTED_PROXY = 'untrusted_proxy';

async function readSetting(db: Database, name: string): Promise<string | null> {
  const row = await db.read
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Whether all data in this database is sample data. */
export async function isDemoDatabase(db: Database): Promise<boolean> {
  return (await readSetting(db, DEMO)) !== null;
}

/** Marks the database as a demo: every page says so from the next start on. `madeAt`: ISO 8601 UTC. */
export async function markAsDemo(db: Database, madeAt: string): Promise<void> {
  await db.transaction((tx) => tx.insertInto('settings').values({ name: DEMO, value: madeAt }).execute());
}

/** Fingerprints of the secret keys that signed in this database, the first one first. */
export async function knownSecretKeys(db: Database): Promise<readonly string[]> {
  return (await readSetting(db, SECRET_KEY_FINGERPRINTS))?.split(' ') ?? [];
}

/**
 * Whether this database was used before with one of the secret keys of these fingerprints. If so, or if it was used
 * with none, the first of them, which signs from now on, is remembered.
 */
export async function isDatabaseOfSecretKeys(
  db: Database,
  fingerprints: readonly string[],
): Promise<boolean> {
  const [current = ''] = fingerprints;
  let known = await knownSecretKeys(db);
  while (!known.includes(current)) {
    if (known.length > 0 && !known.some((fingerprint) => fingerprints.includes(fingerprint))) return false;
    await rememberSecretKey(db, known, current);
    known = await knownSecretKeys(db);
  }
  return true;
}

/** Changes nothing if another process stored a key since `known` was read. */
const rememberSecretKey = (db: Database, known: readonly string[], fingerprint: string): Promise<void> =>
  db.transaction(async (tx) => {
    if (known.length === 0) {
      await tx
        .insertInto('settings')
        .values({ name: SECRET_KEY_FINGERPRINTS, value: fingerprint })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return;
    }
    await tx
      .updateTable('settings')
      .set({ value: [...known, fingerprint].join(' ') })
      .where('name', '=', SECRET_KEY_FINGERPRINTS)
      .where('value', '=', known.join(' '))
      .execute();
  });

/** When `claimcheck backup` last wrote a copy of this database, ISO 8601 UTC; `null` where it never did. */
export const lastBackupAt = (db: Database): Promise<string | null> => readSetting(db, LAST_BACKUP_AT);

/** A proxy that TRUSTED_PROXIES did not name. */
export interface UntrustedProxy {
  readonly address: string;
  /** ISO 8601 UTC. */
  readonly seenAt: string;
}

/** The last untrusted proxy seen since a service process started; `null` where there was none. */
export async function untrustedProxy(db: Database): Promise<UntrustedProxy | null> {
  const value = await readSetting(db, UNTRUSTED_PROXY);
  return value === null ? null : (JSON.parse(value) as UntrustedProxy);
}

/** `seenAt`: ISO 8601 UTC. */
export async function rememberUntrustedProxy(db: Database, address: string, seenAt: string): Promise<void> {
  const value = JSON.stringify({ address, seenAt } satisfies UntrustedProxy);
  await db.transaction((tx) =>
    tx
      .insertInto('settings')
      .values({ name: UNTRUSTED_PROXY, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  );
}

/** Called at a start, since TRUSTED_PROXIES may have changed; the next request shows whether it names the proxy now. */
export async function forgetUntrustedProxy(db: Database): Promise<void> {
  if ((await untrustedProxy(db)) === null) return;
  await db.transaction((tx) => tx.deleteFrom('settings').where('name', '=', UNTRUSTED_PROXY).execute());
}
