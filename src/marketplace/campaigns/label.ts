import { sharePath } from '../../base/paths.ts';
import { invalid } from '../../platform/errors.ts';
import { type Message, message } from '../../platform/languages/translate.ts';
import { escapeUnprintable, quote, withoutTail } from '../../platform/text/text.ts';
import { suggestSlug } from '../listings/fields.ts';

export const MAX_LABEL_LENGTH = 64;

/** Means “no label” in the tables of counts. Real labels are never empty. */
export const NO_LABEL = '';

/** In the tables of counts: the visits with labels that are not counted separately. Real labels never contain `*`. */
export const OTHER_LABELS = '*';

/** The label of the first share link, which owners get when their listing is approved. */
export const LAUNCH_LABEL = 'launch';

export const LABEL = new RegExp(`^[a-z0-9_-]{1,${MAX_LABEL_LENGTH}}$`);

/** Throws `invalid_request`. For labels of received links, use `labelOrNone`. */
export function parseLabel(text: string): string {
  if (LABEL.test(text)) return text;
  throw invalid(
    message(
      'A campaign label must have 1 to {maxLabelLength} characters, which can be lowercase letters, digits, hyphens and underscores; found {text}.',
      { maxLabelLength: MAX_LABEL_LENGTH, text: quote(text) },
    ),
  );
}

/** A received label ends at other parameters or a space (`%20` if the link was encoded twice). */
const CUT = /[?&\s]|%20/;

const MAX_READ = 300;

/** Trailing punctuation and invisible characters, except `-` and `_`, which labels may end with. */
const TAIL = /(?![-_])[\p{P}\p{Z}\p{C}$+<=>^`|~]/u;

/**
 * Tolerates pasted variants such as `News`, `news?utm_source=mail` and `news.`. `null`: none, or invalid characters.
 */
export function labelOrNone(text: string | null | undefined): string | null {
  const label = withoutTail((text ?? '').slice(0, MAX_READ).trim().split(CUT, 1)[0]!, TAIL).toLowerCase();
  return LABEL.test(label) ? label : null;
}

/** Like `labelOrNone`, but returns an invalid label as it arrived, so that owners see which invalid labels arrive. */
export const arrivedLabel = (text: string | null | undefined): string | null =>
  labelOrNone(text) ?? (text?.slice(0, MAX_READ).trim() || null);

const MAX_SHOWN = 40;

/** An invalid label, escaped and truncated for the owner; `null` if the label is valid or missing. */
export function unreadableLabel(text: string | null | undefined): string | null {
  const arrived = (text ?? '').slice(0, MAX_READ).trim();
  if (arrived === '' || labelOrNone(arrived) !== null) return null;
  const escaped = escapeUnprintable([...arrived].slice(0, MAX_SHOWN).join('').toWellFormed());
  return [...arrived].length > MAX_SHOWN ? `${escaped}…` : escaped;
}

/** The first `via` parameter of a link. Also accepts `amp;via`, because links copied from HTML may contain `&amp;`. */
export function viaOf(query: URLSearchParams): string | null {
  for (const [name, value] of query) {
    if (/^\??(?:amp;)*via$/i.test(name)) return value;
  }
  return null;
}

/** Converts text to a label, such as “Frühling 2026” to `fruehling_2026`; `null` if no character is usable. */
export const proposedLabel = (text: string): string | null =>
  labelOrNone(suggestSlug(text).replaceAll('-', '_'));

interface ShareLink {
  readonly baseUrl: string;
  readonly listing: string;
  /** The id of the offer that the link leads to; `null` for the listing. */
  readonly offer: string | null;
  readonly via: string;
}

/** Throws `invalid_request` for an invalid label: claims through such a link could be recorded without a label. */
export const buildShareLink = ({ baseUrl, listing, offer, via }: ShareLink): string =>
  baseUrl +
  sharePath({ slug: listing, offerId: offer ?? undefined, via: via === '' ? null : parseLabel(via) });

interface LaunchText {
  readonly name: string;
  readonly marketplace: string;
  /** An open offer; `null` if there is none. */
  readonly offer: string | null;
  readonly link: string | (() => string);
}

/** A text for owners to post. `link`: a function in a mail (see `verbatim`). */
export const launchText = ({ offer, ...values }: LaunchText): Message =>
  offer === null
    ? message('{name} is on {marketplace}: {link}', { ...values })
    : message('{offer}: {name} is on {marketplace}. {link}', { ...values, offer });
