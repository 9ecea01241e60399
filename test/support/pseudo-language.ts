/**
 * A right-to-left pseudo-language, generated from the English texts with Arabic letters. Latin letters on a page in
 * this language are data or untranslated text.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { addLanguage } from '../../src/platform/languages/language.ts';

export const PSEUDO_LANGUAGE = 'ar-XB';

const LETTERS = 'ابتثجحخدذرزسشصضطظعغفقكلمنه';

/** Replaces each Latin letter with an Arabic one. */
const turned = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => LETTERS[letter.toLowerCase().charCodeAt(0) - 97]!);

const quoted = (text: string): string => text.replaceAll("'", "''").replaceAll(/[{}<]/g, "'$&'");

type Part = ReturnType<IntlMessageFormat['getAst']>[number];

/** Formats parsed parts as an ICU message. */
const printed = (parts: readonly Part[]): string => parts.map(printedPart).join('');

function printedPart(part: Part): string {
  if ('children' in part) return `<${part.value}>${printed(part.children)}</${part.value}>`;
  if ('options' in part) {
    const kind = 'pluralType' in part ? 'plural' : 'select';
    const options = Object.entries(part.options).map(([name, { value }]) => `${name} {${printed(value)}}`);
    return `{${part.value}, ${kind}, ${options.join(' ')}}`;
  }
  if (!('value' in part)) return '#';
  if (part.type === 0) return quoted(turned(part.value));
  return part.type === 1 ? `{${part.value}}` : `{${part.value}, number}`;
}

addLanguage({
  code: PSEUDO_LANGUAGE,
  name: 'Pseudo',
  direction: 'rtl',
  textFor: (english) => printed(new IntlMessageFormat(english.replace(/^[a-z ]+\|/, ''), 'en').getAst()),
});
