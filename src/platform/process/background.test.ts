import { expect, test } from 'vitest';
import { createBackground } from './background.ts';

test('drained() aborts running work, waits for it and reports its error', async () => {
  const failures: unknown[] = [];
  const background = createBackground((error) => failures.push(error));
  const ended: string[] = [];
  background.start(async (signal) => {
    await new Promise((done) => signal.addEventListener('abort', done));
    ended.push('asked to end');
    throw new Error('cut off');
  });
  await background.drained();
  expect(ended).toEqual(['asked to end']);
  expect(failures).toEqual([new Error('cut off')]);
});
