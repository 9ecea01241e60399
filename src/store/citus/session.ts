/** What Citus needs of a session. */
import type { SessionOf } from '../postgres/pool.ts';
import { joinNumbers } from './event-numbers.ts';

/**
 * `sequential`: a transaction that writes uses one connection to a node. With more, Citus refuses a write to a table
 * that every node has after a write to several shards. `local`: what a transaction sets with `set local` is set at the
 * nodes too. The plan of a batch depends on its owners, so it is made for each batch.
 */
const SETTINGS = {
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.propagate_set_commands': 'local',
} as const;
const BATCH_SETTINGS = { ...SETTINGS, plan_cache_mode: 'force_custom_plan' } as const;

/** At the coordinator. */
export const citusSession: SessionOf = async (_client, purpose) =>
  purpose === 'batch' ? BATCH_SETTINGS : SETTINGS;

/** At a worker, which takes part in the numbers of events from then on. */
export const nodeSession: SessionOf = async (client) => {
  await joinNumbers(client);
  return BATCH_SETTINGS;
};
