import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { closeBeforeFull, limitUnfinished } from './connection-limits.ts';

/** Opens `count` connections with unfinished requests and returns how many stay open. */
function leftOpen(count: number, address: (n: number) => string): number {
  const server = new EventEmitter();
  let open = count;
  limitUnfinished(server as Server, {
    max: 10,
    isTrustedProxy: () => false,
    isUnfinished: () => true,
    close: (socket) => {
      open -= 1;
      socket.emit('close');
    },
  });
  for (let n = 0; n < count; n += 1) {
    const socket = Object.assign(new EventEmitter(), { remoteAddress: address(n) });
    server.emit('connection', socket as unknown as Duplex);
  }
  return open;
}

test('unfinished requests are limited per IPv4 address and per IPv6 /64, /56 and /48', () => {
  expect(leftOpen(100, () => '203.0.113.7')).toBe(10);
  expect(leftOpen(100, (n) => `2a01:4f8:1:1::${n.toString(16)}`)).toBe(10);
  expect(leftOpen(100, (n) => `2a01:4f8:1:${n.toString(16)}::1`)).toBe(20);
  expect(leftOpen(100, (n) => `2a01:4f8:1:${(n * 256).toString(16)}::1`)).toBe(40);
  expect(leftOpen(100, (n) => `2a01:4f8:${n.toString(16)}::1`)).toBe(100);
});

const NONE: ReadonlySet<string> = new Set();

/** `idle`, `unread`: addresses whose connections are idle or read slowly, instead of being unfinished. */
function openFrom(addresses: readonly string[], count: number, { idle = NONE, unread = NONE } = {}) {
  const server = new EventEmitter();
  const open: string[] = [];
  closeBeforeFull<Duplex & { readonly remoteAddress?: string }>(server as Server, {
    max: 64,
    isTrustedProxy: (address) => address === '10.0.0.1',
    isUnfinished: ({ remoteAddress }) => !idle.has(remoteAddress!) && !unread.has(remoteAddress!),
    isIdle: ({ remoteAddress }) => !unread.has(remoteAddress!),
    isUnread: ({ remoteAddress }) => unread.has(remoteAddress!),
  });
  for (let n = 0; n < count; n += 1) {
    const remoteAddress = addresses[n % addresses.length]!;
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroy() {
        open.splice(open.indexOf(remoteAddress), 1);
        socket.emit('close');
      },
    });
    open.push(remoteAddress);
    server.emit('connection', socket as unknown as Duplex);
  }
  return open;
}

const from = (count: number, prefix = '203.0.113.') =>
  Array.from({ length: count }, (_, n) => `${prefix}${n + 1}`);

describe('near the connection limit', () => {
  test('connections of the networks with the most are closed, so that others can always connect', () => {
    const attackers = from(10);
    const open = openFrom(['192.0.2.1', ...attackers, ...attackers, ...attackers], 310);
    expect(open.length).toBeLessThan(64);
    // The visitor opened ten connections over time, ten times fewer than all attackers could keep.
    expect(open.filter((address) => address === '192.0.2.1').length).toBeGreaterThan(2);
    for (const attacker of attackers)
      expect(open.filter((address) => address === attacker).length).toBeLessThan(8);
  });

  test('idle connections are closed only if no network has several unfinished ones', () => {
    const server = '192.0.2.1';
    const pool = Array.from({ length: 30 }, () => server);
    const open = openFrom([...pool, ...from(20), ...from(20)], 70, { idle: new Set([server]) });
    expect(open.filter((address) => address === server)).toHaveLength(30);
    expect(openFrom([server], 200, { idle: new Set([server]) }).length).toBeLessThan(64);
  });

  test('clients that read their responses slowly cannot hold all connections', () => {
    const attackers = from(10);
    const visitor = '192.0.2.1';
    const connections = [visitor, ...attackers, ...attackers, ...attackers];
    const open = openFrom(connections, 310, { idle: new Set([visitor]), unread: new Set(attackers) });
    expect(open.length).toBeLessThan(64);
    expect(open).toContain(visitor);
  });

  test('single connections and connections of trusted proxies stay open', () => {
    expect(openFrom(from(200), 64)).toHaveLength(64);
    expect(openFrom(['10.0.0.1'], 64)).toHaveLength(64);
  });
});
