/** Brings a PO file up to date with the English texts in the code, as `msgmerge --previous` does. */
import type { GetTextTranslation, GetTextTranslations } from 'gettext-parser';
import { englishOf, entriesOf, isFuzzy } from '../src/platform/languages/po.ts';
import type { FoundMessage } from './messages.ts';

/** The similarity from which a new text counts as an edited one. `msgmerge` has the same limit. */
const MIN_SIMILARITY = 0.6;

/**
 * - An entry whose text is unchanged keeps its translation.
 * - An edited text keeps the translation of its earlier version, marked fuzzy, with the earlier text for comparison.
 * - Other new texts get an empty translation.
 * - Unused translations become obsolete entries at the end of the file (`#~`). They are used again with their text.
 *
 * `msgmerge` also suggests translations of similar texts that are still used. They are rarely the right ones.
 */
export function mergePoFile(
  { headers, translations, obsolete }: GetTextTranslations,
  messages: readonly FoundMessage[],
): GetTextTranslations {
  const entries = byText([...entriesOf(obsolete), ...entriesOf(translations)]);
  const calls = Map.groupBy(messages, ({ text }) => text);
  const unused = new Set(
    [...entries.values()].filter((entry) => entry.msgstr[0] && !calls.has(englishOf(entry))),
  );
  const candidates = [...unused];
  const merged = [...calls].map(([text, references]) => {
    // Files without line numbers, so that an edit doesn't change the entries of all texts below it.
    const reference = [...new Set(references.map(({ source }) => source.replace(/:\d+$/, '')))].join('\n');
    const entry = entries.get(text);
    if (entry !== undefined) return { ...entry, comments: { ...currentComments(entry), reference } };
    const added = newEntry(text);
    const earlier = mostSimilar(added, candidates);
    if (earlier === undefined) return { ...added, comments: { reference } };
    unused.delete(earlier);
    return { ...added, msgstr: earlier.msgstr, comments: { ...fuzzyComments(earlier), reference } };
  });
  return {
    charset: 'utf-8',
    headers,
    translations: tableOf([headerOf(translations), ...merged]),
    obsolete: tableOf([...unused].map(obsoleteEntry)),
  };
}

/** Resolves a conflict: the entries of `ours`, and those that `theirs` has added or changed since `base`. */
export function combinePoFiles(
  base: GetTextTranslations,
  ours: GetTextTranslations,
  theirs: GetTextTranslations,
): GetTextTranslations {
  const earlier = byText(entriesOf(base.translations));
  const changed = entriesOf(theirs.translations).filter((entry) => {
    const before = earlier.get(englishOf(entry));
    const isSame = before?.msgstr[0] === entry.msgstr[0] && isFuzzy(before) === isFuzzy(entry);
    return entry.msgstr[0] && !isSame;
  });
  const entries = [headerOf(ours.translations), ...entriesOf(ours.translations), ...changed];
  return { ...ours, translations: tableOf(entries) };
}

type Table = GetTextTranslations['translations'];

const headerOf = (table: Table): GetTextTranslation => table['']?.[''] ?? { msgid: '', msgstr: [''] };

const byText = (entries: readonly GetTextTranslation[]): ReadonlyMap<string, GetTextTranslation> =>
  new Map(entries.map((entry) => [englishOf(entry), entry]));

function tableOf(entries: readonly GetTextTranslation[]): Table {
  const table: Table = {};
  for (const entry of entries) {
    const context = entry.msgctxt ?? '';
    table[context] ??= {};
    table[context][entry.msgid] = entry;
  }
  return table;
}

function newEntry(text: string): GetTextTranslation {
  const [, msgctxt, msgid = text] = /^([a-z ]+)\|(.*)$/s.exec(text) ?? [];
  return { ...(msgctxt !== undefined && { msgctxt }), msgid, msgstr: [''] };
}

type Comments = NonNullable<GetTextTranslation['comments']>;

/** A confirmed translation needs no earlier text. */
function currentComments(entry: GetTextTranslation): Comments {
  const { previous, ...comments } = entry.comments ?? {};
  return isFuzzy(entry) && previous !== undefined ? { ...comments, previous } : comments;
}

/** If the earlier version was fuzzy too, the translation still belongs to the text before it. */
function fuzzyComments(earlier: GetTextTranslation): Comments {
  const { previous = previousOf(earlier), ...comments } = currentComments(earlier);
  return { ...comments, flag: 'fuzzy', previous };
}

/** The lines of the `#|` comment. A PO string is escaped as in JSON. */
const previousOf = ({ msgctxt, msgid }: GetTextTranslation): string =>
  [...(msgctxt ? [`msgctxt ${JSON.stringify(msgctxt)}`] : []), `msgid ${JSON.stringify(msgid)}`].join('\n');

function obsoleteEntry(entry: GetTextTranslation): GetTextTranslation {
  const { reference: _, ...comments } = currentComments(entry);
  return { ...entry, comments };
}

function mostSimilar(
  { msgid }: GetTextTranslation,
  candidates: readonly GetTextTranslation[],
): GetTextTranslation | undefined {
  const pairs = pairsOf(msgid);
  return candidates
    .map((entry) => ({ entry, similarity: similarity(pairsOf(entry.msgid), pairs) }))
    .filter((candidate) => candidate.similarity >= MIN_SIMILARITY)
    .toSorted((a, b) => b.similarity - a.similarity)[0]?.entry;
}

/** Sørensen–Dice coefficient of two sets: from 0 to 1. */
const similarity = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  (2 * a.intersection(b).size) / (a.size + b.size);

/** The pairs of adjacent characters. */
const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: text.length }, (_, index) => text.slice(index, index + 2)));
