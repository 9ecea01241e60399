import type { ServerResponse } from 'node:http';
import { setImmediate as pass, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { beginVerification, endVerification, startLater, yieldToEventLoop } from '../../process/yielding.ts';
import { createSlots, regainSlot, releaseSlot, type SlotLimits } from './slots.ts';

const LIMITS: SlotLimits = {
  slots: 2,
  heldMs: 60_000,
  maxWithoutSlot: 10,
  maxWaiting: 100,
  maxWaitMs: 60_000,
};

/** A queue of requests. Each `leave` ends the oldest running request. */
function openQueue(limits: Partial<SlotLimits> = {}) {
  const slots = createSlots({ ...LIMITS, ...limits });
  const begun: string[] = [];
  const refused: string[] = [];
  const leaving: (() => void)[] = [];
  return {
    begun,
    refused,
    enter: (name: string, response = new EventTarget()) =>
      slots.enter({
        network: name.split('-', 1)[0]!,
        response: Object.assign(response, {
          once: () => {},
          destroyed: false,
          ...response,
        }) as unknown as ServerResponse,
        begin: (leave) => {
          begun.push(name);
          leaving.push(leave);
        },
        refuse: () => void refused.push(name),
      }),
    leave: async () => {
      leaving.shift()?.();
      await passes();
    },
  };
}

const passes = async () => {
  for (let i = 0; i < 10; i++) await pass();
};

describe('request queue', () => {
  test('starts a few requests at a time and lets networks take turns', async () => {
    const { enter, leave, begun } = openQueue();
    for (let i = 0; i < 50; i++) enter(`flood-${i}`);
    enter('person-0');
    enter('other-0');
    await passes();
    expect(begun).toEqual(['flood-0', 'flood-1']);
    for (let i = 0; i < 3; i++) await leave();
    expect(begun.slice(2)).toEqual(['flood-2', 'person-0', 'other-0']);
  });

  test('rejects requests from the network with the longest queue if too many requests are waiting', async () => {
    const { enter, refused } = openQueue({ maxWaiting: 5 });
    for (let i = 0; i < 7; i++) enter(`flood-${i}`);
    enter('person-0');
    enter('other-0');
    await passes();
    expect(refused).toEqual(['flood-6', 'flood-5']);
  });

  test('rejects the newest request if every network has one request waiting', async () => {
    const { enter, refused } = openQueue({ maxWaiting: 3 });
    for (const network of ['a', 'b', 'c', 'd', 'e', 'f']) enter(`${network}-0`);
    await passes();
    expect(refused).toEqual(['f-0']);
  });

  test('starts another request instead of a slow one until too many slow requests are running', async () => {
    const { enter, begun } = openQueue({ heldMs: 1, maxWithoutSlot: 3 });
    for (let i = 0; i < 10; i++) enter(`slow-${i}`);
    await sleep(200);
    await passes();
    // The first two release their slots, and two more start. Once three are slow, no more start.
    expect(begun).toEqual(['slow-0', 'slow-1', 'slow-2', 'slow-3']);
  });

  const newResponse = () => new EventTarget() as unknown as ServerResponse;

  test('lets a request that has released its slot take turns with other networks again', async () => {
    const { enter, leave, begun } = openQueue({ slots: 1 });
    const flood = [newResponse(), newResponse(), newResponse()];
    for (const [at, response] of flood.entries()) {
      enter(`flood-${at}`, response as unknown as EventTarget);
      await passes();
      releaseSlot(response);
    }
    enter('busy-0');
    for (const [at, response] of flood.entries()) {
      void regainSlot(response).then((isRegained) => begun.push(`flood-${at} again: ${isRegained}`));
    }
    enter('person-0');
    await passes();
    expect(begun.slice(3)).toEqual(['busy-0']);
    for (let i = 0; i < 4; i++) await leave();
    expect(begun.slice(4)).toEqual(['flood-0 again: true']);
    releaseSlot(flood[0]!);
    await passes();
    expect(begun.slice(5)).toEqual(['person-0']);
  });

  test('rejects a request that has released its slot and gets no other in time', async () => {
    const { enter, leave, refused } = openQueue({ slots: 1, maxWaitMs: 20 });
    const response = newResponse();
    enter('a-0', response as unknown as EventTarget);
    await passes();
    releaseSlot(response);
    enter('b-0');
    const regained = regainSlot(response);
    await sleep(50);
    for (let i = 0; i < 2; i++) await leave();
    expect([await regained, refused]).toEqual([false, ['a-0']]);
  });

  test('lets a request that holds a slot continue immediately', async () => {
    const { enter } = openQueue();
    const response = newResponse();
    enter('a-0', response as unknown as EventTarget);
    await passes();
    expect(await regainSlot(response)).toBe(true);
  });

  test('keeps the slot of a request whose client has disconnected until its response is ready', async () => {
    const { enter, leave, begun } = openQueue({ slots: 1 });
    const response = newResponse();
    const listeners: (() => void)[] = [];
    const once = (_: string, listener: () => void) => listeners.push(listener);
    enter('gone-0', Object.assign(response as unknown as EventTarget, { once }));
    enter('other-0');
    await passes();
    Object.assign(response, { destroyed: true });
    for (const listener of listeners) listener();
    await passes();
    expect(begun).toEqual(['gone-0']);
    await leave();
    expect(begun).toEqual(['gone-0', 'other-0']);
  });

  test('rejects a request that asks for another slot after its client has disconnected', async () => {
    const { enter } = openQueue();
    const response = newResponse();
    enter('a-0', response as unknown as EventTarget);
    await passes();
    releaseSlot(response);
    Object.assign(response, { destroyed: true });
    expect(await regainSlot(response)).toBe(false);
  });

  test('rejects a request that has waited too long', async () => {
    const { enter, leave, begun, refused } = openQueue({ slots: 1, maxWaitMs: 20 });
    enter('a-0');
    enter('b-0');
    await sleep(50);
    await leave();
    expect([begun, refused]).toEqual([['a-0'], ['b-0']]);
  });
});

describe('turns', () => {
  test('run one per event loop iteration, so incoming messages are handled in between', async () => {
    const order: string[] = [];
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => void order.push('message');
    const page = (name: string) => async () => {
      await yieldToEventLoop();
      order.push(name);
      port1.postMessage('a verification');
      const end = performance.now() + 2;
      while (performance.now() < end);
    };
    await Promise.all([page('first')(), page('second')(), page('third')()]);
    expect(order).toEqual(['first', 'message', 'second', 'message', 'third']);
    port1.close();
  });

  test('share an iteration if they start requests, but not for long', async () => {
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    onTestFinished(() => clock.mockRestore());
    const order: string[] = [];
    const start = () => startLater(() => order.push('start'));
    start();
    start();
    void yieldToEventLoop().then(() => order.push('render'));
    start();
    setImmediate(() => order.push('next iteration'));
    await passes();
    expect(order).toEqual(['start', 'start', 'render', 'next iteration', 'start']);
    let slow = 0;
    for (let n = 0; n < 10; n += 1) {
      startLater(() => {
        slow += 1;
        nowMs += 0.4;
      });
    }
    let ofFirstPass = 0;
    setImmediate(() => {
      ofFirstPass = slow;
    });
    await passes();
    expect(ofFirstPass).toBe(2);
  });

  test('start requests in the same iteration, although their responses are not ready', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const { enter, begun } = openQueue({ slots: 3 });
    for (const name of ['a', 'b', 'c']) enter(name);
    await pass();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  test('wait at most 10 ms for running verifications', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const order: string[] = [];
    beginVerification();
    beginVerification();
    const pages = ['first', 'second'].map((name) => yieldToEventLoop().then(() => order.push(name)));
    await pass();
    endVerification();
    await pass();
    expect(order).toEqual([]);
    endVerification();
    // Another verification starts and ends before the first turn runs.
    beginVerification();
    endVerification();
    await Promise.all(pages);
    expect(order).toEqual(['first', 'second']);

    beginVerification();
    const held = yieldToEventLoop().then(() => order.push('held'));
    await vi.advanceTimersByTimeAsync(9);
    expect(order).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    await held;
    endVerification();
  });
});
