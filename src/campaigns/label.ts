/** Campaign labels: what a share link carries as `via`, and claims are counted by. */
import { invalid } from '../errors.ts';
import { quote } from '../text.ts';

/** Characters of a label. */
export const MAX_LABEL_LENGTH = 64;

/** How counts name the claims that came without a label; no label is empty. */
export const NO_LABEL = '';

const LABEL = new RegExp(`^[a-z0-9_-]{1,${MAX_LABEL_LENGTH}}$`);

/** For labels that someone writes down to use. */
export function parseLabel(text: string): string {
  if (LABEL.test(text)) return text;
  throw invalid(
    `A campaign label is 1 to ${MAX_LABEL_LENGTH} lowercase letters, digits, hyphens and underscores; found ${quote(text)}.`,
  );
}

/** For a label that arrives with a claimant: a bad one is recorded as none, since the claim must go through. */
export const labelOrNone = (text: string | null | undefined): string | null =>
  typeof text === 'string' && LABEL.test(text) ? text : null;
