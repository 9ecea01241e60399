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
    ['/l/ada-notes&via=news', '', '/l/ada-notes?via=news'],
    ['/l/Ada-Notes&utm_source=X', '?via=news', '/l/ada-notes?utm_source=X&via=news'],
    ['/l/ada-notes&amp;via=news&amp;x=y', '', '/l/ada-notes?via=news&x=y'],
    ['/l/ada-notes%26via%3DNews', '', '/l/ada-notes?via=News'],
    ['/l/ada-notes%26amp%3Bvia%3Dnews', '', '/l/ada-notes?via=news'],
    ['/l/ada-notes%253Fvia%253Dnews', '', '/l/ada-notes?via=news'],
    ['/l/ada-notes%EF%BC%9Fvia=news', '', '/l/ada-notes?via=news'],
    ['/l/ada-notes%ef%bc%9fvia%ef%bc%9dnews', '', '/l/ada-notes?via=news'],
    ['/l/ada-notes/&via=news', '', '/l/ada-notes?via=news'],
    ['/l/ada-notes%EF%BC%89', '', '/l/ada-notes'],
    ['/l/ada-notes%E3%80%82', '', '/l/ada-notes'],
    ['/l/ada-notes+', '', '/l/ada-notes'],
    ['/l/ada-notes%7C', '', '/l/ada-notes'],
    ['/docs%5C', '', '/docs'],
    ['/Docs/Verify.md/', '', '/docs/verify.md'],
    ['/l/ada-notes%3Fvia=news%23offer-1', '', '/l/ada-notes?via=news#offer-1'],
    ['/reset-password%23K7QX3M9TR', '', '/reset-password#K7QX3M9TR'],
    ['/docs/quickstart.html', '', '/docs/quickstart'],
    ['/docs/Index.htm', '?x=y', '/docs?x=y'],
    ['/index.php', '', '/'],
    ['/index.html', '', '/'],
    ['/Login/', '?next=%2Fclaims', '/sign-in?next=%2Fclaims'],
    ['/signup', '', '/sign-up'],
    ['/register', '', '/sign-up'],
    ['/admin', '', '/desk'],
    ['/%64ocs', '', '/docs'],
    ['/%44ocs/%71uickstart', '?q=%64', '/docs/quickstart?q=%64'],
    ['/%2564ocs', '', '/docs'],
    ['/l/ada%2Dnotes', '?via=news', '/l/ada-notes?via=news'],
    ['/docs/verify%2emd', '', '/docs/verify.md'],
    ['/sign-in%2Flink', '?next=%2Fclaims', '/sign-in/link?next=%2Fclaims'],
    ['/sign-in%252flink', '', '/sign-in/link'],
    ['/docs%2Fquickstart%2F', '', '/docs/quickstart'],
    ['/docs%2F%2Fquickstart%3Fq=%2F', '', '/docs/quickstart?q=%2F'],
    // Never another site.
    ['/%2F%2Fevil.example', '', '/evil.example'],
    ['/%2F%5Cevil.example', '', '/evil.example'],
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
    // No listing has this name.
    ['/l/Caf%C3%A9', ''],
    ['/l/ada%2520Notes', ''],
    ['/l/Ada/Notes', ''],
    [`/${'x/'.repeat(400)}`, ''],
  ])('%s%s is as it should be, or too long', (path, search) => {
    expect(typedPath(path, search)).toBeNull();
  });
});
