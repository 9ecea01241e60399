/** Recipients, deduplication and limits of notices. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chooseNotices, MAX_NOTICES_A_DAY } from '../../../src/background/notices/mail-notice.ts';
import {
  areNoticesDue,
  type EventNoticeServices,
  writeNotices,
} from '../../../src/background/notices/of-events.ts';
import { watchForNotices } from '../../../src/background/notices/watch.ts';
import { eraseAgain } from '../../../src/background/personal-data/erase.ts';
import { failed, passed } from '../../../src/background/system/check.ts';
import type { Context } from '../../../src/base/context.ts';
import { DECISION_HOLD_MS, UNDO_WINDOW_MS } from '../../../src/base/events/decision-queries.ts';
import { appendEvent } from '../../../src/base/events/queries.ts';
import { createReadSettled } from '../../../src/base/events/settled.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { issueClaims } from '../../../src/claims/creation/issue.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { approveProposal } from '../../../src/marketplace/listings/decide-proposal.ts';
import {
  rejectListing,
  requestChanges,
  suspendListing,
} from '../../../src/marketplace/listings/decisions.ts';
import { undoDecision } from '../../../src/marketplace/listings/move.ts';
import { findOpenQuestion } from '../../../src/marketplace/listings/question-queries.ts';
import { answerQuestion, askOwner } from '../../../src/marketplace/listings/questions.ts';
import { MAX_OPEN_REPORTS } from '../../../src/marketplace/listings/report.ts';
import { dismissReports, reportListing } from '../../../src/marketplace/listings/reports.ts';
import { addCodes } from '../../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { setPlan, setPublisher } from '../../../src/people/accounts/edit.ts';
import { defaultPolicy, setPolicy } from '../../../src/people/accounts/policy.ts';
import { findByEmail, putUse } from '../../../src/people/accounts/queries.ts';
import { renameAccount, undoNameDecision } from '../../../src/people/accounts/rename.ts';
import { askForPlan, declineRequest, grantRequest } from '../../../src/people/accounts/requests.ts';
import { inviteToAccount } from '../../../src/people/invitations/invite.ts';
import { createMailer, type Mailer } from '../../../src/people/mail/mail.ts';
import { listOutbox } from '../../../src/people/mail/queries.ts';
import { recordRefusal } from '../../../src/people/mail/refusal-queries.ts';
import { suspendAccount } from '../../../src/people/members/suspend.ts';
import { DAY_MS, HOUR_MS } from '../../../src/platform/text/durations.ts';
import { timeTextWithZone } from '../../../src/platform/text/time-zone.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const BASE = 'https://claims.example';
const FOREVER = new AbortController().signal;
const ACTOR = 'operator' as const;

describe.each(ENGINES)('notices on %s', (engine) => {
  const database = shareDatabase(engine);
  let context: Context;
  let passedMs = 0;
  let mailer: Mailer;
  let services: EventNoticeServices;
  let owner: Owner;
  let operator: { readonly id: string; readonly email: string };
  let accounts = 0;

  const account = (more: { readonly operator?: boolean } = {}) => {
    accounts += 1;
    return createAccount(context, {
      email: `person-${accounts}@example.com`,
      name: `Person ${accounts}`,
      actor: ACTOR,
      ...more,
    });
  };
  /** Deletes all queued mails and returns them, oldest first. */
  const newMails = async () => {
    const mails = await listOutbox(context.db.read, context.secretBox, context.at());
    await context.db.transaction((tx) => tx.deleteFrom('mails').execute());
    return mails.toReversed();
  };
  const subjects = async (email: string) =>
    (await newMails()).filter(({ recipient }) => recipient === email).map(({ subject }) => subject);
  const writeNow = () => writeNotices(services, FOREVER);
  /** Writes notices when the decisions so far are final. */
  const write = () => {
    passedMs += DECISION_HOLD_MS;
    return writeNow();
  };
  /** Creates a pending listing and rejects it. Its notices before the rejection are discarded. */
  const rejected = async (name: string) => {
    const { id: listing } = await createListing(context, {
      account: owner.accountId,
      name,
      slug: `${name.toLowerCase()}-${passedMs}`,
      url: 'https://acme.example',
      upTo: 'pending',
      actor: ACTOR,
    });
    await write();
    await newMails();
    const { version } = await rejectListing(context, { listing, reason: 'Not here.', actor: ACTOR });
    return { listing, version };
  };
  const watch = (checks = [passed('disk', 'fine')]) =>
    watchForNotices({ ...services, examine: async () => checks }, FOREVER);
  const policy = (changed: object) =>
    setPolicy(context, {
      policy: { ...defaultPolicy(false), ...changed },
      hasProvider: false,
      operatorId: operator.id,
      actor: ACTOR,
    });
  const claim = (claimantAccountId: string, offerId = owner.offerId) =>
    claimOffer(context, { claimantAccountId, listing: owner.slug, offerId });

  beforeAll(async () => {
    context = { ...database.context, now: () => Date.now() + passedMs };
    // Nothing listens on this port, so mails stay in the queue.
    mailer = createMailer(context, {
      smtpUrl: 'smtp://127.0.0.1:9',
      from: 'claims@example.com',
      onFailure: () => {},
    });
    services = {
      context,
      baseUrl: BASE,
      mailer: { ...mailer, start: () => {} },
      readSettled: createReadSettled(context.db, context.now),
    };
    operator = await account({ operator: true });
    await write();
  });
  beforeEach(async () => {
    owner = await createOwner(context);
    await context.db.transaction((tx) => putUse(tx, owner.accountId, context.at()));
    await write();
    await newMails();
  });
  afterAll(() => mailer?.close());

  test('an operator’s question reaches the owner, and the reply reaches the operators, who know of the report', async () => {
    const address = '192.0.2.77';
    const report = {
      listing: owner.listingId,
      cause: 'broken',
      words: 'It ended.',
      reporterId: null,
      address,
    };
    await reportListing(context, report);
    await write();
    await newMails();
    await askOwner(context, { listing: owner.listingId, question: 'Has it ended?', actor: ACTOR });
    await write();
    const [question] = await newMails();
    expect(question).toMatchObject({ recipient: owner.email });
    expect(question!.text).toContain('Has it ended?');
    expect(question!.text).toContain(`${BASE}/dashboard/listings/${owner.listingId}/question`);
    const { id: questionId } = (await findOpenQuestion(context.db.read, owner.listingId))!;
    const reply = { listing: owner.listingId, questionId, reply: 'Not at all.' };
    await answerQuestion(context, { ...reply, actor: `account:${owner.accountId}` });
    await write();
    const replies = (await newMails()).filter(({ recipient }) => recipient === operator.email);
    expect(replies.map(({ text }) => text?.includes('Not at all.'))).toEqual([true]);
    await dismissReports(context, { listing: owner.listingId, upTo: context.at(), actor: ACTOR });
  });

  test('are sent to the people whose reports are decided, if their address was confirmed', async () => {
    const people = await Promise.all([0, 1, 2].map(() => account()));
    const [confirmed, unconfirmed, later] = people;
    const confirm = ({ id }: { readonly id: string }, at: string | null) =>
      context.db.transaction((tx) =>
        tx.updateTable('accounts').set({ email_verified_at: at }).where('id', '=', id).execute(),
      );
    const report = (reporterId: string | null) =>
      reportListing(context, {
        listing: owner.listingId,
        cause: 'broken',
        words: reporterId === null ? 'A secret of a stranger.' : `Words of ${reporterId}.`,
        reporterId,
        replyTo: reporterId === null ? 'guest@example.com' : null,
        address: '192.0.2.78',
      });
    for (const each of people) await confirm(each, context.at());
    await confirm(unconfirmed!, null);
    await report(confirmed!.id);
    await report(unconfirmed!.id);
    await report(null);
    // Confirmed since, perhaps by somebody else.
    await confirm(unconfirmed!, context.at());
    const upTo = context.at();
    passedMs += 1_000;
    await report(later!.id);
    await write();
    await newMails();
    const toOthers = async () =>
      (await newMails())
        .filter(({ recipient }) => ![owner.email, operator.email].includes(recipient))
        .map(({ recipient, subject, text }) => [
          recipient,
          subject,
          text?.includes('has left the listing as it is'),
        ]);
    await dismissReports(context, { listing: owner.listingId, upTo, actor: ACTOR });
    await write();
    const subject = `Your report about ${owner.slug}`;
    expect(await toOthers()).toEqual([[confirmed!.email, subject, true]]);
    await suspendListing(context, { listing: owner.slug, reason: 'Scam.', actor: ACTOR });
    await writeNow();
    expect(await toOthers()).toEqual([]);
    await write();
    expect(await toOthers()).toEqual([[later!.email, subject, false]]);
  });

  describe('to people about their reports', () => {
    /** A person whose address is confirmed. */
    const reporter = async () => {
      const person = await account();
      await context.db.transaction((tx) =>
        tx
          .updateTable('accounts')
          .set({ email_verified_at: context.at() })
          .where('id', '=', person.id)
          .execute(),
      );
      return person;
    };
    const report = ({ id }: { readonly id: string }, words: string, address = '192.0.2.79') =>
      reportListing(context, {
        listing: owner.listingId,
        cause: 'misleading',
        words,
        reporterId: id,
        address,
      });
    const dismiss = () =>
      dismissReports(context, { listing: owner.listingId, upTo: context.at(), actor: ACTOR });
    const mailsTo = async (...people: readonly { readonly email: string }[]) =>
      (await newMails()).filter(({ recipient }) => people.some(({ email }) => email === recipient));

    test('contain what they wrote and when, but nothing by others and no reason for the owner', async () => {
      const [ada, ben] = [await reporter(), await reporter()];
      await report(ada, 'First words of Ada.');
      await report(ada, 'The price is wrong.');
      const when = timeTextWithZone(context.marketplace.timeZone, context.at());
      await report(ben, 'Words of Ben.');
      await write();
      await newMails();
      await suspendListing(context, { listing: owner.slug, reason: 'A reason.', actor: ACTOR });
      await write();
      const mails = await mailsTo(ada, ben);
      expect(mails).toHaveLength(2);
      const { text } = mails.find(({ recipient }) => recipient === ada.email)!;
      expect(text).toContain(`You sent the report on ${when}: “The offer isn’t as described”`);
      expect(text).toContain('The price is wrong.');
      for (const other of ['First words', 'Ben', ben.email, 'A reason.', owner.email]) {
        expect(text).not.toContain(other);
      }
    });

    test('are not sent after a suspension that is undone, but after the next decision', async () => {
      const ada = await reporter();
      await report(ada, 'It ended.');
      const { version } = await suspendListing(context, { listing: owner.slug, actor: ACTOR });
      await undoDecision(context, { listing: owner.slug, version, actor: ACTOR });
      await write();
      expect(await mailsTo(ada)).toEqual([]);
      expect(await dismiss()).toBe(true);
      await write();
      expect(await mailsTo(ada)).toEqual([
        expect.objectContaining({ text: expect.stringContaining('has left the listing as it is') }),
      ]);
    });

    test('are sent if a report by somebody else replaces theirs, and only then', async () => {
      const people: { readonly email: string }[] = [];
      for (let at = 0; at < MAX_OPEN_REPORTS; at += 1) {
        const person = await reporter();
        people.push(person);
        await report(person, `Words ${at}.`, `198.51.${at % 5}.1`);
      }
      const late = await reporter();
      passedMs += 1_000;
      await report(late, 'Words of late.', '203.0.113.9');
      await write();
      const [mail, ...others] = await mailsTo(late, ...people);
      expect(others).toEqual([]);
      expect(mail).toMatchObject({ recipient: people.at(-1)!.email });
      expect(mail!.text).toContain('a newer one has replaced yours');
      expect(mail!.text).toContain(`Words ${MAX_OPEN_REPORTS - 1}.`);
      await dismiss();
      await write();
      const decided = (await mailsTo(late, ...people)).map(({ recipient }) => recipient);
      expect(decided.sort()).toEqual([late, ...people.slice(0, -1)].map(({ email }) => email).sort());
    });

    test('are not sent to people who turned them off, were suspended or deleted their account', async () => {
      const people = [await reporter(), await reporter(), await reporter(), await reporter()] as const;
      const [off, suspended, erased, ada] = people;
      for (const each of people) await report(each, `Words of ${each.id}.`);
      await chooseNotices(context, off.id, { reports: false });
      await suspendAccount(context, { account: suspended.id, reason: 'Spam.', actor: ACTOR });
      await eraseAgain(context, [erased.id]);
      await write();
      await newMails();
      await dismiss();
      await write();
      expect((await mailsTo(...people)).map(({ recipient }) => recipient)).toEqual([ada.email]);
    });
  });

  test('are sent to the owner once for each decision, with its reason', async () => {
    await suspendListing(context, { listing: owner.slug, reason: 'It sells nothing.', actor: ACTOR });
    await write();
    const [mail, ...others] = (await newMails()).filter(({ recipient }) => recipient === owner.email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: `${owner.slug} was suspended` });
    expect(mail!.text).toContain('It sells nothing.');
    expect(mail!.text).toContain(`${BASE}/dashboard/listings/${owner.listingId}`);
    expect(mail!.text).toMatch(
      /Unsubscribe from these emails:\nhttps:\/\/claims\.example\/mail\/stop\/[\w-]+\n$/,
    );
    await write();
    expect(await newMails()).toEqual([]);
  });

  test('are sent to an account for declined requests, plan changes and permission to publish', async () => {
    const { accountId } = owner;
    await askForPlan(context, { accountId, plan: 'everything', actor: `account:${accountId}` });
    const answer = { account: owner.accountId, actor: ACTOR };
    await declineRequest(context, { ...answer, wish: 'plan', reason: 'Use what you have first.' });
    await setPlan(context, { ...answer, plan: 'everything' });
    await setPublisher(context, { ...answer, isAllowed: true });
    await write();
    expect(await subjects(owner.email)).toEqual([
      'Your request for Everything was declined',
      'Your plan is now Everything',
      'You can publish now',
    ]);
  });

  test('are sent for submissions, requested changes, rejections, approvals and new links', async () => {
    const input = { account: owner.accountId, name: 'Waits', url: 'https://acme.example', actor: ACTOR };
    const own = { ...input, actor: `account:${owner.accountId}` as const };
    const listing = await createListing(context, { ...own, slug: `waits-${accounts}`, upTo: 'pending' });
    await requestChanges(context, { listing: listing.id, reason: 'Say more.', actor: ACTOR });
    const other = await createListing(context, { ...input, slug: `never-${accounts}`, upTo: 'pending' });
    await rejectListing(context, { listing: other.id, reason: 'Not here.', actor: ACTOR });
    await createListing(context, { ...input, slug: `live-${accounts}`, upTo: 'approved' });
    await editOffer(context, {
      offerId: owner.offerId,
      redemption_link: 'https://other.example/?claim={claim}',
      actor: `account:${owner.accountId}`,
    });
    await approveProposal(context, { listing: owner.slug, offerId: owner.offerId, actor: ACTOR });
    await write();
    expect(await subjects(owner.email)).toEqual([
      'Waits was submitted for review',
      'The operator created Waits',
      'The operator created Waits',
      'Waits needs changes',
      'Waits was rejected',
      'Waits is live',
      'Your new link is live',
    ]);
  });

  test('about a listing that an operator prepares are not sent before its owner is invited', async () => {
    const { id, email } = await account();
    const by = { actor: `account:${operator.id}`, asOperator: true } as const;
    const listing = { account: id, url: 'https://acme.example', ...by };
    await createListing(context, { ...listing, name: 'Kompass', slug: `kompass-${id}`, upTo: 'approved' });
    await write();
    // The operator knows of the new owner, too.
    expect(await newMails()).toEqual([]);
    await createListing(context, { ...listing, name: 'Log', slug: `log-${id}`, upTo: 'approved' });
    passedMs += 1;
    await inviteToAccount(services, (await findByEmail(context.db.read, email))!, 'operator');
    passedMs += 1;
    await createListing(context, { ...listing, name: 'Sextant', slug: `sextant-${id}`, upTo: 'approved' });
    await write();
    expect(await subjects(email)).toEqual([
      'Take over Kompass and Log on Claimcheck',
      'The operator created Sextant',
      'Sextant is live',
    ]);
  });

  test('about new items in the queue are not sent to the operator who caused them', async () => {
    const pending = { name: 'Own', url: 'https://acme.example', upTo: 'pending' } as const;
    const listing = { ...pending, account: owner.accountId };
    const actor = `account:${operator.id}` as const;
    passedMs += HOUR_MS;
    await createListing(context, { ...listing, slug: `own-${passedMs}`, actor, asOperator: true });
    await writeNow();
    expect(await subjects(operator.email)).toEqual([]);
    await createListing(context, {
      ...listing,
      slug: `owners-${passedMs}`,
      actor: `account:${owner.accountId}`,
    });
    await writeNow();
    expect(await subjects(operator.email)).toContainEqual(expect.stringContaining('to decide on'));
  });

  test('about a decision wait until it can no longer be undone, while other notices are sent', async () => {
    const { listing, version } = await rejected('Waits');
    await claim((await account()).id);
    await writeNow();
    expect((await newMails()).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Your claim/)]);
    passedMs += UNDO_WINDOW_MS;
    await writeNow();
    expect(await newMails()).toEqual([]);
    await write();
    expect(await subjects(owner.email)).toEqual(['Waits was rejected']);
    await expect(undoDecision(context, { listing, version, actor: ACTOR })).rejects.toThrow('have passed');
    await write();
    expect(await newMails()).toEqual([]);
  });

  test('are not sent about a decision that was undone, nor about the undo', async () => {
    const { listing, version } = await rejected('Undone');
    await writeNow();
    passedMs += UNDO_WINDOW_MS - 1_000;
    await undoDecision(context, { listing, version, actor: ACTOR });
    await write();
    await write();
    expect(await subjects(owner.email)).toEqual([]);
    await rejectListing(context, { listing, reason: 'Still not.', actor: ACTOR });
    await write();
    expect(await subjects(owner.email)).toEqual(['Undone was rejected']);
  });

  test('about a new name say what was decided, once the decision is final', async () => {
    const { accountId } = owner;
    // Longer than the pause between two emails about the queue.
    passedMs += HOUR_MS;
    await renameAccount(context, { accountId, name: 'Ada & Co' });
    await writeNow();
    expect(await subjects(operator.email)).toEqual([expect.stringContaining('to decide on')]);
    await grantRequest(context, { account: accountId, wish: 'name', seen: 'Ada & Co', actor: ACTOR });
    await undoNameDecision(context, { account: accountId, actor: ACTOR });
    passedMs += 1;
    await declineRequest(context, { account: accountId, wish: 'name', reason: 'Not yours.', actor: ACTOR });
    await writeNow();
    expect(await subjects(owner.email)).toEqual([]);
    await write();
    const [mail, ...others] = (await newMails()).filter(({ recipient }) => recipient === owner.email);
    expect(mail).toMatchObject({ subject: 'Your new name was declined' });
    expect(mail!.text).toContain('Not yours.');
    expect(others).toEqual([]);
    await renameAccount(context, { accountId, name: 'Ada and Co' });
    await grantRequest(context, { account: accountId, wish: 'name', seen: 'Ada and Co', actor: ACTOR });
    await write();
    expect(await subjects(owner.email)).toEqual(['Your new name is live']);
  });

  test('are sent to the owner if a browser sends an API key or the service disables a webhook', async () => {
    const { accountId, liveKeyId: subjectId } = owner;
    const event = { accountId, at: context.at(), actor: 'service', subjectId } as const;
    const origin = 'https://acme.example';
    await context.db.transaction(async (tx) => {
      await appendEvent(tx, { ...event, type: 'key.seen_in_browser', data: { origin, request_id: 'r' } });
      for (const reason of ['gone', 'manual', 'member_gone'] as const) {
        await appendEvent(tx, { ...event, type: 'endpoint.disabled', data: { origin, reason } });
      }
      const ended = { keys: 2, keys_end_at: '2026-12-05T10:00:00.000Z' };
      for (const data of [{}, { invitations: 1 }, ended]) {
        await appendEvent(tx, { ...event, type: 'member.left', data });
      }
    });
    await write();
    expect(await subjects(owner.email)).toEqual([
      'Your API key was sent by a browser',
      'A webhook endpoint was disabled',
      'A webhook endpoint was disabled',
      'API keys of your account stop working',
    ]);
  });

  test('are sent to the claimant without the token, and with the code only if the policy allows it', async () => {
    const offer = await createOffer(context, {
      listing: owner.slug,
      offer: 'Ten stickers',
      kind: 'gift',
      code: 'STICK-1234',
      shop_url: 'https://stickers.example/cart',
      actor: ACTOR,
    });
    const [ada, bea] = [await account(), await account()];
    const { claimId } = await claim(ada.id, offer.id);
    await claim(ada.id, offer.id);
    await write();
    const mails = (await newMails()).filter(({ recipient }) => recipient === ada.email);
    expect(mails).toMatchObject([{ subject: 'Your claim: Ten stickers' }]);
    expect(mails[0]!.text).toContain(`${BASE}/claims/${claimId}`);
    expect(mails[0]!.text).not.toContain('STICK-1234');
    expect(mails[0]!.text).not.toMatch(/clm_/);
    await policy({ mailsCodes: true });
    await claim(bea.id, offer.id);
    await write();
    const withCode = (await newMails()).find(({ recipient }) => recipient === bea.email)?.text;
    expect(withCode).toContain('STICK-1234\n\nEnter this code at checkout on stickers.example');
    await policy({});
  });

  test('reach a claimant in one transaction, however many claims were issued before', async () => {
    const issue = { offerId: owner.offerId, count: 120, mode: 'live', via: null } as const;
    for await (const _ of issueClaims(context, issue));
    const ada = await account();
    await claim(ada.id);
    let transactions = 0;
    const start = () => {
      transactions += 1;
    };
    await writeNotices({ ...services, mailer: { ...services.mailer, start } }, FOREVER);
    expect(transactions).toBe(1);
    expect(await subjects(ada.email)).toHaveLength(1);
  });

  test('are not sent to suspended accounts, rejected addresses or people who opted out', async () => {
    const [off, suspended] = [await account(), await account()];
    const [refused, moved] = [await account(), await account()];
    await chooseNotices(context, off.id, { claims: false });
    await context.db.transaction(async (tx) => {
      const refusal = { at: context.at(), sentence: 'The mail server answered 550.' };
      await recordRefusal(tx, { email: refused.email, ...refusal });
      await recordRefusal(tx, { email: moved.email, ...refusal });
      await tx
        .updateTable('accounts')
        .set({ email: `new-${moved.email}` })
        .where('id', '=', moved.id)
        .execute();
    });
    for (const { id } of [off, suspended, refused, moved]) await claim(id);
    await suspendAccount(context, { account: suspended.id, reason: 'Sells codes.', actor: ACTOR });
    await write();
    expect((await newMails()).map(({ recipient }) => recipient)).toEqual([`new-${moved.email}`]);
  });

  test('are written exactly once, even if one run crashes and later runs are concurrent', async () => {
    const ada = await account();
    await claim(ada.id);
    const keep = () => Promise.reject(new Error('killed'));
    const dying = { ...services, mailer: { ...services.mailer, keep } };
    await expect(writeNotices(dying, FOREVER)).rejects.toThrow('killed');
    await Promise.all([write(), write(), write()]);
    expect(await subjects(ada.email)).toHaveLength(1);
  });

  test('are not written for events older than a day, or if no mail server is configured', async () => {
    await claim((await account()).id);
    passedMs += DAY_MS + HOUR_MS;
    await write();
    expect(await newMails()).toEqual([]);
    expect(await areNoticesDue({ ...services, mailer: { ...services.mailer, isReal: false } })).toBe(false);
  });

  test('are limited to 20 per kind, owner and day', async () => {
    const data = { request_id: 'r' };
    const event = { accountId: owner.accountId, at: context.at(), actor: 'service', data } as const;
    await context.db.transaction(async (tx) => {
      for (let n = 0; n < MAX_NOTICES_A_DAY + 5; n += 1) {
        await appendEvent(tx, { ...event, type: 'key.seen_in_browser', subjectId: owner.liveKeyId });
      }
    });
    await write();
    expect(await subjects(owner.email)).toHaveLength(MAX_NOTICES_A_DAY);
  });

  test('are sent to operators about each new owner, and at most every 10 minutes about new items in the review queue', async () => {
    const bob = await account();
    const submit = (n: number) =>
      createListing(context, {
        account: bob.id,
        slug: `bob-${accounts}-${n}`,
        name: `Bob ${n}`,
        url: 'https://bob.example',
        upTo: 'pending',
        actor: ACTOR,
      });
    await submit(1);
    await write();
    const mails = (await newMails()).filter(({ recipient }) => recipient === operator.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      `A new owner: Person ${accounts}`,
      expect.stringMatching(/^\d+ items? to decide on$/),
    ]);
    expect(mails[1]!.text).toContain('Bob 1');
    await submit(2);
    await write();
    expect(await subjects(operator.email)).toEqual([]);
    // No event marks the end of the 10 minutes, so the hourly job writes the next mail.
    passedMs += HOUR_MS;
    await watch();
    expect(await subjects(operator.email)).toHaveLength(1);
    passedMs += HOUR_MS;
    await watch();
    expect(await subjects(operator.email)).toEqual([]);
    await chooseNotices(context, operator.id, { daily_review: true });
    await watch();
    await watch();
    expect(await subjects(operator.email)).toHaveLength(1);
    passedMs += DAY_MS;
    await watch();
    expect(await subjects(operator.email)).toHaveLength(1);
    await chooseNotices(context, operator.id, { daily_review: false });
  });

  test('are sent to operators, not to the owner of the log, if a webhook of the marketplace is disabled', async () => {
    const subjectId = '00000000-0000-7000-8000-000000000001';
    const event = { accountId: owner.accountId, at: context.at(), actor: 'service', subjectId } as const;
    const data = { origin: 'https://hooks.example', marketplace: true, reason: 'failing' } as const;
    await context.db.transaction((tx) => appendEvent(tx, { ...event, type: 'endpoint.disabled', data }));
    await write();
    const mails = await newMails();
    expect(mails.map(({ recipient, subject }) => [recipient, subject])).toEqual([
      [operator.email, 'A webhook endpoint was disabled'],
    ]);
    expect(mails[0]!.text).toContain(`${BASE}/desk/webhooks/${subjectId}`);
  });

  test('are sent to operators about a failed check at most once a week', async () => {
    const disk = failed('disk', '1 MB free of 1 GB.');
    await watch([disk]);
    await watch([disk]);
    expect(await subjects(operator.email)).toEqual(['Disk almost full']);
    passedMs += 8 * DAY_MS;
    await watch([disk]);
    expect(await subjects(operator.email)).toEqual(['Disk almost full']);
  });

  test('are sent to the owner whenever an offer is about to end, reaches its limit or runs low on codes', async () => {
    const offer = await createOffer(context, {
      listing: owner.slug,
      offer: 'One code each',
      kind: 'gift',
      code_list: 'close',
      claim_limit: '4',
      ends_at: new Date(context.now() + 2 * DAY_MS).toISOString(),
      actor: ACTOR,
    });
    const lines = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({ line: n + 1, text: `CODE-${from + n}` }));
    const add = (from: number, count: number) =>
      addCodes(context, { offerId: offer.id, lines: lines(from, count), actor: ACTOR });
    await add(0, 30);
    await watch();
    expect(await subjects(owner.email)).toEqual(['“One code each” ends soon']);
    for (let n = 0; n < 4; n += 1) await claim((await account()).id, offer.id);
    await editOffer(context, { offerId: offer.id, ends_at: null, actor: ACTOR });
    await watch();
    expect(await subjects(owner.email)).toEqual(['“One code each” has reached its claim limit']);
    await editOffer(context, { offerId: offer.id, claim_limit: '', actor: ACTOR });
    for (let n = 0; n < 7; n += 1) await claim((await account()).id, offer.id);
    await watch();
    await watch();
    expect(await subjects(owner.email)).toEqual(['“One code each” is running out of codes']);
    await add(100, 10);
    for (let n = 0; n < 10; n += 1) await claim((await account()).id, offer.id);
    await watch();
    expect(await subjects(owner.email)).toEqual(['“One code each” is running out of codes']);
  });

  test('summarize the week on Mondays for owners who opted in', async () => {
    await chooseNotices(context, owner.accountId, { week: true });
    const weekday = () => new Date(context.now()).getUTCDay();
    while (weekday() !== 6) passedMs += DAY_MS;
    await claim((await account()).id);
    passedMs += DAY_MS;
    await watch();
    expect(await subjects(owner.email)).toEqual([]);
    passedMs += DAY_MS;
    await watch();
    passedMs += HOUR_MS;
    await watch();
    expect(await subjects(owner.email)).toEqual(['Your week: 1 claim, 0 redemptions']);
  });

  test('remind a claimant once about an unused claim that was made after reminders were turned on', async () => {
    const [before, ada] = [await account(), await account()];
    await claim(before.id);
    await watch();
    await policy({ remindAfterDays: 3 });
    await watch();
    await claim(ada.id);
    await newMails();
    passedMs += 2 * DAY_MS;
    await watch();
    expect(await newMails()).toEqual([]);
    passedMs += 2 * DAY_MS;
    await watch();
    await watch();
    expect((await newMails()).map(({ recipient, subject }) => [recipient, subject])).toEqual([
      [ada.email, expect.stringMatching(/^Not used yet: /)],
    ]);
    await policy({});
  });
});
