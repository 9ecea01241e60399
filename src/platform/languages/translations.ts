/** The translations in `languages/*.po`. The build replaces this module with the texts (`scripts/bundle.ts`). */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

const FOLDER = new URL('../../../languages/', import.meta.url);

/** gettext's editors name files `pt_BR.po`, where BCP 47 has `pt-BR`. */
export function languageCodeOf(path: string): string {
  const code = basename(path, '.po').replaceAll('_', '-');
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(code)) {
    throw new Error(`${path}: the name must be the code of the language, such as pt_BR.po or sr_Latn.po.`);
  }
  return code;
}

type Texts = Readonly<Record<string, string>>;

/** Translations by language code and English text. Read on first use, because most threads need no translations. */
export const TRANSLATIONS: Readonly<Record<string, () => Texts>> = Object.fromEntries(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.po'))
    .toSorted()
    .map((name) => [languageCodeOf(name), () => readTexts(name)]),
);

function readTexts(name: string): Texts {
  const { confirmedTexts } = createRequire(import.meta.url)('./po.ts') as typeof import('./po.ts');
  try {
    return confirmedTexts(readFileSync(new URL(name, FOLDER), 'utf8'));
  } catch (error) {
    throw new Error(`languages/${name}: ${(error as Error).message}`);
  }
}
