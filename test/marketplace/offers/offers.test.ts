import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { issueClaims } from '../../../src/claims/creation/issue.ts';
import { lockOffer } from '../../../src/claims/creation/offer-queries.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { approveProposal, declineProposal } from '../../../src/marketplace/listings/decide-proposal.ts';
import { approveListing } from '../../../src/marketplace/listings/decisions.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { type EditOffer, editOffer, pauseOffer, resumeOffer } from '../../../src/marketplace/offers/edit.ts';
import { MAX_OFFERS_OF_LISTING, offerState } from '../../../src/marketplace/offers/offer.ts';
import { findOffer, findOwnOffer } from '../../../src/marketplace/offers/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { defaultPolicy, setPolicy } from '../../../src/people/accounts/policy.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, expectOneOf, refusalOf } from '../../support/events.ts';
import { shareDatabase } from '../../support/shared.ts';

const desk = 'operator' as const;
const LINK = 'https://app.example.com/welcome?claim={claim}';
const FOREIGN = 'https://other.example.net/?c={claim}';
const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe.each(ENGINES)('an owner’s offers on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  const clock = { ms: NOW };
  let accountId: string;
  let actor: `account:${string}`;
  let made = 0;

  beforeAll(async () => {
    Object.assign(context, { now: () => clock.ms });
    accountId = (await createAccount(context, { email: 'owner@example.com', name: 'Ada', actor: desk })).id;
    actor = `account:${accountId}`;
    const policy = { ...defaultPolicy(false), texts: 'list' } as const;
    await setPolicy(context, { policy, hasProvider: false, operatorId: accountId, actor: desk });
  });

  const listing = (upTo: 'pending' | 'approved') => {
    made += 1;
    const [slug, url] = [`app-${made}`, 'https://app.example.com'];
    return createListing(context, { account: accountId, slug, name: slug, url, upTo, actor: desk });
  };
  const base = { offer: 'Half off', kind: 'discount' };
  const make = async (fields: { redemption_link?: string; code?: string } = { redemption_link: LINK }) => {
    const { id } = await listing('approved');
    return await createOffer(context, { ...base, ...fields, listing: id, actor });
  };
  const stateOf = async (id: string) => {
    const offer = await findOwnOffer(database.db.read, accountId, id);
    return offerState(offer!, clock.ms);
  };
  const issue = async (offerId: string, count: number) => {
    for await (const _ of issueClaims(context, { offerId, count, mode: 'live', via: null }));
  };
  const lastEvent = async (id: string) => (await eventsOf(database.db, id)).at(-1);
  const changesOf = async (id: string) =>
    (await eventsOf(database.db, id)).map(({ data }) => (data as { change: string }).change);

  test('an edit within the pinned origin is live immediately, and its event omits codes and links', async () => {
    const offer = await make();
    const redemption_link = 'https://app.example.com/new?t={claim}';
    const set = { kind: 'credit', code: 'THIRD', redemption_link };
    const typed = { ...set, offer: ' A third off ', ends_at: '2026-12-24', claim_limit: '100' };
    const edited = await editOffer(context, { offerId: offer.id, actor, ...typed });
    const ends_at = '2026-12-24T23:59:59.999Z';
    expect(edited).toEqual({ ...offer, ...set, offer: 'A third off', ends_at, claim_limit: 100 });
    expect(await findOffer(database.db.read, offer.id)).toEqual(edited);
    const event = await lastEvent(offer.id);
    expect(event).toMatchObject({
      type: 'offer.changed',
      actor,
      data: {
        change: 'edited',
        offer: 'Half off',
        from: { offer: 'Half off', kind: 'discount' },
        to: { offer: 'A third off', claim_limit: 100 },
        origin: 'https://app.example.com',
        waits: false,
      },
    });
    expect(JSON.stringify(event)).not.toContain('THIRD');
    expect(JSON.stringify(event)).not.toContain('{claim}');
  });

  test('an edit without changes has no effect, and an empty value clears the field', async () => {
    const offer = await make({ redemption_link: LINK, code: 'HALF' });
    const before = (await findListing(database.db.read, offer.listing_id)).version;
    const change = { offerId: offer.id, actor };
    const same = { ...change, offer: 'Half off', redemption_link: LINK, ends_at: '' };
    expect(await editOffer(context, same)).toEqual(offer);
    expect((await findListing(database.db.read, offer.listing_id)).version).toBe(before);
    expect((await eventsOf(database.db, offer.id)).length).toBe(1);
    expect((await editOffer(context, { ...change, redemption_link: '' })).redemption_link).toBeNull();
    const emptied = editOffer(context, { ...change, code: null });
    expect(await refusalOf(emptied)).toContain('found none of them');
    expect(await findOffer(database.db.read, offer.id)).toMatchObject({
      code: 'HALF',
      redemption_link: null,
    });
  });

  test('keep the approved link live while a link to another origin awaits review', async () => {
    const offer = await make();
    const setLink = (redemption_link: string) =>
      editOffer(context, { offerId: offer.id, actor, redemption_link });
    const edited = await setLink(FOREIGN);
    expect(edited).toMatchObject({ redemption_link: LINK, proposed_link: FOREIGN });
    expect(await stateOf(offer.id)).toBe('open');
    clock.ms += 1_000;
    // Submitting the pending link again does not change its place in the queue.
    expect(await setLink(FOREIGN)).toEqual(edited);
    expect((await setLink(LINK)).proposed_link).toBeNull();

    const first = await make({ redemption_link: FOREIGN });
    expect(first).toMatchObject({ redemption_link: null, proposed_link: FOREIGN, code: null });
    expect(await stateOf(first.id)).toBe('in_review');
    await expect(issue(first.id, 1)).rejects.toThrow('has not been approved');
    const decide = { listing: first.listing_id, offerId: first.id, actor: desk };
    await declineProposal(context, { ...decide, reason: 'Whose page is this?' });
    expect(await findOffer(database.db.read, first.id)).toMatchObject({
      declined_reason: 'Whose page is this?',
    });
    expect(await refusalOf(approveProposal(context, decide))).toContain('already been decided');
    await editOffer(context, { offerId: first.id, actor, redemption_link: `${FOREIGN}&mine=1` });
    await approveProposal(context, decide);
    expect(await stateOf(first.id)).toBe('open');
    await issue(first.id, 1);
    expect(await changesOf(first.id)).toEqual(['created', 'link_declined', 'edited', 'link_approved']);
    const other = await make();
    expect(await refusalOf(approveProposal(context, { ...decide, offerId: other.id }))).toContain('no offer');
  });

  test('accept links to any origin before the listing is first approved', async () => {
    const { id } = await listing('pending');
    const offer = await createOffer(context, { ...base, listing: id, redemption_link: FOREIGN, actor });
    expect(offer.redemption_link).toBe(FOREIGN);
    await approveListing(context, { listing: id, actor: desk });
    expect(await stateOf(offer.id)).toBe('open');
  });

  test('pausing waits for claims in progress', async () => {
    const { id } = await make();
    const order: string[] = [];
    let pausing: Promise<unknown> = Promise.resolve();
    await context.db.transaction(async (tx) => {
      await lockOffer(tx, context.db.engine, id);
      pausing = pauseOffer(context, { offerId: id, actor }).then(() => order.push('paused'));
      await sleep(100);
      order.push('claimed');
    });
    await pausing;
    expect(order).toEqual(['claimed', 'paused']);
  });

  test('pausing and resuming are idempotent', async () => {
    const { id } = await make();
    const change = { offerId: id, actor };
    await resumeOffer(context, change);
    const paused = await pauseOffer(context, change);
    expect(await pauseOffer(context, change)).toEqual(paused);
    expect(await stateOf(id)).toBe('paused');
    await expect(issue(id, 1)).rejects.toThrow('paused');
    await resumeOffer(context, change);
    expect(await stateOf(id)).toBe('open');
    // A pause and a resume within a minute are merged into one event.
    expect(await changesOf(id)).toEqual(['created', 'resumed']);
  });

  test('end at their end date, and reopen if the end date is removed', async () => {
    const { id } = await make();
    await editOffer(context, { offerId: id, actor, ends_at: new Date(clock.ms + 1_000).toISOString() });
    expect(await stateOf(id)).toBe('open');
    clock.ms += 1_000;
    expect(await stateOf(id)).toBe('over');
    // Other fields of an ended offer can be edited, but a new end date cannot be in the past.
    expect((await editOffer(context, { offerId: id, actor, offer: 'Was half off' })).ends_at).not.toBeNull();
    const past = { offerId: id, actor, ends_at: '2026-11-19' };
    expect(await refusalOf(editOffer(context, past))).toContain('has passed');
    expect((await editOffer(context, { ...past, ends_at: null })).ends_at).toBeNull();
    expect(await stateOf(id)).toBe('open');
  });

  test('are scheduled until their start date, which must be before the end date', async () => {
    const { id } = await make();
    const starts_at = new Date(clock.ms + 1_000).toISOString();
    await editOffer(context, { offerId: id, actor, starts_at });
    expect(await stateOf(id)).toBe('scheduled');
    await expect(issue(id, 1)).rejects.toThrow('The offer opens on');
    clock.ms += 1_000;
    expect(await stateOf(id)).toBe('open');
    await issue(id, 1);
    const until = {
      listing: (await listing('approved')).id,
      offer: 'O',
      kind: 'gift',
      code: 'C',
      actor,
      ends_at: '2099-01-01',
    };
    expect(await refusalOf(createOffer(context, { ...until, starts_at: '2099-01-02' }))).toBe(
      'The offer opens on 2 Jan 2099, 00:00 UTC, which is not before its end, 1 Jan 2099, 23:59 UTC.',
    );
    const opens = (await createOffer(context, { ...until, starts_at: '2099-01-01' })).id;
    const edit = (fields: Partial<EditOffer>) => editOffer(context, { offerId: opens, actor, ...fields });
    expect(await refusalOf(edit({ starts_at: '2099-01-01T23:59:59.999' }))).toContain('not before its end');
    expect(await refusalOf(edit({ ends_at: '2098-12-31' }))).toContain('not before its end');
    expect(await edit({ starts_at: '2098-12-30', ends_at: '2098-12-31' })).toMatchObject({
      starts_at: '2098-12-30T00:00:00.000Z',
      ends_at: '2098-12-31T23:59:59.999Z',
    });
    expect((await edit({ starts_at: '' })).starts_at).toBeNull();
  });

  test('end when the claim limit is reached, and reopen if the limit is raised', async () => {
    const { id } = await make();
    await editOffer(context, { offerId: id, actor, claim_limit: '3' });
    await issue(id, 2);
    expect(await stateOf(id)).toBe('open');
    await issue(id, 1);
    expect(await stateOf(id)).toBe('over');
    await editOffer(context, { offerId: id, actor, claim_limit: '4' });
    expect(await stateOf(id)).toBe('open');
    await editOffer(context, { offerId: id, actor, claim_limit: '1' });
    expect(await stateOf(id)).toBe('over');
  });

  test('are limited to 50 per listing, even if created concurrently', async () => {
    const { id } = await listing('approved');
    const create = () => createOffer(context, { ...base, listing: id, code: 'C', actor });
    for (let at = 1; at < MAX_OFFERS_OF_LISTING; at += 1) await create();
    await expectOneOf([create(), create(), create()], 'A listing can have at most 50 offers.');
    expect(await refusalOf(create())).toBe('A listing can have at most 50 offers.');
  });

  test('can be found only by their owner', async () => {
    const { id } = await make();
    expect(await findOwnOffer(database.db.read, accountId, id.toUpperCase())).toMatchObject({
      id,
      claims: 0,
    });
    expect(await findOwnOffer(database.db.read, id, id)).toBeNull();
    expect(await findOwnOffer(database.db.read, accountId, 'x')).toBeNull();
  });
});
