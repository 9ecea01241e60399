/** Numbered migrations. Append-only, because they have already run on existing databases. */
import { DatabaseUnusable } from '../database.ts';
import { initialSchema } from './0001-initial-schema.ts';
import type { Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [initialSchema];

export const latestVersion = (migrations: readonly Migration[] = MIGRATIONS): number =>
  migrations[migrations.length - 1]?.version ?? 0;

/** Where the schema of a database is. Version 0: the database has no Claimcheck tables. */
export interface SchemaState {
  readonly version: number;
  /** The largest `compatibleWith` of the migrations that have run: older programs must not use the database. */
  readonly compatibleWith: number;
}

export interface MigrationResult {
  readonly from: number;
  readonly to: number;
  /** Path of the backup written before the migration. `null`: the database was new, up to date or on PostgreSQL. */
  readonly backup: string | null;
}

/** `false`: the database was new or up to date. */
export const isUpgrade = ({ from, to }: MigrationResult): boolean => from > 0 && from < to;

export const NO_SCHEMA: SchemaState = { version: 0, compatibleWith: 0 };

/** The only columns of `schema_migrations` that a program reads. The name is the same on all engines. */
export const READ_SCHEMA_STATE =
  'select max(version) as version, max(compatible_with) as compatible_with from schema_migrations';

/** A row of `READ_SCHEMA_STATE`. */
export const toSchemaState = (row: Readonly<Record<string, unknown>> | undefined): SchemaState => ({
  version: Number(row?.['version'] ?? 0),
  compatibleWith: Number(row?.['compatible_with'] ?? 0),
});

/** Throws `DatabaseUnusable` if a newer program has changed the database so that this one can't use it. */
function refuseIncompatibleSchema(
  { version, compatibleWith }: SchemaState,
  migrations: readonly Migration[],
): void {
  const latest = latestVersion(migrations);
  if (compatibleWith > latest) {
    throw new DatabaseUnusable(
      `The database has schema version ${version}, but this Claimcheck supports versions up to ${latest}. Start the newer Claimcheck that migrated it, or restore an earlier backup.`,
    );
  }
}

/** In order. Throws `DatabaseUnusable` like `refuseIncompatibleSchema`. */
export function pendingMigrations(
  state: SchemaState,
  migrations: readonly Migration[],
): readonly Migration[] {
  refuseIncompatibleSchema(state, migrations);
  return migrations.filter(({ version }) => version > state.version);
}

/** The result if no migration is pending. */
export const unchanged = ({ version }: SchemaState): MigrationResult => ({
  from: version,
  to: version,
  backup: null,
});

/** For `schemaDifference`: a program doesn't know the objects of a newer schema. */
export const differenceOfNewer = ({ version }: SchemaState): string | null =>
  version > latestVersion()
    ? `has schema version ${version}, and this Claimcheck knows only versions up to ${latestVersion()}`
    : null;

/** Throws `DatabaseUnusable` for any newer schema, also a compatible one. */
export const refuseNewerSchema = ({ version }: SchemaState): void =>
  refuseIncompatibleSchema({ version, compatibleWith: version }, MIGRATIONS);
