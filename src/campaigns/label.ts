/** Campaign labels: a share link carries one as `via`, and claims are counted by label. */
import { invalid } from '../errors.ts';
import { quote } from '../text.ts';

/** Characters of a label. */
export const MAX_LABEL_LENGTH = 64;

/** The name of claims without a label in the counts; a real label is never empty. */
export const NO_LABEL = '';

export const LABEL = new RegExp(`^[a-z0-9_-]{1,${MAX_LABEL_LENGTH}}$`);

/** For labels that a person chooses; throws `invalid_request` for a bad one. */
export function parseLabel(text: string): string {
  if (LABEL.test(text)) return text;
  throw invalid(
    `A campaign label is 1 to ${MAX_LABEL_LENGTH} lowercase letters, digits, hyphens and underscores; found ${quote(text)}.`,
  );
}

/** For a label that arrives with a claimant: a bad one is dropped, since the claim must go through. */
export const labelOrNone = (text: string | null | undefined): string | null =>
  typeof text === 'string' && LABEL.test(text) ? text : null;
