import type { Selectable } from 'kysely';
import { invalid, Refusal, tried } from '../platform/errors.ts';
import { SECRET_START } from '../platform/secrets/secrets.ts';
import type { ClaimsView } from '../platform/store/tables/claims.ts';
import { parseIdentifier } from '../platform/text/text.ts';

export type Claim = Selectable<ClaimsView>;

/** The state shown on pages. Claims on an offer that has only a code are never redeemed through this service. */
export const shownClaimState = (claim: {
  readonly redeemed_at: string | null;
  readonly code_only: number;
}): 'redeemed' | 'code_given' | 'claimed' =>
  claim.redeemed_at !== null ? 'redeemed' : claim.code_only === 1 ? 'code_given' : 'claimed';

export type ClaimState = 'not_redeemed' | 'redeemed' | 'replaced';

/** A replaced claim is also redeemed, because only redeemed claims can be replaced. */
export function claimState(claim: Pick<Claim, 'redeemed_at' | 'replaced_at'>): ClaimState {
  if (claim.replaced_at !== null) return 'replaced';
  return claim.redeemed_at === null ? 'not_redeemed' : 'redeemed';
}

/** Maximum length of an external marketplace's reference for a claimant. */
export const MAX_CLAIMANT_LENGTH = 200;

export const parseClaimantRef = (text: string): string =>
  parseIdentifier(text, 'The claimant', MAX_CLAIMANT_LENGTH);

const isParsed = (parse: () => string): boolean => !(tried(parse) instanceof Refusal);

export const isClaimantRef = (text: string): boolean => isParsed(() => parseClaimantRef(text));

/** Maximum length of an owner's reference for a redemption. */
export const MAX_REFERENCE_LENGTH = 100;

const SECRET_WITHIN = new RegExp(`${SECRET_START}\\w{20}`);

/** Parses an owner's reference for a redemption, such as an order number. `what`: the subject of the error message. */
export function parseReference(text: string, what = 'The reference'): string {
  const reference = parseIdentifier(text, what, MAX_REFERENCE_LENGTH);
  if (SECRET_WITHIN.test(reference)) {
    throw invalid(
      `${what} contains a claim token or a key. References are stored and shown, so they must not contain secrets.`,
    );
  }
  return reference;
}

export const isReference = (text: string): boolean => isParsed(() => parseReference(text));
