/** The programs and pages of the documentation against a real service: every outcome of a call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import type { Program } from './conversation.ts';
import { withFiles } from './filled-in.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { MUTATIONS, mutated } from './mutations.ts';
import {
  BROKEN_CONNECTIONS,
  DECISIONS,
  DELAYS,
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

reportMissing('programs of the documentation', LANGUAGES);
reportMissing('recommended pages', RECIPES);

let setting: Setting;
type Mistakes = Promise<readonly string[]>;
const ofLanguages = new Map<Language, Mistakes>();
const ofWrongLanguages = new Map<Language, Mistakes>();
const ofRecipes = new Map<Recipe, Mistakes>();

beforeAll(async () => {
  setting = await openSetting();
  // All at once, since they mostly wait: before retries, and for an answer that does not come.
  for (const language of LANGUAGES.filter(isThere)) {
    ofLanguages.set(language, mistakesOfLanguage(language));
    ofWrongLanguages.set(language, mistakesOfWrong(language));
  }
  for (const recipe of RECIPES.filter(isThere)) ofRecipes.set(recipe, mistakesOfRecipe(recipe));
  await Promise.allSettled([ofLanguages, ofWrongLanguages, ofRecipes].flatMap((map) => [...map.values()]));
});
afterAll(() => setting?.close());

const isThere = ({ missing }: Runnable): boolean => missing === null;
const same = (text: string): string => text;

const mistakesOfLanguage = (language: Language): Mistakes =>
  withFiles(setting, [language.file], same, async (trial) => {
    const start = await language.build(trial.folder, trial.env);
    return running(start(), async (program) => {
      const [first, second] = await Promise.all([
        mistakesOf(program, trial, [...DECISIONS, ...DELAYS, ...BROKEN_CONNECTIONS]),
        running(start(), (patient) => mistakesOf(patient, trial, NO_ANSWER)),
      ]);
      return [...first, ...second, ...(await mistakesOf(program, trial, REFUSALS))];
    });
  });

const mistakesOfWrong = (language: Language): Mistakes => {
  const change = (text: string) => mutated(text, MUTATIONS[language.file]!);
  return withFiles(setting, [language.file], change, async (trial) => {
    const start = await language.build(trial.folder, trial.env);
    return running(start(), (program) => mistakesOf(program, trial, OUTCOMES_OF_MISTAKES));
  });
};

const mistakesOfRecipe = (recipe: Recipe): Mistakes =>
  withFiles(setting, [recipe.file, recipe.program], same, async (trial) => {
    const env = { ...trial.env, PORT: String(await freePort()) };
    const { command, env: more } = await recipe.build(trial.folder, env);
    return running(await startPageServer(command, { ...env, ...more }), async (server) => {
      const weaknesses = await weaknessesOf(recipe, server, trial);
      const program = await createPageProgram(server, trial);
      const outcomes = [...DECISIONS, ...DELAYS, ...BROKEN_CONNECTIONS, ...REFUSALS];
      const mistakes = [...weaknesses, ...(await mistakesOf(program, trial, outcomes))];
      const redeemed = outcomes.filter(({ ends }) => ends === 'redeemed').length;
      const applied = appliedIn(server.output()).length;
      return applied === redeemed ? mistakes : [...mistakes, `applied ${applied} for ${redeemed}`];
    });
  });

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
    for (const one of all) it.skipIf(!isThere(one))(nameOf(one), () => check(one));
  });
}

describeAll('a program does the right thing with every outcome', LANGUAGES, async (language) => {
  expect(await ofLanguages.get(language)).toEqual([]);
});

describeAll('a program with mistakes is found out', LANGUAGES, async (language) => {
  const outcomes = (await ofWrongLanguages.get(language)!).map((mistake) => mistake.split(': ')[0]);
  expect(new Set(outcomes)).toEqual(new Set(OUTCOMES_OF_MISTAKES.map(({ name }) => name)));
});

describeAll('a recommended page does the right thing with every outcome', RECIPES, async (recipe) => {
  expect(await ofRecipes.get(recipe)).toEqual([]);
});
