/** The table `settings`: state of the deployment and of jobs, and settings that operators changed. */

import type { Iso } from '../text/time-text.ts';
import { compileOnce } from './compile-once.ts';
import { type Database, isFound, type Queryable, type Transaction } from './database.ts';

export const SECRET_KEY_FINGERPRINTS = 'secret_key_fingerprints';
/** The ID of the move that filled this database (`src/platform/store/move/move.ts`). */
export const MOVED_FROM = 'moved_from';
const DEMO = 'demo';
/** Time of the last backup, ISO 8601 UTC: the start of a scheduled backup, or the end of `claimcheck backup FILE`. */
export const LAST_BACKUP_AT = 'last_backup_at';
export const LAST_BACKUP_COPY = 'last_backup_copy';
/** The last check for a newer version (`src/background/system/updates.ts`), as JSON. */
export const UPDATE_CHECK = 'update_check';
/** When an operator last asked for a backup, ISO 8601 UTC. */
export const BACKUP_REQUESTED_AT = 'backup_requested_at';

/**
 * When a restore brought back waiting lists as they were in the backup, ISO 8601 UTC. People who joined before may have
 * been mailed since the backup.
 */
export const WAITING_LISTS_RESTORED_AT = 'waiting_lists_restored_at';

/** The policy about accounts and claims (`src/people/accounts/policy.ts`), as JSON. */
export const ACCOUNT_POLICY = 'policy';

/** The key for the hashes in `mailbox_marks`, encrypted with a secret key. */
export const MAILBOX_MARK_KEY = 'mailbox_mark_key';

/** How the service was last started, for commands in a terminal without the settings of the service. */
export interface ServedAs {
  readonly baseUrl: string;
  readonly sendsMail: boolean;
}

const SERVED_AS = 'served_as';

const PROXY = 'proxy:';

const selectSetting = compileOnce((db, { name }: { name: string }) =>
  db.selectFrom('settings').select('value').where('name', '=', name),
);

export async function readSetting(db: Queryable, name: string): Promise<string | null> {
  const [row] = await selectSetting(db, { name });
  return row?.value ?? null;
}

export async function readJsonSetting<T>(db: Queryable, name: string): Promise<T | null> {
  const stored = await readSetting(db, name);
  return stored === null ? null : JSON.parse(stored);
}

/** `null`: no server has used this database yet. */
export const readServedAs = (db: Queryable) => readJsonSetting<ServedAs>(db, SERVED_AS);

export async function rememberServedAs(db: Database, { baseUrl, sendsMail }: ServedAs): Promise<void> {
  const value = JSON.stringify({ baseUrl, sendsMail });
  if ((await readSetting(db.read, SERVED_AS)) === value) return;
  await db.transaction((tx) => writeSetting(tx, SERVED_AS, value));
}

export async function readSettings(
  db: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('settings').selectAll().where('name', 'in', names).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function writeSetting(tx: Transaction, name: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export const deleteSetting = (tx: Transaction, name: string): Promise<unknown> =>
  tx.deleteFrom('settings').where('name', '=', name).execute();

/** Changes a setting to `value` if it still equals `from` (`null`: unset). Returns whether it was changed. */
export async function moveSetting(
  tx: Transaction,
  name: string,
  from: string | null,
  value: string,
): Promise<boolean> {
  if (from === null) {
    const added = tx.insertInto('settings').values({ name, value });
    return await isFound(added.onConflict((conflict) => conflict.doNothing()).returning('name'));
  }
  const update = tx.updateTable('settings').set({ value }).where('name', '=', name).where('value', '=', from);
  return await isFound(update.returning('name'));
}

export async function isDemoDatabase(db: Database): Promise<boolean> {
  return (await readSetting(db.read, DEMO)) !== null;
}

/** Marks the database as a demo. After the next start, every page has the demo banner. `madeAt`: ISO 8601 UTC. */
export async function markAsDemo(db: Database, madeAt: string): Promise<void> {
  await db.transaction((tx) => writeSetting(tx, DEMO, madeAt));
}

/** Fingerprints of the secret keys that this database has been used with, oldest first. */
export async function knownSecretKeys(db: Database): Promise<readonly string[]> {
  return (await readSetting(db.read, SECRET_KEY_FINGERPRINTS))?.split(' ') ?? [];
}

/** Also true for a database that was never used with a key: then stores the first key's fingerprint. */
export async function isDatabaseOfSecretKeys(
  db: Database,
  fingerprints: readonly string[],
): Promise<boolean> {
  const [current = ''] = fingerprints;
  let stored = await knownSecretKeys(db);
  while (!stored.includes(current)) {
    if (stored.length > 0 && !stored.some((fingerprint) => fingerprints.includes(fingerprint))) return false;
    const [before, after] = [stored.join(' ') || null, [...stored, current].join(' ')];
    // Changes nothing if another process stored a key since `stored` was read.
    await db.transaction((tx) => moveSetting(tx, SECRET_KEY_FINGERPRINTS, before, after));
    stored = await knownSecretKeys(db);
  }
  return true;
}

export interface ProxyFinding {
  readonly fault: string;
  readonly address: string;
  /** The header or host that shows the fault; `null` if the fault has neither. */
  readonly found: string | null;
  readonly count: number;
  readonly seenAt: Iso;
}

/** The latest finding of each fault since the last start of a service process. */
export async function proxyFindings(db: Database): Promise<readonly ProxyFinding[]> {
  const rows = await db.read
    .selectFrom('settings')
    .select('value')
    .where('name', 'like', `${PROXY}%`)
    .orderBy('name')
    .execute();
  return rows.map(({ value }) => JSON.parse(value) as ProxyFinding);
}

export async function rememberProxyFinding(db: Database, finding: ProxyFinding): Promise<void> {
  await db.transaction((tx) => writeSetting(tx, PROXY + finding.fault, JSON.stringify(finding)));
}

/** Call at startup, because the proxy may have been reconfigured. The next requests show which problems remain. */
export async function forgetProxyFindings(db: Database): Promise<void> {
  if ((await proxyFindings(db)).length === 0) return;
  await db.transaction((tx) => tx.deleteFrom('settings').where('name', 'like', `${PROXY}%`).execute());
}
