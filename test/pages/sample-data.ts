/** The sample data of the whole site, and the IDs that routes take as path parameters. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../src/app/service.ts';
import type { LinkCheck, Visit } from '../../src/background/link-checks/link-check.ts';
import { putLinkCheck } from '../../src/background/link-checks/queries.ts';
import { stopUrl } from '../../src/background/notices/kinds.ts';
import { insertDeliveries, recordAttempts } from '../../src/background/webhooks/delivery-queries.ts';
import { createEndpoint, disableEndpoint } from '../../src/background/webhooks/endpoints.ts';
import type { Context } from '../../src/base/context.ts';
import { findCall } from '../../src/claims/attempts/queries.ts';
import { openClaim } from '../../src/claims/claimants/open.ts';
import { claimOffer } from '../../src/claims/creation/claim-offer.ts';
import { issueClaimFor, issueClaims } from '../../src/claims/creation/issue.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { aggregateLabelDeltas } from '../../src/marketplace/campaigns/count.ts';
import { createListing } from '../../src/marketplace/listings/create.ts';
import { requestChanges, submitListing } from '../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../src/marketplace/listings/edit.ts';
import { addPicture } from '../../src/marketplace/listings/pictures.ts';
import { findUnprobedListings, putLinkProbes } from '../../src/marketplace/listings/queue-queries.ts';
import { reportListing } from '../../src/marketplace/listings/reports.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { editOffer, pauseOffer } from '../../src/marketplace/offers/edit.ts';
import { joinWithAccount } from '../../src/marketplace/waiting-list/join.ts';
import { confirmUrl, stopWaitingUrl } from '../../src/marketplace/waiting-list/waiting-list.ts';
import { askForPlan } from '../../src/people/accounts/requests.ts';
import { invitePeople } from '../../src/people/invitations/invite.ts';
import { listMarketInvitations } from '../../src/people/invitations/queries.ts';
import { createKey, createOperatorKey } from '../../src/people/keys/create.ts';
import { revokeKey, revokeOperatorKey } from '../../src/people/keys/end.ts';
import { SCOPES } from '../../src/people/keys/key.ts';
import { removeMember } from '../../src/people/members/change-membership.ts';
import { listInvitations } from '../../src/people/members/queries.ts';
import { stopInvitationsUrl } from '../../src/people/members/refusals.ts';
import { updateSession } from '../../src/people/sign-in/sessions/queries.ts';
import { createAccessLink, type LinkScope } from '../../src/people/visibility/access-link.ts';
import { listAccessLinks } from '../../src/people/visibility/link-queries.ts';
import { MARKETPLACE_ID } from '../../src/platform/store/tables/webhooks.ts';
import { uuidv7 } from '../../src/platform/store/uuid.ts';
import { fakeFiles } from '../marketplace/pictures/support.ts';
import { addMember, invite } from '../support/members.ts';
import { noMailer, type SignedIn } from '../support/person.ts';
import { localOutgoing } from '../support/receiver.ts';

/** `coOwner` and `member` are members of the owner's account; `removed` is a former member. */
export type PersonName = 'operator' | 'owner' | 'coOwner' | 'member' | 'removed' | 'claimant' | 'stranger';

/** IDs of the sample data. In `WholeSite.missing`, every field has an ID that does not exist. */
export interface Ids {
  readonly listing: string;
  /** Slug of an unpublished listing. */
  readonly draftSlug: string;
  readonly offer: string;
  /** An offer whose new link is waiting for approval. */
  readonly waitingOffer: string;
  readonly key: string;
  /** A logged request that redeemed a claim. */
  readonly request: string;
  /** A logged request that was refused. */
  readonly refusedRequest: string;
  /** The claimant's claim on the owner's offer. */
  readonly claim: string;
  readonly account: string;
  readonly session: string;
  readonly passkey: string;
  /** A webhook endpoint. It is disabled, so that no job sends deliveries. */
  readonly endpoint: string;
  readonly delivery: string;
  /** The same of the marketplace. */
  readonly marketEndpoint: string;
  readonly marketDelivery: string;
  readonly operatorKey: string;
  /** A second owner of the owner's account. */
  readonly coOwner: string;
  /** An open invitation to the owner's account. */
  readonly invitation: string;
  /** An open invitation to the marketplace. */
  readonly marketInvitation: string;
  /** The code in the claimant's unsubscribe link. */
  readonly stopCode: string;
  readonly stopInvitationsCode: string;
  /** The codes in the links of emails about the waiting list that the claimant is on. */
  readonly joinListCode: string;
  readonly leaveListCode: string;
  /** A link with which people may see the owner's listing. */
  readonly accessLink: string;
  /** Another link of the listing, because the owner revokes the first one. */
  readonly otherAccessLink: string;
  /** A link with which people become members of the marketplace. */
  readonly marketLink: string;
}

export type People = Readonly<Record<PersonName, SignedIn>>;

const ACTOR = 'operator' as const;
/** Slug of the published listing. */
export const NOTES = 'notes';
/** Polling interval while waiting for a call to appear in the request log. */
const LOG_LOOK_MS = 20;

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export async function addSampleData(
  service: Service,
  { operator, owner, coOwner, member, removed, claimant }: People,
): Promise<{ readonly ids: Ids; readonly apiKey: string }> {
  const { context } = service;
  const account = owner.accountId;
  const listing = await createListing(context, {
    account,
    slug: NOTES,
    name: 'Notes',
    summary: 'A calm place for what a team knows.',
    description: 'Notes keeps what a team knows in one place.\n\nIt is quick, and it is quiet.',
    url: 'https://notes.example/',
    upTo: 'approved',
    actor: ACTOR,
  });
  const link = 'https://notes.example/welcome?claim={claim}';
  const offerOf = (offer: string, more: object) =>
    createOffer(context, { listing: NOTES, offer, kind: 'discount', actor: ACTOR, ...more });
  const offer = await offerOf('20% off the first year', { redemption_link: link, code: 'SPRING20' });
  const codeOnly = await offerOf('Three months on the house', { kind: 'trial', code: 'THREE' });
  const paused = await offerOf('A handbook', { kind: 'gift', redemption_link: link });
  const waiting = await offerOf('50 credits', { kind: 'credit', redemption_link: link, claim_limit: '100' });
  const actor = `account:${account}` as const;
  await pauseOffer(context, { offerId: paused.id, actor });
  const elsewhere = 'https://shop.elsewhere.example/welcome?claim={claim}';
  await editOffer(context, { offerId: waiting.id, redemption_link: elsewhere, actor });
  await editListing(context, { listing: NOTES, url: 'https://elsewhere.example/', actor });
  for (const picture of [
    { listing: NOTES, kind: 'icon', actor: ACTOR },
    { listing: NOTES, kind: 'cover', actor: ACTOR },
    { listing: NOTES, kind: 'cover', actor },
    { offerId: offer.id, kind: 'offer', actor: ACTOR },
  ] as const) {
    await addPicture(context, { ...picture, files: fakeFiles(PIXEL) });
  }
  for (const [slug, name] of [
    ['draft', 'Not seen yet'],
    ['pending', 'Waiting'],
    ['returned', 'Returned'],
  ] as const) {
    await createListing(context, { account, slug, name, url: `https://${slug}.example/`, actor });
    if (slug === 'draft') continue;
    await createOffer(context, {
      listing: slug,
      offer: `10 % off ${name}`,
      kind: 'discount',
      redemption_link: `https://${slug}.example/welcome?claim={claim}`,
      actor,
    });
    await editListing(context, { listing: slug, summary: 'One line.', description: 'A few more.', actor });
    await submitListing(context, { listing: slug, actor });
  }
  await requestChanges(context, { listing: 'returned', reason: 'The name says nothing.', actor: ACTOR });

  const key = await createKey(context, { account, name: 'Server', mode: 'live', actor });
  await createKey(context, { account, name: 'Tests', mode: 'test', actor });
  const revoked = await createKey(context, { account, name: 'Old server', mode: 'live', actor });
  await revokeKey(context, { keyId: revoked.id, accountId: account, actor });

  const claim = await claimOffer(context, {
    claimantAccountId: claimant.accountId,
    listing: NOTES,
    offerId: offer.id,
    via: 'newsletter',
  });
  await claimOffer(context, {
    claimantAccountId: claimant.accountId,
    listing: NOTES,
    offerId: codeOnly.id,
  });
  await openClaim(context, { claimantAccountId: claimant.accountId, claimId: claim.claimId });
  const issued = await issueClaimFor(context, {
    offerId: offer.id,
    claimantRef: 'person-4711',
    mode: 'live',
    via: 'podcast',
    replace: false,
    actor: ACTOR,
  });
  for await (const _ of issueClaims(context, { offerId: offer.id, count: 40, mode: 'live', via: 'shop' }));
  const verify = async (body: object, headers = {}) => {
    const response = await fetch(service.baseUrl + VERIFY_PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, requestId: response.headers.get('x-request-id')! };
  };
  const [redeemed, refused, ...others] = await Promise.all([
    verify({ token: issued.token, redeem: true }),
    verify({ token: '{claim}', redeem: true }),
    verify({ redeem: true }),
    verify({ token: issued.token }, { 'content-type': 'text/plain' }),
  ]);
  if (redeemed.status !== 200) throw new Error(`not redeemed: ${redeemed.status}`);
  for (const { requestId } of [redeemed, refused, ...others]) {
    while ((await findCall(context.db.read, account, requestId)) === undefined) await sleep(LOG_LOOK_MS);
  }
  await aggregateLabelDeltas(context);
  await addLinkCheck(context, { account_id: account, offer_id: offer.id, link, claim_id: claim.claimId });
  await addLinkProbes(context);

  await addMember(context, coOwner, { accountId: account, role: 'owner' });
  await addMember(context, member, { accountId: account });
  await addMember(context, removed, { accountId: account, role: 'owner' });
  await removeMember(context, { accountId: account, memberId: removed.accountId, actor, keysEnd: 'now' });
  // The removal also ended the confirmation of identity, without which some routes don't look at the id.
  await context.db.transaction((tx) => updateSession(tx, removed.sessionId, { proven_at: context.at() }));
  await invite(context, { accountId: account, email: 'nina@acme.example' });
  const [invitation] = await listInvitations(context.db.read, account);

  await invitePeople(
    { context, mailer: noMailer, baseUrl: service.baseUrl },
    {
      people: [{ email: 'nils@apps.example', name: null }],
      role: 'owner',
      plan: 'starter',
      note: null,
      language: 'en',
      operatorId: operator.accountId,
      actor: `account:${operator.accountId}`,
    },
  );
  const [marketInvitation] = await listMarketInvitations(context.db.read);

  await askForPlan(context, { accountId: account, actor, plan: 'everything', message: 'We are growing.' });
  await reportListing(context, {
    listing: NOTES,
    cause: 'other',
    words: 'It ended last week.',
    reporterId: claimant.accountId,
    address: null,
  });

  const ids: Ids = {
    coOwner: coOwner.accountId,
    invitation: invitation!.id,
    marketInvitation: marketInvitation!.id,
    listing: listing.id,
    draftSlug: 'draft',
    offer: offer.id,
    waitingOffer: waiting.id,
    key: key.id,
    request: redeemed.requestId,
    refusedRequest: refused.requestId,
    claim: claim.claimId,
    account,
    session: owner.sessionId,
    passkey: await addPasskey(context, account),
    ...(await addEndpoint(context, account, `account:${account}`)),
    ...(await addMarketplaceEndpoint(context, `account:${operator.accountId}`)),
    operatorKey: (await addOperatorKeys(context, operator.accountId)).id,
    stopCode: stopUrl(context.secretBox, '', claimant.accountId, 'claims').split('/').at(-1)!,
    accessLink: await addAccessLink(context, { listingId: listing.id, accountId: account }),
    otherAccessLink: await addAccessLink(context, { listingId: listing.id, accountId: account }),
    marketLink: await addAccessLink(context, { listingId: null, accountId: operator.accountId }),
    stopInvitationsCode: stopInvitationsUrl(context.secretBox, '', 'hash').split('/').at(-1)!,
    ...(await addWaitingPerson(context, paused.id, claimant.accountId)),
  };
  return { ids, apiKey: key.key };
}

/** Puts the person on the waiting list of the offer. */
async function addWaitingPerson(
  context: Context,
  offerId: string,
  accountId: string,
): Promise<Pick<Ids, 'joinListCode' | 'leaveListCode'>> {
  await joinWithAccount(context, { offerId, accountId });
  const { id } = await context.db.read.selectFrom('waiting_people').select('id').executeTakeFirstOrThrow();
  return {
    joinListCode: confirmUrl(context.secretBox, '', id).split('/').at(-1)!,
    leaveListCode: stopWaitingUrl(context.secretBox, '', id).split('/').at(-1)!,
  };
}

/**
 * Stores the result of a link check in which a GET request redeemed the claim. The result is made up, because a real
 * check would need a public web server: the service sends no requests to its own machine.
 */
async function addLinkCheck(
  context: Context,
  of: Pick<LinkCheck, 'account_id' | 'offer_id' | 'link' | 'claim_id'>,
): Promise<void> {
  const at = new Date(context.now()).toISOString();
  const get: Visit = {
    method: 'GET',
    at,
    tookMs: 143,
    origin: new URL(of.link).origin,
    redirects: 0,
    leftTo: null,
    status: 200,
    failure: null,
    tls: { protocol: 'TLSv1.3', validTo: '2030-01-01T00:00:00.000Z' },
    hasRedeemed: true,
  };
  const check: LinkCheck = {
    ...of,
    started_at: at,
    visited_at: at,
    visits: JSON.stringify({ head: { ...get, method: 'HEAD', hasRedeemed: false }, get }),
    browser_claim_id: null,
    opened_at: null,
    reopened_at: null,
  };
  await context.db.transaction((tx) => putLinkCheck(tx, check));
}

/** Stores a result for every link that is waiting for approval, so that the link probe job has nothing to request. */
async function addLinkProbes(context: Context): Promise<void> {
  const at = new Date(context.now()).toISOString();
  const listings = await findUnprobedListings(context.db.read, at, 10);
  for (const { id: listingId, version, url: link } of listings) {
    const responses = [{ link, status: 200, failure: null }];
    await context.db.transaction((tx) => putLinkProbes(tx, { listingId, version, at, responses }));
  }
}

/** Creates a revoked operator key, and an active one that may issue claims. Returns the active key. */
async function addOperatorKeys(context: Context, account: string): Promise<{ readonly id: string }> {
  const scopes = ['claims:read', 'claims:write', 'accounts:read'];
  const old = await createOperatorKey(context, { account, name: 'Old market', scopes: SCOPES, actor: ACTOR });
  await revokeOperatorKey(context, { keyId: old.id, actor: ACTOR });
  const name = 'Market server';
  return await createOperatorKey(context, { account, name, scopes, expiresIn: '90d', actor: ACTOR });
}

async function addAccessLink(context: Context, scope: LinkScope): Promise<string> {
  const link = {
    name: 'Regular customers',
    people: 100,
    days: 30,
    actor: `account:${scope.accountId}` as const,
  };
  await createAccessLink(context, { ...scope, ...link });
  const [{ id } = { id: '' }] = await listAccessLinks(context.db.read, scope.listingId);
  return id;
}

export async function addPasskey(context: Context, accountId: string, name = 'Laptop'): Promise<string> {
  const id = uuidv7(context);
  await context.db.transaction((tx) =>
    tx
      .insertInto('passkeys')
      .values({
        id,
        account_id: accountId,
        name,
        credential_id: Buffer.from(context.random(16)).toString('base64url'),
        public_key: context.random(64),
        counter: 0,
        transports: '["internal"]',
        created_at: new Date(context.now()).toISOString(),
        last_used_at: null,
      })
      .execute(),
  );
  return id;
}

/** Creates a disabled endpoint with a delivery that failed after two attempts. */
async function addEndpoint(
  context: Context,
  accountId: string,
  actor: `account:${string}`,
): Promise<Pick<Ids, 'endpoint' | 'delivery'>> {
  const url = 'http://127.0.0.1:8080/hook';
  const { id: endpoint } = await createEndpoint(context, localOutgoing(), {
    accountId,
    actor,
    url,
    description: 'Shop',
    eventTypes: ['claim.created', 'claim.redeemed'],
  });
  await disableEndpoint(context, { accountId, actor, endpointId: endpoint });
  const delivery = uuidv7(context);
  const at = new Date(context.now()).toISOString();
  const about = { account_id: accountId, created_at: at, attempts: 0, next_at: at };
  await context.db.transaction(async (tx) => {
    await insertDeliveries(tx, context.db.engine, [
      {
        ...about,
        id: delivery,
        endpoint_id: endpoint,
        event_seq: 1,
        message_id: 'evt_0123456789abcdefghijkl',
        type: 'claim.created',
        trace: null,
        payload: '{"type":"claim.created","timestamp":"2026-11-20T10:00:00.000Z","data":{}}',
      },
    ]);
    const attempt = {
      account_id: accountId,
      delivery_id: delivery,
      url,
      at,
      took_ms: 12,
      redirects_to: null,
    };
    const answered = { status: 500, answer_type: 'text/plain', answer: 'no', failure: null };
    const failure = 'No connection to the port. Check that it is open to the internet and that TLS works.';
    const unanswered = { status: null, answer_type: null, answer: null, failure };
    const attempts = [answered, unanswered].map((how) => ({ ...attempt, ...how, id: uuidv7(context) }));
    const ended = { next_at: null, delivered_at: null, failed_at: at, was_due_at: at };
    await recordAttempts(tx, context.db.engine, attempts, [
      { ...ended, id: delivery, account_id: accountId, attempts: 2 },
    ]);
  });
  return { endpoint, delivery };
}

async function addMarketplaceEndpoint(
  context: Context,
  actor: `account:${string}`,
): Promise<Pick<Ids, 'marketEndpoint' | 'marketDelivery'>> {
  const { endpoint, delivery } = await addEndpoint(context, MARKETPLACE_ID, actor);
  return { marketEndpoint: endpoint, marketDelivery: delivery };
}

/** IDs of nothing. */
export function missingIds(context: Context): Ids {
  const id = () => uuidv7(context);
  return {
    listing: id(),
    draftSlug: 'no-such-app',
    offer: id(),
    waitingOffer: id(),
    key: id(),
    request: 'req_none',
    refusedRequest: 'req_none',
    claim: id(),
    account: id(),
    session: id(),
    passkey: id(),
    endpoint: id(),
    delivery: id(),
    marketEndpoint: id(),
    marketDelivery: id(),
    operatorKey: id(),
    coOwner: id(),
    invitation: id(),
    marketInvitation: id(),
    stopCode: 'none',
    stopInvitationsCode: 'none',
    joinListCode: 'none',
    leaveListCode: 'none',
    accessLink: id(),
    otherAccessLink: id(),
    marketLink: id(),
  };
}
