import { describe, expect, test } from 'vitest';
import { toIso } from '../../platform/text/time-text.ts';
import type { Attempt } from './attempt.ts';
import { createAttemptBuffer, createKeyUses } from './attempt-buffer.ts';
import type { Cause } from './cause.ts';

const attempt = (accountId: string, cause: Cause = 'token_unknown', requestId = 'r') =>
  ({ accountId, cause, requestId }) as Attempt;

describe('buffer capacity', () => {
  const fill = (accounts: readonly string[]) => {
    const buffer = createAttemptBuffer({ perAccount: 2, total: 5 });
    for (const accountId of accounts) if (buffer.accepts(accountId)) buffer.add(attempt(accountId));
    return buffer;
  };

  test.each([
    ['per account, so that a busy account leaves room for others', 'aaab', 'aab'],
    ['across all accounts', 'abcdef', 'abcde'],
  ])('is limited %s', (_, accounts, expected) => {
    const { attempts } = fill([...accounts]).take();
    expect(attempts.map(({ accountId }) => accountId)).toEqual([...expected]);
  });

  test('is free again after take()', () => {
    const buffer = fill(['a', 'a', 'a']);
    buffer.take();
    expect([buffer.accepts('a'), buffer.size()]).toEqual([true, 0]);
  });
});

describe('unrecorded calls', () => {
  test('are counted per account, with the time of the latest call', () => {
    const buffer = createAttemptBuffer({ perAccount: 1, total: 1 });
    buffer.count({ accountId: 'a', calls: 1, lastMs: 7 });
    buffer.count({ accountId: 'b', calls: 1, lastMs: 5 });
    buffer.count({ accountId: 'a', calls: 2, lastMs: 3 });
    expect(buffer.take().unrecorded).toEqual([
      { accountId: 'a', calls: 3, lastMs: 7 },
      { accountId: 'b', calls: 1, lastMs: 5 },
    ]);
    expect(buffer.take().unrecorded).toEqual([]);
  });
});

describe('first verifications', () => {
  test('include one call per account and outcome, sorted by account and outcome', () => {
    const buffer = createAttemptBuffer({ perAccount: 10, total: 10 });
    const added = [
      attempt('b', 'valid', '1'),
      attempt('a', 'token_unknown', '2'),
      attempt('a', 'valid', '3'),
      attempt('b', 'valid', '4'),
      attempt('a', 'repeated', '5'),
      attempt('a', 'redeemed', '6'),
    ].map((one) => buffer.add(one));
    expect(added).toEqual([true, false, true, true, true, true]);
    expect(buffer.take().firsts.map((one) => one.requestId)).toEqual(['5', '3', '1']);
  });

  test('are returned by every take() until one is marked as written', () => {
    const buffer = createAttemptBuffer({ perAccount: 10, total: 10 });
    const firsts = () => {
      buffer.add(attempt('a', 'valid'));
      return buffer.take().firsts;
    };
    firsts();
    expect(firsts()).toHaveLength(1);
    buffer.written(firsts());
    expect(firsts()).toEqual([]);
  });
});

describe('last-used times of keys', () => {
  const START = Date.parse('2026-11-20T10:00:30.000Z');

  test('are due at most once every 30 seconds per key', () => {
    const uses = createKeyUses();
    const dueAt = (seconds: number) => {
      const due = uses.due(START + seconds * 1_000);
      due.written();
      return due.uses.map(({ usedMs }) => toIso(usedMs));
    };
    uses.touch('account', 'key', START);
    expect(dueAt(0)).toEqual(['2026-11-20T10:00:30.000Z']);
    uses.touch('account', 'key', START + 10_000);
    expect(dueAt(10)).toEqual([]);
    expect(dueAt(35)).toEqual(['2026-11-20T10:00:40.000Z']);
    expect(dueAt(70)).toEqual([]);
  });

  test('are sorted by key id, so that concurrent processes cannot deadlock', () => {
    const order = (keys: readonly string[]) => {
      const uses = createKeyUses();
      for (const key of keys) uses.touch('account', key, START);
      return uses.due(START).uses.map(({ keyId }) => keyId);
    };
    expect(order(['b', 'c', 'a'])).toEqual(['a', 'b', 'c']);
    expect(order(['c', 'a', 'b'])).toEqual(['a', 'b', 'c']);
  });
});
