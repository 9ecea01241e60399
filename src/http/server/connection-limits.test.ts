import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { limitUnfinished } from './connection-limits.ts';

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

it('unfinished requests are limited per IPv4 address and per IPv6 /64, /56 and /48', () => {
  expect(leftOpen(100, () => '203.0.113.7')).toBe(10);
  expect(leftOpen(100, (n) => `2a01:4f8:1:1::${n.toString(16)}`)).toBe(10);
  expect(leftOpen(100, (n) => `2a01:4f8:1:${n.toString(16)}::1`)).toBe(20);
  expect(leftOpen(100, (n) => `2a01:4f8:1:${(n * 256).toString(16)}::1`)).toBe(40);
  expect(leftOpen(100, (n) => `2a01:4f8:${n.toString(16)}::1`)).toBe(100);
});
