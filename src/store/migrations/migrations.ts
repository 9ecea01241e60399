/** The numbered migrations, append-only. */
import { DatabaseUnfit } from '../database.ts';
import { initialSchema } from './0001-initial-schema.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [initialSchema];

/** The version this program needs. */
export const latestVersion = (migrations: readonly Migration[] = MIGRATIONS): number =>
  migrations[migrations.length - 1]?.version ?? 0;

/** Throws `DatabaseUnfit` when the database was migrated by a newer program than this. */
export function refuseNewerSchema(found: number, migrations: readonly Migration[] = MIGRATIONS): void {
  const known = latestVersion(migrations);
  if (found > known) {
    throw new DatabaseUnfit(
      `The database has schema version ${found}, this Claimcheck knows versions up to ${known}. Start the newer Claimcheck that migrated it, or restore a backup from before.`,
    );
  }
}
