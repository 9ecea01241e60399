import { expect, test } from 'vitest';
import { isStale } from './errors.ts';

const failure = (message: string, members: object) => Object.assign(new Error(message), members);

test('a cached plan that a migration invalidated is stale, but an unsupported statement is not', () => {
  const code = '0A000';
  const routine = 'RevalidateCachedQuery';
  expect(isStale(failure('zwischengespeicherter Plan …', { code, routine }))).toBe(true);
  expect(isStale(failure('the statement is not supported', { code }))).toBe(false);
});
