/** A download lasts as long as its client reads: an account has few, and they take nothing from others. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { beginDownload, MAX_DOWNLOADS_OF_ACCOUNT } from '../../src/http/downloads.ts';
import { requireViewer } from '../../src/http/pages.ts';
import { OPERATOR, OWNER, startPages, type TestPages } from '../pages/support.ts';

let pages: TestPages;
beforeAll(async () => {
  pages = await startPages([
    (app) =>
      app.get('/endless', (c) => {
        beginDownload(c, requireViewer(c).accountId);
        return c.body(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(10)) }));
      }),
  ]);
});
afterAll(() => pages.close());

it('refuses a further download of an account until one has ended', async () => {
  pages.viewer = OWNER;
  const leaving = new AbortController();
  const ask = () => fetch(`${pages.url}/endless`, { signal: leaving.signal });
  // Kept, since `fetch` hangs up when nobody has the answer any more.
  const open: Response[] = [];
  for (let i = 0; i < MAX_DOWNLOADS_OF_ACCOUNT; i++) open.push(await ask());
  expect(open.map(({ status }) => status)).toEqual([200, 200]);
  const refused = await ask();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await refused.text()).toContain('Your account has 2 downloads under way.');
  pages.viewer = OPERATOR;
  const other = new AbortController();
  expect((await fetch(`${pages.url}/endless`, { signal: other.signal })).status).toBe(200);
  other.abort();
  pages.viewer = OWNER;
  leaving.abort();
  await vi.waitFor(async () => {
    const again = new AbortController();
    const { status } = await fetch(`${pages.url}/endless`, { signal: again.signal });
    again.abort();
    expect(status).toBe(200);
  });
});
