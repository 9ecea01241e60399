/** The PO files: merging them with the texts in the code, and their syntax. */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { po } from 'gettext-parser';
import { expect, test } from 'vitest';
import { combinePoFiles, mergePoFile } from '../../scripts/merge-po.ts';
import { confirmedTexts, entriesOf } from '../../src/platform/languages/po.ts';
import { languageCodeOf } from '../../src/platform/languages/translations.ts';

const HEADER = `msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=utf-8\\n"
`;

const FILE = `${HEADER}
#: src/a.ts
msgid "Delete this offer now."
msgstr "Angebot jetzt löschen."

#: src/a.ts
msgctxt "state"
msgid "Open"
msgstr "Offen"
`;

const written = (poFile: Parameters<typeof po.compile>[0]): string => po.compile(poFile).toString();

const merged = (file: string, ...texts: readonly string[]): string =>
  written(
    mergePoFile(
      po.parse(file),
      texts.map((text) => ({ text, source: 'src/a.ts:7', values: null })),
    ),
  );

test('merging unchanged texts changes nothing', () => {
  expect(merged(FILE, 'Delete this offer now.', 'state|Open')).toBe(FILE);
});

test('an edited text keeps its translation as fuzzy, with the earlier text, and is shown in English', () => {
  const file = merged(FILE, 'Delete this offer later.', 'state|Open');
  expect(file).toContain(`#: src/a.ts
#, fuzzy
#| msgid "Delete this offer now."
msgid "Delete this offer later."
msgstr "Angebot jetzt löschen."`);
  expect(confirmedTexts(file)).toEqual({ 'state|Open': 'Offen' });
  const again = merged(file, 'Delete this offer tomorrow.', 'state|Open');
  expect(again).toContain('#| msgid "Delete this offer now."\nmsgid "Delete this offer tomorrow."');
  const confirmed = merged(file.replace('#, fuzzy\n', ''), 'Delete this offer later.', 'state|Open');
  expect(confirmed).not.toContain('#|');
  expect(confirmedTexts(confirmed)['Delete this offer later.']).toBe('Angebot jetzt löschen.');
});

test('a new text gets an empty translation', () => {
  const file = merged(FILE, 'Something else', 'Delete this offer now.', 'state|Open');
  expect(file).toContain('msgid "Something else"\nmsgstr ""');
  expect(confirmedTexts(file)).toEqual(confirmedTexts(FILE));
});

test('a removed text becomes obsolete, and gets its translation back when it is added again', () => {
  const file = merged(FILE, 'Something else', 'state|Open');
  expect(file).toContain('#~ msgid "Delete this offer now."\n#~ msgstr "Angebot jetzt löschen."');
  expect(confirmedTexts(file)).toEqual({ 'state|Open': 'Offen' });
  expect(merged(file, 'Delete this offer now.', 'state|Open')).toBe(FILE);
});

test('in a conflict, each branch keeps the translations that it has added or changed', () => {
  const ours = FILE.replace('"Offen"', '"Geöffnet"').replace('#: src/a.ts\n', `#: src/ours.ts\n`);
  const theirs = `${FILE.replace('löschen', 'entfernen')}\nmsgid "New"\nmsgstr "Neu"\n`;
  const both = written(combinePoFiles(po.parse(FILE), po.parse(ours), po.parse(theirs)));
  expect(confirmedTexts(both)).toEqual({
    'Delete this offer now.': 'Angebot jetzt entfernen.',
    'state|Open': 'Geöffnet',
    New: 'Neu',
  });
});

test('PO files can be named as gettext or as BCP 47 names languages', () => {
  expect(['languages/de.po', 'pt_BR.po', 'pt-BR.po'].map(languageCodeOf)).toEqual(['de', 'pt-BR', 'pt-BR']);
  expect(() => languageCodeOf('languages/sr@latin.po')).toThrow('languages/sr@latin.po: the name must be');
});

const hasGettext = spawnSync('msgmerge', ['--version']).error === undefined;

test.skipIf(!hasGettext)('msgmerge --previous gives the same result', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'claimcheck-'));
  const path = (name: string): string => join(folder.path, name);
  const texts = ['Delete this offer later.', 'Something else', 'state|Closed'];
  writeFileSync(path('template.pot'), merged(HEADER, ...texts));
  writeFileSync(path('de.po'), FILE);
  const theirs = execFileSync(
    'msgmerge',
    ['--quiet', '--previous', '--output-file=-', path('de.po'), path('template.pot')],
    { encoding: 'utf8' },
  );
  const entriesIn = (file: string) => {
    const { translations, obsolete } = po.parse(file);
    return [...entriesOf(translations), ...entriesOf(obsolete)];
  };
  expect(entriesIn(merged(FILE, ...texts))).toEqual(entriesIn(theirs));
});

test.skipIf(!hasGettext).each(globSync('languages/*.{po,pot}'))('msgfmt accepts %s', (path) => {
  execFileSync('msgfmt', ['--check', '--output-file=/dev/null', path], { stdio: 'pipe' });
});

test('lines don’t break after the first letter of “E-Mail”', () => {
  const file = FILE.replace('"Offen"', '"E-Mail, e-mail, Kaffee-Mail"');
  expect(confirmedTexts(file)['state|Open']).toBe('E\u2011Mail, e\u2011mail, Kaffee-Mail');
});
