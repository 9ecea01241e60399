/** Inserts of many rows in one statement. A value that all rows share is sent only once. */
import { describe, expect, test } from 'vitest';
import { type AttemptRow, insertAttempts } from '../../../src/claims/attempts/queries.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { ENGINES } from '../../support/engines.ts';
import { shareDatabase } from '../../support/shared.ts';

describe.each(ENGINES)('an insert of many rows on %s', (engine) => {
  const store = shareDatabase(engine);

  const row = (over: Partial<AttemptRow> = {}): AttemptRow => ({
    account_id: '01934e2d-5678-7000-8000-000000000001',
    mode: 'live',
    at: '2026-11-20T10:00:00.123Z',
    request_id: 'a "quoted" \\ näme, 漢字',
    api_key_id: null,
    cause: 'redeemed',
    detail: null,
    redeem: 1,
    token_last4: 'Ab9_',
    token_hash: '00ff'.repeat(16),
    offer_id: null,
    via: null,
    idempotency_last4: null,
    latency_us: 2 ** 40,
    ip: '::1',
    user_agent: null,
    origin: null,
    request_line: null,
    ...over,
  });

  const other = (): AttemptRow => ({
    account_id: uuidv7(store.context),
    mode: 'test',
    at: '2025-01-02T03:04:05.678Z',
    request_id: 'null',
    api_key_id: uuidv7(store.context),
    cause: 'body_not_json',
    detail: 'The body is not JSON.',
    redeem: 0,
    token_last4: null,
    token_hash: null,
    offer_id: uuidv7(store.context),
    via: '$1 {x}',
    idempotency_last4: '4711',
    latency_us: 0,
    ip: null,
    user_agent: 'node',
    origin: 'https://x.example',
    request_line: 'GET /',
  });

  const inserted = async (rows: readonly AttemptRow[]): Promise<AttemptRow[]> => {
    const found = await store.db.transaction(async (tx) => {
      await tx.deleteFrom('attempts').execute();
      await insertAttempts(tx, engine, rows);
      return await tx.selectFrom('attempts').selectAll().orderBy('id').execute();
    });
    return found.map(({ id: _, token_hash, ...rest }) => ({
      ...rest,
      token_hash: token_hash === null ? null : Buffer.from(token_hash).toString('hex'),
    }));
  };

  const COLUMNS = ['account_id', 'at', 'request_id', 'latency_us', 'token_hash', 'via'] as const;
  test.each<[string, () => AttemptRow[]]>([
    ['a single row', () => [row()]],
    ['identical rows', () => [row(), row(), row()]],
    ['rows that differ in every column', () => [row(), other(), row()]],
    ...COLUMNS.map((name): [string, () => AttemptRow[]] => [
      `rows that differ only in ${name}`,
      () => [row(), row(), row({ [name]: other()[name] })],
    ]),
  ])('stores %s unchanged', async (_, make) => {
    const rows = make();
    expect(await inserted(rows)).toEqual(rows);
  });
});
