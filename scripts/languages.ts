/**
 * `npm run -s languages` brings `languages/template.pot` and each `languages/*.po` up to date with the texts in the
 * code, and lists missing translations, translations to confirm, and mistakes. Exits with 1 if it lists any. If two
 * branches changed a file, both changes are kept.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type GetTextTranslations, po } from 'gettext-parser';
import { confirmedTexts, englishOf, entriesOf, isFuzzy } from '../src/platform/languages/po.ts';
import { languageCodeOf } from '../src/platform/languages/translations.ts';
import { combinePoFiles, mergePoFile } from './merge-po.ts';
import { checkTranslations, findMessages } from './messages.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const messages = findMessages();

for (const path of ['languages/template.pot', ...globSync('languages/*.po').toSorted()]) {
  const poFile = mergePoFile(readPoFile(path), messages);
  const file = po.compile(poFile).toString();
  writeFileSync(path, file);
  if (path.endsWith('.pot')) continue;
  const texts = confirmedTexts(file);
  const { missing, faults } = checkTranslations(languageCodeOf(path), texts, messages);
  const fuzzy = new Set(entriesOf(poFile.translations).filter(isFuzzy).map(englishOf));
  console.log(`${path}: ${Object.keys(texts).length} of ${Object.keys(texts).length + missing.length} texts`);
  for (const { text, source } of missing) {
    console.log(`${fuzzy.has(text) ? 'Confirm' : 'Missing'}: ${source}: ${text}`);
  }
  for (const fault of faults) console.log(`Wrong: ${fault}`);
  if (missing.length + faults.length > 0) process.exitCode = 1;
}

/** A file with a merge conflict is read from Git's index, which has the versions of both branches. */
function readPoFile(path: string): GetTextTranslations {
  const [base, ours, theirs] = [1, 2, 3].map((stage) => {
    const { status, stdout } = spawnSync('git', ['show', `:${stage}:${path}`], { maxBuffer: Infinity });
    return status === 0 ? stdout.toString() : null;
  });
  if (!ours || !theirs) return po.parse(readFileSync(path, 'utf8'));
  return combinePoFiles(po.parse(base ?? ''), po.parse(ours), po.parse(theirs));
}
