/** Fills the database of `claimcheck demo` with ninety days of data, using the service's own functions. */

import type { Context } from '../../base/context.ts';
import { DASHBOARD_PATH, DESK_PATH, MY_CLAIMS_PATH } from '../../base/paths.ts';
import { openClaim } from '../../claims/claimants/open.ts';
import { claimOffer } from '../../claims/creation/claim-offer.ts';
import { issueClaimFor, issueClaims } from '../../claims/creation/issue.ts';
import { hashToken } from '../../claims/token.ts';
import { createVerifier } from '../../claims/verify/verifier.ts';
import { aggregateLabelDeltas } from '../../marketplace/campaigns/count.ts';
import { rankMarket } from '../../marketplace/campaigns/rankings.ts';
import { changeCategories } from '../../marketplace/listings/categories.ts';
import { addCategory, type Category } from '../../marketplace/listings/category.ts';
import { featureListing } from '../../marketplace/listings/feature.ts';
import { findListing } from '../../marketplace/listings/queries.ts';
import { countPopular, refreshCards } from '../../marketplace/listings/refresh-cards.ts';
import type { Kind } from '../../marketplace/offers/offer.ts';
import { listOffers } from '../../marketplace/offers/queries.ts';
import { createKey } from '../../people/keys/create.ts';
import { revokeKey } from '../../people/keys/end.ts';
import { hashKey } from '../../people/keys/key.ts';
import { listKeys } from '../../people/keys/queries.ts';
import { issueSignInLink } from '../../people/sign-in/sign-in.ts';
import { ask } from '../../platform/store/batch-queue.ts';
import { joinTransactions } from '../../platform/store/database.ts';
import { markAsDemo } from '../../platform/store/settings.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/text/durations.ts';
import { listingOf, NOTES } from './apps.ts';
import { createCallLog } from './calls.ts';
import { dayStart, type PlannedClaim, planClaims } from './days.ts';
import { CATEGORIES, CLAIMANT, OPERATOR, OWNERS } from './market.ts';
import { keyOf, ownerId, signUp } from './people.ts';
import { encodeDemoPictures } from './pictures.ts';
import { planStory, type Stage } from './story.ts';
import { createDemoEndpoint } from './team.ts';
import { createDemoVisits } from './visits.ts';

/** The newest days are written event by event, in order; one transaction per event takes minutes on a slow disk. */
const ORDERED_DAYS = 1;
/** Kinds of offers whose redemptions have an order number as their reference. */
const ORDERED: readonly Kind[] = ['discount', 'credit'];
const REDEEM_TIMEOUT_MS = MINUTE_MS;
/** Day on which the story starts. Claims start on day 0, after the first accounts and listings have been created. */
const FIRST_DAY = -4;

/** Marks the database as a demo at the end, so that an interrupted fill is detected. `onDay`: days written so far. */
export async function fillDemo(context: Context, onDay: (days: number) => void): Promise<void> {
  const end = context.now();
  const clock = { ms: dayStart(end, FIRST_DAY) };
  // The clock is set before each action, so that the action is stored with its planned time.
  const past: Context = { ...context, now: () => clock.ms };
  const calls = createCallLog(past, end);
  const visits = createDemoVisits(past);
  const stage: Stage = {
    past,
    calls,
    end,
    endpoint: createDemoEndpoint(past),
    pictures: encodeDemoPictures(),
    cast: { accounts: new Map(), offers: new Map(), keys: new Map() },
  };
  try {
    await signUp(stage, OPERATOR, { plan: 'everything', operator: true, actor: 'operator' });
    await changeCategories(past, {
      categories: CATEGORIES.reduce(addCategory, [] as readonly Category[]),
      operatorId: stage.cast.accounts.get(OPERATOR.email)!,
      actor: 'operator',
    });
    const claims = new Map<PlannedClaim, IssuedClaim>();
    const occurrences = planOccurrences(stage);
    for (let next = 0, today = 0; next < occurrences.length; ) {
      const group = nextGroup(occurrences, next, end);
      next += group.length;
      const day = Math.max(0, Math.floor((group[0]!.at - dayStart(end, 0)) / DAY_MS));
      if (day > today) {
        // With the clock of their day, because its salt is forgotten afterwards.
        await visits.write();
        onDay(day);
        today = day;
      }
      await perform(stage, clock, group, claims);
      for (const { claim, kind } of group) if (kind === 'claim') await visits.around(claim!);
    }
    await visits.write();
    clock.ms = end;
    calls.failed(stage.cast);
    await calls.write();
  } finally {
    await calls.close();
    await visits.close();
  }
  await aggregateLabelDeltas(context);
  await featureListing(context, { listing: NOTES, actor: 'operator' });
  await refreshCards(context);
  await countPopular(context);
  await rankMarket(context);
  await markAsDemo(context.db, new Date(end).toISOString());
}

interface Occurrence {
  readonly at: number;
  /** Occurrences of the same kind can share a transaction, except for steps. */
  readonly kind: 'claim' | 'opening' | 'redemption' | 'step';
  readonly claim?: PlannedClaim;
  readonly step?: () => Promise<unknown>;
}

function planOccurrences(stage: Stage): readonly Occurrence[] {
  const ofClaims = planClaims(stage.end).flatMap((claim): Occurrence[] => [
    { at: claim.at, kind: 'claim', claim },
    ...(claim.openedAt === null ? [] : [{ at: claim.openedAt, kind: 'opening', claim } as const]),
    ...(claim.redeemedAt === null ? [] : [{ at: claim.redeemedAt, kind: 'redemption', claim } as const]),
  ]);
  const steps = planStory(stage).map((step): Occurrence => ({ ...step, kind: 'step' }));
  return [...ofClaims, ...steps].sort((a, b) => a.at - b.at);
}

/** Returns one step, one occurrence in the last `ORDERED_DAYS`, or all up to the next step or midnight. */
function nextGroup(all: readonly Occurrence[], from: number, end: number): readonly Occurrence[] {
  const first = all[from]!;
  if (first.kind === 'step' || first.at >= end - ORDERED_DAYS * DAY_MS) return [first];
  const nightfall = (Math.floor(first.at / DAY_MS) + 1) * DAY_MS;
  const after = all.findIndex(({ at, kind }, index) => index > from && (kind === 'step' || at >= nightfall));
  return all.slice(from, after === -1 ? all.length : after);
}

interface IssuedClaim {
  readonly claimId: string;
  readonly claimantId: string | null;
  readonly token: string;
}

async function perform(
  stage: Stage,
  clock: { ms: number },
  group: readonly Occurrence[],
  madeClaims: Map<PlannedClaim, IssuedClaim>,
): Promise<void> {
  const of = (kind: Occurrence['kind']) => group.filter((occurrence) => occurrence.kind === kind);
  for (const { at, step } of of('step')) {
    clock.ms = at;
    await step?.();
  }
  const together = async (
    kind: Occurrence['kind'],
    run: (past: Context, claim: PlannedClaim) => Promise<unknown>,
  ) => {
    if (of(kind).length === 0) return;
    await joinTransactions(stage.past.db, async (db) => {
      for (const { at, claim } of of(kind)) {
        clock.ms = at;
        await run({ ...stage.past, db }, claim!);
      }
    });
  };
  await together('claim', async (past, claim) =>
    madeClaims.set(claim, await makeClaim({ ...stage, past }, claim)),
  );
  await together('opening', async (past, claim) => {
    const { claimId, claimantId } = madeClaims.get(claim)!;
    // A claimant from an external marketplace does not open the claim here.
    if (claimantId !== null) await openClaim(past, { claimantAccountId: claimantId, claimId });
  });
  // Redemptions run concurrently, so that they share a transaction. They also share the clock, so each is given its own
  // time as `at`.
  await Promise.all(
    of('redemption').map(({ at, claim }) =>
      redeem(stage, claim!, { at, token: madeClaims.get(claim!)!.token }),
    ),
  );
}

async function makeClaim(stage: Stage, { claimant, offer, via }: PlannedClaim): Promise<IssuedClaim> {
  const { past, cast } = stage;
  const offerId = cast.offers.get(offer.name)!;
  if ('reference' in claimant) {
    const input = { offerId, claimantRef: claimant.reference, mode: 'live', via, replace: false } as const;
    const { claimId, token } = await issueClaimFor(past, input);
    return { claimId, claimantId: null, token };
  }
  // Claimants sign up when they make their first claim.
  const claimantId = cast.accounts.get(claimant.email) ?? (await signUp(stage, claimant, { actor: 'self' }));
  const input = { claimantAccountId: claimantId, listing: offer.listing, offerId, via };
  const { claimId } = await claimOffer(past, input);
  return { claimId, claimantId, token: past.tokens.derive(claimId, 'live') };
}

async function redeem(
  { past, cast, calls }: Stage,
  { offer, via }: PlannedClaim,
  { at, token }: { readonly at: number; readonly token: string },
): Promise<void> {
  const { owner } = listingOf(offer.listing);
  const { id: keyId, key } = keyOf(cast, owner);
  const verification = {
    keyHash: hashKey(key),
    tokenHash: hashToken(token),
    redeem: true,
    idempotencyHash: null,
    networks: null,
    trace: null,
    reference: ORDERED.includes(offer.kind) ? `order-${Math.floor(at / MINUTE_MS) % 1_000_000}` : null,
  };
  const verifier = createVerifier(past.db, () => at, { batch: () => {} }, REDEEM_TIMEOUT_MS);
  const result = await ask(verifier, verification);
  if (result.kind !== 'found' || result.status !== 'redeemed') {
    throw new Error(`The demo could not redeem a claim: ${result.kind}.`);
  }
  const offerId = cast.offers.get(offer.name)!;
  calls.redeemed({ at, token, keyId, offerId, via, accountId: ownerId(cast, owner) });
}

export type DemoLinks = Awaited<ReturnType<typeof createLinks>>;

/** Each link works once and expires after a day. Links from an earlier start of the demo stop working. */
export async function createLinks(context: Context, baseUrl: string) {
  const link = ({ email: account }: { readonly email: string }, next: string) =>
    issueSignInLink(context, { account, baseUrl, next });
  return {
    operator: await link(OPERATOR, DESK_PATH),
    owner: await link(OWNERS['lumen']!, DASHBOARD_PATH),
    claimant: await link(CLAIMANT, MY_CLAIMS_PATH),
  };
}

export type DemoTrial = Awaited<ReturnType<typeof createTrial>>;

const TRIAL_TOKENS = 3;
const TRIAL_KEY_NAME = 'demo terminal';
/** Lifetime of the test key. The lifetime is short, because the key is printed to a terminal. */
const TRIAL_KEY_LIFE = '24h';

/** Test claims on the first offer of `NOTES`, and a test key instead of the previous start's. */
export async function createTrial(context: Context) {
  const listing = await findListing(context.db.read, NOTES);
  const [offer] = await listOffers(context.db.read, listing);
  if (offer === undefined) throw new Error(`The demo's listing ${NOTES} has no offer.`);
  for (const { id, name } of await listKeys(context.db.read, listing.account_id)) {
    if (name === TRIAL_KEY_NAME) await revokeKey(context, { keyId: id, actor: 'operator' });
  }
  const { key } = await createKey(context, {
    account: listing.account_id,
    name: TRIAL_KEY_NAME,
    mode: 'test',
    expiresIn: TRIAL_KEY_LIFE,
    actor: 'operator',
  });
  const tokens: string[] = [];
  const input = { offerId: offer.id, count: TRIAL_TOKENS, mode: 'test', via: 'newsletter' } as const;
  for await (const claims of issueClaims(context, input)) tokens.push(...claims.map(({ token }) => token));
  return { key, tokens };
}
