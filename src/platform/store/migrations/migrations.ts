/** Numbered migrations. Append-only, because they have already run on existing databases. */
import { DatabaseUnusable } from '../database.ts';
import { initialSchema } from './0001-initial-schema.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [initialSchema];

export const latestVersion = (migrations: readonly Migration[] = MIGRATIONS): number =>
  migrations[migrations.length - 1]?.version ?? 0;

/** Throws `DatabaseUnusable` if a newer program has migrated the database. */
export function refuseNewerSchema(version: number, migrations: readonly Migration[] = MIGRATIONS): void {
  const latest = latestVersion(migrations);
  if (version > latest) {
    throw new DatabaseUnusable(
      `The database has schema version ${version}, but this Claimcheck supports versions up to ${latest}. Start the newer Claimcheck that migrated it, or restore an earlier backup.`,
    );
  }
}
