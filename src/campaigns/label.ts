import { invalid } from '../errors.ts';
import { message } from '../languages/translate.ts';
import { suggestSlug } from '../listings/fields.ts';
import { escapeUnprintable, quote } from '../text/text.ts';

export const MAX_LABEL_LENGTH = 64;

/** Stands for “no label” in the counts; a real label is never empty. */
export const NO_LABEL = '';

export const LABEL = new RegExp(`^[a-z0-9_-]{1,${MAX_LABEL_LENGTH}}$`);

/** For a label that a person chooses; throws `invalid_request`. */
export function parseLabel(text: string): string {
  if (LABEL.test(text)) return text;
  throw invalid(
    message(
      'A campaign label must have 1 to {maxLabelLength} characters, which can be lowercase letters, digits, hyphens and underscores; found {text}.',
      { maxLabelLength: MAX_LABEL_LENGTH, text: quote(text) },
    ),
  );
}

/** Where a received text is cut off: at other parameters, and at a space (`%20` in a link encoded twice). */
const CUT = /[?&\s]|%20/;

const MAX_READ = 300;

/** Punctuation and invisible characters at the end; a label may end with a hyphen or an underscore. */
const TAIL = /(?:(?![-_])[\p{P}\p{Z}\p{C}$+<=>^`|~])+$/u;

/**
 * Allows for how people paste links: `News`, `news?utm_source=mail`, `news.`. But a label is never guessed from a part
 * of a word. `null`: no label, or an unreadable one.
 */
export function labelOrNone(text: string | null | undefined): string | null {
  const label = (text ?? '').slice(0, MAX_READ).trim().split(CUT, 1)[0]!.replace(TAIL, '').toLowerCase();
  return LABEL.test(label) ? label : null;
}

/** The label in a received text; the text itself if it has no valid label, so that owners can see invalid labels. */
export const arrivedLabel = (text: string | null | undefined): string | null =>
  labelOrNone(text) ?? (text?.slice(0, MAX_READ).trim() || null);

const MAX_SHOWN = 40;

/** What an owner sees of an invalid label; `null`: it is valid, or there is none. */
export function unreadableLabel(text: string | null | undefined): string | null {
  const arrived = (text ?? '').slice(0, MAX_READ).trim();
  if (arrived === '' || labelOrNone(arrived) !== null) return null;
  const shown = escapeUnprintable([...arrived].slice(0, MAX_SHOWN).join('').toWellFormed());
  return [...arrived].length > MAX_SHOWN ? `${shown}…` : shown;
}

/** The value of a link's first `via` parameter. The parameter's name may start with what remains of an `&amp;`. */
export function viaOf(query: URLSearchParams): string | null {
  for (const [name, value] of query) {
    if (/^\??(?:amp;)*via$/i.test(name)) return value;
  }
  return null;
}

/** A valid label made from a text, such as `fruehling_2026` for “Frühling 2026”; `null` if no character can be kept. */
export const proposedLabel = (text: string): string | null =>
  labelOrNone(suggestSlug(text).replaceAll('-', '_'));

interface ShareLink {
  readonly baseUrl: string;
  readonly listing: string;
  readonly via: string | null;
}

/** Throws `invalid_request` for an invalid label: claims through such a link could be recorded without a label. */
export function buildShareLink({ baseUrl, listing, via }: ShareLink): string {
  const page = `${baseUrl}/l/${listing}`;
  return via === null || via === '' ? page : `${page}?via=${parseLabel(via)}`;
}
