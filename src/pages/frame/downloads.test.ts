import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { rememberClient } from '../../platform/http/server/client-address.ts';
import { beginDownload, MAX_DOWNLOADS_OF_ACCOUNT, whileAllowed } from './downloads.ts';
import type { PageContext } from './pages.ts';

let nowMs = 0;
const NOT_FORWARDED = { forwardedFor: undefined, forwardedElements: undefined };

interface Client {
  readonly network?: string;
  readonly isGone?: boolean;
}

/** Begins a download whose client reads nothing, unless `read` or `wait` is called. */
function download(accountId: string, { network = '192.0.2.1', isGone = false }: Client = {}) {
  const socket = { bytesWritten: 0, writableLength: 0, remoteAddress: network };
  const outgoing = Object.assign(new EventEmitter(), {
    ...{ socket, writableLength: 16_384, destroyed: isGone },
    destroy: () => {
      outgoing.destroyed = true;
      outgoing.emit('close');
    },
  });
  const incoming = { socket };
  rememberClient(incoming as IncomingMessage, NOT_FORWARDED, () => false);
  const headers = new Map<string, string>();
  const header = (name: string, value: string) => void headers.set(name, value);
  const one = {
    headers,
    end: () => void outgoing.emit('close'),
    isCut: () => outgoing.destroyed,
    read: (bytes: number) => {
      socket.bytesWritten += bytes;
    },
    /** The client waits for the service. */
    wait: () => {
      outgoing.writableLength = 0;
    },
  };
  try {
    beginDownload({ env: { incoming, outgoing }, header } as unknown as PageContext, accountId, () => nowMs);
    return { ...one, refusal: null };
  } catch (error) {
    return { ...one, refusal: (error as Error).message };
  }
}

test('each account may have at most two downloads in progress', () => {
  const open = Array.from({ length: MAX_DOWNLOADS_OF_ACCOUNT }, () => download('ada'));
  expect(open.map(({ refusal }) => refusal)).toEqual([null, null]);
  const third = download('ada');
  expect(third.refusal).toContain('Your account has 2 downloads in progress.');
  expect(third.headers.get('Retry-After')).toBe('10');
  const other = download('ben');
  expect(other.refusal).toBeNull();
  open[0]!.end();
  const next = download('ada');
  expect(next.refusal).toBeNull();
  for (const one of [open[1]!, next, other]) one.end();
});

/** Takes all 64 slots: two for each account. */
const takeAll = (networkOf: (at: number) => string) =>
  Array.from({ length: 64 }, (_, at) => download(`account ${at >> 1}`, { network: networkOf(at) }));

test('the process allows at most 64 concurrent downloads across all accounts', () => {
  const open = takeAll((at) => `192.0.2.${at}`);
  expect(open.filter(({ refusal }) => refusal !== null)).toEqual([]);
  const next = download('another account');
  expect(next.refusal).toContain('Too many downloads are in progress.');
  expect(next.headers.get('Retry-After')).toBe('10');
  open[0]!.end();
  const later = download('another account');
  expect(later.refusal).toBeNull();
  for (const one of [...open.slice(1), later]) one.end();
});

test('if all slots are taken, the download that its client reads most slowly is cut for the next one', () => {
  const open = takeAll((at) => `192.0.2.${at}`);
  for (const [at, one] of open.entries()) if (at !== 7) one.read(at === 40 ? 10 : 100);
  open[7]!.wait();
  nowMs += 10_000;
  const next = download('another account');
  expect(next.refusal).toBeNull();
  expect(open.flatMap((one, at) => (one.isCut() ? [at] : []))).toEqual([40]);
  // No client is slow: those that wait for the service don't count.
  for (const one of open) one.read(1_000_000);
  expect(download('a third account').refusal).toContain('Too many downloads are in progress.');
  for (const one of [...open, next]) one.end();
});

test('a client that read fast at first is cut if it reads slowly when others wait', () => {
  const open = takeAll((at) => `192.0.2.${at}`);
  for (const one of open) one.read(5_000_000);
  nowMs += 60_000;
  expect(download('another account').refusal).toContain('Too many downloads are in progress.');
  nowMs += 10_000;
  for (const one of open.slice(1)) one.read(1_000_000);
  const next = download('another account');
  expect(next.refusal).toBeNull();
  expect(open.flatMap((one, at) => (one.isCut() ? [at] : []))).toEqual([0]);
  for (const one of [...open, next]) one.end();
});

test('fast clients of one network cannot hold all slots', () => {
  const open = takeAll((at) => (at < 2 ? '192.0.2.1' : `2001:db8:9:${at}::1`));
  for (const one of open) one.read(1_000_000);
  nowMs += 10_000;
  const next = download('another account', { network: '192.0.2.2' });
  expect(next.refusal).toBeNull();
  expect(open.flatMap((one, at) => (one.isCut() ? [at] : []))).toEqual([2]);
  // Another download of that network doesn’t end a download of the same network.
  expect(download('a third account', { network: '2001:db8:9::1' }).refusal).toContain('Too many downloads');
  for (const one of [...open, next]) one.end();
});

test('a download whose client has already disconnected is not counted', () => {
  for (let i = 0; i < 10; i++) expect(download('ada', { isGone: true }).refusal).toBeNull();
  const one = download('ada');
  expect(one.refusal).toBeNull();
  one.end();
});

test('is cut soon after the role or session of the person has ended', async () => {
  let isAllowed = true;
  let atMs = 0;
  const destroy = vi.fn();
  const c = {
    get: () => async () => isAllowed,
    env: { outgoing: { destroy } },
  } as unknown as PageContext;
  async function* chunks() {
    for (let chunk = 0; ; chunk += 1) yield chunk;
  }
  const sent: number[] = [];
  for await (const chunk of whileAllowed(c, chunks(), () => atMs)) {
    sent.push(chunk);
    atMs += 500;
    if (chunk === 9) isAllowed = false;
  }
  expect(destroy).toHaveBeenCalledOnce();
  // Each chunk takes half a second here, and the role is checked every two seconds.
  expect(sent.length).toBeGreaterThanOrEqual(10);
  expect(sent.length).toBeLessThanOrEqual(14);
});
