/** The search over the real documentation. */
import { beforeAll, describe, expect, test } from 'vitest';
import { API } from '../../../src/api/operations.ts';
import { guidePath } from '../../../src/base/paths.ts';
import { loadLibrary } from '../../../src/pages/docs/library.ts';
import {
  MAX_MISTYPED_LENGTH,
  MAX_QUERY_LENGTH,
  type SearchIndex,
  search,
} from '../../../src/pages/docs/search.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

const MAX_SEARCH_MS = 10;

/** Queries as people type them, and the page that they look for. */
const QUERIES = [
  // Typing errors
  ['webhok', 'webhooks'],
  ['recieve webhooks', 'webhooks'],
  ['idempotncy', 'safe-retries'],
  ['saef retries', 'safe-retries'],
  ['reciept', 'receipts'],
  ['quikstart', 'quickstart'],
  ['kuberntes', 'deploy'],
  ['promethues', 'metrics'],
  ['failovr', 'high-availability'],
  ['waitng list', 'waiting-lists'],
  ['enviroment variables', 'settings'],
  ['campain', 'campaigns'],
  ['langauge', 'languages'],
  ['opertor api', 'operator-api'],
  ['fixed tokne', 'test-mode'],
  ['privcy', 'privacy'],
  ['sitmap', 'being-found'],
  // Operations
  ['rollKey', 'reference/rollKey'],
  ['issue claim', 'reference/issueClaim'],
  ['claim.redeemed', 'webhook-events'],
  ['key seen in browser', 'webhook-events'],
  // Word endings
  ['redeeming once', 'how-a-claim-works'],
  ['reconciling', 'reconciliation'],
  ['installing', 'self-hosting'],
  ['scaling', 'scale'],
  ['translating', 'languages'],
  ['deploying', 'deploy'],
  ['retrying safely', 'safe-retries'],
  ['verifying a claim', 'verify'],
  ['upgraded', 'self-hosting'],
  ['checking links', 'link-check'],
  ['deleting data', 'privacy'],
] as const;

describe('the search over the documentation', () => {
  let index: SearchIndex;
  beforeAll(async () => {
    index = await (await loadLibrary(API)).index();
  });

  test.each(QUERIES)('“%s” has “%s” among the first three results', (query, name) => {
    const paths = search(index, query).map(({ href }) => href.split('#')[0]);
    expect(paths.slice(0, 3)).toContain(guidePath(name));
  });

  test.each([
    'a b c d e f g h',
    'in re co de se st pr ex',
    'recconcilation idempotincy authantication verificaton optimzation configrations',
    `${'x'.repeat(MAX_MISTYPED_LENGTH)} ${'y'.repeat(MAX_MISTYPED_LENGTH)} ${'z'.repeat(MAX_QUERY_LENGTH)}`,
  ])('“%s” takes less than 10 ms of processor time', async (query) => {
    expect(await cpuMsOf(() => search(index, query), MAX_SEARCH_MS)).toBeLessThan(MAX_SEARCH_MS);
  });
});
