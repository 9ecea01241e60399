/**
 * Checks that no regular expression of the service backtracks, because one slow match on the main thread would delay all
 * redemptions. An expression without an unbounded quantifier takes time proportional to the text.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { check } from 'recheck';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';

interface Expression {
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

const ROOT = new URL('../../', import.meta.url).pathname;
/**
 * Hashes of expressions that were found safe. Checking all of them takes half a minute; a test run checks only others.
 * UPDATE_SAFE_EXPRESSIONS=1 checks all expressions again and rewrites the file.
 */
const SAFE_FILE = new URL('safe-expressions.json', import.meta.url);
const UPDATES = process.env['UPDATE_SAFE_EXPRESSIONS'] !== undefined;
const MAX_UNKNOWN = 20;
/**
 * Limits count steps instead of time, because a busy machine would make safe expressions look slow. Expressions with
 * lookarounds are checked with random texts, which are the same in each run.
 */
const LIMITS = {
  randomSeed: 1,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  timeout: 120_000,
};
const TEST_TIMEOUT_MS = 240_000;
const CONCURRENCY = 2;

/** The code in a mangled link: at most eight characters may precede it, so each start costs a bounded number of steps. */
const BOUNDED = /^\(\?:\^\|#\|.*\{0,8\}\(\[0-9A-HJKMNP-TV-Z\]\{5\}\)/;

const HASH_CHARACTERS = 12;

const nameOf = ({ source, flags }: Expression): string => `/${source}/${flags}`;
const hashOf = (expression: Expression): string =>
  createHash('sha256').update(nameOf(expression)).digest('hex').slice(0, HASH_CHARACTERS);

const mayBacktrack = ({ source }: Expression): boolean =>
  /[*+]|\{\d+,\}/.test(source.replaceAll(/\\./g, '')) && !BOUNDED.test(source);

/** All expressions in `src/`: literals, and those that modules build when they are loaded. */
async function expressions(): Promise<readonly Expression[]> {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !/\.test\.tsx?$/.test(file));
  const all = [...files.flatMap(literalsIn), ...(await builtBy(files))];
  return [...new Map(all.map((expression) => [nameOf(expression), expression])).values()];
}

function literalsIn(file: string): readonly Expression[] {
  const text = readFileSync(ROOT + file, 'utf8');
  const literals: Expression[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start?: number };
    if (regex !== undefined) {
      const line = text.slice(0, start).split('\n').length;
      literals.push({ at: `${file}:${line}`, source: regex.pattern, flags: regex.flags });
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body);
  return literals;
}

const BUILDS = /\bnew RegExp\(/;

/** Loads the modules that build expressions, with a constructor that records expressions created in `src/`. */
async function builtBy(files: readonly string[]): Promise<readonly Expression[]> {
  const built: Expression[] = [];
  const original = globalThis.RegExp;
  const recording = new Proxy(original, {
    construct(target, parameters, newTarget) {
      const made = Reflect.construct(target, parameters, newTarget) as RegExp;
      const caller = new Error().stack?.split('\n')[2] ?? '';
      const at = /(?<=\/)src\/[^?:)]+/.exec(caller)?.[0];
      if (at !== undefined && !caller.includes('node_modules'))
        built.push({ at, source: made.source, flags: made.flags });
      return made;
    },
  });
  for (const file of files) {
    if (!BUILDS.test(readFileSync(ROOT + file, 'utf8'))) continue;
    globalThis.RegExp = recording;
    try {
      // The query makes Vite load the module again.
      await import(/* @vite-ignore */ `${ROOT}${file}?built`);
    } finally {
      globalThis.RegExp = original;
    }
  }
  return built;
}

async function slowOnes(expressions: readonly Expression[]): Promise<readonly string[]> {
  const waiting = [...expressions];
  const slow: string[] = [];
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { status } = await check(next.source, next.flags, LIMITS);
      if (status !== 'safe') slow.push(`${next.at} ${nameOf(next)} ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return slow.sort();
}

test('no expression in src/ backtracks', { timeout: TEST_TIMEOUT_MS }, async () => {
  const all = await expressions();
  expect(all.length).toBeGreaterThan(250);
  expect(all.some(({ at }) => at === 'src/platform/http/server/encoding.ts')).toBe(true);
  const repeating = all.filter(mayBacktrack);
  const safe = new Set(UPDATES ? [] : (JSON.parse(readFileSync(SAFE_FILE, 'utf8')) as string[]));
  const unknown = repeating.filter((each) => !safe.has(hashOf(each)));
  expect(await slowOnes(unknown)).toEqual([]);
  if (UPDATES) writeFileSync(SAFE_FILE, `${JSON.stringify(repeating.map(hashOf).sort(), null, 2)}\n`);
  else expect(unknown.length, 'run with UPDATE_SAFE_EXPRESSIONS=1').toBeLessThanOrEqual(MAX_UNKNOWN);
});

test('an expression that backtracks is detected', async () => {
  const sources = ['^(?:a|a)*$', '[,;\\s]+$', '^[a-z]*$', '<[^>]*x>'];
  const slow = await slowOnes(sources.map((source) => ({ at: 'here', source, flags: '' })));
  expect(slow).toEqual(
    ['here /<[^>]*x>/', 'here /[,;\\s]+$/', 'here /^(?:a|a)*$/'].map((name) => `${name} vulnerable`),
  );
});
