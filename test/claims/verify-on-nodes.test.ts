/**
 * On Citus, a batch is sent to the node of its owners and must name all of them. If one is missing, the batch fails.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { locateKeys, type PlacedBatch, verifyOnCitus } from '../../src/claims/verify/citus/verify-citus.ts';
import { createVerifier } from '../../src/claims/verify/engines/verifier.ts';
import { hashKey } from '../../src/keys/key.ts';
import { nodesOf } from '../../src/store/citus/database.ts';
import { monotonicMs } from '../../src/store/database.ts';
import { createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { nodeUrls } from '../support/nodes.ts';
import { shareDatabase } from '../support/shared.ts';
import { answerFrom, outcomeIn, verificationOf } from '../support/verify.ts';

/** More owners than shards, so that two of them share one. */
const OWNERS = 12;

describe.skipIf(nodeUrls().length < 3)(
  'a batch of several owners, which needs a coordinator of Citus in TEST_DATABASE_URL,',
  () => {
    const database = shareDatabase('postgres');
    const owners: { readonly owner: Owner; readonly tokens: readonly string[] }[] = [];
    beforeAll(async () => {
      for (let at = 0; at < OWNERS; at += 1) {
        const owner = await createOwner(database.context);
        owners.push({ owner, tokens: await issueTokens(database.context, owner, 2) });
      }
    });

    test('redeems the claims of each', async () => {
      const verifier = createVerifier(database.db, Date.now, { batch: () => {} });
      const answers = await Promise.all(
        owners.map(async ({ owner, tokens }) =>
          outcomeIn(await answerFrom(verifier, verificationOf({ key: owner.liveKey, token: tokens[0]! }))),
        ),
      );
      expect(answers).toEqual(Array(OWNERS).fill('redeemed'));
    });

    test('fails if it leaves out one of them, instead of answering that the claim was not found', async () => {
      const nodes = nodesOf(database.db);
      const inTime = monotonicMs() + 5_000;
      const places = await nodes.run(
        null,
        locateKeys,
        owners.map(({ owner }) => hashKey(owner.liveKey)),
        inTime,
      );
      const ofShard = [...Map.groupBy(places, ({ shard }) => shard).values()].find(
        ({ length }) => length > 1,
      )!;
      const keys = ofShard.map(({ keyHash }) => Buffer.from(keyHash).toString('hex'));
      const both = owners.filter(({ owner }) =>
        keys.includes(Buffer.from(hashKey(owner.liveKey)).toString('hex')),
      );
      const { account, node } = ofShard[0]!;
      const verifications = both.map(({ owner, tokens }) =>
        verificationOf({ key: owner.liveKey, token: tokens[1]! }),
      );
      const batch: PlacedBatch = {
        nowMs: Date.now(),
        verifications,
        place: { accounts: [account], group: node.group },
      };
      await expect(nodes.run(node, verifyOnCitus, batch, inTime)).rejects.toThrow(
        'without the owner of one of its keys',
      );
      const rows = await database.db.read.selectFrom('claims').select('redeemed_at').execute();
      // From the test before.
      expect(rows.filter(({ redeemed_at }) => redeemed_at !== null)).toHaveLength(OWNERS);
    });
  },
);
