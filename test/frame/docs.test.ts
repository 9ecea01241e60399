import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** What a text links to or shows from the repository, as paths from its own folder. */
const linkedPaths = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/\]\(([^)\s#]+)[^)]*\)|\bsrc(?:set)?="([^"]+)"/g)]
    .map(([, link, source]) => (link ?? source)!)
    .filter((target) => !/^[a-z]+:/.test(target));

describe('the paths that the documents name', () => {
  const documents = globSync(DOCUMENTS, { cwd: ROOT });

  it('are found in the documents', () => {
    const all = documents.flatMap((path) => namedPaths(readFileSync(`${ROOT}${path}`, 'utf8')));
    expect(all.length).toBeGreaterThan(10);
  });

  it.each(documents)('all exist: %s', (path) => {
    expect(missingPaths(readFileSync(`${ROOT}${path}`, 'utf8'))).toEqual([]);
  });

  it.each(documents)('in the links and pictures of %s exist', (path) => {
    const targets = linkedPaths(readFileSync(`${ROOT}${path}`, 'utf8'));
    const missing = targets.filter((target) => !existsSync(join(ROOT, dirname(path), target)));
    expect(missing).toEqual([]);
  });

  it('are reported where they are missing', () => {
    expect(linkedPaths('[a](gone.md#part) <img src="gone.png"> [b](https://example.com)')).toEqual([
      'gone.md',
      'gone.png',
    ]);
    const text =
      'See `src/errors.ts`, `src/gone.ts`, `docs/`, `gone.json` and `dist/main.js`; call `/readyz`.\n```\n`src/fenced.ts`\n```\n';
    expect(missingPaths(text)).toEqual(['src/gone.ts', 'gone.json']);
  });
});
