import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PATHS = 'src/base/paths.ts';
const read = (file: string): string => readFileSync(ROOT + file, 'utf8');

/** The first segments of the paths of pages, such as `dashboard`. */
const SEGMENTS = new Set([...read(PATHS).matchAll(/['`]\/([a-z][a-z-]*)/g)].map(([, segment]) => segment!));

/** A path in a literal, also after a base URL and in the text of an element. */
const LITERAL = new RegExp(`(?:['"\`>]|(?<!_PATH)})/(?:${[...SEGMENTS].join('|')})(?=[/?#'"\`<$]|$)`, 'm');

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const hasLiteralPath = (text: string): boolean => LITERAL.test(withoutComments(text));

test('pages, letters and notices take the paths of pages from one file', () => {
  expect([...SEGMENTS]).toEqual(
    expect.arrayContaining(['account', 'dashboard', 'desk', 'docs', 'l', 'sign-in']),
  );
  const files = globSync('src/{marketplace,people,claims,background,pages,app}/**/*.{ts,tsx}', {
    cwd: ROOT,
  });
  expect(files.length).toBeGreaterThan(300);
  const literal = files.filter((file) => !file.endsWith('.test.ts') && hasLiteralPath(read(file)));
  expect(literal, `Add the path to ${PATHS}, and use it`).toEqual([]);
});

test.each([
  [`<a href="/account">`, true],
  [`\${baseUrl}/desk/listings/\${id}`, true],
  ["'/dashboard'", true],
  ['<bdi>/l/{slug}</bdi>', true],
  ["import { page } from '../desk/pages.tsx';", false],
  ['/** Served at `/desk`. */', false],
  ["'/api/v1/operator/accounts'", false],
])('%s has a literal path: %s', (text, expected) => {
  expect(hasLiteralPath(text)).toBe(expected);
});
