import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFAULT_BRAND } from '../../../base/brand/brand.ts';
import { FIRST_PLANS } from '../../../base/brand/plans.ts';
import { type SampledLetter, sampleValues } from '../../../people/mail/samples.ts';
import { mailPreviews } from './previews.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;
const BASE_URL = 'https://claims.example';
const SAMPLED = { brand: DEFAULT_BRAND, plans: FIRST_PLANS };

test('every letter has samples, which are among the email examples', async () => {
  const files = globSync('src/**/*letters.ts', { cwd: ROOT });
  const modules: object[] = await Promise.all(files.map((path) => import(/* @vite-ignore */ ROOT + path)));
  const functions = modules.flatMap((module) =>
    Object.entries(module).filter(([, value]) => typeof value === 'function'),
  );
  const examples = mailPreviews(BASE_URL, SAMPLED);
  const missing = functions.flatMap(([name, letter]: [string, Partial<SampledLetter<string>>]) => {
    const samples = letter.samples?.(sampleValues(BASE_URL, SAMPLED)) ?? [];
    const areExamples = samples.every(({ when }) =>
      examples.some((mail) => String(mail.when) === String(when)),
    );
    return samples.length > 0 && areExamples ? [] : [name];
  });
  // The other functions in these files return the link of a mail, such as `invitationLink`.
  expect(missing.filter((name) => !name.endsWith('Link'))).toEqual([]);
  expect(functions.length).toBeGreaterThan(examples.length / 2);
});
