/** References of an outside marketplace for its claimants. */
import { parseLine } from '../text.ts';

export const MAX_CLAIMANT_LENGTH = 200;

export const parseClaimantRef = (text: string): string =>
  parseLine(text, 'The claimant', MAX_CLAIMANT_LENGTH);
