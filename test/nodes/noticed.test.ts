/** A process that redeems nothing itself notices that the tables were distributed, and goes on. */
import { describe, expect, test } from 'vitest';
import { foldLabelDeltas } from '../../src/campaigns/fold.ts';
import { createOwner, issueTokens } from '../support/marketplace.ts';
import { distributed, nodes, redeem } from './support.ts';

describe.skipIf(nodes.length < 3)('with a coordinator of Citus in TEST_DATABASE_URL', () => {
  test('counts are folded after at most one failure', () =>
    distributed(async ({ context }) => {
      const first = await foldLabelDeltas(context).catch(() => 0);
      expect(first + (await foldLabelDeltas(context))).toBe(2);
    }));

  test('owners, offers and keys are made as before', () =>
    distributed(async ({ context, owners, tokens }) => {
      // The first redemption of a process finds out where the tables are.
      await redeem(context, owners[0]!, tokens[0]!).catch(() => {});
      const owner = await createOwner(context);
      const [token] = await issueTokens(context, owner, 1);
      expect(await redeem(context, owner, token!)).toBe('redeemed');
    }));
});
