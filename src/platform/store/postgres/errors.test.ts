import { expect, test } from 'vitest';
import { isStale } from './errors.ts';

const failure = (message: string, members: object) => Object.assign(new Error(message), members);

test('isStale distinguishes a stale cached plan from an unsupported statement with the same SQLSTATE', () => {
  const code = '0A000';
  const routine = 'RevalidateCachedQuery';
  expect(isStale(failure('zwischengespeicherter Plan …', { code, routine }))).toBe(true);
  expect(isStale(failure('the statement is not supported', { code }))).toBe(false);
});
