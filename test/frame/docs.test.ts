import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = ['*.md', 'docs/**/*.md'];
/** What is made at build or run time and so is in no checkout. */
const MADE = /^(dist|data|node_modules|bench\/results)\b/;

/** The paths of the repository that a text names in backticks, fenced blocks left out. */
function namedPaths(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)]
    .map((match) => match[1]!.replace(/^\.\//, ''))
    .filter((code) => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(code))
    .filter(
      (code) =>
        /^(src|test|docs|bench|bin|scripts|\.ci)\//.test(code) ||
        /^[\w-][\w.-]*\.(md|json|yaml|config\.ts)$/.test(code),
    )
    .filter((code) => !MADE.test(code));
}

const missingPaths = (markdown: string): readonly string[] =>
  namedPaths(markdown).filter((path) => !existsSync(`${ROOT}${path}`));

describe('the paths that the documents name', () => {
  const documents = globSync(DOCUMENTS, { cwd: ROOT });

  it('are in some document at all', () => {
    const all = documents.flatMap((path) => namedPaths(readFileSync(`${ROOT}${path}`, 'utf8')));
    expect(all.length).toBeGreaterThan(10);
  });

  it.each(documents)('exist in %s', (path) => {
    expect(missingPaths(readFileSync(`${ROOT}${path}`, 'utf8'))).toEqual([]);
  });

  it('are found missing where they are', () => {
    const text =
      'See `src/errors.ts`, `src/gone.ts`, `docs/`, `gone.json` and `dist/main.js`; call `/readyz`.\n```\n`src/fenced.ts`\n```\n';
    expect(missingPaths(text)).toEqual(['src/gone.ts', 'gone.json']);
  });
});
