import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { beginDownload, MAX_DOWNLOADS_OF_ACCOUNT, whileAllowed } from './downloads.ts';
import type { PageContext } from './pages.ts';

function download(accountId: string, destroyed = false) {
  const outgoing = Object.assign(new EventEmitter(), { destroyed });
  const headers = new Map<string, string>();
  const header = (name: string, value: string) => void headers.set(name, value);
  try {
    beginDownload({ env: { outgoing }, header } as unknown as PageContext, accountId);
    return { refusal: null, headers, end: () => outgoing.emit('close') };
  } catch (error) {
    return { refusal: (error as Error).message, headers, end: () => true };
  }
}

it('each account may have at most two downloads in progress', () => {
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

it('the process allows at most 64 concurrent downloads across all accounts', () => {
  const open = Array.from({ length: 64 }, (_, at) => download(`account ${at}`));
  expect(open.filter(({ refusal }) => refusal !== null)).toEqual([]);
  const next = download('another account');
  expect(next.refusal).toContain('Too many downloads are in progress.');
  expect(next.headers.get('Retry-After')).toBe('10');
  open[0]!.end();
  const later = download('another account');
  expect(later.refusal).toBeNull();
  for (const one of [...open.slice(1), later]) one.end();
});

it('a download whose client has already disconnected is not counted', () => {
  for (let i = 0; i < 10; i++) expect(download('ada', true).refusal).toBeNull();
  const one = download('ada');
  expect(one.refusal).toBeNull();
  one.end();
});

it('is cut soon after the role or session of the person has ended', async () => {
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
