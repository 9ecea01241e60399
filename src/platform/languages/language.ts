import { AsyncLocalStorage } from 'node:async_hooks';
import { TRANSLATIONS } from './translations.ts';

export interface Language {
  /** BCP 47 tag, for `lang` attributes and `Intl`. */
  readonly code: string;
  /** Native name, such as `Deutsch`. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** `undefined` if there is no translation. The caller then uses the English text. */
  readonly textFor: (english: string) => string | undefined;
}

export const ENGLISH: Language = {
  code: 'en',
  name: 'English',
  direction: 'ltr',
  textFor: (english) => english,
};

const CODES: readonly string[] = [ENGLISH.code, ...Object.keys(TRANSLATIONS)];

function languageOf(code: string): Language {
  let texts: ReadonlyMap<string, string> | undefined;
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code)!;
  const { direction = 'ltr' } = new Intl.Locale(code).getTextInfo();
  return {
    code,
    // Capitalized, because it starts an option of a form; `français` is lower case.
    name: name.charAt(0).toLocaleUpperCase(code) + name.slice(1),
    direction,
    textFor: (english) => {
      texts ??= new Map(Object.entries(TRANSLATIONS[code]!()));
      return texts.get(english);
    },
  };
}

/** Created on first use, because `Intl` takes 6 MB and 20 ms, and commands and database threads need no languages. */
let byCode: Map<string, Language> | null = null;

const languages = (): Map<string, Language> => {
  byCode ??= new Map(CODES.map((code) => [code, code === ENGLISH.code ? ENGLISH : languageOf(code)]));
  return byCode;
};

export const offeredLanguages = (): readonly Pick<Language, 'code' | 'name'>[] =>
  CODES.map((code) => languages().get(code)!);

/** The language codes as a phrase for messages, such as `en or de`. */
export const languageCodes = (): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(CODES);

export const parseLanguage = (text: string): string | null => {
  const lowerCase = text.trim().toLowerCase();
  return CODES.find((code) => code.toLowerCase() === lowerCase) ?? null;
};

/** For tests. Operators can't choose the added language. */
export const addLanguage = (language: Language): void => {
  languages().set(language.code, language);
};

const present = new AsyncLocalStorage<Language>();

/** Returns English outside of `inLanguage`. */
export const currentLanguage = (): Language => present.getStore() ?? ENGLISH;

/** Runs `write`, including its asynchronous work, in the language with this code. An unknown code means English. */
export const inLanguage = <T>(code: string, write: () => T): T =>
  present.run(languages().get(code) ?? ENGLISH, write);
