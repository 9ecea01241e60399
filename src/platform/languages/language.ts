import { AsyncLocalStorage } from 'node:async_hooks';
import { CATALOGUES } from './catalogues.ts';

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

const LANGUAGES: readonly Language[] = [ENGLISH, ...Object.keys(CATALOGUES).map(languageOf)];

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
      texts ??= new Map(Object.entries(CATALOGUES[code]!()));
      return texts.get(english);
    },
  };
}

const byCode = new Map(LANGUAGES.map((language) => [language.code, language]));

export const OFFERED_LANGUAGES = LANGUAGES.map(({ code, name }) => ({ code, name }));

/** The language codes as a phrase for messages, such as `en or de`. */
export const LANGUAGE_CODES = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  OFFERED_LANGUAGES.map(({ code }) => code),
);

/** `null` for an unknown language. */
export const parseLanguage = (text: string): string | null => {
  const code = text.trim().toLowerCase();
  return OFFERED_LANGUAGES.find((language) => language.code.toLowerCase() === code)?.code ?? null;
};

/** For tests. Operators can't choose the added language. */
export const addLanguage = (language: Language): void => {
  byCode.set(language.code, language);
};

const present = new AsyncLocalStorage<Language>();

/** Returns English outside of `inLanguage`. */
export const currentLanguage = (): Language => present.getStore() ?? ENGLISH;

/** Runs `write`, including its asynchronous work, in the language with this code. An unknown code means English. */
export const inLanguage = <T>(code: string, write: () => T): T =>
  present.run(byCode.get(code) ?? ENGLISH, write);
