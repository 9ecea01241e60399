/**
 * A batch runs on one node and uses the shards of the node directly, with the statements of plain PostgreSQL: one of
 * each kind per shard, all in the same round trip and transaction. PostgreSQL plans them once per connection. Citus
 * would plan statements on the distributed tables for each batch and shard, which takes many times as long as their
 * work.
 *
 * Shards can move. Like Citus, a transaction that writes locks the metadata of its shards first, and then checks that
 * the shards are on this node. Citus takes the conflicting lock on every node before it moves a shard, and releases the
 * lock when it commits the new location. Reads are valid if the shards are still on this node after the reads.
 */
import type { PoolClient } from 'pg';
import type { PostgresProgram } from '../../../platform/store/batch.ts';
import { EVENT_NUMBER } from '../../../platform/store/citus/event-numbers.ts';
import { type Node, violatedConstraint } from '../../../platform/store/citus/nodes.ts';
import { DatabaseUnavailable } from '../../../platform/store/database.ts';
import { sqlState } from '../../../platform/store/postgres/errors.ts';
import { type BatchResponses, hashText, type VerificationBatch } from '../decision/batch.ts';
import { type BatchStatements, decideBatch } from '../engines/postgres-batch.ts';
import { arrayText, distinctKeys, prepared, TABLES, type TableNames } from '../engines/postgres-reads.ts';
import { statementsFor } from '../engines/verify-postgres.ts';

export interface LocatedBatch extends VerificationBatch {
  /** The owner of each key in the batch, by `hashText` of the key's hash. All shards are on the batch's node. */
  readonly owners: ReadonlyMap<string, OwnerLocation>;
}

export interface OwnerLocation {
  readonly account: number;
  readonly shard: Shard;
}

/** The shards that have an owner's rows: one for each table, always on the same node. */
export interface Shard {
  /** Citus's number of the shard of `claim_rows`. */
  readonly id: number;
  readonly statements: ReturnType<typeof statementsFor>;
}

export interface KeyLocation extends OwnerLocation {
  readonly keyHash: Uint8Array;
  readonly node: Node;
}

/** A shard of the batch has moved to another node or was split. Nothing was written. */
export class ShardMoved extends DatabaseUnavailable {
  constructor() {
    super('A shard has moved to another Citus node.');
  }
}

/** $1 key hashes. Unknown keys return no rows. The names of the shards are in the order of `TABLES`. */
const LOCATE = prepared(
  'citus-locate',
  `select k.secret_hash, k.account_number, s.shard, n.groupid, n.nodename, n.nodeport, array(
      select shard_name(t, get_shard_id_for_distribution_column(t, k.account_number))
      from unnest(array[${TABLES.map((table) => `'${table}'`).join()}]::regclass[]) with ordinality as u (t, n)
      order by n
    )
    from api_keys k
      cross join lateral get_shard_id_for_distribution_column('claim_rows', k.account_number) as s (shard)
      join pg_dist_placement p on p.shardid = s.shard
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where k.secret_hash = any($1::bytea[])`,
);

export const locateKeys: PostgresProgram<readonly Uint8Array[], readonly KeyLocation[]> = {
  read: async (client, keyHashes) => {
    const { rows } = await client.query({ ...LOCATE, values: [keyHashes] });
    const locations = rows.map(
      ([keyHash, account, id, group, host, port, names]): KeyLocation => ({
        keyHash,
        account,
        shard: shardOf(id, group, names),
        node: { group, host, port },
      }),
    );
    return async () => locations;
  },
  hasOneWrite: true,
};

/** One object per shard and node, so that shards can be compared by identity. */
const shards = new Map<string, Shard>();

const shardOf = (id: number, group: number, names: readonly string[]): Shard =>
  shards.getOrInsertComputed([group, ...names].join(), () => {
    const suffix = `-${group}-${id}`;
    const table = Object.fromEntries(TABLES.map((name, index) => [name, names[index]])) as TableNames;
    const numbers = {
      ofEvent: EVENT_NUMBER(String(group)),
      ofDelta: "nextval('label_deltas_id_seq'::regclass)",
    };
    return { id, statements: statementsFor({ table, suffix, numbers }) };
  });

/** The distributed tables whose shards a batch writes to. */
const WRITTEN = ['claim_rows', 'event_rows', 'label_deltas', 'claim_references'] as const;

/**
 * $1 the shards. Takes the locks that Citus takes when it writes to these tables, in the same order. A lock on a
 * distributed table, for example while partitions are created, does not lock its shards. 5 is PostgreSQL's number of
 * the mode ShareLock.
 */
const LOCK_SHARDS = prepared(
  'citus-lock-shards',
  `select ${WRITTEN.map((table) => `lock_relation_if_exists('${table}', 'ROW EXCLUSIVE')`).join(', ')},
    lock_shard_metadata(5, $1::bigint[])`,
);

/** Uses the node's group, not the expected one: every node knows all placements, and may have an old copy of a shard. */
const PLACEMENTS = `from pg_dist_placement
    where shardid = any($1::bigint[]) and groupid = (select groupid from pg_dist_local_group)`;

/** $1 the shards. */
const COUNT_SHARDS = prepared('citus-count-shards', `select count(*) ${PLACEMENTS}`);

/** $1 the shards. Fails with `INVALID_TEXT` if one of the shards is not on the node. */
const REQUIRE_SHARDS = prepared(
  'citus-require-shards',
  `select (case when count(*) = cardinality($1::bigint[]) then '1' else 'moved' end)::int ${PLACEMENTS}`,
);
const INVALID_TEXT = '22P02';
/** The reads fail with this SQLSTATE if Citus has dropped the old copy of a shard. */
const UNDEFINED_TABLE = '42P01';

function statementsOn(shards: readonly Shard[], owners: LocatedBatch['owners']): BatchStatements {
  const ofAccount = new Map([...owners.values()].map(({ account, shard }) => [account, shard]));
  return {
    reads: shards[0]!.statements.reads,
    divide: (lookups) =>
      groupByShard(lookups, ({ keyHash }) => owners.get(hashText(keyHash))!.shard).map(
        ([{ statements }, ofShard]) => ({
          lookups: ofShard,
          keys: distinctKeys(ofShard),
          statements: statements.reads,
        }),
      ),
    // Each shard locks only the claims that it has, because their sequence numbers are unique.
    lock: async (client, claims) =>
      (await Promise.all(shards.map(({ statements }) => statements.lock(client, claims)))).flat(),
    write: (client, redemptions, at) => {
      const byShard = groupByShard(redemptions, ({ caller }) => ofAccount.get(caller.accountNumber)!);
      const ids = arrayText(byShard.map(([{ id }]) => id));
      const sent = [
        client.query({ ...LOCK_SHARDS, values: [ids] }),
        client.query({ ...REQUIRE_SHARDS, values: [ids] }),
        ...byShard.map(([{ statements }, ofShard]) => statements.write(client, ofShard, at)),
      ];
      // Throw the first failure, which caused the later ones.
      return Promise.allSettled(sent).then((outcomes) => {
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') continue;
          throw sqlState(outcome.reason) === INVALID_TEXT ? new ShardMoved() : outcome.reason;
        }
      });
    },
    violatedConstraint,
  };
}

/** Sorted by shard, so that all batches lock rows in the same order. */
const groupByShard = <T>(items: readonly T[], shardOf: (item: T) => Shard): [Shard, T[]][] =>
  [...Map.groupBy(items, shardOf)].sort(([one], [other]) => one.id - other.id);

async function requireShards(client: PoolClient, shards: readonly Shard[]): Promise<void> {
  const values = [arrayText(shards.map(({ id }) => id))];
  const { rows } = await client.query({ ...COUNT_SHARDS, values });
  if (rows[0]![0] !== shards.length) throw new ShardMoved();
}

/** Needs a connection to the node of the batch's shards. Throws `ShardMoved`. */
export const verifyOnCitus: PostgresProgram<LocatedBatch, BatchResponses> = {
  hasOneWrite: false,
  read: async (client, batch, skipLocked) => {
    const shards = [...new Set([...batch.owners.values()].map(({ shard }) => shard))];
    const [decided] = await Promise.all([
      decideBatch(client, statementsOn(shards, batch.owners), batch, skipLocked),
      requireShards(client, shards),
    ]).catch((error: unknown) => {
      throw sqlState(error) === UNDEFINED_TABLE ? new ShardMoved() : error;
    });
    // Only claims of the owners in the batch were read, so a key of another owner would wrongly get `not_found`.
    for (const [key, { accountNumber }] of decided.callers) {
      if (batch.owners.get(key)?.account === accountNumber) continue;
      throw new DatabaseUnavailable('The batch was sent without the owner of one of its keys.');
    }
    return decided.write;
  },
};
