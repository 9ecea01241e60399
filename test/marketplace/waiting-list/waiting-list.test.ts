/** A person who waits for an offer gets one email when it can be claimed, and nobody else can make us send more. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPersonData } from '../../../src/background/personal-data/data.ts';
import { eraseDueAccounts } from '../../../src/background/personal-data/erase.ts';
import type { Context } from '../../../src/base/context.ts';
import {
  approveListing,
  liftSuspension,
  submitListing,
  suspendListing,
  withdrawListing,
} from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { addCodes } from '../../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer, pauseOffer, resumeOffer } from '../../../src/marketplace/offers/edit.ts';
import {
  announceOpenOffers,
  areListsToLimit,
  isAnnouncementDue,
  limitLists,
} from '../../../src/marketplace/waiting-list/announce.ts';
import {
  confirmAddressOfList,
  joinWithAccount,
  leaveWithAccount,
  requestToJoin,
  stopWaiting,
} from '../../../src/marketplace/waiting-list/join.ts';
import {
  countWaitingPeople,
  findListsOf,
  insertPerson,
} from '../../../src/marketplace/waiting-list/queries.ts';
import {
  MAX_LISTS_OF_PERSON,
  MAX_WAITING_PEOPLE,
  WAITING_DAYS,
} from '../../../src/marketplace/waiting-list/waiting-list.ts';
import { mailboxOf } from '../../../src/people/accounts/account.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { planDeletion } from '../../../src/people/accounts/edit.ts';
import { createMailStore, type Mailer, releaseMail } from '../../../src/people/mail/mail.ts';
import { restoreAccount, suspendAccount } from '../../../src/people/members/suspend.ts';
import { endAllAccess } from '../../../src/people/sign-in/access.ts';
import type { SignInServices } from '../../../src/people/sign-in/services.ts';
import { sweepSignIn } from '../../../src/people/sign-in/sweep.ts';
import { acceptAccessLink, createAccessLink } from '../../../src/people/visibility/access-link.ts';
import { Refusal } from '../../../src/platform/errors.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { DAY_MS, HOUR_MS } from '../../../src/platform/text/durations.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { noMailer, signInServices } from '../../support/person.ts';
import { shareDatabase } from '../../support/shared.ts';

const ACTOR = 'operator' as const;
const BASE_URL = 'https://claims.example';
const CONFIRMS = 'Do you want to hear about';
const OPENED = 'You can claim';

/** `done`, or the sentence of a refusal. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.message;
      throw error;
    },
  );

describe.each(ENGINES)('a waiting list on %s', (engine) => {
  const database = shareDatabase(engine);
  let context: Context;
  let services: SignInServices;
  let mailer: Mailer;
  let owner: Owner;
  let aheadMs = 0;
  let names = 0;
  const background = new Set<Promise<unknown>>();

  beforeAll(async () => {
    context = { ...database.context, now: () => Date.now() + aheadMs };
    owner = await createOwner(context);
    mailer = { ...noMailer, ...createMailStore(context, true) };
    services = {
      ...signInServices({ context, baseUrl: BASE_URL }),
      mailer,
      background: {
        start: (work) => void background.add(work(new AbortController().signal)),
        drained: () => Promise.all(background),
      },
    };
    return () => services.mailGate.close();
  });
  beforeEach(async () => {
    // The counters of the other tests have ended.
    aheadMs += 2 * DAY_MS;
    await context.db.transaction(async (tx) => {
      await tx.deleteFrom('mails').execute();
      await tx.deleteFrom('waiting_people').execute();
    });
  });

  const newName = (): string => {
    names += 1;
    return `person-${names}`;
  };
  const newEmail = () => `${newName()}@people.example`;
  const newOffer = (more: object = {}) =>
    createOffer(context, {
      listing: owner.slug,
      offer: `An offer for ${newName()}`,
      kind: 'discount',
      redemption_link: 'https://acme.example/welcome?claim={claim}',
      actor: ACTOR,
      ...more,
    });
  const pausedOffer = async () => {
    const offer = await newOffer();
    await pauseOffer(context, { offerId: offer.id, actor: ACTOR });
    return offer;
  };
  type Offer = Awaited<ReturnType<typeof newOffer>>;
  const resume = ({ id }: Offer) => resumeOffer(context, { offerId: id, actor: ACTOR });
  const waitedOf = ({ id, offer }: Pick<Offer, 'id' | 'offer'>) => ({
    id,
    offer,
    listing: owner.slug,
    slug: owner.slug,
  });
  const ask = async (offer: Pick<Offer, 'id' | 'offer'>, email: string, network = newNetwork()) => {
    const caller = { cookie: '', userAgent: '', address: network };
    await requestToJoin(services, { offer: waitedOf(offer), email, caller });
    await Promise.all(background);
  };
  let networks = 0;
  const newNetwork = () => {
    networks += 1;
    return `198.51.${networks >> 8}.${networks & 255}`;
  };
  const rows = () => context.db.read.selectFrom('waiting_people').selectAll().orderBy('id').execute();
  const idOf = async (email: string) => (await rows()).find((row) => row.email === email)!.id;
  const join = async (offer: Offer, email = newEmail()) => {
    await ask(offer, email);
    await confirmAddressOfList(services, await idOf(email));
    return email;
  };
  const mails = async (subject: string) =>
    (await context.db.read.selectFrom('mails').selectAll().orderBy('id').execute()).filter((mail) =>
      mail.subject.startsWith(subject),
    );
  const announcer = () => ({ context, mailer, baseUrl: BASE_URL, hasProvider: false });
  const announce = (changed: object = {}) =>
    announceOpenOffers({ ...announcer(), ...changed }, new AbortController().signal);
  const addPeople = (offer: Offer, count: number) =>
    context.db.transaction(async (tx) => {
      for (let n = 0; n < count; n += 1) {
        const email = newEmail();
        const at = context.at();
        const times = { created_at: at, confirmed_at: at, expires_at: toIso(context.now() + DAY_MS) };
        const id = uuidv7(context);
        await insertPerson(tx, { id, offer_id: offer.id, email, mailbox: mailboxOf(email), ...times });
      }
    });

  /** Its transactions begin their work only when `count` of them are open. SQLite has one transaction at a time. */
  function overlapping(count: number): Context {
    if (engine === 'sqlite') return context;
    const { promise: allOpen, resolve } = Promise.withResolvers<void>();
    let open = 0;
    const transaction: Context['db']['transaction'] = (work) =>
      context.db.transaction(async (tx) => {
        await tx.selectFrom('settings').select('name').limit(1).execute();
        open += 1;
        if (open === count) resolve();
        await allOpen;
        return work(tx);
      });
    return { ...context, db: { ...context.db, transaction } };
  }

  test('mails a person who confirmed once, and forgets the address', async () => {
    const offer = await pausedOffer();
    const [email, silent] = [newEmail(), newEmail()];
    await ask(offer, email);
    await ask(offer, silent);
    expect((await mails(CONFIRMS)).map(({ recipient }) => recipient)).toEqual([email, silent]);
    expect((await countWaitingPeople(context.db.read, [offer.id])).size).toBe(0);
    const id = await idOf(email);
    await confirmAddressOfList(services, id);
    await confirmAddressOfList(services, id);
    expect(await countWaitingPeople(context.db.read, [offer.id])).toEqual(new Map([[offer.id, 1]]));
    await announce();
    expect(await mails(OPENED)).toEqual([]);
    await resume(offer);
    expect(await isAnnouncementDue(announcer())).toBe(true);
    await announce();
    await announce();
    expect((await mails(OPENED)).map(({ recipient }) => recipient)).toEqual([email]);
    expect((await rows()).map((row) => row.email)).toEqual([silent]);
    // The person comes too late, and joins again.
    await pauseOffer(context, { offerId: offer.id, actor: ACTOR });
    await join(offer, email);
    expect((await countWaitingPeople(context.db.read, [offer.id])).get(offer.id)).toBe(1);
  });

  test('mails only members once the listing is for members only', async () => {
    const offer = await pausedOffer();
    await join(offer);
    const member = newEmail();
    const { id: personId } = await createAccount(context, { email: member, name: 'Mo', actor: ACTOR });
    await join(offer, member);
    const { listingId, accountId } = owner;
    const link = { listingId, accountId, name: 'Friends', people: 1, days: 9 };
    const { code } = await createAccessLink(context, { ...link, actor: `account:${accountId}` });
    await acceptAccessLink(context, { code, personId });
    await editListing(context, { listing: owner.slug, visibility: 'members', actor: ACTOR });
    await resume(offer);
    await announce();
    expect((await mails(OPENED)).map(({ recipient }) => recipient)).toEqual([member]);
    expect(await rows()).toEqual([]);
    await editListing(context, { listing: owner.slug, visibility: '', actor: ACTOR });
  });

  test.each([
    [
      'its start has come',
      () => newOffer({ starts_at: toIso(context.now() + HOUR_MS) }),
      async () => {
        aheadMs += 2 * HOUR_MS;
      },
    ],
    [
      'its end was moved',
      async () => {
        const offer = await newOffer({ ends_at: toIso(context.now() + HOUR_MS) });
        aheadMs += 2 * HOUR_MS;
        return offer;
      },
      ({ id }: Offer) =>
        editOffer(context, { offerId: id, ends_at: toIso(context.now() + DAY_MS), actor: ACTOR }),
    ],
    [
      'its limit was raised',
      async () => {
        const offer = await newOffer({ claim_limit: '1' });
        await issueTokens(context, { offerId: offer.id }, 1);
        return offer;
      },
      ({ id }: Offer) => editOffer(context, { offerId: id, claim_limit: '2', actor: ACTOR }),
    ],
    [
      'codes were added',
      () => newOffer({ code_list: 'close' }),
      ({ id }: Offer) =>
        addCodes(context, { offerId: id, actor: ACTOR, lines: [{ line: 1, text: `CODE-${newName()}` }] }),
    ],
  ] as const)('mails people when an offer can be claimed because %s', async (_, close, open) => {
    const offer = await close();
    const email = await join(offer);
    expect(await isAnnouncementDue(announcer())).toBe(false);
    await open(offer);
    await announce();
    expect((await mails(OPENED)).map(({ recipient }) => recipient)).toEqual([email]);
  });

  test('mails nobody twice, in two processes and after a crash', async () => {
    const offer = await pausedOffer();
    await addPeople(offer, 60);
    await resume(offer);
    const keep = async (...args: Parameters<Mailer['keep']>) => {
      await mailer.keep(...args);
      throw new Error('crash');
    };
    await expect(announce({ mailer: { ...mailer, keep } })).rejects.toThrow('crash');
    expect([await mails(OPENED), (await rows()).length]).toEqual([[], 60]);
    await Promise.all([announce(), announce(), announce()]);
    const recipients = (await mails(OPENED)).map(({ recipient }) => recipient);
    expect([recipients.length, new Set(recipients).size]).toEqual([60, 60]);
    expect(await rows()).toEqual([]);
  });

  test('mails nobody whose time has ended, and lets the person join again, before the row is deleted', async () => {
    const offer = await pausedOffer();
    const [email, mailed] = [newEmail(), newEmail()];
    const account = await createAccount(context, { email, name: 'Ada', actor: ACTOR });
    const of = { offerId: offer.id, accountId: account.id };
    await joinWithAccount(context, of);
    await join(offer, mailed);
    const late = newEmail();
    await ask(offer, late);
    const waits = async () =>
      (await findListsOf(context.db.read, { accountId: account.id, offerIds: [offer.id], at: context.at() }))
        .size;
    expect(await waits()).toBe(1);
    aheadMs += (WAITING_DAYS + 1) * DAY_MS;
    expect(await waits()).toBe(0);
    expect(await confirmAddressOfList(services, await idOf(late))).toBeNull();
    await resume(offer);
    expect(await isAnnouncementDue(announcer())).toBe(false);
    await pauseOffer(context, { offerId: offer.id, actor: ACTOR });
    const other = await join(offer);
    await resume(offer);
    await announce();
    expect((await mails(OPENED)).map(({ recipient }) => recipient)).toEqual([other]);
    await pauseOffer(context, { offerId: offer.id, actor: ACTOR });
    await joinWithAccount(context, of);
    await join(offer, mailed);
    expect(await waits()).toBe(1);
    await resume(offer);
    await announce();
    expect((await mails(OPENED)).map(({ recipient }) => recipient)).toEqual([other, email, mailed]);
  });

  test('holds mail that may have been sent before a restore, until an operator releases it', async () => {
    const offer = await pausedOffer();
    const before = await join(offer);
    await endAllAccess(context);
    aheadMs += 1_000;
    const after = await join(offer);
    await resume(offer);
    await announce();
    const held = async () =>
      (await mails(OPENED)).map(({ recipient, held_at }) => [recipient, held_at !== null]);
    expect(await held()).toEqual([
      [before, true],
      [after, false],
    ]);
    // Also ends the hold of people whose offer opens later.
    const later = await pausedOffer();
    const waiting = await join(later);
    await endAllAccess(context);
    expect(await releaseMail(context)).toBeGreaterThan(0);
    await resume(later);
    await announce();
    expect(await held()).toEqual([
      [before, false],
      [after, false],
      [waiting, false],
    ]);
  });

  test('stops mailing when the offer closes again, and while much mail waits to be sent', async () => {
    const offer = await pausedOffer();
    await addPeople(offer, 320);
    await resume(offer);
    await announce();
    expect([(await mails(OPENED)).length, (await rows()).length]).toEqual([100, 220]);
    await pauseOffer(context, { offerId: offer.id, actor: ACTOR });
    await announce();
    expect((await rows()).length).toBe(220);
    await resume(offer);
    await announce();
    expect(await isAnnouncementDue(announcer())).toBe(false);
    await announce();
    expect([(await mails(OPENED)).length, (await rows()).length]).toEqual([200, 120]);
  });

  test('can’t be used to flood a mailbox, in parallel, from many networks, with other spellings and offers', async () => {
    const offers = [await pausedOffer(), await pausedOffer(), await pausedOffer()];
    const name = newName();
    const attempts = Array.from({ length: 30 }, (_, n) =>
      outcomeOf(ask(offers[n % 3]!, `${name}+${n}@gmail.com`)),
    );
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(5);
    expect((await mails(CONFIRMS)).length).toBeLessThanOrEqual(5);
    // Nor later on the same day, when the mailbox may get other mail again.
    aheadMs += 2 * HOUR_MS;
    expect(await outcomeOf(ask(offers[0]!, `${name}@gmail.com`))).toContain('emails about waiting lists');
    // Other people are not held up.
    await ask(offers[0]!, newEmail());
  });

  test('sends a limited number of emails for one network', async () => {
    const offer = await pausedOffer();
    const network = newNetwork();
    const attempts = Array.from({ length: 64 }, () => outcomeOf(ask(offer, newEmail(), network)));
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(60);
    expect(await mails(CONFIRMS)).toHaveLength(60);
  });

  test.each([
    ['everybody together', 'waiting-all'],
    ['one mailbox, also with mail that isn’t about waiting lists', 'mail'],
  ])('counts the mail to %s', async (_, counter) => {
    const offer = await pausedOffer();
    const email = newEmail();
    await ask(offer, email);
    await context.db.transaction((tx) =>
      tx.updateTable('throttles').set({ points: 1_000 }).where('key', 'like', `${counter}:%`).execute(),
    );
    expect(await outcomeOf(ask(offer, email))).not.toBe('done');
    const isOfEverybody = counter === 'waiting-all';
    expect((await outcomeOf(ask(offer, newEmail()))) === 'done').toBe(!isOfEverybody);
    await context.db.transaction((tx) => tx.deleteFrom('throttles').execute());
  });

  test('mails nobody while the listing is suspended or withdrawn, or its owner is suspended', async () => {
    const offer = await pausedOffer();
    const email = await join(offer);
    await resume(offer);
    const { listingId: listing, accountId: account } = owner;
    const by = { listing, actor: ACTOR };
    for (const [hide, show] of [
      [() => suspendListing(context, by), () => liftSuspension(context, by)],
      [
        () => withdrawListing(context, { ...by, accountId: account }),
        async () => {
          await submitListing(context, { ...by, accountId: account });
          await approveListing(context, by);
        },
      ],
      [
        () => suspendAccount(context, { account, actor: ACTOR }),
        () => restoreAccount(context, { account, actor: ACTOR }),
      ],
    ] as const) {
      await hide();
      expect(await isAnnouncementDue(announcer())).toBe(false);
      await announce();
      expect(await mails(OPENED)).toEqual([]);
      await show();
    }
    await announce();
    expect((await mails(OPENED)).map(({ recipient }) => recipient)).toEqual([email]);
  });

  test('refuses the same way whether or not an address is on the list', async () => {
    const offer = await pausedOffer();
    const [listed, other] = [await join(offer), newEmail()];
    await context.db.transaction((tx) => tx.deleteFrom('throttles').execute());
    const sentences = async (email: string) => {
      const all: string[] = [];
      for (let n = 0; n < 7; n += 1) all.push(await outcomeOf(ask(offer, email)));
      return all;
    };
    expect(await sentences(listed)).toEqual(await sentences(other));
    // The first mail was deleted with its code, and no other was written.
    expect((await mails(CONFIRMS)).filter(({ recipient }) => recipient === listed)).toEqual([]);
  });

  test('has an exact maximum of people, and of lists for each person', async () => {
    const email = newEmail();
    const { id: accountId } = await createAccount(context, { email, name: 'Ada', actor: ACTOR });
    const at = context.at();
    const times = { created_at: at, confirmed_at: at, expires_at: toIso(context.now() + DAY_MS) };
    await context.db.transaction(async (tx) => {
      for (let n = 1; n < MAX_LISTS_OF_PERSON; n += 1) {
        const id = uuidv7(context);
        await insertPerson(tx, { id, offer_id: uuidv7(context), email, mailbox: email, ...times });
      }
    });
    const parallel = overlapping(4);
    const lists = Array.from({ length: 4 }, () => ({ offerId: uuidv7(context), accountId }));
    const outcomes = await Promise.all(lists.map((list) => outcomeOf(joinWithAccount(parallel, list))));
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(new Set(outcomes)).toContainEqual(
      expect.stringContaining(`at most ${MAX_LISTS_OF_PERSON} offers`),
    );
    expect(await rows()).toHaveLength(MAX_LISTS_OF_PERSON);
    expect(await outcomeOf(joinWithAccount(context, lists[outcomes.indexOf('done')]!))).toBe('done');
    const full = await pausedOffer();
    const people = Array.from({ length: MAX_WAITING_PEOPLE }, (_, n) => n);
    await context.db.transaction(async (tx) => {
      for (let from = 0; from < people.length; from += 1_000) {
        const values = people.slice(from, from + 1_000).map((n) => {
          const address = `many-${n}@people.example`;
          return { id: uuidv7(context), offer_id: full.id, email: address, mailbox: address, ...times };
        });
        await tx.insertInto('waiting_people').values(values).execute();
      }
    });
    expect(await outcomeOf(ask(full, newEmail()))).toContain('waiting list of this offer is full');
    expect(await outcomeOf(joinWithAccount(context, { offerId: full.id, accountId }))).toContain('is full');
  });

  test('joins immediately with the confirmed address of an account, and with no other', async () => {
    const offer = await pausedOffer();
    const email = newEmail();
    const account = await createAccount(context, { email, name: 'Ada', actor: ACTOR });
    const of = { offerId: offer.id, accountId: account.id };
    await ask(offer, email);
    expect(await joinWithAccount(context, of)).toBe(true);
    expect(await joinWithAccount(context, of)).toBe(true);
    expect(await rows()).toMatchObject([{ email, confirmed_at: expect.any(String) }]);
    const exported = async () =>
      (await readPersonData(context, account.id, 'waiting_lists.')).records.filter(
        ({ part }) => part === 'waiting_lists',
      );
    expect(await exported()).toMatchObject([{ data: { offer_id: offer.id, email } }]);
    // Somebody who signed up with an address that isn't theirs sees and changes nothing.
    await context.db.transaction((tx) =>
      tx.updateTable('accounts').set({ email_verified_at: null }).where('id', '=', account.id).execute(),
    );
    expect(await joinWithAccount(context, of)).toBe(false);
    await leaveWithAccount(context, of);
    expect([(await rows()).length, await exported()]).toEqual([1, []]);
  });

  test('deletes people who leave, don’t confirm, or whose account, offer or listing is gone', async () => {
    const offer = await pausedOffer();
    const left = await join(offer);
    await stopWaiting(context, await idOf(left));
    await ask(offer, newEmail());
    const email = newEmail();
    const account = await createAccount(context, { email, name: 'Ada', actor: ACTOR });
    await joinWithAccount(context, { offerId: offer.id, accountId: account.id });
    await planDeletion(context, { account: account.id, actor: ACTOR, reason: 'asked', notice: null });
    expect((await rows()).map((row) => row.email)).toContain(email);
    aheadMs += 8 * DAY_MS;
    await eraseDueAccounts(context);
    await sweepSignIn(context);
    expect(await rows()).toEqual([]);

    await join(offer);
    expect(await areListsToLimit(context)).toBe(false);
    const accountId = owner.accountId;
    await withdrawListing(context, { listing: owner.listingId, accountId, actor: ACTOR });
    expect(await areListsToLimit(context)).toBe(true);
    await limitLists(context);
    expect(await areListsToLimit(context)).toBe(false);
    aheadMs += 29 * DAY_MS;
    await limitLists(context);
    await sweepSignIn(context);
    expect(await rows()).toHaveLength(1);
    aheadMs += 2 * DAY_MS;
    await sweepSignIn(context);
    expect(await rows()).toEqual([]);
  });
});
