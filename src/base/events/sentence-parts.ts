/** Parts of the sentences in the audit log. */
import { capital } from '../../platform/text/text.ts';
import type { Detail } from './event-kind.ts';

type Text = string | null | undefined;

export const ending = (words: string, at: Text): Detail => (at == null ? null : [words, String(at)]);

/** `''` if another version has written a value that this version doesn't know. */
export const textFor = (texts: Readonly<Record<string, string>>, value: unknown): string =>
  typeof value === 'string' && Object.hasOwn(texts, value) ? texts[value]! : '';

export const siteText = (origin: string): string => origin.replace(/^https:\/\//, '');

export const offerText = ({ offer, listing }: { readonly offer: string; readonly listing: Text }): string =>
  `the offer “${offer}”${listing == null ? '' : ` of the listing ${listing}`}`;

export function linkText(origin: Text, waits: boolean): string | null {
  if (origin == null) return null;
  return `Its redemption link leads to ${siteText(origin)}${waits ? ' and needs approval' : ''}.`;
}

type FieldTexts = Readonly<Record<string, string>> | null;

/** Such as `Name: “Notes” → “Notes for teams”`. */
export function changesText(from: FieldTexts, to: FieldTexts): string | null {
  if (from === null || to === null) return null;
  const changes = Object.entries(to).map(
    ([field, text]) => `${fieldName(field)}: ${from[field] ?? 'none'} → ${text}`,
  );
  return changes.length === 0 ? null : capital(changes.join('; '));
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  url: 'website',
  proposed_url: 'proposed website',
  offer: 'text',
  starts_at: 'start date',
  ends_at: 'end date',
};

const fieldName = (field: string): string => FIELD_NAMES[field] ?? plainWords(field);

export const plainWords = (name: string): string => name.replace('.', ' ').replaceAll('_', ' ');
