import { beforeAll, describe, expect, test } from 'vitest';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { approveTexts, restoreTexts } from '../../../src/marketplace/listings/decide-proposal.ts';
import {
  approveListing,
  requestChanges,
  submitListing,
  suspendListing,
  withdrawListing,
} from '../../../src/marketplace/listings/decisions.ts';
import { discardTexts, editListing } from '../../../src/marketplace/listings/edit.ts';
import { undoDecision } from '../../../src/marketplace/listings/move.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { deleteOffer, editOffer } from '../../../src/marketplace/offers/edit.ts';
import { findOffer } from '../../../src/marketplace/offers/queries.ts';
import { findDeskListing, listQueue } from '../../../src/pages/desk/review/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { defaultPolicy, setPolicy } from '../../../src/people/accounts/policy.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, refusalOf } from '../../support/events.ts';
import { shareDatabase } from '../../support/shared.ts';

const desk = 'operator' as const;
const url = 'https://app.example.com/start';
const LINK = 'https://app.example.com/welcome?claim={claim}';
const NOW = Date.parse('2026-11-20T10:00:00.000Z');

describe.each(ENGINES)('changed texts of approved listings on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;
  const clock = { ms: NOW };
  let made = 0;

  let operator = '';

  beforeAll(async () => {
    Object.assign(context, { now: () => clock.ms });
    const email = 'operator@example.com';
    operator = (await createAccount(context, { email, name: 'Olive', actor: desk })).id;
  });

  const setTexts = (texts: 'wait' | 'standing' | 'list') =>
    setPolicy(context, {
      policy: { ...defaultPolicy(false), texts },
      hasProvider: false,
      operatorId: operator,
      actor: desk,
    });

  /** An approved listing with an offer, of a new account. `isTrusted`: the account is in good standing. */
  const make = async ({ isTrusted = false } = {}) => {
    made += 1;
    const email = `owner-${made}@example.com`;
    const account = (await createAccount(context, { email, name: 'Ada', actor: desk })).id;
    const actor = `account:${account}` as const;
    const app = { account, slug: `app-${made}`, name: `App ${made}`, summary: 'Notes', url, actor };
    const { id } = await createListing(context, app);
    const own = { listing: id, actor };
    const draft = { offer: 'Half off', kind: 'discount', redemption_link: LINK, code: 'HALF' };
    const offer = await createOffer(context, { ...own, ...draft });
    await submitListing(context, own);
    await approveListing(context, { listing: id, actor: desk });
    if (isTrusted) clock.ms += 30 * DAY_MS;
    return { id, own, actor, account, offer: offer.id, name: app.name };
  };
  type Made = Awaited<ReturnType<typeof make>>;
  const listingOf = ({ id }: Pick<Made, 'id'>) => findListing(database.db.read, id);
  const offerOf = (id: string) => findOffer(database.db.read, id);
  const seenOf = async (app: Made) => {
    const { name, summary, category } = await listingOf(app);
    const { offer, kind, code, conditions } = await offerOf(app.offer);
    return { name, summary, category, offer, kind, code, conditions };
  };
  const deskOf = async ({ id }: Pick<Made, 'id'>) => (await findDeskListing(database.db.read, id))!;
  const textsOf = async (app: Pick<Made, 'id'>) =>
    (await deskOf(app)).texts.map(({ field, approved, proposed, isLive }) => [
      String(field),
      approved,
      proposed,
      isLive,
    ]);
  const itemsOf = async ({ id }: Pick<Made, 'id'>) =>
    (await listQueue(database.db.read, { limit: 100 })).items.filter(
      (item) => 'listing' in item && item.listing.id === id,
    );
  const decide = async (app: Pick<Made, 'id'>) => ({
    listing: app.id,
    actor: desk,
    version: (await listingOf(app)).version,
  });

  test('all texts of a new owner wait as one item, and people see the approved ones', async () => {
    await setTexts('standing');
    const app = await make();
    const before = await seenOf(app);
    await editListing(context, { ...app.own, name: 'PayPal', summary: 'Pay safely' });
    await editOffer(context, { actor: app.actor, offerId: app.offer, offer: 'Free money', code: 'FREE' });
    await editOffer(context, { actor: app.actor, offerId: app.offer, kind: 'gift', conditions: 'None' });
    expect(await seenOf(app)).toEqual(before);
    expect(await textsOf(app)).toEqual([
      ['name', app.name, 'PayPal', false],
      ['summary', 'Notes', 'Pay safely', false],
      ['text of “Half off”', 'Half off', 'Free money', false],
      ['kind of “Half off”', 'discount', 'gift', false],
      ['shared code of “Half off”', 'HALF', 'FREE', false],
      ['conditions of “Half off”', null, 'None', false],
    ]);
    expect(await itemsOf(app)).toMatchObject([{ kind: 'texts' }]);
    const approved = await approveTexts(context, await decide(app));
    expect(await seenOf(app)).toMatchObject({
      name: 'PayPal',
      summary: 'Pay safely',
      offer: 'Free money',
      kind: 'gift',
      code: 'FREE',
      conditions: 'None',
    });
    expect(await itemsOf(app)).toEqual([]);
    await undoDecision(context, { listing: app.id, version: approved.version, actor: desk });
    expect(await seenOf(app)).toEqual(before);
    expect(await textsOf(app)).toHaveLength(6);
  });

  test('an approval applies only to the version that the operator saw', async () => {
    await setTexts('standing');
    const app = await make();
    await editListing(context, { ...app.own, name: 'App two' });
    const seen = await decide(app);
    await editListing(context, { ...app.own, name: 'PayPal' });
    expect(await refusalOf(approveTexts(context, seen))).toContain('has changed since');
    await editOffer(context, { actor: app.actor, offerId: app.offer, offer: 'Free money' });
    expect((await seenOf(app)).name).toBe(app.name);
  });

  test('an approval and an edit at the same time never publish an unseen name', async () => {
    await setTexts('standing');
    const app = await make();
    await editListing(context, { ...app.own, name: 'App two' });
    const seen = await decide(app);
    const edit = editListing(context, { ...app.own, name: 'PayPal' });
    const [decided] = await Promise.allSettled([approveTexts(context, seen), edit]);
    expect((await seenOf(app)).name).toBe(decided.status === 'fulfilled' ? 'App two' : app.name);
    expect(await textsOf(app)).toMatchObject([['name', expect.anything(), 'PayPal', false]]);
  });

  test('texts of an owner in good standing go live and are listed; the name waits; a click restores', async () => {
    await setTexts('standing');
    const app = await make({ isTrusted: true });
    const before = await seenOf(app);
    await editListing(context, { ...app.own, name: 'PayPal', summary: 'Pay safely' });
    await editListing(context, { ...app.own, summary: 'Pay very safely' });
    await editOffer(context, { actor: app.actor, offerId: app.offer, offer: 'Free money' });
    const added = await createOffer(context, {
      ...app.own,
      offer: 'Gold',
      kind: 'gift',
      code: 'GOLD',
    });
    expect(await seenOf(app)).toEqual({ ...before, summary: 'Pay very safely', offer: 'Free money' });
    expect(await textsOf(app)).toEqual([
      ['name', app.name, 'PayPal', false],
      ['summary', 'Notes', 'Pay very safely', true],
      ['text of “Free money”', 'Half off', 'Free money', true],
      ['new offer “Gold”', null, 'Gold', true],
      ['kind of “Gold”', null, 'gift', true],
      ['shared code of “Gold”', null, 'GOLD', true],
    ]);
    const { since } = (await itemsOf(app))[0]!;
    clock.ms += 1_000;
    await editListing(context, { ...app.own, description: 'Money' });
    expect((await itemsOf(app))[0]).toMatchObject({ since });
    const decision = { ...(await decide(app)), reason: 'Not your name.' };
    const restored = await restoreTexts(context, decision);
    expect(await seenOf(app)).toEqual(before);
    expect((await offerOf(added.id)).hidden_since).not.toBeNull();
    expect(await itemsOf(app)).toEqual([]);
    // The owner is no longer in good standing.
    await editListing(context, { ...app.own, summary: 'Mine' });
    expect((await seenOf(app)).summary).toBe('Notes');
    expect(restored.version).toBeLessThan((await listingOf(app)).version);
    expect(await refusalOf(restoreTexts(context, { ...decision, reason: ' ' }))).toBe('The reason is empty.');
  });

  test('going back to the approved text leaves nothing to decide', async () => {
    await setTexts('list');
    const app = await make();
    await editListing(context, { ...app.own, summary: 'Other' });
    expect(await itemsOf(app)).toHaveLength(1);
    await editListing(context, { ...app.own, summary: 'Notes' });
    expect(await itemsOf(app)).toEqual([]);
    await setTexts('wait');
    await editListing(context, { ...app.own, summary: 'Other', name: 'Other' });
    await discardTexts(context, app.own);
    expect(await itemsOf(app)).toEqual([]);
    expect(await listingOf(app)).toMatchObject({ text_changes: null, texts_changed_at: null });
  });

  test('a new offer of a live listing is hidden until it is approved, with the texts that the operator saw', async () => {
    await setTexts('wait');
    const app = await make();
    const offer = { offer: 'Gold', kind: 'gift', code: 'GOLD' };
    const { id } = await createOffer(context, { ...app.own, ...offer });
    const seen = await decide(app);
    await editOffer(context, { actor: app.actor, offerId: id, offer: 'Platinum' });
    expect(await refusalOf(approveTexts(context, seen))).toContain('has changed since');
    expect(await textsOf(app)).toContainEqual(['new offer “Platinum”', null, 'Platinum', false]);
    await restoreTexts(context, { ...(await decide(app)), reason: 'No.' });
    expect(await itemsOf(app)).toEqual([]);
    await editOffer(context, { actor: app.actor, offerId: id, offer: 'Silver' });
    expect(await itemsOf(app)).toHaveLength(1);
    await approveTexts(context, await decide(app));
    expect(await offerOf(id)).toMatchObject({ offer: 'Silver', hidden_since: null });
    const other = await createOffer(context, { ...app.own, ...offer });
    await deleteOffer(context, { actor: app.actor, offerId: other.id });
    expect(await itemsOf(app)).toEqual([]);
  });

  test('an offer keeps its link while the code that replaces it waits', async () => {
    await setTexts('wait');
    const app = await make();
    const edit = { actor: app.actor, offerId: app.offer };
    await editOffer(context, { ...edit, code: '' });
    await approveTexts(context, await decide(app));
    await editOffer(context, { ...edit, redemption_link: '', code: 'NEW' });
    expect(await offerOf(app.offer)).toMatchObject({ redemption_link: LINK, code: null });
    await editOffer(context, { ...edit, redemption_link: '', code: 'NEW', conditions: 'Once' });
    await approveTexts(context, await decide(app));
    expect(await offerOf(app.offer)).toMatchObject({
      redemption_link: null,
      code: 'NEW',
      conditions: 'Once',
    });
    expect(await refusalOf(editOffer(context, { ...edit, code: '' }))).toContain('needs a redemption link');
  });

  test('texts of a withdrawn listing wait for the review of its next submission', async () => {
    await setTexts('wait');
    const app = await make();
    await withdrawListing(context, app.own);
    await editListing(context, { ...app.own, name: 'PayPal', url: 'https://pay.example.net/' });
    await submitListing(context, app.own);
    expect(await listingOf(app)).toMatchObject({ name: app.name, url });
    const { differences } = await deskOf(app);
    expect(differences.map(({ field, proposed }) => [String(field), proposed])).toEqual([
      ['name', 'PayPal'],
      ['website', 'https://pay.example.net/'],
    ]);
    await requestChanges(context, { ...(await decide(app)), reason: 'No.' });
    await editListing(context, { ...app.own, name: 'App two' });
    await submitListing(context, app.own);
    await approveListing(context, await decide(app));
    expect(await listingOf(app)).toMatchObject({
      name: 'App two',
      url: 'https://pay.example.net/',
      origin: 'https://pay.example.net',
      text_changes: null,
    });
  });

  test('an operator’s edit is approved, and ends what waits for the same field', async () => {
    await setTexts('wait');
    const app = await make();
    await editListing(context, { ...app.own, name: 'PayPal', summary: 'Pay' });
    await editListing(context, { listing: app.id, actor: desk, name: 'App three' });
    expect(await listingOf(app)).toMatchObject({ name: 'App three', summary: 'Notes' });
    expect(await textsOf(app)).toEqual([['summary', 'Notes', 'Pay', false]]);
  });

  test('constant edits don’t hold up a suspension', async () => {
    const app = await make();
    const seen = await decide(app);
    await editListing(context, { ...app.own, name: 'PayPal' });
    expect(await suspendListing(context, seen)).toMatchObject({ state: 'suspended' });
  });

  test('the log names what was proposed', async () => {
    await setTexts('wait');
    const app = await make();
    await editListing(context, { ...app.own, name: 'PayPal' });
    expect((await eventsOf(database.db, app.id)).at(-1)).toMatchObject({
      data: { change: 'edited', from: { name: app.name }, to: { name: 'PayPal' }, waits: true },
    });
  });
});
