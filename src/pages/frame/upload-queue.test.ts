import { expect, test } from 'vitest';
import type { Refusal } from '../../platform/errors.ts';
import { createUploadQueue, MAX_PROCESSED_UPLOADS, MAX_WAITING_UPLOADS } from './upload-queue.ts';

const ALL = MAX_PROCESSED_UPLOADS + MAX_WAITING_UPLOADS;

function openQueue() {
  let now = 0;
  const queue = createUploadQueue(() => now);
  const begun: { readonly name: string; end(): void }[] = [];
  const upload = (personId: string, name = personId): Promise<string> =>
    queue(personId, () => new Promise<string>((end) => begun.push({ name, end: () => end('done') }))).catch(
      (error: Refusal) => error.code,
    );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  /** Ends each upload that has begun, `ms` after the previous one, until none is left. */
  async function endAll(ms: number): Promise<string[]> {
    const names: string[] = [];
    await settle();
    for (let next = begun.shift(); next !== undefined; next = begun.shift()) {
      now += ms;
      names.push(next.name);
      next.end();
      await settle();
    }
    return names;
  }
  return { upload, endAll, settle, begun, pass: (ms: number) => (now += ms) };
}

test('uploads of different people are processed in the order of their arrival', async () => {
  const { upload, endAll } = openQueue();
  const people = Array.from({ length: ALL }, (_, at) => `person ${at}`);
  const outcomes = people.map((person) => upload(person));
  expect(await endAll(10)).toEqual(people);
  expect(await Promise.all(outcomes)).toEqual(people.map(() => 'done'));
});

test('a few people with pictures that take long cannot keep another person waiting or out', async () => {
  const { upload, endAll, settle, begun } = openQueue();
  const few = ['eve 1', 'eve 2', 'eve 3', 'eve 4'];
  for (let round = 0; round < 2; round += 1) {
    const outcomes = few.flatMap((person) => [upload(person), upload(person)]);
    await endAll(2_000);
    await Promise.all(outcomes);
  }
  const flood = Array.from({ length: ALL }, (_, at) => upload(few[at % 4]!, `flood ${at}`));
  const ada = upload('ada', 'ada');
  await settle();
  begun[0]!.end();
  await settle();
  // Two had begun before.
  expect(begun.at(-1)!.name).toBe('ada');
  await endAll(1);
  expect(await ada).toBe('done');
  const outcomes = await Promise.all(flood);
  expect(outcomes.filter((outcome) => outcome === 'unavailable')).toHaveLength(1);
});

test('above the limit, the newest upload is refused if nobody has used more time', async () => {
  const { upload, endAll } = openQueue();
  const outcomes = Array.from({ length: ALL + 2 }, (_, at) => upload(`person ${at}`));
  await endAll(10);
  const expected = [...Array(ALL).fill('done'), 'unavailable', 'unavailable'];
  expect(await Promise.all(outcomes)).toEqual(expected);
});

test('what a person has used is forgotten', async () => {
  const { upload, endAll, pass } = openQueue();
  const first = upload('eve');
  await endAll(60_000);
  await first;
  pass(24 * 60 * 60_000);
  const names = ['a', 'b', 'eve', 'c'];
  const outcomes = names.map((name) => upload(name));
  expect(await endAll(1)).toEqual(names);
  await Promise.all(outcomes);
});
