import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adviceOn, badNames, badNamesIn, REFUSED_WORDS } from './names.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

test('every name in src/ says what it holds', () => {
  const bad = badNames(ROOT).map(({ name, at, advice }) => `${at} ${name}: write ${advice}`);
  expect(bad, 'See “Words for names” in CONTRIBUTING.md').toEqual([]);
});

test('names of variables, parameters, functions, types and members are checked', () => {
  const source = `
    const { a: found = 1, ...kept } = x;
    function createPlaces(hasRoom, [taken]) {}
    interface Known { readonly made: string; admit(wanted: number): void }
    type PLACE_ORDER = (shown: number) => void;
    for (const many of all) each((told) => told);
  `;
  expect(badNamesIn('src/a.ts', source).map(({ name }) => name)).toEqual([
    'found',
    'kept',
    'createPlaces',
    'hasRoom',
    'taken',
    'Known',
    'made',
    'admit',
    'wanted',
    'PLACE_ORDER',
    'shown',
    'many',
    'told',
  ]);
});

test('other names pass', () => {
  for (const name of ['marketplace', 'isSentInPlace', 'foundClaim', 'placeholder', 'replace', 'unknownKeys'])
    expect(adviceOn(name)).toBeNull();
  expect(badNamesIn('src/a.ts', 'write({ found: 1, place: 2 }); x.known();')).toEqual([]);
});

test('CONTRIBUTING.md says what to write instead of every refused word', () => {
  const [, section = ''] = readFileSync(`${ROOT}CONTRIBUTING.md`, 'utf8').split('\n## Words for names\n');
  const table = section.split('\n## ')[0]!.toLowerCase();
  expect(
    REFUSED_WORDS.filter((word) => !table.includes(`\`${word}\``) && !/s$|ted$|sion$/.test(word)),
  ).toEqual([]);
});
