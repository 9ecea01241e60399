import { expect, test } from 'vitest';
import { GrowingBuffer } from './growing-buffer.ts';

test('collects parts of any size, and copies them', () => {
  const received = new GrowingBuffer();
  const part = Buffer.from('x');
  for (let sent = 0; sent < 5_000; sent += 1) {
    part.write(String(sent % 10));
    received.add(part);
  }
  received.add(Buffer.alloc(20_000, 'y'));
  received.add(new Uint8Array());
  const text = '0123456789'.repeat(500) + 'y'.repeat(20_000);
  expect(received.length).toBe(text.length);
  expect(received.bytes().toString()).toBe(text);
});
