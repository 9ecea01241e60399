import { beforeAll, describe, expect, test } from 'vitest';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { approveProposal, declineProposal } from '../../../src/marketplace/listings/decide-proposal.ts';
import {
  approveListing,
  liftSuspension,
  rejectListing,
  requestChanges,
  submitListing,
  suspendListing,
  withdrawListing,
} from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { undoDecision } from '../../../src/marketplace/listings/move.ts';
import {
  createDomainLimit,
  linksNeedProbe,
  probeSubmittedLinks,
} from '../../../src/marketplace/listings/probe-links.ts';
import { findListing, type Listing, updateListing } from '../../../src/marketplace/listings/queries.ts';
import { countWaiting } from '../../../src/marketplace/listings/queue-queries.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer, pauseOffer } from '../../../src/marketplace/offers/edit.ts';
import { findOffer } from '../../../src/marketplace/offers/queries.ts';
import { listHistory } from '../../../src/pages/desk/review/history-queries.ts';
import { findDeskListing, listQueue } from '../../../src/pages/desk/review/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { defaultPolicy, setPolicy } from '../../../src/people/accounts/policy.ts';
import { Refusal } from '../../../src/platform/errors.ts';
import { OutgoingFailure } from '../../../src/platform/network/outgoing-failure.ts';
import { insertionOf } from '../../../src/platform/store/insert-rows.ts';
import { NIL_UUID } from '../../../src/platform/store/uuid.ts';
import { ENGINES } from '../../support/engines.ts';
import { inEnglish } from '../../support/english.ts';
import { eventsOf, refusalOf, typesOf } from '../../support/events.ts';
import { shareDatabase } from '../../support/shared.ts';

const desk = 'operator' as const;
const url = 'https://app.example.com/start';
const LINK = 'https://app.example.com/welcome?claim={claim}';
const FOREIGN = 'https://other.example.net/?c={claim}';
const HALF_OFF = { offer: 'Half off', kind: 'discount' };
const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe.each(ENGINES)('listing review on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  const clock = { ms: NOW };
  let owner: `account:${string}`;
  let stranger: `account:${string}`;
  let made = 0;

  beforeAll(async () => {
    Object.assign(context, { now: () => clock.ms });
    const account = async (email: string) =>
      `account:${(await createAccount(context, { email, name: 'Ada', actor: desk })).id}` as const;
    owner = await account('owner@example.com');
    stranger = await account('stranger@example.com');
    const policy = { ...defaultPolicy(false), texts: 'list' } as const;
    await setPolicy(context, {
      policy,
      hasProvider: false,
      operatorId: owner.slice('account:'.length),
      actor: desk,
    });
  });

  const make = async (upTo?: 'pending' | 'approved', actor = owner) => {
    made += 1;
    clock.ms += 1_000;
    const account = actor.slice('account:'.length);
    const app = { account, slug: `app-${made}`, name: `App ${made}`, url, actor };
    const listing = await createListing(context, { ...app, ...(upTo && { upTo: 'pending' }) });
    if (upTo !== 'approved') return listing;
    return await approveListing(context, { listing: listing.id, actor: desk });
  };
  const offerOn = (listing: { readonly id: string }, redemption_link: string | null = LINK, code?: string) =>
    createOffer(context, { ...HALF_OFF, listing: listing.id, redemption_link, code, actor: owner });
  const again = (listing: { readonly id: string }) => findListing(database.db.read, listing.id);

  test('every transition changes the state and records an event', async () => {
    const { id } = await make();
    const own = { listing: id, actor: owner };
    expect(await refusalOf(submitListing(context, own))).toContain('has no offer yet');
    await offerOn({ id });
    const decide = { listing: id, actor: desk, reason: 'Say more.' };
    const states: string[] = [];
    for (const step of [
      () => submitListing(context, own),
      () => requestChanges(context, decide),
      () => submitListing(context, own),
      () => approveListing(context, { listing: id, actor: desk }),
      () => suspendListing(context, decide),
      () => liftSuspension(context, { listing: id, actor: desk }),
      () => withdrawListing(context, own),
      () => submitListing(context, own),
      () => rejectListing(context, decide),
    ]) {
      states.push((await step()).state);
    }
    expect(states.join(' ')).toBe(
      'pending changes_requested pending approved suspended approved withdrawn pending rejected',
    );
    expect((await typesOf(database.db, id)).join(' ').replaceAll('listing.', '')).toBe(
      'created submitted changes_requested submitted approved suspended approved withdrawn submitted rejected',
    );
    const data = { reason: 'Say more.', to: 'changes_requested' };
    expect((await eventsOf(database.db, id))[2]).toMatchObject({ data });
    expect(await refusalOf(submitListing(context, own))).toContain('rejected cannot be submitted');
    const edit = editListing(context, { ...own, name: 'New' });
    expect(await refusalOf(edit)).toContain('rejected listing cannot be edited');
    expect(await refusalOf(offerOn({ id }))).toContain('rejected listing cannot be changed');
  });

  test('requesting changes or rejecting a listing requires a reason, and the next submission clears the reason', async () => {
    const listing = await make('pending');
    const decide = { listing: listing.id, actor: desk };
    expect(await refusalOf(requestChanges(context, decide))).toBe('The reason is empty.');
    expect(await refusalOf(rejectListing(context, { ...decide, reason: '  ' }))).toBe('The reason is empty.');
    expect(await again(listing)).toMatchObject({ state: 'pending', version: listing.version });
    const back = await requestChanges(context, { ...decide, reason: 'Which app?\r\nSay so.' });
    expect(back.reason).toBe('Which app?\nSay so.');
    await offerOn(listing);
    expect((await submitListing(context, { listing: listing.id, actor: owner })).reason).toBeNull();
  });

  test('probes each link of a submitted listing once, and again after an edit', async () => {
    const requested: string[] = [];
    const outgoing = {
      request: async ({ url: asked }: { url: string }) => {
        requested.push(asked);
        if (asked.includes('/welcome')) throw new OutgoingFailure('No server.');
        return { status: 200, headers: {}, body: Buffer.alloc(0), tls: null };
      },
    };
    const probe = () => probeSubmittedLinks(context, outgoing, new AbortController().signal, () => true);
    // Probe the listings of earlier tests first.
    while (await linksNeedProbe(context)) await probe();
    const listing = await make();
    await offerOn(listing);
    expect(await linksNeedProbe(context)).toBe(false);
    await submitListing(context, { listing: listing.id, actor: owner });
    requested.length = 0;
    await probe();
    const found = async () => (await findDeskListing(database.db.read, listing.id))?.probes?.responses;
    expect(requested).toEqual(
      ['app.example.com', 'clm_EXAMPLE'].map((part) => expect.stringContaining(part)),
    );
    expect(await found()).toEqual([
      { link: url, status: 200, failure: null },
      { link: LINK, status: null, failure: 'No server.' },
    ]);
    expect(await linksNeedProbe(context)).toBe(false);
    await editListing(context, { listing: listing.id, url: `${url}/2`, actor: owner });
    expect(await linksNeedProbe(context)).toBe(false);
    clock.ms += 61_000;
    await probe();
    expect((await found())?.map(({ link }) => link)).toContain(`${url}/2`);
    expect(await linksNeedProbe(context)).toBe(false);
  });

  test('probes a listing soon, even if others change whenever they may be probed again', async () => {
    const requested: string[] = [];
    const outgoing = {
      request: async ({ url: asked }: { url: string }) => {
        requested.push(asked);
        return { status: 200, headers: {}, body: Buffer.alloc(0), tls: null };
      },
    };
    const probe = () => probeSubmittedLinks(context, outgoing, new AbortController().signal, () => true);
    const { id: busyId } = await createAccount(context, {
      email: 'busy@example.com',
      name: 'Ada',
      actor: desk,
    });
    const busy = `account:${busyId}` as const;
    await make('approved', busy);
    const others: Listing[] = [];
    for (let count = 0; count < 12; count += 1) others.push(await make('pending', busy));
    while (await linksNeedProbe(context)) await probe();
    clock.ms += 61_000;
    for (const { id } of others)
      await editListing(context, { listing: id, url: `${url}/other`, actor: busy });
    const listing = await make('pending');
    await editListing(context, { listing: listing.id, url: `${url}/new`, actor: owner });
    requested.length = 0;
    await probe();
    expect(requested).toHaveLength(10);
    expect(requested).toContain(`${url}/new`);
    // The listings that were not among the ten have waited longer than the others.
    clock.ms += 61_000;
    for (const { id } of others)
      await editListing(context, { listing: id, url: `${url}/again`, actor: busy });
    await probe();
    const probed = await Promise.all(others.map(({ id }) => findDeskListing(database.db.read, id)));
    const links = probed.map((one) => one?.probes?.responses[0]?.link);
    expect(links.slice(9)).toEqual(Array(3).fill(`${url}/again`));
  });

  test('limits the requests to a domain across listings, without delaying the links of other domains', async () => {
    const requested: string[] = [];
    const outgoing = {
      request: async ({ url: asked }: { url: string }) => {
        requested.push(asked);
        return { status: 200, headers: {}, body: Buffer.alloc(0), tls: null };
      },
    };
    const mayRequest = createDomainLimit(context);
    const probe = () => probeSubmittedLinks(context, outgoing, new AbortController().signal, mayRequest);
    const { id: attackerId } = await createAccount(context, {
      email: 'attacker@example.com',
      name: 'Mallory',
      actor: desk,
    });
    const attacker = `account:${attackerId}` as const;
    await make('approved', attacker);
    while (await linksNeedProbe(context)) await probe();
    clock.ms += 61_000;
    const targets: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { id } = await make('pending', attacker);
      for (let offers = 0; offers < 5; offers += 1) {
        const link = `https://${count}-${offers}.victim.example/?c={claim}`;
        await createOffer(context, { ...HALF_OFF, listing: id, redemption_link: link, actor: desk });
        targets.push(new URL(link).hostname);
      }
      await editListing(context, { listing: id, url: `https://${count}.victim.example/`, actor: desk });
      targets.push(`${count}.victim.example`);
    }
    const { id: otherId } = await make('pending', attacker);
    await editListing(context, { listing: otherId, url: 'https://shop.example.net/', actor: desk });
    const hosts = () => requested.map((asked) => new URL(asked).hostname);
    const toVictim = () => hosts().filter((host) => host.endsWith('.victim.example'));
    requested.length = 0;
    while (await linksNeedProbe(context)) await probe();
    expect(toVictim()).toHaveLength(20);
    expect(hosts()).toContain('shop.example.net');
    clock.ms += 61_000;
    while (await linksNeedProbe(context)) await probe();
    expect(toVictim().sort()).toEqual(targets.sort());
  });

  test('rejects changes by other accounts as if the listing or offer did not exist', async () => {
    const listing = await make('approved');
    const offer = await offerOn(listing);
    const before = await again(listing);
    const mine = { listing: listing.id, actor: stranger };
    for (const work of [
      () => editListing(context, { ...mine, name: 'Mine' }),
      () => submitListing(context, mine),
      () => withdrawListing(context, mine),
      () => createOffer(context, { ...mine, offer: 'O', kind: 'gift', code: 'C' }),
      () => editOffer(context, { offerId: offer.id, actor: stranger, offer: 'O' }),
      () => pauseOffer(context, { offerId: offer.id, actor: stranger }),
      () => editListing(context, { listing: 'no-such-listing', actor: stranger, name: 'x' }),
    ]) {
      await expect(work()).rejects.toMatchObject({
        name: 'Refusal',
        code: 'unknown_path',
        message: 'There is nothing at this address.',
      });
    }
    expect(await again(listing)).toEqual(before);
    expect(await findOffer(database.db.read, offer.id)).toEqual(offer);
  });

  test('publishes texts of an approved listing immediately if the operator chose so, and logs the old and new values', async () => {
    const listing = await make('approved');
    const edit = { listing: listing.id, actor: owner };
    const set = { summary: 'One line.', url: 'https://app.example.com/elsewhere' };
    const edited = await editListing(context, { ...edit, ...set, description: 'One\r\n\r\ntwo' });
    expect(edited).toMatchObject({
      ...set,
      state: 'approved',
      description: 'One\n\ntwo',
      proposed_url: null,
      version: listing.version + 1,
    });
    expect((await eventsOf(database.db, listing.id)).at(-1)).toMatchObject({
      type: 'listing.changed',
      actor: owner,
      data: { change: 'edited', from: { summary: null }, to: { summary: 'One line.' } },
    });
    expect(await editListing(context, { ...edit, summary: 'One line.' })).toEqual(edited);
    expect((await editListing(context, { ...edit, summary: '' })).summary).toBeNull();
    for (const [fields, sentence] of [
      [{ slug: 'another' }, 'share links'],
      [{ summary: 'x'.repeat(161) }, 'at most 160'],
      [{ description: 'a\u202eb' }, 'U+202E'],
      [{ url: 'http://app.example.com' }, 'https'],
    ] as const) {
      expect(await refusalOf(editListing(context, { ...edit, ...fields }))).toContain(sentence);
    }
  });

  test('keeps the approved URL live while a URL with another origin awaits review', async () => {
    const listing = await make('approved');
    const waiting = await offerOn(listing, 'https://moved.example/?c={claim}', 'CODE');
    const proposed_link = 'https://moved.example/?c={claim}';
    expect(waiting).toMatchObject({ redemption_link: null, proposed_link });
    const moved = 'https://moved.example/app';
    const setUrl = (to: string) => editListing(context, { listing: listing.id, actor: owner, url: to });
    const decide = { listing: listing.id, actor: desk };
    const origin = 'https://app.example.com';
    expect(await setUrl(moved)).toMatchObject({ state: 'approved', url, proposed_url: moved, origin });
    expect(await setUrl(url)).toMatchObject({ url, proposed_url: null, proposed_at: null });
    await setUrl(moved);
    const declined = await declineProposal(context, { ...decide, reason: 'Whose is it?' });
    expect(declined).toMatchObject({ url, proposed_url: moved, declined_reason: 'Whose is it?' });
    expect(await refusalOf(approveProposal(context, decide))).toContain('already been decided');
    // Submitting the declined URL again is not a new proposal.
    expect(await setUrl(moved)).toEqual(declined);
    await setUrl(`${moved}2`);
    const approved = await approveProposal(context, decide);
    expect(approved).toMatchObject({ url: `${moved}2`, proposed_url: null, origin: 'https://moved.example' });
    // Approving the URL pins its origin, which also publishes the offer's pending link to that origin.
    expect(await findOffer(database.db.read, waiting.id)).toMatchObject({
      redemption_link: 'https://moved.example/?c={claim}',
      proposed_link: null,
    });
    expect((await typesOf(database.db, listing.id)).slice(3)).toEqual(Array(4).fill('listing.changed'));
  });

  test('lifting a suspension does not approve a URL that was proposed during the suspension', async () => {
    const listing = await make('approved');
    await suspendListing(context, { listing: listing.id, actor: desk });
    await editListing(context, { listing: listing.id, actor: owner, url: 'https://moved.example' });
    expect(await liftSuspension(context, { listing: listing.id, actor: desk })).toMatchObject({
      url,
      origin: 'https://app.example.com',
      proposed_url: 'https://moved.example',
    });
  });

  test('a withdrawn listing publishes links to another origin only after its next approval', async () => {
    const listing = await make('approved');
    const draft = { ...HALF_OFF, listing: listing.id, redemption_link: LINK };
    const offer = await createOffer(context, { ...draft, actor: desk });
    await withdrawListing(context, { listing: listing.id, actor: owner });
    // Existing claims still use the approved link, so the new link must wait for approval.
    const edit = { offerId: offer.id, actor: owner, redemption_link: FOREIGN };
    const proposed = { redemption_link: LINK, proposed_link: FOREIGN };
    expect(await editOffer(context, edit)).toMatchObject(proposed);
    await editListing(context, { listing: listing.id, actor: owner, url: 'https://moved.example' });
    const pending = await submitListing(context, { listing: listing.id, actor: owner });
    expect(pending).toMatchObject({
      url,
      proposed_url: 'https://moved.example',
      origin: 'https://app.example.com',
    });
    const detail = await findDeskListing(database.db.read, listing.id);
    expect(inEnglish(detail?.differences)).toEqual([
      { field: 'website', approved: url, proposed: 'https://moved.example' },
      { field: 'redemption link of “Half off”', approved: LINK, proposed: FOREIGN },
    ]);
    const decide = { listing: listing.id, actor: desk };
    const approved = await approveListing(context, { ...decide, version: pending.version });
    expect(approved).toMatchObject({ state: 'approved', origin: 'https://moved.example' });
    const live = { redemption_link: FOREIGN, proposed_link: null };
    expect(await findOffer(database.db.read, offer.id)).toMatchObject(live);
    // Undoing the approval restores the old origin and the pending link.
    await undoDecision(context, { ...decide, version: approved.version });
    expect(await again(listing)).toMatchObject({ state: 'pending', origin: 'https://app.example.com' });
    expect(await findOffer(database.db.read, offer.id)).toMatchObject(proposed);
    expect((await findDeskListing(database.db.read, listing.id))?.differences).toEqual(detail?.differences);
  });

  test('a decision can be undone for 30 seconds', async () => {
    const listing = await make('pending');
    const decide = { listing: listing.id, actor: desk, reason: 'Why not.' };
    for (const decision of [approveListing, requestChanges, rejectListing]) {
      const { version, undo } = await decision(context, decide);
      expect(undo).not.toBeNull();
      clock.ms += 30_000;
      expect(await undoDecision(context, { listing: listing.id, version, actor: desk })).toMatchObject({
        state: 'pending',
        reason: null,
        origin: null,
        decided_at: null,
        submitted_at: listing.submitted_at,
        undo: null,
      });
    }
    const late = await approveListing(context, decide);
    clock.ms += 30_001;
    const undo = undoDecision(context, { listing: listing.id, version: late.version, actor: desk });
    expect(await refusalOf(undo)).toBe('The 30 seconds to undo this decision have passed.');
    expect((await again(listing)).state).toBe('approved');
    expect(
      (await eventsOf(database.db, listing.id)).filter(({ type }) => type === 'listing.changed'),
    ).toMatchObject([
      { data: { change: 'decision_undone', decision: 'approve', from: 'approved', to: 'pending' } },
      { data: { decision: 'request_changes' } },
      { data: { decision: 'reject' } },
    ]);
  });

  test('a decision cannot be undone after the listing has changed', async () => {
    const gone = 'This decision cannot be undone: the listing has changed since.';
    const undone = ({ id, version }: { readonly id: string; readonly version: number }) =>
      undoDecision(context, { listing: id, version, actor: desk });
    const undo = (listing: Parameters<typeof undone>[0]) => refusalOf(undone(listing));
    const edited = await make('approved');
    await editListing(context, { listing: edited.id, actor: owner, name: 'Other' });
    expect(await undo(edited)).toBe(gone);
    expect(await undo(await again(edited))).toBe(gone);
    const offered = await make('approved');
    await offerOn(offered);
    expect(await undo(offered)).toBe(gone);
    const suspended = await make('approved');
    const since = await suspendListing(context, { listing: suspended.id, actor: desk });
    expect(await undo(suspended)).toBe(gone);
    expect((await undone(since)).state).toBe('approved');
    expect(await undo(await again(suspended))).toBe(gone);
  });

  test('decisions on proposed links can be undone', async () => {
    const listing = await make('approved');
    const offer = await offerOn(listing);
    await editOffer(context, { offerId: offer.id, actor: owner, redemption_link: FOREIGN });
    const proposal = { listing: listing.id, offerId: offer.id, actor: desk, reason: 'No.' };
    for (const decide of [approveProposal, declineProposal]) {
      const { version } = await decide(context, proposal);
      await undoDecision(context, { listing: listing.id, version, actor: desk });
      expect(await findOffer(database.db.read, offer.id)).toMatchObject({
        redemption_link: LINK,
        proposed_link: FOREIGN,
        declined_reason: null,
      });
    }
  });

  test('rejects a decision if the listing has changed since the operator loaded it', async () => {
    const seen = await make('pending');
    await editListing(context, { listing: seen.id, actor: owner, url: 'https://evil.example' });
    const decide = { listing: seen.id, version: seen.version, actor: desk };
    const changed = 'has changed since you looked at it';
    expect(await refusalOf(approveListing(context, decide))).toContain(changed);
    const { version } = await again(seen);
    await offerOn(seen, 'https://evil.example/?c={claim}');
    expect(await refusalOf(approveListing(context, { ...decide, version }))).toContain(changed);
    expect((await again(seen)).state).toBe('pending');
  });

  describe('concurrent changes', () => {
    /** Number of runs of each race. SQLite serializes writes in the order of the calls, so one run is enough. */
    const ROUNDS = engine === 'sqlite' ? 1 : 4;
    const settle = async (works: readonly Promise<unknown>[]) => {
      const settled = await Promise.allSettled(works);
      for (const one of settled) {
        if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Refusal);
      }
      return settled.map(({ status }) => status === 'fulfilled');
    };

    const decide = (verb: typeof approveListing) => (listing: Listing) =>
      verb(context, { listing: listing.id, actor: desk, reason: 'No.' });
    const withdraw = ({ id }: Listing) => withdrawListing(context, { listing: id, actor: owner });
    test.each([
      ['two approvals', 'pending', [decide(approveListing), decide(approveListing)]],
      ['an approval and a rejection', 'pending', [decide(approveListing), decide(rejectListing)]],
      ['a suspension and a withdrawal', 'approved', [withdraw, decide(suspendListing)]],
    ] as const)('only one of %s succeeds', async (_name, upTo, verbs) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const listing = await make(upTo);
        const before = await typesOf(database.db, listing.id);
        expect((await settle(verbs.map((verb) => verb(listing)))).filter(Boolean)).toHaveLength(1);
        expect(await typesOf(database.db, listing.id)).toHaveLength(before.length + 1);
      }
    });

    test('an approval during an edit publishes the version that the operator saw, or fails', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = await make('pending');
        const offer = await offerOn({ id });
        const { version } = await again({ id });
        const [approved] = await settle([
          approveListing(context, { listing: id, version, actor: desk }),
          editListing(context, { listing: id, actor: owner, url: 'https://evil.example' }),
          editOffer(context, {
            offerId: offer.id,
            actor: owner,
            redemption_link: 'https://evil.example/?c={claim}',
          }),
        ]);
        const after = await again({ id });
        const link = await findOffer(database.db.read, offer.id);
        if (approved) {
          expect(after).toMatchObject({ state: 'approved', url, proposed_url: 'https://evil.example' });
          expect(link).toMatchObject({ redemption_link: LINK });
          expect(link.proposed_link).toContain('evil');
        } else {
          expect(after).toMatchObject({ state: 'pending', url: 'https://evil.example' });
        }
      }
    });

    test('preserves every concurrent edit and increments the version for each', async () => {
      const listing = await make('approved');
      const offers: Awaited<ReturnType<typeof offerOn>>[] = [];
      // One after the other, because the card shows the offers in the order in which they were created.
      for (let n = 0; n < 6; n += 1) offers.push(await offerOn(listing));
      const before = (await again(listing)).version;
      await Promise.all(
        offers.map((offer, at) =>
          editOffer(context, { offerId: offer.id, actor: owner, offer: `Offer ${at}` }),
        ),
      );
      expect((await again(listing)).version).toBe(before + 6);
      const card = database.db.read
        .selectFrom('cards')
        .select('search_text')
        .where('listing_id', '=', listing.id);
      expect((await card.executeTakeFirstOrThrow()).search_text).toContain(
        'offer 0 offer 1 offer 2 offer 3 offer 4 offer 5',
      );
    });

    test('rejects a write based on a stale read', async () => {
      const listing = await make('approved');
      await editListing(context, { listing: listing.id, actor: owner, summary: 'Newer' });
      const stale = database.db.transaction((tx) =>
        updateListing(tx, listing, { summary: 'Older' }, context.at()),
      );
      expect(await refusalOf(stale)).toContain('Someone else has just changed');
      expect((await again(listing)).summary).toBe('Newer');
    });

    test('at most one of two undos of a decision succeeds, and no undo succeeds after an edit', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id, version } = await make('approved');
        const undo = () => undoDecision(context, { listing: id, version, actor: desk });
        const [first, second, edited] = await settle([
          undo(),
          undo(),
          editListing(context, { listing: id, actor: owner, url: 'https://moved.example' }),
        ]);
        expect([first, second].filter(Boolean).length).toBeLessThanOrEqual(1);
        const after = await again({ id });
        expect(edited).toBe(true);
        if (first || second)
          expect(after).toMatchObject({ state: 'pending', url: 'https://moved.example', origin: null });
        else expect(after).toMatchObject({ state: 'approved', url, proposed_url: 'https://moved.example' });
      }
    });
  });

  test('the queue is paginated and sorted oldest first, and its items include differences and links', async () => {
    const before = await countWaiting(database.db.read);
    const pending = await make('pending');
    await offerOn(pending, FOREIGN);
    const live = await make('approved');
    const offer = await createOffer(context, {
      ...HALF_OFF,
      listing: live.id,
      redemption_link: LINK,
      actor: desk,
    });
    clock.ms += 1_000;
    await editListing(context, { listing: live.id, actor: owner, url: 'https://moved.example' });
    clock.ms += 1_000;
    await editOffer(context, { offerId: offer.id, actor: owner, redemption_link: FOREIGN });
    const draft = await make();
    await offerOn(draft, FOREIGN);
    expect(await countWaiting(database.db.read)).toBe(before + 3);
    const items = [];
    let after: string | undefined;
    do {
      const page = await listQueue(database.db.read, { after, limit: 2 });
      expect(page.items.length).toBeLessThanOrEqual(2);
      items.push(...page.items);
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(items).toHaveLength(before + 3);
    const ages = items.map(({ since }) => since);
    expect(ages).toEqual(ages.toSorted());
    expect(inEnglish(items.slice(-3))).toMatchObject([
      {
        kind: 'listing',
        since: pending.submitted_at,
        listing: { id: pending.id },
        owner: { email: 'owner@example.com' },
        offer: null,
        differences: [
          { field: 'name', approved: null, proposed: pending.name },
          { field: 'website', approved: null, proposed: url },
          { field: 'text of “Half off”' },
          { field: 'kind of “Half off”' },
          { field: 'redemption link of “Half off”', approved: null, proposed: FOREIGN },
        ],
        links: [
          { offerId: null, link: url, isPinned: true },
          {
            link: FOREIGN,
            parameter: 'c',
            origin: 'https://other.example.net',
            isPinned: false,
            problems: [],
          },
        ],
      },
      {
        kind: 'url',
        listing: { id: live.id },
        differences: [{ field: 'website', approved: url, proposed: 'https://moved.example' }],
      },
      {
        kind: 'link',
        offer: { id: offer.id },
        differences: [{ approved: LINK, proposed: FOREIGN }],
        links: [{ offerId: offer.id, isPinned: false }],
      },
    ]);
    const detail = await findDeskListing(database.db.read, live.id);
    expect(detail?.differences).toHaveLength(2);
    const history = await listHistory(database.db, detail!);
    expect(history.map(({ type }) => type).join(' ')).toBe(
      'offer.changed listing.changed offer.changed listing.approved listing.submitted listing.created',
    );
    expect(await findDeskListing(database.db.read, NIL_UUID)).toBeNull();

    // Only the newest 20,000 events of the owner are scanned.
    const newer = {
      account_number: live.account_id,
      type: 'api_key.created',
      at: live.created_at,
      actor: 'operator',
      subject_id: live.account_id,
      data: '{}',
    };
    const columns = {
      account_number: 'accountNumber',
      type: 'text',
      at: 'time',
      actor: 'text',
      subject_id: 'uuid',
      data: 'json',
    } as const;
    const rows = Array.from({ length: 20_000 }, () => newer);
    await database.db.transaction((tx) => insertionOf(engine, 'event_rows', columns, rows).execute(tx));
    expect(await listHistory(database.db, detail!)).toEqual([]);
  });
});
