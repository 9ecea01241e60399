/** An operator asks the owner of a reported listing, and the owner replies. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chooseNotices } from '../../../src/background/notices/mail-notice.ts';
import { approveListing, suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import type { Listing } from '../../../src/marketplace/listings/queries.ts';
import { listQuestions } from '../../../src/marketplace/listings/question-queries.ts';
import { answerQuestion, askOwner } from '../../../src/marketplace/listings/questions.ts';
import {
  dismissReports,
  reportListing,
  reportsNeedSweep,
  sweepReports,
} from '../../../src/marketplace/listings/reports.ts';
import { questionPages } from '../../../src/pages/dashboard/listings/question-page.tsx';
import { createMarketGate } from '../../../src/pages/market/members-only.tsx';
import { reportPages } from '../../../src/pages/market/report-pages.tsx';
import { setSince } from '../../../src/people/accounts/queries.ts';
import type { Refusal } from '../../../src/platform/errors.ts';
import { ENGINES } from '../../support/engines.ts';
import { startPages, type TestPages } from '../support.ts';
import { newViewer } from '../viewers.ts';
import { type Desk, openDesk, pendingListing } from './support.ts';

const DAY_MS = 86_400_000;
const QUESTION = 'Is the offer <b>still</b> valid?';

describe.each(ENGINES)('a question about a reported listing on %s', (engine) => {
  let desk: Desk;
  let ownPages: TestPages;
  let listing: Listing;
  let listings = 0;
  beforeAll(async () => {
    desk = await openDesk(engine);
    ownPages = await startPages([
      (app) => questionPages(app, desk.context),
      (app) => reportPages(app, desk.context, createMarketGate(desk.context, []), true),
    ]);
  });
  afterAll(async () => {
    await ownPages.close();
    await desk.close();
  });
  beforeEach(async () => {
    desk.clock.ms = null;
    listings += 1;
    listing = await pendingListing(desk, `notes-${listings}`);
    await approveListing(desk.context, { listing: listing.id, actor: 'operator' });
    await report();
    ownPages.viewer = desk.owner;
  });

  const report = (more: object = {}) =>
    reportListing(desk.context, {
      listing: listing.id,
      cause: 'broken',
      words: `It ended last week (${listings}).`,
      reporterId: null,
      address: `192.0.${listings}.1`,
      ...more,
    });
  const path = () => `/desk/listings/${listing.id}`;
  const ownPath = () => `/dashboard/listings/${listing.id}/question`;
  const ask = () => askOwner(desk.context, { listing: listing.id, question: QUESTION, actor: 'operator' });
  const questions = () => listQuestions(desk.db.read, listing.id);
  const answer = (questionId: string, reply: string) =>
    answerQuestion(desk.context, {
      listing: listing.id,
      questionId,
      reply,
      actor: `account:${desk.owner.accountId}`,
    });
  const refusalOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Refusal) => error.message,
    );

  test('reaches the owner, whose reply reaches the desk', async () => {
    const sent = await desk.post(`${path()}/ask`, { reason: QUESTION });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, path()]);
    const [question] = await questions();
    expect(await desk.text('/desk/queue')).toContain('Waiting for the owner’s reply');
    const page = await ownPages.get(ownPath());
    expect(page.text).toContain('Is the offer &lt;b&gt;still&lt;/b&gt; valid?');
    const empty = await ownPages.post(ownPath(), { question: question!.id, reply: ' ' });
    expect(empty.status).toBe(422);
    const replied = await ownPages.post(ownPath(), { question: question!.id, reply: 'Until <Friday>.' });
    expect(replied.location).toBe(ownPath());
    expect((await ownPages.get(ownPath())).text).toContain('No open question');
    expect(await desk.text('/desk/queue')).toContain('The owner replied');
    expect(await desk.html(path())).toContain('Until &lt;Friday&gt;.');
    expect(await desk.text('/desk/events')).toContain('Until &lt;Friday&gt;.');
  });

  test('belongs to the owner: others can neither read nor answer it', async () => {
    await ask();
    const [question] = await questions();
    ownPages.viewer = await newViewer(desk.context, { email: `mallory-${engine}-${listings}@evil.example` });
    expect((await ownPages.get(ownPath())).status).toBe(404);
    expect((await ownPages.post(ownPath(), { question: question!.id, reply: 'Mine' })).status).toBe(404);
    expect(await questions()).toMatchObject([{ reply: null }]);
  });

  test('is asked once and answered once, also by two people at the same time', async () => {
    const asked = await Promise.all([refusalOf(ask()), refusalOf(ask())]);
    expect(asked.toSorted()).toEqual(['The owner hasn’t answered your last question yet.', null]);
    const [question, other] = await questions();
    expect(other).toBeUndefined();
    const answered = await Promise.all(['Yes', 'No'].map((reply) => refusalOf(answer(question!.id, reply))));
    expect(answered.filter((refusal) => refusal === null)).toHaveLength(1);
    await ask();
    expect(await refusalOf(answer(question!.id, 'Late'))).toContain('asked another question');
  });

  test('ends without a reply when its reports are dismissed or the listing is suspended', async () => {
    await ask();
    await dismissReports(desk.context, {
      listing: listing.id,
      upTo: new Date(Date.now() + DAY_MS).toISOString(),
      actor: 'operator',
    });
    expect(await questions()).toEqual([]);
    await ask();
    await suspendListing(desk.context, { listing: listing.id, actor: 'operator' });
    expect(await questions()).toEqual([]);
    expect(await refusalOf(ask())).toContain('only while the listing is live');
  });

  test('is deleted after 30 days, unless a report is still open', async () => {
    await ask();
    const [question] = await questions();
    await answer(question!.id, 'Yes');
    desk.clock.ms = Date.now() + 31 * DAY_MS;
    await sweepReports(desk.context);
    expect(await questions()).toHaveLength(1);
    await dismissReports(desk.context, { listing: listing.id, upTo: desk.context.at(), actor: 'operator' });
    expect(await reportsNeedSweep(desk.context)).toBe(true);
    await sweepReports(desk.context);
    expect(await questions()).toEqual([]);
  });

  test('can also be put to a reporter who left an address, which only operators see', async () => {
    ownPages.viewer = null;
    const form = { cause: 'other', words: 'A copy.', replyTo: 'nora@' };
    const reportPath = `/l/notes-${listings}/report`;
    expect((await ownPages.post(reportPath, form)).text).toContain('value="nora@"');
    expect((await ownPages.post(reportPath, { ...form, replyTo: 'nora@mail.example' })).status).toBe(303);
    expect(await desk.html(path())).toContain('href="mailto:nora%40mail.example"');
    ownPages.viewer = desk.owner;
    await ask();
    expect((await ownPages.get(ownPath())).text).not.toContain('nora@');
  });

  test('follows a report, whose thanks announce an email only to people who will get it', async () => {
    const thanks = async () => {
      const { text } = await ownPages.get(`/l/notes-${listings}/report?sent`);
      expect(text).toContain('We look at every report.');
      return text.includes('You’ll get an email with the decision.');
    };
    const nora = await newViewer(desk.context);
    const { personId } = nora;
    const confirm = (at: string | null) =>
      desk.db.transaction((tx) => setSince(tx, personId, 'email_verified_at', at));
    ownPages.viewer = null;
    expect(await thanks()).toBe(false);
    ownPages.viewer = nora;
    await confirm(null);
    expect(await thanks()).toBe(false);
    await confirm(desk.context.at());
    expect(await thanks()).toBe(true);
    await chooseNotices(desk.context, personId, { reports: false });
    expect(await thanks()).toBe(false);
  });
});
