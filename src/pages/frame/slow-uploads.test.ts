import { describe, expect, test } from 'vitest';
import type { Refusal } from '../../platform/errors.ts';
import { createArrivals, MAX_ARRIVING_BYTES, MAX_ARRIVING_UPLOADS } from './slow-uploads.ts';

/** A body that is written chunk by chunk. */
function newBody() {
  const chunks: Uint8Array[] = [];
  let wake = (): void => {};
  let isEnded = false;
  return {
    send(bytes: number): void {
      chunks.push(new Uint8Array(bytes));
      wake();
    },
    end(): void {
      isEnded = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const chunk = chunks.shift();
        if (chunk !== undefined) yield chunk;
        else if (isEnded) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

function openArrivals() {
  let now = 0;
  const arrive = createArrivals(() => now);
  const start = (_: unknown = null, n = 0, network = `192.0.2.${n}`) => {
    const body = newBody();
    const outcome = (async (): Promise<number | string> => {
      let bytes = 0;
      try {
        for await (const chunk of arrive(body, network)) bytes += chunk.length;
        return bytes;
      } catch (error) {
        return (error as Refusal).code;
      }
    })();
    return { body, outcome };
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { start, settle, pass: (ms: number) => (now += ms) };
}

describe('arriving uploads', () => {
  test('a body passes through unchanged', async () => {
    const { start } = openArrivals();
    const { body, outcome } = start();
    body.send(10);
    body.send(20);
    body.end();
    expect(await outcome).toBe(30);
  });

  test('if all slots are taken, the slowest upload ends and the next one starts', async () => {
    const { start, settle, pass } = openArrivals();
    const drips = Array.from({ length: MAX_ARRIVING_UPLOADS }, start);
    for (const [n, { body }] of drips.entries()) body.send(n + 1);
    await settle();
    pass(10_000);
    const next = start();
    next.body.send(1_000_000);
    next.body.end();
    expect(await next.outcome).toBe(1_000_000);
    expect(await drips[0]!.outcome).toBe('request_timeout');
    drips[1]!.body.end();
    expect(await drips[1]!.outcome).toBe(2);
  });

  test('if all slots are taken and no upload is slow, the next one is refused', async () => {
    const { start, settle, pass } = openArrivals();
    const others = Array.from({ length: MAX_ARRIVING_UPLOADS }, start);
    for (const { body } of others) body.send(500_000);
    await settle();
    pass(10_000);
    expect(await start().outcome).toBe('unavailable');
    others[0]!.body.end();
    expect(await others[0]!.outcome).toBe(500_000);
    const next = start();
    next.body.end();
    expect(await next.outcome).toBe(0);
  });

  test('fast uploads of one network end if they take all slots, but not in favour of the same network', async () => {
    const { start, settle, pass } = openArrivals();
    const few = [start(null, 1), start(null, 1)];
    const flood = Array.from({ length: MAX_ARRIVING_UPLOADS - 2 }, () => start(null, 9));
    for (const { body } of [...few, ...flood]) body.send(500_000);
    await settle();
    pass(10_000);
    const next = start(null, 2);
    next.body.end();
    expect(await next.outcome).toBe(0);
    expect(await flood[0]!.outcome).toBe('request_timeout');
    start(null, 9);
    await settle();
    expect(await start(null, 9).outcome).toBe('unavailable');
    for (const { body } of few) body.end();
    expect(await Promise.all(few.map(({ outcome }) => outcome))).toEqual([500_000, 500_000]);
  });

  test('memory is taken from the network that holds the most, even if its uploads are the fastest', async () => {
    const { start, settle, pass } = openArrivals();
    const phone = start(null, 1);
    phone.body.send(100_000);
    await settle();
    pass(30_000);
    const flood = Array.from({ length: 8 }, () => start(null, 9));
    for (const { body } of flood) body.send(MAX_ARRIVING_BYTES / 8);
    await settle();
    phone.body.send(100_000);
    await settle();
    phone.body.end();
    expect(await phone.outcome).toBe(200_000);
    expect(await flood[0]!.outcome).toBe('request_timeout');
  });

  test('uploads that hold many bytes without finishing end when the memory is needed', async () => {
    const { start, settle, pass } = openArrivals();
    const held = Array.from({ length: 8 }, start);
    for (const { body } of held) body.send(MAX_ARRIVING_BYTES / 8);
    await settle();
    pass(60_000);
    const next = start();
    next.body.send(1_000);
    await settle();
    next.body.end();
    expect(await next.outcome).toBe(1_000);
    const [first, ...rest] = await Promise.all(
      held.map(({ body, outcome }) => {
        body.end();
        return outcome;
      }),
    );
    expect(first).toBe('request_timeout');
    expect(rest).toEqual(rest.map(() => MAX_ARRIVING_BYTES / 8));
  });
});
