import { describe, expect, test } from 'vitest';
import { decideStorage, MAX_OPEN_REPORTS, type StoredReport } from './report.ts';

let count = 0;
const report = (network: string, isConfirmed: boolean): StoredReport => {
  count += 1;
  return {
    id: `report-${count}`,
    cause: 'other',
    words: `Words ${count}`,
    reporter_id: isConfirmed ? `person-${count}` : null,
    is_confirmed: isConfirmed ? 1 : 0,
    network,
    created_at: '2026-11-29T00:00:00.000Z',
  };
};

/** Reports from as few networks as the limits allow, each with `each` reports. */
const flood = (each: number, isConfirmed: boolean) =>
  Array.from({ length: MAX_OPEN_REPORTS }, (_, n) => report(`network-${Math.floor(n / each)}`, isConfirmed));

describe.each([
  ['by strangers', false, 3],
  ['by people with confirmed addresses', true, 10],
] as const)('a flood of reports %s from a few networks', (_, isConfirmed, each) => {
  test('gives way to a report from another network', () => {
    const open = flood(each, isConfirmed);
    const placed = decideStorage(open, report('home', isConfirmed));
    const last = open.findLastIndex(
      ({ network }) => open.filter((one) => one.network === network).length === each,
    );
    expect(placed).toEqual({ replaces: open[last]!.id });
  });

  test('cannot displace reports from networks with fewer', () => {
    const open = [report('home', isConfirmed), ...flood(1, isConfirmed).slice(1)];
    expect(() => decideStorage(open, report('another', isConfirmed))).toThrow(
      'already has many open reports',
    );
  });
});

test('a person’s equal report is stored again only after they confirmed their address', () => {
  const unconfirmed = { ...report('home', false), reporter_id: 'ada' };
  const confirmed = { ...unconfirmed, is_confirmed: 1 };
  expect(decideStorage([unconfirmed], confirmed)).toEqual({ replaces: unconfirmed.id });
  expect(decideStorage([confirmed], confirmed)).toBe('exists');
  expect(decideStorage([confirmed], unconfirmed)).toBe('exists');
});

test('strangers never displace people with confirmed addresses', () => {
  expect(() => decideStorage(flood(10, true), report('home', false))).toThrow(
    'already has many open reports',
  );
});
