import { describe, expect, it } from 'vitest';
import { typedPath } from './typed-paths.ts';

describe('an address that a person typed or pasted', () => {
  it.each([
    ['/l/ada-notes/', '', '/l/ada-notes'],
    ['/l/Ada-Notes', '?via=news', '/l/ada-notes?via=news'],
    ['//l/ada-notes', '', '/l/ada-notes'],
    ['/L/Ada-2-Notes//', '?via=a%20b', '/l/ada-2-notes?via=a%20b'],
    ['/docs/', '', '/docs'],
    ['/Dashboard/Keys/', '?mode=test', '/dashboard/keys?mode=test'],
    ['/l/ada-notes.', '', '/l/ada-notes'],
    ['/l/ada-notes),', '', '/l/ada-notes'],
    ['/l/ada-notes%20', '', '/l/ada-notes'],
    ['/l/ada-notes%3E', '', '/l/ada-notes'],
    ['/l/ada-notes%E2%80%8B', '', '/l/ada-notes'],
    ['/l/ada-notes%3Fvia%3Dnews', '', '/l/ada-notes?via=news'],
    ['/l/ada-notes%3fvia=news', '?utm_source=x', '/l/ada-notes?via=news&utm_source=x'],
    ['/index.html', '', '/'],
    ['/Login/', '?next=%2Fclaims', '/sign-in?next=%2Fclaims'],
    ['/signup', '', '/sign-up'],
    ['/register', '', '/sign-up'],
    ['/admin', '', '/desk'],
    // Never another site.
    ['//evil.example', '', '/evil.example'],
    ['/\\evil.example', '', '/evil.example'],
    ['/%5Cevil.example', '', '/evil.example'],
    ['/%5C%5c/evil.example/', '', '/evil.example'],
    ['///', '', '/'],
  ])('%s%s leads to %s, which leads nowhere else', (path, search, meant) => {
    expect(typedPath(path, search)).toBe(meant);
    const { pathname, search: kept } = new URL(meant, 'http://self.invalid');
    expect(typedPath(pathname, kept)).toBeNull();
  });

  it.each([
    ['/', ''],
    ['/nothing', '?x=/'],
    ['/l/no-such-listing', '?via=news.'],
    ['/dashboard/requests/req_AbC1', ''],
    [`/${'x/'.repeat(400)}`, ''],
  ])('%s%s is as it should be, or too long', (path, search) => {
    expect(typedPath(path, search)).toBeNull();
  });
});
