import { describe, expect, test } from 'vitest';
import { invalid, Refusal } from '../../platform/errors.ts';
import { FormInput, newForm } from './form-state.ts';

const parseWord = (text: string): string => {
  if (!/^\w+$/.test(text)) throw invalid('Use only letters.');
  return text;
};
const form = (text: string) => new FormInput(new URLSearchParams(text));

describe('submitted forms', () => {
  test('are parsed if every field is valid', () => {
    const input = form('name=ada&size=3');
    expect(input.read({ name: parseWord, size: Number })).toEqual({ name: 'ada', size: 3 });
    expect(input.isFine).toBe(true);
  });

  test('report every invalid field and preserve the input', () => {
    const input = form('a=%3Cb%3E&b=+&c=fine');
    expect(input.read({ a: parseWord, b: parseWord, c: parseWord })).toBeNull();
    expect(input.problems.map(({ field }) => field)).toEqual(['a', 'b']);
    expect([input.text('a'), input.text('b'), input.text('c')]).toEqual(['<b>', ' ', 'fine']);
    expect([input.problemOf('a'), input.problemOf('c')]).toEqual(['Use only letters.', null]);
  });

  test('rethrow errors other than refusals', () => {
    const broken = () => {
      throw new TypeError('a bug');
    };
    expect(() => form('a=1').read({ a: broken })).toThrow(TypeError);
  });

  test('record a refused action as a problem of the given field, and rethrow an outage', async () => {
    const input = form('slug=notes');
    const refuse = (code: 'invalid_request' | 'unavailable') => async () => {
      throw new Refusal(code, 'Taken.');
    };
    expect(await input.attempt('slug', refuse('invalid_request'))).toBeNull();
    expect(input.problemOf('slug')).toBe('Taken.');
    expect(await input.attempt('slug', async () => 7)).toBe(7);
    await expect(input.attempt('slug', refuse('unavailable'))).rejects.toThrow(Refusal);
  });

  test('need no summary if the only problem belongs to the only visible field', () => {
    const input = form('word=%3Cb%3E');
    expect(input.isSoleProblem).toBe(false);
    input.read({ word: parseWord });
    expect(input.isSoleProblem).toBe(false);
    input.hasOnly('word');
    expect(input.isSoleProblem).toBe(true);
    input.refuse(null, 'It has changed since.');
    expect(input.isSoleProblem).toBe(false);
  });

  test('have status 200 if valid, 422 if invalid and 429 if rate limited', async () => {
    const input = form('word=%3Cb%3E');
    expect(input.status).toBe(200);
    input.read({ word: parseWord });
    expect(input.status).toBe(422);
    const refuse = async () => {
      throw new Refusal('rate_limited', 'Try again in a minute.');
    };
    await input.attempt(null, refuse);
    expect(input.status).toBe(429);
  });
});

describe('a field that is too long', () => {
  const long = (length: number) =>
    new FormInput(new URLSearchParams({ a: 'x'.repeat(length), b: 'fine' }), { a: 5 });

  test('is a problem from the start; no parser and no verb runs, and nothing typed is lost', async () => {
    const input = long(11);
    let calls = 0;
    const count = () => (calls += 1);
    expect(input.read({ a: count })).toBeNull();
    expect(await input.attempt(null, async () => count())).toBeNull();
    expect([calls, input.text('a'), input.typed('a').length, input.text('b'), input.status]).toEqual([
      0,
      '',
      11,
      'fine',
      422,
    ]);
    input.refuse('a', 'Empty.');
    expect(input.problems.map(({ field, sentence }) => [field, String(sentence)])).toEqual([
      ['a', 'This field has 11 characters; at most 5 are allowed.'],
    ]);
  });

  test('may have two code units for each character, and 300 characters if it is not listed', () => {
    expect(long(10).isFine).toBe(true);
    const other = (length: number) => new FormInput(new URLSearchParams({ toString: 'x'.repeat(length) }));
    expect([other(600).isFine, other(601).isFine]).toEqual([true, false]);
  });

  test('stays a problem when stored values are merged into the form', () => {
    expect(long(11).with({ b: 'stored' }).isFine).toBe(false);
  });
});

test('a new form contains the given values and ignores inherited properties', () => {
  const state = newForm({ name: 'ada' });
  expect([state.typed('name'), state.typed('toString'), state.problems]).toEqual(['ada', '', []]);
});
