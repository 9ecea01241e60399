import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import type { Actor } from '../../base/events/queries.ts';
import { parseLabel } from '../../marketplace/campaigns/label.ts';
import { fillRedemptionLink } from '../../marketplace/offers/redemption-link.ts';
import type { Mode } from '../../people/keys/key.ts';
import { invalid, Refusal } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { createPace, timedTransaction } from '../../platform/store/pace.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import { quote } from '../../platform/text/text.ts';
import { parseClaimantRef } from '../claim.ts';
import { codesOfClaims } from '../codes/codes-of-claims.ts';
import { findClaim } from '../queries.ts';
import type { ClaimedOffer } from './claim-offer.ts';
import { type Claimant, findStandingClaim, markReplaced, type StandingClaim } from './claimant-queries.ts';
import { addClaims, deriveClaim, requireAcceptsClaims } from './new-claims.ts';
import { type ClaimableOffer, findClaimableOffer, lockOffer } from './offer-queries.ts';

export const MAX_ISSUE_COUNT = 10_000_000;
/** Maximum number of attempts if concurrent transactions create the claimant's claim first. */
const MAX_RUNS = 5;

export interface IssuedClaim {
  readonly claimId: string;
  readonly token: string;
  /** The redemption link with the token; `null` if the offer has none. */
  readonly link: string | null;
  /** The claim's own code, or the offer's shared code; `null` if there is neither. */
  readonly code: string | null;
}

interface IssueInput {
  readonly offerId: string;
  readonly count: number;
  /** Test claims ignore the offer's state. */
  readonly mode: Mode;
  readonly via: string | null;
  readonly actor?: Actor | undefined;
}

/**
 * Yields each batch after its commit, and creates the next batch on demand. Throws `invalid_request` if the offer does
 * not accept `count` claims; batches already yielded stay issued.
 */
export async function* issueClaims(
  context: Context,
  input: IssueInput,
): AsyncGenerator<readonly IssuedClaim[], void> {
  const { mode, actor = 'operator' } = input;
  const via = input.via === null ? null : parseLabel(input.via);
  if (!Number.isSafeInteger(input.count) || input.count < 1 || input.count > MAX_ISSUE_COUNT) {
    throw invalid(`The count must be a whole number from 1 to ${MAX_ISSUE_COUNT}; found ${input.count}.`);
  }
  const offer = await requireOffer(context, input.offerId);
  const pace = createPace(context.db);
  const make = (count: number): DerivedClaim[] => {
    const at = context.at();
    return Array.from({ length: Math.min(pace.rows(), input.count - count) }, () =>
      deriveClaim(context, offer, { mode, via, claimant_ref: null, claimant_id: null, at }),
    );
  };
  let claims = make(0);
  for (let issued = 0; issued < input.count; ) {
    let next: DerivedClaim[] | undefined;
    let hasCodes = false;
    const { heldMs } = await timedTransaction(context.db, async (tx) => {
      const locked = await requireLocked(context, tx, offer.id);
      hasCodes = locked.code_list !== null;
      if (mode === 'live') await requireAcceptsClaims(context, tx, locked, input.count - issued);
      const rows = claims.map(({ claim }) => claim);
      const [isAdded] = await Promise.all([
        addClaims(tx, context.db.engine, locked, rows, { actor, replaces: null }),
        // Derive the next tokens while the database works: the statement is sent in this turn of the event loop.
        setImmediate().then(() => {
          next ??= make(issued + claims.length);
        }),
      ]);
      if (!isAdded) throw new Error('a token was generated twice');
    });
    issued += claims.length;
    const withCodes = hasCodes ? claims.map(({ claim }) => claim) : [];
    const codes = await codesOfClaims(context, context.db.read, withCodes);
    yield claims.map(({ claim, token }) => show(offer, { id: claim.id, token, via }, codes));
    await pace.done(claims.length, heldMs);
    claims = next ?? [];
  }
}

export interface ClaimantInput {
  readonly offerId: string;
  readonly claimantRef: string;
  readonly mode: Mode;
  readonly via: string | null;
  /** Replace the claimant's redeemed claim with a new claim. The old claim stays redeemed. */
  readonly replace: boolean;
  readonly actor?: Actor | undefined;
}

/**
 * Returns the claimant's existing claim, whatever the offer's state, replaces it (`replace`), or creates one. Throws if
 * a new claim is not allowed, if the claim to replace is not redeemed, or if the token cannot be shown: it was
 * imported, or its secret key is not configured.
 */
export async function issueClaimFor(
  context: Context,
  { claimantRef, via, ...input }: ClaimantInput,
): Promise<IssuedClaim> {
  const label = via === null ? null : parseLabel(via);
  const claimant = { claimant_ref: parseClaimantRef(claimantRef) };
  return await issueTo(context, claimant, { ...input, via: label });
}

interface ToIssue extends Omit<ClaimantInput, 'claimantRef' | 'replace'> {
  /** Whether to replace the claimant's redeemed claim: `true` for any claim, or the id of the only one. */
  readonly replace: boolean | string;
}

async function issueTo(
  context: Context,
  claimant: Claimant,
  { mode, via, replace, offerId, actor = 'operator' }: ToIssue,
): Promise<IssuedClaim> {
  const { id, account_id } = await requireOffer(context, offerId);
  for (let run = 1; ; run += 1) {
    try {
      const { offer, ...issued } = await context.db.transaction(async (tx) => {
        const offer = await requireLocked(context, tx, id);
        const existing = await findStandingClaim(tx, offer, mode, claimant);
        if (existing === undefined) {
          if (typeof replace === 'string') throw invalid(message('The claim was already replaced.'));
          if (mode === 'live') await requireAcceptsClaims(context, tx, offer, 1);
        } else if (replace !== true && replace !== existing.id) {
          await DIALECTS[context.db.engine].waitForStandby(tx, offer.account_number);
          return { ...tokenOf(context, mode, existing), offer };
        } else if (existing.redeemed_at === null) {
          // With two unredeemed claims, the claimant could redeem the offer twice.
          throw invalid(
            message('This claimant’s claim is not redeemed yet. Only a redeemed claim can be replaced.'),
          );
        }
        const details = { mode, via: via ?? existing?.via ?? null, actor, replaces: existing?.id ?? null };
        const { claim, token } = await makeClaim(context, tx, offer, claimant, details);
        return { id: claim.id, token, via: details.via, offer };
      });
      const codes = await codesOfClaims(context, context.db.read, [
        { id: issued.id, offer_id: id, account_id },
      ]);
      return show(offer, issued, codes);
    } catch (error) {
      // Retry: the next run finds the claim that a concurrent transaction, such as an import, created first.
      if (!(error instanceof ClaimantTaken) || run >= MAX_RUNS) throw error;
    }
  }
}

class ClaimantTaken extends Refusal {
  constructor() {
    super(
      'invalid_request',
      'The claimant’s claim has just been created or replaced. Check the claim, then try again.',
    );
  }
}

interface ClaimToMake {
  readonly mode: Mode;
  readonly via: string | null;
  readonly actor: Actor;
  /** Id of the redeemed claim that the new claim replaces; `null`: none. */
  readonly replaces: string | null;
}

/** The caller must hold the lock on the offer. */
async function makeClaim(
  context: Context,
  tx: Transaction,
  offer: ClaimableOffer,
  claimant: Claimant,
  { mode, via, actor, replaces }: ClaimToMake,
): Promise<DerivedClaim> {
  const { engine } = context.db;
  const at = context.at();
  if (replaces !== null && !(await markReplaced(tx, engine, offer, replaces, at))) throw new ClaimantTaken();
  const details = { mode, via, claimant_ref: null, claimant_id: null, ...claimant, at };
  const derived = deriveClaim(context, offer, details);
  if (!(await addClaims(tx, engine, offer, [derived.claim], { actor, replaces }))) throw new ClaimantTaken();
  return derived;
}

const unknownOffer = (id: string) => new Refusal('unknown_offer', `There is no offer ${id}.`);

async function requireOffer(context: Context, offerId: string): Promise<ClaimableOffer> {
  if (!isUuid(offerId)) throw invalid(`An offer id is a UUID; found ${quote(offerId)}.`);
  const offer = await findClaimableOffer(context.db.read, offerId.toLowerCase());
  if (offer === undefined) throw unknownOffer(offerId);
  return offer;
}

async function requireLocked(context: Context, tx: Transaction, offerId: string): Promise<ClaimableOffer> {
  const offer = await lockOffer(tx, context.db.engine, offerId);
  if (offer === undefined) throw unknownOffer(offerId);
  return offer;
}

type DerivedClaim = ReturnType<typeof deriveClaim>;

interface Issued {
  readonly id: string;
  readonly token: string;
  /** The label of the claim. */
  readonly via: string | null;
}

const show = (offer: ClaimableOffer, claim: Issued, codes: ReadonlyMap<string, string>): IssuedClaim => ({
  claimId: claim.id,
  token: claim.token,
  link:
    offer.redemption_link === null
      ? null
      : fillRedemptionLink(offer.redemption_link, { claim: claim.token, via: claim.via, offer: offer.id }),
  code: codes.get(claim.id) ?? offer.code,
});

function tokenOf(context: Context, mode: Mode, claim: StandingClaim): Issued {
  if (claim.token_origin === 'imported') {
    throw invalid(
      'This claimant’s claim was imported. Its token is not stored, so it cannot be shown again.',
    );
  }
  const recovered = context.tokens.recover(claim.id, mode, claim.token_hash);
  if (recovered === null) {
    throw invalid(
      'This claimant’s claim was issued under another SECRET_KEY, so its token cannot be shown. Add that key after the current one.',
    );
  }
  return { id: claim.id, token: recovered.token, via: claim.via };
}

/**
 * The old claim stays redeemed. Ignores the offer's state and limit. If the claim was already replaced, for example
 * because the form was sent twice, returns the current claim. Throws if it is not redeemed or has no claimant.
 */
export async function replaceClaim(
  context: Context,
  input: { readonly accountId: string; readonly claimId: string; readonly actor: Actor },
): Promise<{ readonly claimId: string }> {
  const claim = await findClaim(context.db, input.accountId, { id: input.claimId });
  if (claim === undefined) throw invalid(message('This claim does not exist.'));
  if (claim.redeemed_at === null) {
    throw invalid(message('The claim is not redeemed yet. Only a redeemed claim can be replaced.'));
  }
  const { mode, via, offer_id: offerId, claimant: claimant_ref, claimant_id } = claim;
  if (claimant_id === null && claimant_ref === null) {
    throw invalid(message('The claim has no claimant, so it cannot be replaced.'));
  }
  const claimant = claimant_id === null ? { claimant_ref: claimant_ref! } : { claimant_id };
  const { actor } = input;
  const issued = await issueTo(context, claimant, { offerId, mode, via, replace: claim.id, actor });
  return { claimId: issued.claimId };
}

export interface ClaimForTest {
  readonly accountId: string;
  readonly offerId: string;
  readonly actor?: Actor;
}

/** The owner's unredeemed test claim, or a new one. Ignores the offer's state. Not counted. */
export async function claimForTest(
  context: Context,
  { accountId, offerId, actor = `account:${accountId}` }: ClaimForTest,
): Promise<ClaimedOffer> {
  const claimant = { claimant_id: accountId };
  return await context.db.transaction(async (tx) => {
    const offer = isUuid(offerId) ? await lockOffer(tx, context.db.engine, offerId.toLowerCase()) : undefined;
    if (offer?.account_id !== accountId) throw invalid(message('This offer does not exist.'));
    const standing = await findStandingClaim(tx, offer, 'test', claimant);
    if (standing !== undefined && standing.redeemed_at === null) {
      return { claimId: standing.id, created: false };
    }
    const replaces = standing?.id ?? null;
    const step = { mode: 'test', via: null, actor, replaces } as const;
    const { claim } = await makeClaim(context, tx, offer, claimant, step);
    return { claimId: claim.id, created: true };
  });
}
