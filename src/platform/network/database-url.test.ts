import { describe, expect, test } from 'vitest';
import { hostSelectionProblem, hostUrls, splitPassword, withPassword } from './database-url.ts';

describe('hostUrls', () => {
  test.each([
    ['postgres://u:p@db.example/claims', ['postgres://u:p@db.example/claims']],
    [
      'postgres://u:p@db.example/claims?sslmode=require',
      ['postgres://u:p@db.example/claims?sslmode=require'],
    ],
    ['postgres://db.example/claims?target_session_attrs=any', ['postgres://db.example/claims']],
    [
      'postgres://u:p%40x@one:5433,two/claims?target_session_attrs=read-write&sslmode=require',
      ['postgres://u:p%40x@one:5433/claims?sslmode=require', 'postgres://u:p%40x@two/claims?sslmode=require'],
    ],
    [
      'postgresql://[::1]:5432,[fd00::2]:5433/claims?target_session_attrs=primary',
      ['postgresql://[::1]:5432/claims', 'postgresql://[fd00::2]:5433/claims'],
    ],
  ])('splits %s into one URL per host', (url, urls) => {
    expect(hostUrls(url)).toEqual(urls);
  });
});

describe('hostSelectionProblem', () => {
  test.each([
    'postgres://one/claims',
    'postgres://one/claims?target_session_attrs=any',
    'postgres://one/claims?target_session_attrs=read-write',
    'postgres://one,two/claims?target_session_attrs=read-write',
    'postgres://one,two/claims?sslmode=require&target_session_attrs=primary#x',
  ])('accepts %s', (url) => {
    expect(hostSelectionProblem(url)).toBeNull();
  });

  test.each([
    ['postgres://one,two/claims', /several hosts; add target_session_attrs=read-write/],
    ['postgres://one,two/claims?target_session_attrs=any', /several hosts/],
    [
      'postgres://one,two/claims?target_session_attrs=standby',
      /target_session_attrs=standby; set it to read-write/,
    ],
    ['postgres://one/claims?target_session_attrs=read-only', /target_session_attrs=read-only/],
    ['postgres:///claims?host=one,two&target_session_attrs=read-write', /in its host parameter/],
    ['postgres://one,two/claims?host=three&target_session_attrs=read-write', /in its host parameter/],
    ['postgres://one,/claims?target_session_attrs=read-write', /an empty host, or the same host twice/],
    ['postgres://one,one/claims?target_session_attrs=read-write', /an empty host, or the same host twice/],
  ])('rejects %s: %s', (url, sentence) => {
    expect(hostSelectionProblem(url)).toMatch(sentence);
  });
});

describe('withPassword', () => {
  test('percent-encodes the password', () => {
    expect(withPassword('postgres://u@one,two/claims?sslmode=require', 'p@x')).toBe(
      'postgres://u:p%40x@one,two/claims?sslmode=require',
    );
  });

  test.each(['postgres://db/claims', 'postgres://u:p@db/claims', 'postgres://u@db/claims?password=p'])(
    'refuses %s, which has no user or has a password',
    (url) => {
      expect(withPassword(url, 'other')).toBeNull();
    },
  );
});

describe('splitPassword', () => {
  test.each([
    ['postgres://u@db/claims?sslmode=require', 'postgres://u@db/claims?sslmode=require', null],
    ['postgres:///claims?host=/tmp', 'postgres:///claims?host=/tmp', null],
    ['postgres://u:p%40x@one,two/claims', 'postgres://u@one,two/claims', 'p@x'],
    ['postgres://u@db/claims?password=p%40x', 'postgres://u@db/claims?', 'p@x'],
    [
      'postgres://u:first@db/claims?password=second&sslmode=require&password=third',
      'postgres://u@db/claims?sslmode=require&',
      'third',
    ],
  ])('takes the password out of %s', (url, withoutPassword, password) => {
    expect(splitPassword(url)).toEqual({ url: withoutPassword, password });
  });
});
