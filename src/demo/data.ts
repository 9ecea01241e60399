/** Makes the marketplace of `claimcheck demo`: ninety days, written by the same verbs as a real one. */
import { createAccount } from '../accounts/create.ts';
import { foldAllLabelDeltas } from '../campaigns/fold.ts';
import { claimOffer } from '../claims/claim-offer.ts';
import { issueClaimFor } from '../claims/issue.ts';
import { openClaim } from '../claims/open.ts';
import { hashToken } from '../claims/token.ts';
import { verifyProgram } from '../claims/verify/program.ts';
import type { Context } from '../context.ts';
import { DAY_MS } from '../durations.ts';
import { hashKey } from '../keys/key.ts';
import { joinTransactions } from '../store/joined.ts';
import { markAsDemo } from '../store/settings.ts';
import { createCallLog } from './calls.ts';
import { dayStart, type PlannedClaim, planClaims } from './days.ts';
import type { Person } from './people.ts';
import { type Cast, createCast, planStory, type StoryContext } from './story.ts';

/**
 * The newest lines of the logs are written in the order of their times. Earlier days are written a day at a time, or a
 * slow disk would take minutes.
 */
const ORDERED_DAYS = 3;

/**
 * Makes everything up to now, in an empty database; when interrupted, the database is not marked as a demo. `onDay` gets
 * the number of days made so far.
 */
export async function fillDemo(context: Context, onDay: (days: number) => void): Promise<void> {
  const end = context.now();
  const clock = { ms: end };
  // A clock that moves through the days, so that each verb runs at the time of its happening.
  const past: Context = { ...context, now: () => clock.ms };
  const cast = await createCast(past, clock, end);
  const calls = createCallLog(past, end);
  try {
    const story: StoryContext = { past, calls, cast };
    const claims = new Map<PlannedClaim, Made>();
    const happenings = planHappenings(end, story);
    for (let next = 0; next < happenings.length; ) {
      const group = nextGroup(happenings, next, end);
      next += group.length;
      const { at } = group[0]!;
      onDay(Math.max(0, Math.floor((at - dayStart(end, 0)) / DAY_MS)));
      await perform(story, clock, group, claims);
    }
    clock.ms = end;
    await calls.write();
  } finally {
    await calls.close();
  }
  await foldAllLabelDeltas(context);
  await markAsDemo(context.db, new Date(end).toISOString());
}

interface Happening {
  readonly at: number;
  /** Happenings of one kind can share a transaction; a step of the story cannot. */
  readonly kind: 'claim' | 'opening' | 'redemption' | 'step';
  readonly claim?: PlannedClaim;
  readonly step?: () => Promise<unknown>;
}

function planHappenings(end: number, story: StoryContext): readonly Happening[] {
  const ofClaims = planClaims(end).flatMap((claim): Happening[] => [
    { at: claim.at, kind: 'claim', claim },
    ...(claim.openedAt === null ? [] : [{ at: claim.openedAt, kind: 'opening', claim } as const]),
    ...(claim.redeemedAt === null ? [] : [{ at: claim.redeemedAt, kind: 'redemption', claim } as const]),
  ]);
  const steps = planStory(end, story).map(({ at, step }): Happening => ({ at, kind: 'step', step }));
  return [...ofClaims, ...steps].sort((a, b) => a.at - b.at);
}

/** A single step, a single happening of the last days, or the rest of a day up to the next step. */
function nextGroup(all: readonly Happening[], from: number, end: number): readonly Happening[] {
  const first = all[from]!;
  if (first.kind === 'step' || first.at >= end - ORDERED_DAYS * DAY_MS) return [first];
  const nightfall = (Math.floor(first.at / DAY_MS) + 1) * DAY_MS;
  const after = all.findIndex(({ at, kind }, index) => index > from && (kind === 'step' || at >= nightfall));
  return all.slice(from, after === -1 ? all.length : after);
}

/** A claim as it is in the database. */
interface Made {
  readonly claimId: string;
  readonly claimantId: string | null;
  readonly token: string;
}

async function perform(
  { past, calls, cast }: StoryContext,
  clock: { ms: number },
  group: readonly Happening[],
  made: Map<PlannedClaim, Made>,
): Promise<void> {
  const of = (kind: Happening['kind']) =>
    group.flatMap((happening) => (happening.kind === kind ? [happening] : []));
  for (const { at, step } of of('step')) {
    clock.ms = at;
    await step?.();
  }
  const claims = of('claim');
  if (claims.length > 0) {
    await joinTransactions(past.db, async (db) => {
      for (const { at, claim } of claims) {
        clock.ms = at;
        made.set(claim!, await makeClaim({ ...past, db }, cast, claim!));
      }
    });
  }
  const openings = of('opening');
  if (openings.length > 0) {
    await joinTransactions(past.db, async (db) => {
      for (const { at, claim } of openings) {
        clock.ms = at;
        const { claimId, claimantId } = made.get(claim!)!;
        // A claimant of an outside marketplace does not open the claim here.
        if (claimantId !== null) await openClaim({ ...past, db }, { claimantAccountId: claimantId, claimId });
      }
    });
  }
  // They share a transaction, each with its own time.
  await Promise.all(
    of('redemption').map(async ({ at, claim }) => {
      const { token } = made.get(claim!)!;
      const { offer, via } = claim!;
      const { owner } = offer.listing;
      const key = cast.liveKeys.get(owner)!;
      await redeem(past, { key: key.key, token, at });
      const call = { accountId: cast.accountId(owner), keyId: key.id, offerId: cast.offerId(offer), via };
      calls.redeemed({ at, token, ...call });
    }),
  );
}

async function makeClaim(past: Context, cast: Cast, claim: PlannedClaim): Promise<Made> {
  const { claimant, offer, via } = claim;
  const offerId = cast.offerId(offer);
  if ('reference' in claimant) {
    const issued = await issueClaimFor(past, {
      offerId,
      claimantRef: claimant.reference,
      mode: 'live',
      via,
      replace: false,
    });
    return { claimId: issued.claimId, claimantId: null, token: issued.token };
  }
  const claimantId = await accountOf(past, cast, claimant);
  const { claimId } = await claimOffer(past, {
    claimantAccountId: claimantId,
    listing: offer.listing.slug,
    offerId,
    via,
  });
  return { claimId, claimantId, token: past.tokens.derive(claimId, 'live') };
}

/** People sign up on the way to their first claim. */
async function accountOf(past: Context, cast: Cast, person: Person): Promise<string> {
  const known = cast.accounts.get(person.email);
  if (known !== undefined) return known;
  const { id } = await createAccount(past, { ...person, actor: 'self' });
  cast.accounts.set(person.email, id);
  return id;
}

async function redeem(
  past: Context,
  { key, token, at }: { readonly key: string; readonly token: string; readonly at: number },
): Promise<void> {
  const verification = {
    keyHash: hashKey(key),
    tokenHash: hashToken(token),
    redeem: true,
    idempotencyHash: null,
  };
  const batch = { nowMs: at, verifications: [verification] };
  const [answer] = await past.db.runBatch(verifyProgram, batch, Number.POSITIVE_INFINITY);
  if (answer?.kind !== 'found' || answer.status !== 'redeemed') {
    throw new Error(`A claim of the demo was answered ${answer?.kind}.`);
  }
}
