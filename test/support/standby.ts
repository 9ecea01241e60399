/** A real primary and its standby, for tests that hold the standby up. */
import { execute, type PostgresServer } from './postgres-server.ts';

const LOOK_MS = 20;

/** Settings of a standby that is held up: after a long wait, replay would cancel the queries that it conflicts with. */
export const HELD_UP_SETTINGS = { max_standby_streaming_delay: '-1' };

/** Resolves once the standby has all that the primary has now. */
export async function untilLevel(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  const [row] = await execute(primary, 'select pg_current_wal_lsn() as place');
  const reached = `select pg_last_wal_replay_lsn() >= '${row?.['place']}' as has`;
  while ((await execute(standby, reached))[0]?.['has'] !== true) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** From now on the standby receives and shows nothing new. */
export async function holdUp(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  await untilLevel(primary, standby);
  await execute(standby, 'select pg_wal_replay_pause()');
}

export const letGo = (standby: PostgresServer) => execute(standby, 'select pg_wal_replay_resume()');
