import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = ['*.md', 'docs/**/*.md', 'src/**/*.md'];
/** Paths that are created at build or run time. */
const MADE = /^(dist|data|node_modules|bench\/results)\b/;

/** Repository paths in backticks, except in fenced code blocks. */
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

/** The folders and source files that a README in `src/` names by their paths or names below its folder. */
const shortPaths = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/`([a-z][\w-]*(?:\/[\w-]+)*(?:\.tsx?|\/))`/g)]
    .map((match) => match[1]!)
    .filter((path) => !/^(?:src|test|docs|bench|bin|scripts)\//.test(path));

/** Relative paths in links and images. */
const linkedPaths = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/\]\(([^)\s#]+)[^)]*\)|\bsrc(?:set)?="([^"]+)"/g)]
    .map(([, link, source]) => (link ?? source)!)
    .filter((target) => !/^[a-z]+:/.test(target));

describe('paths in Markdown documents', () => {
  const documents = globSync(DOCUMENTS, { cwd: ROOT });

  test('are found in backticks', () => {
    const all = documents.flatMap((path) => namedPaths(readFileSync(`${ROOT}${path}`, 'utf8')));
    expect(all.length).toBeGreaterThan(10);
  });

  test.each(documents)('%s: paths in backticks exist', (path) => {
    expect(missingPaths(readFileSync(`${ROOT}${path}`, 'utf8'))).toEqual([]);
  });

  test.each(documents)('%s: paths in links and images exist', (path) => {
    const targets = linkedPaths(readFileSync(`${ROOT}${path}`, 'utf8'));
    const missing = targets.filter((target) => !existsSync(join(ROOT, dirname(path), target)));
    expect(missing).toEqual([]);
  });

  test.each(globSync('src/**/README.md', { cwd: ROOT }))('%s: files that it names exist', (path) => {
    const folder = join(ROOT, dirname(path));
    const missing = shortPaths(readFileSync(`${ROOT}${path}`, 'utf8')).filter(
      (name) => globSync([name, `**/${name}`], { cwd: folder }).length === 0,
    );
    expect(missing).toEqual([]);
  });

  test('are reported if they do not exist', () => {
    expect(linkedPaths('[a](gone.md#part) <img src="gone.png"> [b](https://example.com)')).toEqual([
      'gone.md',
      'gone.png',
    ]);
    const text =
      'See `src/platform/errors.ts`, `src/gone.ts`, `docs/`, `gone.json` and `dist/main.js`; call `/readyz`.\n```\n`src/fenced.ts`\n```\n';
    expect(missingPaths(text)).toEqual(['src/gone.ts', 'gone.json']);
  });
});
