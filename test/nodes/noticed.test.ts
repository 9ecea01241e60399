/** A process that redeems nothing itself notices that the tables were distributed, and goes on. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { foldLabelDeltas } from '../../src/campaigns/fold.ts';
import { distributeDatabase } from '../../src/store/postgres/migrate.ts';
import { openPlace, TEST_SECRET_KEY } from '../support/engines.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { createOwner, issueTokens } from '../support/marketplace.ts';
import { createDatabase, dropDatabase, joinNodes, nodeUrls, urlOf } from '../support/nodes.ts';

const nodes = nodeUrls();

describe.skipIf(nodes.length < 3)('with a coordinator of Citus in TEST_DATABASE_URL', () => {
  test('counts are folded after at most one failure', async () => {
    const name = `claimcheck_test_${randomBytes(8).toString('hex')}`;
    await createDatabase(nodes, name, null);
    const databaseUrl = urlOf(nodes[0]!, name);
    const dataDir = makeTemporaryFolder('claimcheck-test-');
    const env = { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: databaseUrl };
    const remove = () => dropDatabase(nodes, name);
    const { context, close } = await openPlace({ engine: 'postgres', dataDir, databaseUrl, env, remove });
    for (const _ of [1, 2]) await issueTokens(context, await createOwner(context), 3);
    await joinNodes(nodes, name);
    await distributeDatabase(databaseUrl, 4);
    const first = await foldLabelDeltas(context).catch(() => 0);
    expect(first + (await foldLabelDeltas(context))).toBe(2);
    await close();
  });
});
