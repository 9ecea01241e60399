import { expect, test } from 'vitest';
import { inEnglish } from '../../../test/support/english.ts';
import { examineConnectionLimit, examineServers } from './connections.ts';

const SAFE = { synchronous_commit: 'on', synchronous_standby_names: 'ANY 1 (db2)' };
const PAIR = [
  { host: 'db1:5432', role: 'primary', failure: null },
  { host: 'db2:5432', role: 'standby', failure: null },
];

test('a primary with a synchronous standby passes both checks', () => {
  const checks = examineServers({ servers: PAIR, hasFailover: true, settings: SAFE });
  expect(checks.map(({ ok }) => ok)).toEqual([true, true]);
  expect(checks[0]!.detail).toBe('db1:5432 (primary), db2:5432 (standby)');
});

test('a failure shared by several servers is reported once', () => {
  const down = { role: 'down', failure: 'Bring it back.' };
  const servers = [...PAIR, { ...down, host: 'db3:5432' }, { ...down, host: 'db4:5432' }];
  const [check] = examineServers({ servers, hasFailover: true, settings: SAFE });
  expect(check).toMatchObject({
    ok: false,
    detail: 'db1:5432 (primary), db2:5432 (standby), db3:5432 (down), db4:5432 (down). Bring it back.',
  });
});

test('servers without failover skip the failover check, and a single server skips both checks', () => {
  expect(examineServers({ servers: PAIR, hasFailover: false, settings: {} })).toHaveLength(1);
  expect(examineServers({ servers: [], hasFailover: false, settings: {} })).toEqual([]);
});

test.each([
  [{ ...SAFE, synchronous_standby_names: '' }, /synchronous_standby_names is empty/],
  [{ ...SAFE, synchronous_commit: 'local' }, /synchronous_commit = local/],
])('the failover check fails if a failover may lose redemptions: %j', (settings, sentence) => {
  const [, failover] = examineServers({ servers: PAIR, hasFailover: true, settings });
  expect(inEnglish(failover)).toMatchObject({ ok: false, detail: expect.stringMatching(sentence) });
});

test('a connection limit below the connections of one process fails, and names what has the limit', () => {
  const limited = (connections: number) =>
    inEnglish(examineConnectionLimit({ connectionLimit: { connections, of: 'role', perProcess: 14 } })[0]);
  expect(limited(14)).toMatchObject({ ok: true });
  expect(limited(13)).toMatchObject({
    ok: false,
    detail: expect.stringMatching(
      /^the role in DATABASE_URL allows 13 connections, but each process opens up to 14/,
    ),
  });
  expect(examineConnectionLimit({ connectionLimit: null })).toEqual([]);
});
