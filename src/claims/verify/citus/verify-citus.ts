/**
 * All statements that access claims have a filter on the owners. The owners are the accounts whose keys are in the
 * batch. With this filter, Citus runs a statement as one task on the node that stores the claims. That node is usually
 * the one that received the batch. Each table is written by a separate statement. If one statement wrote to several
 * tables, Citus would pass the rows through another process. The writing statements are sent together, without waiting
 * for results.
 */
import type { PoolClient } from 'pg';
import { NO_LABEL } from '../../../marketplace/campaigns/label.ts';
import type { PostgresProgram } from '../../../platform/store/batch.ts';
import { EVENT_NUMBER } from '../../../platform/store/citus/event-numbers.ts';
import { COORDINATOR, type Node, violatedConstraint } from '../../../platform/store/citus/nodes.ts';
import { DatabaseUnavailable } from '../../../platform/store/database.ts';
import type { BatchResponses, VerificationBatch } from '../decision/batch.ts';
import {
  type BatchStatements,
  callersOf,
  decideBatch,
  keptWithKeys,
  type Redemption,
} from '../engines/postgres-batch.ts';
import {
  arrayText,
  type BatchClaim,
  CLAIM_COLUMNS,
  fromClaims,
  prepared,
  selectIdempotencyKeys,
} from '../engines/postgres-reads.ts';

export interface LocatedBatch extends VerificationBatch {
  readonly location: BatchLocation;
}

interface BatchLocation {
  readonly accounts: readonly number[];
  readonly group: number;
}

export interface KeyLocation {
  readonly keyHash: Uint8Array;
  readonly account: number;
  readonly shard: number;
  readonly node: Node;
}

/** $1 key hashes. Unknown keys return no rows. */
const LOCATE = prepared(
  'citus-locate',
  `select k.secret_hash, k.account_number, s.shard, n.groupid, n.nodename, n.nodeport
    from api_keys k
      cross join lateral get_shard_id_for_distribution_column('claim_rows', k.account_number) as s (shard)
      join pg_dist_placement p on p.shardid = s.shard
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where k.secret_hash = any($1::bytea[])`,
);

const READ_ACCOUNTS = prepared(
  'citus-accounts',
  'select distinct account_number from api_keys where secret_hash = any($1::bytea[])',
);

/**
 * $4 the owners. The condition on `key_index` is always true. It makes PostgreSQL estimate a single row for `i`, start
 * the join with `i` and look up each claim by its hash, even without statistics. `+ 0` prevents the use of an index for
 * the first condition on the account. Otherwise, PostgreSQL would consider the two conditions on the account as
 * selective as a hash, and could choose an index on the account.
 */
const OF_ACCOUNT = `i.key_index between 1 and array_length($1::bytea[], 1)
      and c.account_number + 0 = k.account_number and c.account_number = any($4::int[])`;

/**
 * $1 the time, $2 account and $3 key of each caller, $4 the claims in creation order, $5 each claim's caller (index in
 * $2 and $3), $6 Idempotency-Key hashes, $7 numbers of the offers' wordings, $8 the owners. $6 and $7 contain null for
 * claims redeemed without an Idempotency-Key. A claim that another process has redeemed is missing from `redeemed`. The
 * last line then divides by zero, so this statement and the statements sent after it fail. The condition on `caller` is
 * always true and has the same purpose as the condition on `key_index` in `OF_ACCOUNT`.
 */
const REDEEM = prepared(
  'citus-redeem',
  `with redeemed as (
      update claim_rows c set redeemed_at = greatest($1, c.claimed_at), key_number = i.key_number,
        idempotency_hash = i.idempotency_hash, wording_number = i.wording_number
      from (
        select ($2::int[])[caller] as account_number, ($3::int[])[caller] as key_number, seq, idempotency_hash,
          wording_number
        from unnest($4::bigint[], $5::int[], $6::bytea[], $7::int[]) as u (seq, caller, idempotency_hash, wording_number)
        where caller between 1 and array_length($2::int[], 1)
      ) i
      where c.account_number = i.account_number and c.seq = i.seq and c.redeemed_at is null
        and c.account_number = any($8::int[])
      returning c.account_number
    )
    select 1 / (count(*) = array_length($4::bigint[], 1))::int from redeemed where account_number = any($8::int[])`,
);

/**
 * $1 the group of the node, $2 each caller's account, $3 the claims, $4 each claim's caller (index in $2), $5 the time.
 */
const LOG = {
  name: 'citus-log',
  text: `insert into event_rows (seq, account_number, type, at, claim_seq)
    select ${EVENT_NUMBER('$1')}, ($2::int[])[caller], 'claim.redeemed', $5::timestamptz, seq
    from unnest($3::bigint[], $4::int[]) as u (seq, caller)`,
};

/** $1 each caller's account, $2 claims with a reference, $3 each claim's caller (index in $1), $4 the references. */
const REFER = {
  name: 'citus-refer',
  text: `insert into claim_references (account_number, claim_seq, reference)
    select ($1::int[])[caller], seq, reference
    from unnest($2::bigint[], $3::int[], $4::text[]) as u (seq, caller, reference)`,
};

const COUNT = {
  name: 'citus-count',
  text: `insert into label_deltas (account_number, listing_id, via, claims, redeemed, at)
    select account, listing, via, 0, redeemed, at
    from unnest($1::int[], $2::uuid[], $3::text[], $4::int[], $5::timestamptz[]) as u (account, listing, via, redeemed, at)`,
};

/** $1 the claims, $2 the owners. */
const LOCK_CLAIMS = prepared(
  'citus-lock',
  `select c.seq from claim_rows c
    where c.account_number = any($2::int[]) and c.seq = any($1::bigint[]) and c.redeemed_at is null
    for update skip locked`,
);

const READ_CLAIMS = prepared(
  'citus-claims',
  `select ${CLAIM_COLUMNS}, o.listing_id ${fromClaims(OF_ACCOUNT)}`,
);

const READ_IDEMPOTENCY_KEYS = prepared('citus-idempotency-keys', selectIdempotencyKeys(OF_ACCOUNT));

function statementsAt({ accounts, group }: BatchLocation): BatchStatements {
  const owners = arrayText(accounts);
  return {
    readClaims: READ_CLAIMS,
    readIdempotencyKeys: READ_IDEMPOTENCY_KEYS,
    readValues: [owners],
    lock: async (client, claims) => {
      const values = [arrayText(claims.map(({ seq }) => seq)), owners];
      const { rows } = await client.query({ ...LOCK_CLAIMS, values });
      return rows.map(([seq]) => seq as number);
    },
    write: (client, redemptions, at) => {
      const { accounts: ofCallers, keys, callers } = callersOf(redemptions);
      const claims = arrayText(redemptions.map(({ claim }) => claim.seq));
      const sent = [
        client.query({
          ...REDEEM,
          values: [at, ofCallers, keys, claims, callers, ...keptWithKeys(redemptions), owners],
        }),
        client.query({ ...LOG, values: [group, ofCallers, claims, callers, at] }),
        ...storeReferences(client, redemptions),
        ...countRedemptions(client, redemptions),
      ];
      // Throw the first failure, which caused the later ones.
      return Promise.allSettled(sent).then((outcomes) => {
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      });
    },
    violatedConstraint,
  };
}

function storeReferences(client: PoolClient, redemptions: readonly Redemption[]): Promise<unknown>[] {
  const referred = redemptions.filter(({ reference }) => reference !== null);
  if (referred.length === 0) return [];
  const { accounts, callers } = callersOf(referred);
  const claims = arrayText(referred.map(({ claim }) => claim.seq));
  return [
    client.query({
      ...REFER,
      values: [accounts, claims, callers, referred.map(({ reference }) => reference)],
    }),
  ];
}

function countRedemptions(client: PoolClient, redemptions: readonly Redemption[]): Promise<unknown>[] {
  const live = redemptions.filter(({ caller }) => caller.mode === 'live');
  if (live.length === 0) return [];
  const ofLabel = [
    ...Map.groupBy(live, ({ caller, claim }) =>
      [caller.accountNumber, claim.forWrite, claim.redeemedAt, claim.via].join(' '),
    ).values(),
  ];
  const first = <T>(member: (claim: BatchClaim) => T) => ofLabel.map(([group]) => member(group!.claim));
  const values = [
    arrayText(ofLabel.map(([group]) => group!.caller.accountNumber)),
    arrayText(first((claim) => claim.forWrite)),
    first((claim) => claim.via ?? NO_LABEL),
    arrayText(ofLabel.map((group) => group.length)),
    first((claim) => claim.redeemedAt),
  ];
  return [client.query({ ...COUNT, values })];
}

export const locateKeys: PostgresProgram<readonly Uint8Array[], readonly KeyLocation[]> = {
  read: async (client, keyHashes) => {
    const { rows } = await client.query({ ...LOCATE, values: [keyHashes] });
    const locations = rows.map(
      ([keyHash, account, shard, group, host, port]): KeyLocation => ({
        keyHash,
        account,
        shard,
        node: { group, host, port },
      }),
    );
    return async () => locations;
  },
  hasOneWrite: true,
};

/** A `LocatedBatch` needs a connection to its node; any other batch needs a connection to the coordinator. */
export const verifyOnCitus: PostgresProgram<VerificationBatch | LocatedBatch, BatchResponses> = {
  hasOneWrite: false,
  read: async (client, batch, skipLocked) => {
    const location = 'location' in batch ? batch.location : await locate(client, batch);
    const decided = await decideBatch(client, statementsAt(location), batch, skipLocked);
    // Only claims of the owners in `location` were read, so a key of another owner would wrongly get `not_found`.
    for (const { accountNumber } of decided.callers.values()) {
      if (location.accounts.includes(accountNumber)) continue;
      throw new DatabaseUnavailable('The batch was sent without the owner of one of its keys.');
    }
    return decided.write;
  },
};

async function locate(client: PoolClient, { verifications }: VerificationBatch): Promise<BatchLocation> {
  const keyHashes = verifications.map(({ keyHash }) => keyHash);
  const { rows } = await client.query({ ...READ_ACCOUNTS, values: [keyHashes] });
  return { accounts: rows.map(([account]) => account), group: COORDINATOR };
}
