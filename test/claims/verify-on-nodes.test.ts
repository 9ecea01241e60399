/** On Citus, a batch runs on the node that stores its owners' claims, and fails if its list of owners is incomplete. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type LocatedBatch, locateKeys, verifyOnCitus } from '../../src/claims/verify/citus/verify-citus.ts';
import { hashText } from '../../src/claims/verify/decision/batch.ts';
import { createVerifier } from '../../src/claims/verify/verifier.ts';
import { hashKey } from '../../src/people/keys/key.ts';
import { ask } from '../../src/platform/store/batch-queue.ts';
import { nodesOf } from '../../src/platform/store/citus/database.ts';
import { monotonicMs } from '../../src/platform/store/database.ts';
import { createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { nodeUrls } from '../support/nodes.ts';
import { shareDatabase } from '../support/shared.ts';
import { outcomeIn, verificationOf } from '../support/verify.ts';

/** More owners than shards, so that at least two owners share a shard. */
const OWNERS = 12;

describe.skipIf(nodeUrls().length < 3)(
  'batch with several owners (requires a Citus coordinator in TEST_DATABASE_URL)',
  () => {
    const database = shareDatabase('postgres');
    const owners: { readonly owner: Owner; readonly tokens: readonly string[] }[] = [];
    beforeAll(async () => {
      for (let at = 0; at < OWNERS; at += 1) {
        const owner = await createOwner(database.context);
        owners.push({ owner, tokens: await issueTokens(database.context, owner, 2) });
      }
    });

    test('redeems a claim of each owner', async () => {
      const verifier = createVerifier(database.db, Date.now, { batch: () => {} });
      const answers = await Promise.all(
        owners.map(async ({ owner, tokens }) =>
          outcomeIn(await ask(verifier, verificationOf({ key: owner.liveKey, token: tokens[0]! }))),
        ),
      );
      expect(answers).toEqual(Array(OWNERS).fill('redeemed'));
    });

    test('fails, rather than returning not_found, if it does not list the owner of a key', async () => {
      const nodes = nodesOf(database.db);
      const inTime = monotonicMs() + 5_000;
      const keys = owners.map(({ owner }) => hashKey(owner.liveKey));
      const [location] = await nodes.run(null, locateKeys, keys.slice(0, 1), inTime);
      const { node, account, shard } = location!;
      // Both keys are listed with the location of the first.
      const batch: LocatedBatch = {
        nowMs: Date.now(),
        verifications: owners
          .slice(0, 2)
          .map(({ owner, tokens }) => verificationOf({ key: owner.liveKey, token: tokens[1]! })),
        owners: new Map(keys.slice(0, 2).map((key) => [hashText(key), { account, shard }])),
      };
      await expect(nodes.run(node, verifyOnCitus, batch, inTime)).rejects.toThrow(
        'without the owner of one of its keys',
      );
      const rows = await database.db.read.selectFrom('claims').select('redeemed_at').execute();
      // Only the previous test redeemed claims.
      expect(rows.filter(({ redeemed_at }) => redeemed_at !== null)).toHaveLength(OWNERS);
    });
  },
);
