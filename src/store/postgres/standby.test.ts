import { describe, expect, it } from 'vitest';
import { judgeStandby, type PrimaryPlace, type StandbyPlace } from './standby.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const BOTH = { cluster: '7711335274096170304', database: 'claims', timeline: 3 };
const PRIMARY: PrimaryPlace = { ...BOTH, place: '18446744073709551000', clockMs: NOW };
/** A minute behind by its clock, and level by its place. */
const STANDBY: StandbyPlace = {
  ...BOTH,
  place: PRIMARY.place,
  isStandby: true,
  replayedMs: NOW - 60_000,
};

describe('judgeStandby', () => {
  it('takes one that has all of the log as level, however old its newest transaction is', () => {
    expect(judgeStandby(PRIMARY, STANDBY, 200)).toEqual({ lagMs: 200, fault: null });
  });

  it('measures another one by its newest transaction, up to half a minute', () => {
    const behind = { ...STANDBY, place: '18446744073709550999' };
    const at = (seconds: number) => ({ ...behind, replayedMs: NOW - seconds * 1_000 });
    expect(judgeStandby(PRIMARY, at(29), 1_000)).toEqual({ lagMs: 30_000, fault: null });
    expect(judgeStandby(PRIMARY, at(30), 1_000)).toEqual({
      lagMs: 31_000,
      fault: { kind: 'behind', words: 'is 31 s behind, and at most 30 s are allowed' },
    });
    expect(judgeStandby(PRIMARY, { ...behind, replayedMs: null }, 0).fault?.kind).toBe('behind');
  });

  it.each([
    [{ cluster: '1' }, 'foreign', /system identifier is 1, and that of the primary 7711335274096170304/],
    [{ database: 'other' }, 'foreign', /asked for the database "other", and the primary for "claims"/],
    [{ isStandby: false }, 'not a standby', /takes writes/],
    [{ timeline: 2 }, 'other timeline', /names timeline 2, and the primary 3/],
    [{ timeline: 4 }, 'other timeline', /names timeline 4, and the primary 3/],
  ] as const)('refuses %j', (difference, kind, words) => {
    expect(judgeStandby(PRIMARY, { ...STANDBY, ...difference }, 0)).toEqual({
      lagMs: null,
      fault: { kind, words: expect.stringMatching(words) },
    });
  });
});
