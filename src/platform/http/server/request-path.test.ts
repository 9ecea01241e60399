import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../../test/support/cpu-time.ts';
import { routedPath, UNROUTED } from './request-path.ts';

describe('the path by which a request is routed', () => {
  test.each([
    ['/'],
    ['/dashboard/settings/members'],
    ['/account/data.json'],
    ['/api/v1/operator/accounts/ada@example.com'],
    ['/api/v1/operator/accounts/ada%40example.com'],
    ['/l/caf%C3%A9'],
    ['/desk/x%2fy%5C'],
    ['/%2573ettings'],
    ['/a;b=c'],
    ['/...'],
  ])('is the path as sent, if it is in normal form: %s', (path) => {
    expect(routedPath(path)).toBe(path);
    expect(routedPath(`${path}?next=//x&y=%73`)).toBe(path);
  });

  test.each([
    ['an unreserved character, encoded', '/dashboard/%73ettings'],
    ['an upper-case one', '/%44ashboard'],
    ['an encoded hyphen', '/sign%2Din'],
    ['an empty segment', '//dashboard'],
    ['an empty segment inside', '/dashboard//settings'],
    ['a trailing slash', '/dashboard/'],
    ['a dot segment', '/dashboard/./settings'],
    ['a parent segment', '/dashboard/x/../settings'],
    ['a dot segment at the end', '/dashboard/..'],
    ['an encoded dot segment', '/dashboard/%2e/settings'],
    ['a half-encoded parent segment', '/dashboard/.%2e/settings'],
    ['a backslash', '/dashboard\\settings'],
    ['an overlong encoding', '/dashboard/%c1%b3ettings'],
    ['an overlong slash', '/dashboard%c0%afsettings'],
    ['invalid UTF-8', '/%ff'],
    ['half an escape', '/dashboard/%7'],
    ['no escape', '/dashboard/%zz'],
    ['U+0000', '/dashboard%00'],
    ['a line break', '/dashboard%0a'],
    ['a raw non-ASCII byte', '/dashboard/\u00e9'],
    ['a fragment', '/dashboard#x'],
    ['no slash', 'dashboard'],
    ['nothing', ''],
  ])('is none for %s', (_, target) => {
    expect(routedPath(target)).toBe(UNROUTED);
  });

  test('is computed in linear time', async () => {
    // A quadratic function takes seconds.
    const maxMs = 50;
    for (const unit of ['/', '%41', '%2f', 'a/', '.', './', 'é', '%']) {
      const path = `/${unit.repeat(64 * 1024)}`;
      expect(await cpuMsOf(() => routedPath(path), maxMs), unit).toBeLessThanOrEqual(maxMs);
    }
  });
});
