/**
 * A language made from the English texts, which runs from right to left: a text in Latin letters on a page in it is not
 * translated, or is data.
 */
import { IntlMessageFormat } from 'intl-messageformat';
import { addLanguage } from '../../src/languages/language.ts';

export const PSEUDO_LANGUAGE = 'ar-XB';

const LETTERS = 'ابتثجحخدذرزسشصضطظعغفقكلمنه';

/** One letter for each. */
const turned = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => LETTERS[letter.toLowerCase().charCodeAt(0) - 97]!);

const quoted = (text: string): string => text.replaceAll("'", "''").replaceAll(/[{}<]/g, "'$&'");

type Part = ReturnType<IntlMessageFormat['getAst']>[number];

/** As an ICU message again. */
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
