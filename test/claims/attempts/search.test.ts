/** Searching the request log: filters, pagination, and failures grouped by cause. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import type { Attempt } from '../../../src/claims/attempts/attempt.ts';
import { type AttemptFilterTexts, parseAttemptFilter } from '../../../src/claims/attempts/attempt-filter.ts';
import { CAUSES, type Cause, FAILURES, isFound } from '../../../src/claims/attempts/cause.ts';
import { createAttemptRecorder } from '../../../src/claims/attempts/recorder.ts';
import { groupFailures, searchAttempts } from '../../../src/claims/attempts/search-queries.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import { attemptOf } from '../../support/attempts.ts';
import { ENGINES } from '../../support/engines.ts';
import { refusalOf } from '../../support/events.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { shareDatabase, shareOwner } from '../../support/shared.ts';

const parseUtc = (texts: Parameters<typeof parseAttemptFilter>[0]) => parseAttemptFilter(texts, 'UTC');

const START = Date.parse('2026-11-20T10:00:00.000Z');
const SECOND_MS = 1_000;
const live = ({ accountId }: Pick<Owner, 'accountId'>) => ({ accountId, mode: 'live' }) as const;
const CALLS = 240;
const OFFERS = ['018f3c5e-0000-7000-8000-0000000000f1', '018f3c5e-0000-7000-8000-0000000000f2'];
/** Causes of the calls, assigned in rotation. */
const CAUSE_OF = [
  ...['redeemed', 'valid', 'redeemed', 'token_unknown', 'already_redeemed', 'redeemed'],
  ...['body_not_json', 'valid', 'repeated', 'token_missing', 'test_token_with_live_key', 'rate_limited'],
] as Cause[];

test.each([
  [{ outcome: 'good' }, /^The outcome must be one of redeemed, valid.*; found "good"\.$/],
  [{ code: 'not_found' }, /^No request in the log has the code "not_found"\.$/],
  [{ cause: '__proto__' }, /^No cause is called "__proto__"/],
  [{ since: 'yesterday' }, /^“From” must look like 2026-11-20T10:00/],
  [{ since: '0000-01-01' }, /^“From” must/],
  [{ until: '9999-12-31' }, /^“Until” must/],
  [{ until: '2026-02-30T10:00' }, /^“Until” must/],
] as const)('the invalid filter %j is rejected', async (texts, sentence) => {
  expect(await refusalOf(Promise.resolve().then(() => parseUtc(texts)))).toMatch(sentence);
});

describe.each(ENGINES)('searching the request log on %s', (engine) => {
  const database = shareDatabase(engine);
  let context: Pick<Context, 'db' | 'now'>;
  const owner = shareOwner(database.context);
  let calls: readonly Attempt[];

  beforeAll(async () => {
    const stranger = await createOwner(database.context);
    context = { db: database.db, now: () => START + CALLS * SECOND_MS };
    const recorder = createAttemptRecorder(context);
    calls = Array.from({ length: CALLS }, (_, i) => {
      const cause = CAUSE_OF[i % CAUSE_OF.length]!;
      return attemptOf({
        accountId: owner.accountId,
        // Three calls in a row have the same time, so a page can end between two calls with the same time.
        atMs: START + Math.floor(i / 3) * SECOND_MS,
        requestId: `req_${i}`,
        keyId: i % 7 === 0 ? owner.liveKeyId : null,
        cause,
        offerId: isFound(cause) ? OFFERS[i % 5 === 0 ? 0 : 1]! : null,
      });
    });
    for (const call of calls) recorder.record(call);
    recorder.record(
      attemptOf({ ...calls[0]!, mode: 'test', requestId: 'of-a-test-key', keyId: owner.liveKeyId }),
    );
    recorder.record(
      attemptOf({ accountId: stranger.accountId, keyId: owner.liveKeyId, atMs: START, requestId: 'theirs' }),
    );
    await recorder.close();
  });

  const expected = (texts: AttemptFilterTexts) => {
    const filter = parseUtc(texts);
    const { since, until } = filter;
    return calls
      .filter(({ cause, keyId, offerId, atMs }) => {
        const at = toIso(atMs);
        return (
          [filter.outcome, filter.code, filter.cause].every((set) => set?.includes(cause) ?? true) &&
          (filter.key === undefined || filter.key === keyId) &&
          (filter.offer === undefined || filter.offer === offerId) &&
          (since === undefined || at >= since) &&
          (until === undefined || at < until)
        );
      })
      .map(({ requestId }) => requestId)
      .reverse();
  };

  async function crawl(texts: AttemptFilterTexts, limit: number, scanned: number) {
    const found: string[] = [];
    let pages = 0;
    let after: string | undefined;
    do {
      const filter = parseUtc(texts);
      const page = await searchAttempts(database.db, live(owner), filter, { after, limit, scanned });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      if (page.rows.length < limit && page.next !== null) expect(page.searchedUntil).not.toBeNull();
      found.push(...page.rows.map(({ request_id }) => request_id));
      after = page.next ?? undefined;
      pages += 1;
    } while (after !== undefined && pages < CALLS);
    return found;
  }

  const key = () => ({ key: owner.liveKeyId });
  const filters: readonly (readonly [string, () => AttemptFilterTexts])[] = [
    ['none', () => ({})],
    ['outcome', () => ({ outcome: 'redeemed' })],
    ['outcome not_found', () => ({ outcome: 'not_found' })],
    ['outcome error', () => ({ outcome: 'error' })],
    ['outcome failed', () => ({ outcome: 'failed' })],
    ['code', () => ({ code: 'invalid_request' })],
    ['cause', () => ({ cause: 'token_missing' })],
    ['code and cause', () => ({ code: 'invalid_request', cause: 'body_not_json' })],
    ['key', key],
    ['key and outcome', () => ({ ...key(), outcome: 'redeemed' })],
    ['key and outcome failed', () => ({ ...key(), outcome: 'failed' })],
    ['offer', () => ({ offer: OFFERS[0] })],
    ['offer and outcome', () => ({ offer: OFFERS[1], outcome: 'valid' })],
    ['offer, key and outcome', () => ({ ...key(), offer: OFFERS[1]!.toUpperCase(), outcome: 'redeemed' })],
    ['start and end time', () => ({ since: '2026-11-20T10:00:30', until: '2026-11-20T10:01:07.000Z' })],
    ['start time and outcome failed', () => ({ since: '2026-11-20T10:01', outcome: 'failed' })],
    ['start and end day', () => ({ since: '2026-11-20', until: '2026-11-20' })],
  ];
  test.each(filters)(
    'returns each matching call once, newest first, at any page size (filter: %s)',
    async (_name, texts) => {
      const all = expected(texts());
      expect(all.length).toBeGreaterThan(5);
      expect(await crawl(texts(), 50, 10_000)).toEqual(all);
      expect(await crawl(texts(), 4, 15)).toEqual(all);
    },
  );

  test('returns an empty result if no call matches', async () => {
    for (const texts of [
      { outcome: 'redeemed', code: 'invalid_request' },
      { offer: OFFERS[0], outcome: 'failed' },
      { key: 'nobody' },
      { offer: '018f3c5e-0000-7000-8000-0000000000f3' },
      { until: '2026-11-19' },
    ]) {
      expect([texts, await crawl(texts, 50, 10_000)]).toEqual([texts, []]);
    }
  });

  test('starts from the newest call if the cursor is malformed', async () => {
    const filter = parseUtc({});
    for (const after of ['', 'x', '0000-01-01T00:00:00.000Z~1', '2026-11-20T10:00:00.000Z~x']) {
      const page = await searchAttempts(database.db, live(owner), filter, { after, limit: 1 });
      expect(page.rows[0]?.request_id).toBe(`req_${CALLS - 1}`);
    }
  });

  test('returns the name and mode of each call’s key, and omits the token hash', async () => {
    const filter = parseUtc(key());
    const { rows } = await searchAttempts(database.db, live(owner), filter, { limit: 1 });
    const { cause } = calls.findLast(({ keyId }) => keyId !== null)!;
    expect(rows[0]).toMatchObject({ key_name: 'server', key_mode: 'live', cause });
    expect(Object.keys(rows[0]!)).not.toContain('token_hash');
  });

  test('separates calls with test keys from calls with live keys', async () => {
    const whose = { accountId: owner.accountId, mode: 'test' } as const;
    for (const texts of [{}, { outcome: 'redeemed' }, key()]) {
      const page = await searchAttempts(database.db, whose, parseUtc(texts));
      expect(page.rows.map(({ request_id }) => request_id)).toEqual(['of-a-test-key']);
    }
    expect(await groupFailures(database.db.read, whose, toIso(0))).toEqual([]);
  });

  test('groups failures by cause, with the number of calls and the first and last time', async () => {
    const groups = await groupFailures(database.db.read, live(owner), toIso(0));
    const failures = calls.filter(({ cause }) => FAILURES.includes(cause));
    const byCause = Map.groupBy(failures, ({ cause }) => cause);
    expect(groups.map(({ cause }) => cause).sort()).toEqual([...byCause.keys()].sort());
    for (const { cause, ...group } of groups) {
      const own = byCause.get(cause)!;
      expect(group).toEqual({
        calls: own.length,
        first_at: toIso(own[0]!.atMs),
        last_at: toIso(own.at(-1)!.atMs),
        request_id: own.at(-1)!.requestId,
        api_key_id: own.at(-1)!.keyId,
      });
      expect(CAUSES[cause].fix).not.toBeNull();
    }
    const lastSeen = groups.map(({ last_at }) => last_at);
    expect(lastSeen).toEqual([...lastSeen].sort().reverse());
    const some = await groupFailures(database.db.read, live(owner), toIso(START + 60 * SECOND_MS), 3);
    expect(
      some.every(({ calls, first_at }) => calls === 3 && first_at >= toIso(START + 60 * SECOND_MS)),
    ).toBe(true);
  });
});
