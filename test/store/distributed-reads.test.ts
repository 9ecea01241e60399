/** On Citus no standby is read from, since none has the claims: the start refuses DATABASE_READ_URL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStaleReads } from '../../src/store/open.ts';
import type { StaleReads } from '../../src/store/stale-reads.ts';
import { openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { nodeUrls } from '../support/nodes.ts';
import { startSite } from '../support/site.ts';

describe.skipIf(nodeUrls().length === 1)(
  'DATABASE_READ_URL on several nodes, which needs a coordinator of Citus in TEST_DATABASE_URL',
  () => {
    let database: TestDatabase;
    let staleReads: StaleReads;
    beforeAll(async () => {
      database = await openTestDatabase('postgres');
      staleReads = openStaleReads(database.db, database.databaseUrl, () => Date.now());
    });
    afterAll(async () => {
      await staleReads?.close();
      await database?.close();
    });

    test('is refused at the start, with what to do', async () => {
      const DATABASE_READ_URL = database.databaseUrl!;
      await expect(startSite(database, { DATABASE_READ_URL })).rejects.toThrow(
        /^DATABASE_READ_URL cannot be used: .* does not have the claims, which Citus has on its workers\. Unset DATABASE_READ_URL\.$/,
      );
    });

    test('is not read from where the tables were distributed since', async () => {
      const { value, asOf } = await staleReads.read(null, async (reader) => reader);
      expect([value, asOf]).toEqual([database.db, null]);
      expect((await staleReads.report())?.fault?.kind).toBe('distributed');
    });
  },
);
