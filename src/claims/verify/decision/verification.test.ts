import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../marketplace/offers/offer.ts';
import {
  type ClaimFacts,
  type ClaimMembers,
  checkCaller,
  decide,
  NOT_FOUND_BODY,
  REPLAY_WINDOW_MS,
  renderClaim,
} from './verification.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const ago = (ms: number): string => new Date(NOW - ms).toISOString();
const KEY = new Uint8Array(32).fill(1);
const OTHER_KEY = new Uint8Array(32).fill(2);
const copy = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes);

const FRESH: ClaimFacts = { redeemedAt: null, idempotencyHash: null };
const redeemed = (ms: number, idempotencyHash: Uint8Array | null): ClaimFacts => ({
  redeemedAt: ago(ms),
  idempotencyHash,
});

/** Title, claim, `redeem`, Idempotency-Key, whether the key has redeemed another claim, expected decision. */
type Row = readonly [string, ClaimFacts | null, boolean, Uint8Array | null, boolean, string];

describe('decision by claim, redeem and Idempotency-Key', () => {
  const last = REPLAY_WINDOW_MS - 1;
  const ROWS: readonly Row[] = [
    ['unredeemed claim, redeem: true', FRESH, true, null, false, 'redeem'],
    ['unredeemed claim, redeem: false', FRESH, false, null, false, 'valid'],
    ['redeemed claim, redeem: true', redeemed(1, null), true, null, false, 'already_redeemed'],
    ['redeemed claim, redeem: false', redeemed(1, null), false, null, false, 'already_redeemed'],
    ['unknown token, redeem: true', null, true, null, false, 'not_found'],
    ['unknown token, redeem: false', null, false, null, false, 'not_found'],
    ['first use of a key', FRESH, true, KEY, false, 'redeem'],
    ['immediate retry with the same key', redeemed(0, copy(KEY)), true, KEY, false, 'replay'],
    ['retry in the last millisecond of 24 hours', redeemed(last, copy(KEY)), true, KEY, false, 'replay'],
    [
      'retry with the same key after 24 hours',
      redeemed(last + 1, copy(KEY)),
      true,
      KEY,
      false,
      'already_redeemed',
    ],
    ['retry after the clock was set back', redeemed(-5_000, copy(KEY)), true, KEY, false, 'replay'],
    ['retry with another key', redeemed(1, OTHER_KEY), true, KEY, false, 'already_redeemed'],
    ['retry without the key', redeemed(1, KEY), true, null, false, 'already_redeemed'],
    [
      'retry with a key after redemption without a key',
      redeemed(1, null),
      true,
      KEY,
      false,
      'already_redeemed',
    ],
    ['unredeemed claim, redeem: false, with a key', FRESH, false, KEY, false, 'valid'],
    [
      'redeemed claim, redeem: false, key used for another claim',
      redeemed(1, OTHER_KEY),
      false,
      KEY,
      true,
      'already_redeemed',
    ],
    ['unknown token with a key', null, true, KEY, false, 'not_found'],
    ['unknown token, key used for another claim', null, true, KEY, true, 'not_found'],
    ['unredeemed claim, key used for another claim', FRESH, true, KEY, true, 'idempotency_key_reused'],
    [
      'redeemed claim, key used for another claim',
      redeemed(1, OTHER_KEY),
      true,
      KEY,
      true,
      'idempotency_key_reused',
    ],
    [
      'claim redeemed years ago, key used for another claim',
      redeemed(1e11, null),
      true,
      KEY,
      true,
      'idempotency_key_reused',
    ],
  ];

  test.each(ROWS)('%s', (_, claim, redeem, idempotencyHash, another, decision) => {
    const question = { claim, redeem, idempotencyHash, keyHasRedeemedAnother: another, nowMs: NOW };
    expect(decide(question)).toBe(decision);
  });

  test('only an unredeemed claim is redeemed, and only with redeem: true', () => {
    const hash = fc.constantFrom(null, KEY, OTHER_KEY);
    const claim = fc.option(
      fc.record({ redeemedAt: fc.constantFrom(null, ago(1), ago(1e9)), idempotencyHash: hash }),
    );
    fc.assert(
      fc.property(claim, fc.boolean(), hash, fc.boolean(), (facts, redeem, idempotencyHash, another) => {
        const question = { claim: facts, redeem, idempotencyHash, nowMs: NOW };
        const decision = decide({ ...question, keyHasRedeemedAnother: another });
        if (decision === 'redeem') expect([redeem, facts?.redeemedAt]).toEqual([true, null]);
        if (decision === 'valid') expect([redeem, facts?.redeemedAt]).toEqual([false, null]);
        if (decision === 'replay') expect(facts?.idempotencyHash).toEqual(idempotencyHash);
        if (decision === 'not_found') expect(facts).toBeNull();
        if (!redeem) {
          const without = { ...question, idempotencyHash: null, keyHasRedeemedAnother: false };
          expect(decision).toBe(decide(without));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('checkCaller', () => {
  const GOOD = { expires_at: null, revoked_at: null, plan: 'studio', suspended_at: null } as const;
  const SUSPENDED_ON_STARTER = { ...GOOD, plan: 'starter', suspended_at: ago(1) } as const;
  test.each([
    ['accepts an active key on Studio', GOOD, null],
    ['accepts an active key on Everything', { ...GOOD, plan: 'everything' }, null],
    ['accepts a key that has not expired yet', { ...GOOD, expires_at: ago(-1) }, null],
    ['rejects an expired key', { ...GOOD, expires_at: ago(0) }, 'invalid_api_key'],
    ['rejects a revoked key', { ...GOOD, revoked_at: ago(0) }, 'invalid_api_key'],
    ['rejects a key on Starter', { ...GOOD, plan: 'starter' }, 'plan_without_api_keys'],
    ['rejects a suspended account', { ...GOOD, suspended_at: ago(1) }, 'account_suspended'],
    ['reports the plan rather than the suspension', SUSPENDED_ON_STARTER, 'plan_without_api_keys'],
    [
      'reports a revoked key rather than the plan',
      { ...SUSPENDED_ON_STARTER, revoked_at: ago(1) },
      'invalid_api_key',
    ],
  ] as const)('%s', (_, facts, refusal) => {
    expect(checkCaller(facts, NOW)).toBe(refusal);
  });
});

describe('response body', () => {
  test('equals JSON.stringify of its eight members in the documented order', () => {
    const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    const members = fc.record<ClaimMembers>({
      status: fc.constantFrom('redeemed', 'valid', 'already_redeemed'),
      offerId: fc.uuid(),
      offer: fc.string({ unit: 'binary', maxLength: 200 }),
      kind: fc.constantFrom(...KINDS),
      listing: fc.stringMatching(/^[a-z0-9-]{3,64}$/),
      via: fc.option(fc.stringMatching(/^[a-z0-9_-]{1,64}$/)),
      claimedAt: time,
      redeemedAt: fc.option(time),
    });
    fc.assert(
      fc.property(members, (claim) => {
        const { status, offerId: offer_id, offer, kind, listing, via, claimedAt, redeemedAt } = claim;
        const times = { claimed_at: claimedAt, redeemed_at: redeemedAt };
        expect(renderClaim(claim)).toBe(
          JSON.stringify({ status, offer_id, offer, kind, listing, via, ...times }),
        );
      }),
    );
  });

  test('has only a status for an unknown token', () => {
    expect(NOT_FOUND_BODY).toBe('{"status":"not_found"}');
  });
});
