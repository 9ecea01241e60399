/**
 * `npm run -s languages` lists, for each language, missing translations (as lines to paste into its file), unused
 * translations and mistakes. Exits with 1 if it finds any.
 */
import { CATALOGUES } from '../src/platform/languages/language.ts';
import { checkCatalogue, findMessages } from './messages.ts';

const found = findMessages();
const quoted = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);

for (const [code, texts] of Object.entries(CATALOGUES)) {
  const { missing, unused, faults } = checkCatalogue(code, texts, found);
  console.log(`src/platform/languages/${code}.ts: ${Object.keys(texts).length} texts`);
  if (missing.length > 0) {
    console.log(`\nMissing (${missing.length}); pages show them in English:\n`);
    for (const { text, place } of missing) console.log(`  // ${place}\n  ${quoted(text)}: '',`);
  }
  if (unused.length > 0) {
    console.log(`\nUnused (${unused.length}):\n`);
    for (const text of unused) console.log(`  ${quoted(text)}`);
  }
  for (const fault of faults) console.log(`\nWrong: ${fault}`);
  if (missing.length + unused.length + faults.length > 0) process.exitCode = 1;
}
