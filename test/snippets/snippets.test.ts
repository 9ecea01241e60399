/** Runs the documentation's programs and recommended pages against a real service, for every outcome of a call. */
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snippetOf } from '../../src/pages/docs/markdown.ts';
import { freePort } from '../support/free-port.ts';
import { REPOSITORY } from '../support/program.ts';
import type { Program } from './conversation.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { MUTATIONS } from './mutations.ts';
import {
  DECISIONS,
  DELAYED,
  mistakesAtOnce,
  mistakesOf,
  NO_ANSWER,
  OUTCOMES_OF_MISTAKES,
  REFUSALS,
} from './outcomes.ts';
import { weaknessesOf } from './page-safety.ts';
import { appliedIn, createPageProgram, startPageServer } from './page-visitor.ts';
import { RECIPES, type Recipe } from './recipes.ts';
import { nameOf, type Runnable, reportMissing } from './runtimes.ts';
import { openSetting, type Setting } from './setting.ts';
import { openTrial } from './trial.ts';
import { inTurn } from './turns.ts';

reportMissing('documentation programs', LANGUAGES);
reportMissing('recommended pages', RECIPES);

let setting: Setting;
type Mistakes = Promise<readonly string[]>;
const ofLanguages = new Map<Language, Mistakes>();
const ofWrongLanguages = new Map<Language, Mistakes>();
const ofRecipes = new Map<Recipe, Mistakes>();

beforeAll(async () => {
  setting = await openSetting();
  // All programs run concurrently, because they spend most of their time waiting for retries and timeouts.
  for (const language of LANGUAGES.filter(isThere)) {
    ofLanguages.set(language, begun(mistakesOfLanguage(language)));
    ofWrongLanguages.set(language, begun(mistakesOfWrong(language)));
  }
  for (const recipe of RECIPES.filter(isThere)) ofRecipes.set(recipe, begun(mistakesOfRecipe(recipe)));
});
afterAll(async () => {
  await Promise.allSettled([ofLanguages, ofWrongLanguages, ofRecipes].flatMap((map) => [...map.values()]));
  await setting?.close();
});

/** Prevents an unhandled rejection before a test awaits the promise. */
function begun(mistakes: Mistakes): Mistakes {
  mistakes.catch(() => {});
  return mistakes;
}

const isThere = ({ missing }: Runnable): boolean => missing === null;

async function mistakesOfLanguage(language: Language): Mistakes {
  const trial = await openTrial(setting);
  return running(await language.start('right', trial), async (program) => [
    ...(await mistakesOf(program, trial, DECISIONS)),
    ...(await mistakesAtOnce(program, trial, [...DELAYED, ...NO_ANSWER])),
    ...(await mistakesOf(program, trial, REFUSALS)),
  ]);
}

async function mistakesOfWrong(language: Language): Mistakes {
  const trial = await openTrial(setting);
  return running(await language.start('wrong', trial), (program) =>
    mistakesOf(program, trial, OUTCOMES_OF_MISTAKES),
  );
}

/** Total time that a program pauses before its retries. */
const PAUSES_MS = 1_500;

/** Runs the program without an API key and returns its error, whether it paused, and its number of requests. */
async function endWithoutKey(
  language: Language,
): Promise<{ error: string; hasPaused: boolean; requests: number }> {
  const { env: whole, ...trial } = await openTrial(setting);
  const { CLAIMCHECK_API_KEY: _, ...env } = whole;
  const token = `keyless-${randomUUID()}`;
  const call = { token, key: randomUUID() };
  const { end, tookMs } = await running(await language.start('right', { ...trial, env }), async (program) => {
    const once = async () => {
      const begun = performance.now();
      return { end: await program.call(call), tookMs: performance.now() - begun };
    };
    const first = await once();
    // A slow first call is measured again: on a busy machine, it may have waited for a compiler.
    return first.tookMs < PAUSES_MS ? first : { ...first, tookMs: (await once()).tookMs };
  });
  return {
    error: end.error ?? '',
    hasPaused: tookMs >= PAUSES_MS,
    requests: setting.proxy.seen.get(token)?.length ?? 0,
  };
}

async function mistakesOfRecipe(recipe: Recipe): Mistakes {
  const opened = await openTrial(setting);
  const trial = { ...opened, env: { ...opened.env, PORT: String(await freePort()) } };
  const { command } = await recipe.prepare(trial);
  const started = inTurn(() => startPageServer({ command, env: trial.env }));
  return running(await started, async (server) => {
    const weaknesses = await weaknessesOf(recipe, server, trial);
    const program = await createPageProgram(server, trial);
    const mistakes = [
      ...weaknesses,
      ...(await mistakesOf(program, trial, DECISIONS)),
      ...(await mistakesAtOnce(program, trial, DELAYED)),
      ...(await mistakesOf(program, trial, REFUSALS)),
    ];
    const outcomes = [...DECISIONS, ...DELAYED, ...REFUSALS];
    const redeemed = outcomes.filter(({ ends }) => ends === 'redeemed').length;
    const applied = appliedIn(server.output()).length;
    return applied === redeemed ? mistakes : [...mistakes, `applied ${applied} for ${redeemed}`];
  });
}

async function running<P extends Pick<Program, 'close'>, T>(
  process: P,
  use: (process: P) => Promise<T>,
): Promise<T> {
  try {
    return await use(process);
  } finally {
    await process.close();
  }
}

function describeAll<R extends Runnable>(
  title: string,
  all: readonly R[],
  check: (runnable: R) => Promise<void>,
): void {
  describe(title, () => {
    for (const one of all) test.skipIf(!isThere(one))(nameOf(one), () => check(one));
  });
}

test('the documentation says which of its programs no test runs', () => {
  const tested = new Set([...LANGUAGES, ...RECIPES].map(({ title }) => title));
  const titles = globSync('docs/guide/*.md', { cwd: REPOSITORY })
    .flatMap((page) => readFileSync(join(REPOSITORY, page), 'utf8').split('\n'))
    .flatMap((line) => snippetOf(line.replace(/^- /, '')) ?? [])
    .map(({ title }) => title);
  expect(titles).toContain('Express');
  expect(titles.filter((title) => !tested.has(title))).toEqual(
    titles.filter((title) => title.endsWith(' (untested)')),
  );
});

test('every documentation program has deliberate mistakes in mutations.ts', () => {
  expect(LANGUAGES.map(({ file }) => file).filter((file) => !(file in MUTATIONS))).toEqual([]);
});

describeAll('documentation programs handle every outcome correctly', LANGUAGES, async (language) => {
  expect(await ofLanguages.get(language)).toEqual([]);
});

describeAll('documentation programs fail immediately without an API key', LANGUAGES, async (language) => {
  const { error, hasPaused, requests } = await endWithoutKey(language);
  expect(error).toMatch(/CLAIMCHECK_API_KEY/);
  expect([hasPaused, requests]).toEqual([false, 0]);
});

describeAll('deliberate mistakes in documentation programs are detected', LANGUAGES, async (language) => {
  const outcomes = (await ofWrongLanguages.get(language)!).map((mistake) => mistake.split(': ')[0]);
  expect(new Set(outcomes)).toEqual(new Set(OUTCOMES_OF_MISTAKES.map(({ name }) => name)));
});

describeAll('recommended pages handle every outcome correctly', RECIPES, async (recipe) => {
  expect(await ofRecipes.get(recipe)).toEqual([]);
});
