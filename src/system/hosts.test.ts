import { expect, test } from 'vitest';
import { examineHosts, examineNodes } from './hosts.ts';

const SAFE = { synchronous_commit: 'on', synchronous_standby_names: 'ANY 1 (db2)' };
const PAIR = [
  { host: 'db1:5432', role: 'primary' },
  { host: 'db2:5432', role: 'standby' },
] as const;

test('one host has no roles', () => {
  expect(examineHosts({ hosts: [], settings: {} })).toEqual([]);
});

test('a primary that waits for its standby is good', () => {
  const checks = examineHosts({ hosts: PAIR, settings: SAFE });
  expect(checks.map(({ ok }) => ok)).toEqual([true, true]);
  expect(checks[0]!.detail).toBe('db1:5432 is the primary, db2:5432 is a standby');
});

test.each([
  ['former primary', /db3:5432 is a former primary that takes writes\. Stop the former primary/],
  ['other cluster', /db3:5432 is a server of another cluster\. Take the server/],
  ['away', /db3:5432 is away\. Bring back the host/],
] as const)('a host that is %s is named with what to do', (role, sentence) => {
  const [hosts] = examineHosts({ hosts: [...PAIR, { host: 'db3:5432', role }], settings: SAFE });
  expect(hosts).toMatchObject({ ok: false, detail: expect.stringMatching(sentence) });
});

test.each([
  [{ ...SAFE, synchronous_standby_names: '' }, /synchronous_standby_names is empty/],
  [{ ...SAFE, synchronous_commit: 'local' }, /synchronous_commit = local/],
])('settings that let a failover lose redemptions: %j', (settings, sentence) => {
  const [, failover] = examineHosts({ hosts: PAIR, settings });
  expect(failover).toMatchObject({ ok: false, detail: expect.stringMatching(sentence) });
});

test('nodes are named with what is wrong with each; tables on one server have none', () => {
  const coordinator = { host: 'db1:5432', isCoordinator: true, failure: null };
  const worker = { host: 'db2:5432', isCoordinator: false, failure: null };
  expect(examineNodes({ nodes: [] })).toEqual([]);
  expect(examineNodes({ nodes: [coordinator, worker] })).toMatchObject([
    { ok: true, detail: expect.stringMatching(/^db1:5432 is the coordinator, db2:5432 is a worker/) },
  ]);
  expect(examineNodes({ nodes: [coordinator, { ...worker, failure: 'no answer' }] })).toMatchObject([
    { ok: false, detail: expect.stringMatching(/^db2:5432 cannot be used \(no answer\)\. Bring it back/) },
  ]);
});
