/** Parts of the sentences in the audit log. In the messages, `{who}` is the actor. */
import { type Message, message } from '../../platform/languages/translate.ts';
import type { Detail } from './event-kind.ts';

type Text = string | null | undefined;

/** `words`: contains `{time}`. */
export const ending = (words: Message, at: Text): Detail => (at == null ? null : [words, String(at)]);

/** The variant of a message. `other` if another version has written a value that this version doesn't know. */
export const variant = (value: unknown, variants: readonly string[]): string =>
  variants.find((one) => one === value) ?? 'other';

export const yesNo = (is: boolean): 'yes' | 'no' => (is ? 'yes' : 'no');

export const siteText = (origin: string): string => origin.replace(/^https:\/\//, '');

/** Values for messages with `“{offer}”{of, select, listing { of the listing {listing}} other {}}`. */
export const offerValues = ({ offer, listing }: { readonly offer: string; readonly listing: Text }) => ({
  offer,
  listing: listing ?? '',
  of: listing == null ? 'none' : 'listing',
});

export function linkText(origin: Text, waits: boolean): Message | null {
  if (origin == null) return null;
  const site = siteText(origin);
  return waits
    ? message('Its redemption link leads to {site} and needs approval.', { site })
    : message('Its redemption link leads to {site}.', { site });
}

export const plainWords = (name: string): string => name.replace('.', ' ').replaceAll('_', ' ');
