/**
 * Reads from a standby. Before each use it is asked, over the connection that is then read from, whether it is a standby
 * of this primary, how far behind it is, and whether it has what the reader has just written.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { hostUrls } from '../../database-hosts.ts';
import {
  type Database,
  type DatabaseReader,
  DatabaseUnavailable,
  type StandbyFault,
  type StandbyReport,
} from '../database.ts';
import { monotonicMs } from '../monotonic.ts';
import type { Schema } from '../schema.ts';
import type { StaleReads } from '../stale-reads.ts';
import { isAllInUse } from './errors.ts';
import { createPool } from './pool.ts';
import { readerOn } from './reader.ts';
import { withRemedy } from './start-failure.ts';

const SETTING = 'DATABASE_READ_URL';
/** A standby that is further behind is not read from. */
const MAX_LAG_MS = 30_000;
/** A smaller lag is not shown. */
const SHOWN_LAG_MS = 3_000;
/** How long the primary's place in the log is used without asking again. */
const PLACE_KNOWN_MS = 1_000;
/** How long a standby that was away is not asked. */
const REST_MS = 10_000;
/** A page has one connection for all that it reads. */
const CONNECTIONS = 8;
/** How long a report waits for the standby to come to where the primary was. */
const CATCH_UP_MS = 1_000;
const LOOK_AGAIN_MS = 50;

/** What both servers say of themselves. `place`: the end of their log, a number as text. */
interface Identity {
  readonly cluster: string;
  readonly database: string;
  readonly timeline: number;
  readonly place: string;
}

export interface PrimaryPlace extends Identity {
  /** By the clock of the primary, in milliseconds since the epoch. */
  readonly clockMs: number;
}

export interface StandbyPlace extends Identity {
  readonly isStandby: boolean;
  /** When the newest transaction that it has was committed, by the clock of the primary; `null`: it has none yet. */
  readonly replayedMs: number | null;
}

const IDENTITY = sql`(select system_identifier::text from pg_control_system()) as cluster, current_database() as database`;

/** A log position as a number. */
const numberOf = (position: 'pg_current_wal_lsn()' | 'pg_last_wal_replay_lsn()') =>
  sql`(${sql.raw(position)} - '0/0'::pg_lsn)::text as place`;

/** The first eight digits of the name of a log file are the timeline. */
const askPrimary = async (db: Kysely<Schema>): Promise<PrimaryPlace> => {
  const { rows } = await sql<Omit<PrimaryPlace, 'timeline'> & { timeline: string }>`
    select ${IDENTITY}, ${numberOf('pg_current_wal_lsn()')},
      substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
      extract(epoch from clock_timestamp()) * 1000 as "clockMs"`.execute(db);
  const { timeline, ...place } = rows[0]!;
  return { ...place, timeline: Number.parseInt(timeline, 16) };
};

/**
 * A standby shows its timeline at its checkpoints, which come after those of the primary. It shows the timeline that it
 * receives now only to a role that may read statistics.
 */
const askStandby = async (db: Kysely<Schema>): Promise<StandbyPlace> => {
  const { rows } = await sql<Omit<StandbyPlace, 'place'> & { place: string | null }>`
    select ${IDENTITY}, ${numberOf('pg_last_wal_replay_lsn()')}, pg_is_in_recovery() as "isStandby",
      greatest((select timeline_id from pg_control_checkpoint()),
        (select min_recovery_end_timeline from pg_control_recovery()),
        (select received_tli from pg_stat_wal_receiver)) as timeline,
      extract(epoch from pg_last_xact_replay_timestamp()) * 1000 as "replayedMs"`.execute(db);
  const { place, ...standby } = rows[0]!;
  return { ...standby, place: place ?? '0' };
};

const isBehind = (place: string, other: string): boolean => BigInt(place) < BigInt(other);

/** How far the standby is behind `primary`, which was asked `ageMs` ago, or why it must not be read from. */
export function judgeStandby(
  primary: PrimaryPlace,
  standby: StandbyPlace,
  ageMs: number,
): Pick<StandbyReport, 'lagMs' | 'fault'> {
  if (standby.cluster !== primary.cluster) {
    const words = `is of another cluster than the primary: its system identifier is ${standby.cluster}, and that of the primary ${primary.cluster}`;
    return { lagMs: null, fault: { kind: 'foreign', words } };
  }
  if (standby.database !== primary.database) {
    const words = `is asked for the database "${standby.database}", and the primary for "${primary.database}"`;
    return { lagMs: null, fault: { kind: 'foreign', words } };
  }
  if (!standby.isStandby)
    return { lagMs: null, fault: { kind: 'not a standby', words: 'takes writes, so it is no standby' } };
  if (standby.timeline !== primary.timeline) {
    const words = `is not known to follow the primary since the last failover: it names timeline ${standby.timeline}, and the primary ${primary.timeline}`;
    return { lagMs: null, fault: { kind: 'other timeline', words } };
  }
  if (!isBehind(standby.place, primary.place)) return { lagMs: ageMs, fault: null };
  const lagMs = Math.max(0, primary.clockMs + ageMs - (standby.replayedMs ?? 0));
  const words = `is ${Math.round(lagMs / 1_000)} s behind, and at most ${MAX_LAG_MS / 1_000} s are allowed`;
  return { lagMs, fault: lagMs > MAX_LAG_MS ? { kind: 'behind', words } : null };
}

/** `databaseReadUrl` names one server, which is connected to at the first read. `now`: milliseconds since the epoch. */
export function openStandby(db: Database, databaseReadUrl: string, now: () => number): StaleReads {
  const url = hostUrls(databaseReadUrl)[0]!;
  const pool = createPool({ url, purpose: 'standby', size: CONNECTIONS, setting: SETTING });
  const standby = readerOn(pool, CONNECTIONS, async () => ({ url, place: '0' }));
  let known: { readonly place: PrimaryPlace; readonly askedMs: number } | null = null;
  let restsUntilMs = 0;

  const askedPrimary = async () => {
    // Taken before the question: commits after this time may be missing.
    const askedMs = monotonicMs();
    known = { place: await askPrimary(db.read), askedMs };
    return known;
  };
  const primary = async () =>
    known !== null && monotonicMs() - known.askedMs < PLACE_KNOWN_MS ? known : await askedPrimary();

  const onStandby = <T>(seen: string | null, work: (reader: DatabaseReader) => Promise<T>) =>
    standby.read.connection().execute(async (read) => {
      const { place, askedMs } = await primary();
      const found = await askStandby(read);
      const { lagMs, fault } = judgeStandby(place, found, monotonicMs() - askedMs);
      if (lagMs === null || fault !== null) throw new NotRead();
      if (seen !== null && isBehind(found.place, seen)) throw new NotRead();
      const source = async () => ({ url, place: found.place });
      const value = await work({ ...standby, read, source });
      return { value, asOf: lagMs > SHOWN_LAG_MS ? new Date(now() - lagMs).toISOString() : null };
    });

  return {
    read: async (seen, work) => {
      if (db.nodes() === null && monotonicMs() >= restsUntilMs) {
        try {
          return await onStandby(seen, work);
        } catch (error) {
          // Whatever failed, the primary gives the exact answer, which may be a refusal.
          if (error instanceof DatabaseUnavailable && !isAllInUse(error.cause)) {
            restsUntilMs = monotonicMs() + REST_MS;
          }
        }
      }
      return { value: await work(db), asOf: null };
    },
    place: async () => (await askPrimary(db.read)).place,
    report: async () => {
      const { host } = new URL(url);
      if (db.nodes() !== null) return { host, lagMs: null, fault: DISTRIBUTED };
      const { place, askedMs } = await askedPrimary();
      try {
        const look = async () => judgeStandby(place, await askStandby(standby.read), monotonicMs() - askedMs);
        let verdict = await look();
        // The newest transaction of an idle primary is old, so a standby that gets the next one now looks far behind.
        while ((verdict.lagMs ?? 0) > CATCH_UP_MS && monotonicMs() - askedMs < CATCH_UP_MS) {
          await sleep(LOOK_AGAIN_MS);
          verdict = await look();
        }
        return { host, ...verdict };
      } catch (error) {
        const words = `cannot be read from: ${reasonOf(error)}`;
        return { host, lagMs: null, fault: { kind: 'away', words } };
      }
    },
    close: standby.close,
  };
}

/** A standby of the coordinator would ask the workers, whose rows are newer than its own. */
const DISTRIBUTED: StandbyFault = {
  kind: 'distributed',
  words: 'does not have the claims, which Citus has on its workers',
};

/** The standby answered, and must not be read from for this reader. */
class NotRead extends Error {}

function reasonOf(error: unknown): string {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return cause instanceof Error ? withRemedy(cause) : String(error);
}
