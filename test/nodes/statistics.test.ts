/** Citus query plans while PostgreSQL has no statistics about the claims, for example right after an import. */
import { expect, test } from 'vitest';
import { issueTokens } from '../support/marketplace.ts';
import { onDatabase, urlOf } from '../support/nodes.ts';
import { distributed, nodes, open, redeemTogether } from './support.ts';

const CLAIMS = 5_000;
const BATCH = 25;

/** Returns the number of index entries read by all scans of the claims table so far, summed over all workers. */
async function entriesRead(databaseUrl: string): Promise<number> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const read = await Promise.all(
    nodes.slice(1).map((node) =>
      onDatabase(urlOf(node, name), async (client) => {
        // By default, Citus hides the shards of a table.
        await client.query('set citus.override_table_visibility to off');
        const { rows } = await client.query(
          "select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname ~ '^claim_rows_[0-9]'",
        );
        return Number(rows[0].read);
      }),
    ),
  );
  return read.reduce((sum, ofNode) => sum + ofNode, 0);
}

test.skipIf(nodes.length < 3)(
  'a batch of redemptions uses index lookups instead of scanning all claims of the owner',
  () =>
    distributed(async ({ context, owners, databaseUrl }) => {
      const tokens = await issueTokens(context, owners[0]!, CLAIMS);
      const before = await entriesRead(databaseUrl);
      const other = await open(databaseUrl);
      const answers = await redeemTogether(other.context, owners[0]!, tokens.slice(0, BATCH));
      // PostgreSQL flushes a connection's statistics when the connection closes.
      await other.close();
      expect(answers).toEqual(Array(BATCH).fill('redeemed'));
      await expect.poll(() => entriesRead(databaseUrl)).toBeGreaterThan(before);
      expect((await entriesRead(databaseUrl)) - before).toBeLessThan(CLAIMS);
    }),
);
