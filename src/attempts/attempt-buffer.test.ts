import { describe, expect, it } from 'vitest';
import { toIso } from '../text/time-text.ts';
import type { Attempt } from './attempt.ts';
import { createAttemptBuffer, createKeyUses } from './attempt-buffer.ts';
import type { Cause } from './cause.ts';

const attempt = (accountId: string, cause: Cause = 'token_unknown', requestId = 'r') =>
  ({ accountId, cause, requestId }) as Attempt;

describe('room', () => {
  const fill = (accounts: readonly string[]) => {
    const buffer = createAttemptBuffer({ perAccount: 2, total: 5 });
    for (const accountId of accounts) if (buffer.hasRoom(accountId)) buffer.add(attempt(accountId));
    return buffer;
  };

  it.each([
    ['for each account, so that a busy one leaves room for others', 'aaab', 'aab'],
    ['over all accounts', 'abcdef', 'abcde'],
  ])('is bounded %s', (_, accounts, kept) => {
    const { attempts } = fill([...accounts]).take();
    expect(attempts.map(({ accountId }) => accountId)).toEqual([...kept]);
  });

  it('is there again after each flush', () => {
    const buffer = fill(['a', 'a', 'a']);
    buffer.take();
    expect([buffer.hasRoom('a'), buffer.size()]).toEqual([true, 0]);
  });
});

describe('calls that are not recorded', () => {
  it('are counted for each account, with the time of the last one', () => {
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
  it('are the first calls that found a claim, one for each account and outcome; every process returns them in the same order', () => {
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

  it('are given out again until they are written', () => {
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

describe('last uses of keys', () => {
  const START = Date.parse('2026-11-20T10:00:30.000Z');

  it('are written at most every 30 seconds', () => {
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

  it('come in the same order in every process, so that no two processes deadlock', () => {
    const order = (keys: readonly string[]) => {
      const uses = createKeyUses();
      for (const key of keys) uses.touch('account', key, START);
      return uses.due(START).uses.map(({ keyId }) => keyId);
    };
    expect(order(['b', 'c', 'a'])).toEqual(['a', 'b', 'c']);
    expect(order(['c', 'a', 'b'])).toEqual(['a', 'b', 'c']);
  });
});
