/** PO files, as gettext's editors write them. */
import { type GetTextTranslation, type GetTextTranslations, po } from 'gettext-parser';

/** The English text as in the code: `msgctxt "state"` and `msgid "Open"` are the text `state|Open`. */
export const englishOf = ({ msgctxt, msgid }: GetTextTranslation): string =>
  msgctxt ? `${msgctxt}|${msgid}` : msgid;

/** All entries except the header. */
export const entriesOf = (
  translations: GetTextTranslations['translations'] | undefined,
): readonly GetTextTranslation[] =>
  Object.values(translations ?? {})
    .flatMap((entries) => Object.values(entries))
    .filter((entry) => englishOf(entry) !== '');

/** A fuzzy entry translates an earlier version of its English text, and waits until a translator confirms it. */
export const isFuzzy = (entry: GetTextTranslation | undefined): boolean =>
  /\bfuzzy\b/.test(entry?.comments?.flag ?? '');

/** Browsers break lines after a hyphen. A break after a single letter, as in “E-Mail”, is hard to read. */
const withWholeWords = (text: string): string => text.replaceAll(/\b(e)-(?=mail)/gi, '$1\u2011');

export const confirmedTexts = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entriesOf(po.parse(file).translations)
      .filter((entry) => entry.msgstr[0] && !isFuzzy(entry))
      .map((entry) => [englishOf(entry), withWholeWords(entry.msgstr[0]!)]),
  );
