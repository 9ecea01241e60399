/** Event numbers on Citus, where each node numbers the events that it writes. */
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../support/engines.ts';
import { createEventReader } from '../../support/event-reader.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { nodeUrls } from '../../support/nodes.ts';
import { redeemAll } from '../../support/verify.ts';

const OWNERS = 8;
const MANY = 40;

test.skipIf(nodeUrls().length < 3)(
  'events from a rarely used node are numbered after all events already read (needs Citus)',
  async () => {
    const { context, db, close } = await openTestDatabase('postgres');
    try {
      const owners: Owner[] = [];
      for (let at = 0; at < OWNERS; at += 1) owners.push(await createOwner(context));
      const tokens = await Promise.all(owners.map((owner) => issueTokens(context, owner, MANY)));
      const reader = createEventReader(context, 'now');
      await reader.next();
      // The first owner redeems many claims, and the others redeem one each, so some nodes draw far fewer numbers.
      for (const [at, owner] of owners.entries()) {
        const count = at === 0 ? MANY : 1;
        for (const token of tokens[at]!.slice(0, count)) await redeemAll(context, owner.liveKey, [token]);
        const seen = await reader.next();
        expect(seen.map(({ accountId }) => accountId)).toEqual(Array(count).fill(owner.accountId));
      }
      const rows = await db.read.selectFrom('event_rows').select('seq').execute();
      expect(new Set(rows.map(({ seq }) => seq)).size).toBe(rows.length);
    } finally {
      await close();
    }
  },
);
