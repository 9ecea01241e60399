/** Databases that are distributed with Citus while a process has them open. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../src/base/context.ts';
import { settledSeq } from '../../src/base/events/settled.ts';
import { createVerifier } from '../../src/claims/verify/verifier.ts';
import { ask } from '../../src/platform/store/batch-queue.ts';
import { distributeDatabase } from '../../src/platform/store/citus/distribution.ts';
import { openDatabaseAt, TEST_SECRET_KEY } from '../support/engines.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { createDatabase, dropDatabase, joinNodes, nodeUrls, urlOf } from '../support/nodes.ts';
import { outcomeIn, verificationOf } from '../support/verify.ts';

export const nodes = nodeUrls();

interface Installation {
  /** Context of a process that opened the database before the tables were distributed. */
  readonly before: Context;
  /** Context of a process that opened the database after the tables were distributed. */
  readonly context: Context;
  readonly owners: readonly Owner[];
  /** `TOKENS_PER_OWNER` tokens of each owner, in the order of `owners`. */
  readonly tokens: readonly string[];
  readonly databaseUrl: string;
  /** The event number up to which the event log was settled before the tables were distributed. */
  readonly passed: number;
}

export const TOKENS_PER_OWNER = 3;

/** How many event numbers are drawn but not used, so that the log has a gap. */
const UNUSED = 500;

/**
 * Distributes the tables of a new database while a process has the database open. Opens the database a second time and
 * calls `work`.
 */
export async function distributed(
  work: (installation: Installation) => Promise<void>,
  { ownerCount = 2, shards = 4 } = {},
): Promise<void> {
  const name = `claimcheck_test_${randomBytes(8).toString('hex')}`;
  await createDatabase(nodes, name, null);
  const databaseUrl = urlOf(nodes[0]!, name);
  const { context: before, close } = await open(databaseUrl, () => dropDatabase(nodes, name));
  try {
    const owners: Owner[] = [];
    for (let at = 0; at < ownerCount; at += 1) owners.push(await createOwner(before));
    const tokens: string[] = [];
    for (const owner of owners) tokens.push(...(await issueTokens(before, owner, TOKENS_PER_OWNER)));
    await sql`select nextval('event_rows_seq_seq') from generate_series(1, ${UNUSED})`.execute(
      before.db.read,
    );
    const passed = await settledSeq(before.db, Date.now);
    await joinNodes(nodes, name);
    await distributeDatabase(databaseUrl, shards);
    const { context, close: closeSecond } = await open(databaseUrl);
    try {
      await work({ before, context, owners, tokens, databaseUrl, passed });
    } finally {
      await closeSecond();
    }
  } finally {
    await close();
  }
}

/** Opens the database the way a separate process does. */
export async function open(databaseUrl: string, remove: () => Promise<void> = async () => {}) {
  const dataDir = makeTemporaryFolder('claimcheck-test-');
  const env = { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: databaseUrl };
  return await openDatabaseAt({ engine: 'postgres', dataDir, databaseUrl, env, remove });
}

/** Redeems one token. Returns the outcome. Throws `DatabaseUnavailable`. */
export async function redeem(context: Context, owner: Owner, token: string): Promise<string> {
  return (await redeemTogether(context, owner, [token]))[0]!;
}

/** Redeems tokens in one batch, each with an Idempotency-Key. Returns the outcomes. Throws `DatabaseUnavailable`. */
export function redeemTogether(
  { db }: Context,
  owner: Owner,
  tokens: readonly string[],
): Promise<readonly string[]> {
  const verifier = createVerifier(db, Date.now, { batch: () => {} });
  return Promise.all(
    tokens.map(async (token) => {
      const wanted = verificationOf({ key: owner.liveKey, token, idempotencyKey: token });
      return outcomeIn(await ask(verifier, wanted));
    }),
  );
}

/** The event number of the newest redemption. */
export async function lastRedemption({ db }: Context): Promise<number> {
  const { seq } = await db.read
    .selectFrom('event_rows')
    .select('seq')
    .where('type', '=', 'claim.redeemed')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  return seq;
}
