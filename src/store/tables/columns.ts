/** Types of columns that tables share. */
import type { ColumnType } from 'kysely';

/** A column of a view. */
export type ReadOnly<T> = ColumnType<T, never, never>;

/** A time in a compact row: milliseconds on SQLite, ISO 8601 UTC on PostgreSQL. */
export type CompactTime = number | string;

/** An id in a compact row: 16 bytes on SQLite, a UUID as text on PostgreSQL. */
export type CompactId = Uint8Array | string;

/** The time of an event. `null` on SQLite if it equals the time of the claim or of its redemption. */
export type EventTime = string | null;
