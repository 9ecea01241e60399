/** Joining, confirming and leaving a waiting list in a browser without scripts, and what owners and operators see. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { pauseOffer, resumeOffer } from '../../../src/marketplace/offers/edit.ts';
import { announceOpenOffers } from '../../../src/marketplace/waiting-list/announce.ts';
import { createMailer } from '../../../src/people/mail/mail.ts';
import { keepCode } from '../../../src/people/sign-in/codes/queries.ts';
import { signInProven } from '../../../src/people/sign-in/sign-in.ts';
import { uuidv7 } from '../../../src/platform/store/uuid.ts';
import { HOUR_MS } from '../../../src/platform/text/durations.ts';
import { type AccountSite, openAccountSite } from '../../people/sign-in/support.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import { Person, signInServices } from '../../support/person.ts';
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';

const MAIL = { MAIL_FROM: 'claims@example.com' };
const THRESHOLD = 50;

// SQLite is enough: `test/marketplace/waiting-list/` runs the same queries on every engine.
describe('the waiting list of an offer', () => {
  let smtp: SmtpSink;
  let site: AccountSite;
  let owner: Owner;
  let path: string;
  let aheadMs = 0;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    site = await openAccountSite('sqlite', { SMTP_URL: smtp.url, ...MAIL }, () => Date.now() + aheadMs);
    owner = await createOwner(site.context);
    path = `/l/${owner.slug}/offers/${owner.offerId}/waiting-list`;
    await pause();
  });
  afterAll(async () => {
    await site?.close();
    await smtp?.close();
  });

  const of = () => ({ offerId: owner.offerId, actor: 'operator' }) as const;
  const pause = () => pauseOffer(site.context, of());
  const rows = () => site.context.db.read.selectFrom('waiting_people').selectAll().execute();
  const pathIn = (mail: string): string =>
    new URL(/https?:\S+\/waiting-list\/confirm\/\S+/.exec(mail)![0]).pathname;
  /** `mails`: how many mails the address has got before. */
  const join = async (email: string, mails = 0) => {
    const answer = await site.browser().post(path, { email });
    return { answer, link: pathIn(await smtp.mailTo(email, mails)) };
  };
  async function announce(): Promise<void> {
    const { context, baseUrl } = site;
    const onFailure = (error: unknown) => {
      throw error;
    };
    const mailer = createMailer(context, { smtpUrl: smtp.url, from: MAIL.MAIL_FROM, onFailure });
    await announceOpenOffers({ context, mailer, baseUrl, hasProvider: false }, new AbortController().signal);
    await mailer.run(new AbortController().signal);
    await mailer.close();
  }

  test('takes an address on the listing’s page, and shows the same page for an address that is on it', async () => {
    const email = site.newEmail();
    const page = await site.browser().get(`/l/${owner.slug}`);
    expect(page.text).toContain('Tell me when it opens');
    expect((await site.browser().get(`/l/${owner.slug}/offers/${owner.offerId}`)).text).toContain(path);
    const { answer, link } = await join(email);
    expect([answer.status, answer.location]).toEqual([303, `${path}?sent`]);
    expect((await site.browser().get(`${path}?sent`)).text).toContain('Check your email');
    // A scanner that opens the link changes nothing.
    expect((await site.browser().get(link)).text).toContain('Yes, email me');
    expect(await rows()).toMatchObject([{ email, confirmed_at: null }]);
    await site.browser().post(link);
    expect((await site.browser().get(link)).text).toContain('You’re on the waiting list');
    expect((await site.browser().get(link)).text).toContain('Leave the waiting list');
    const [again, other] = [
      await site.browser().post(path, { email }),
      await site.browser().post(path, { email: site.newEmail() }),
    ];
    const visible = ({ status, text, location }: typeof again) => ({ status, text, location });
    expect(visible(again)).toEqual(visible(other));
    expect((await site.browser().post(path, { email: 'nobody' })).text).toContain('must look like');
  });

  test('shows owners and operators how many people wait, but no address', async () => {
    const operator = await site.signedIn({ operator: true });
    const person = new Person(site.baseUrl);
    const caller = { cookie: '', userAgent: '', address: null };
    const session = { accountId: owner.accountId, factors: 1, caller } as const;
    for (const cookie of (await signInProven(signInServices(site), session)).cookies) person.receive(cookie);
    const { email } = (await rows()).find(({ confirmed_at }) => confirmed_at !== null)!;
    const pages = [
      [person, `/dashboard/listings/${owner.listingId}`, '1 person waits'],
      [person, `/dashboard/offers/${owner.offerId}`, '1 person is waiting for this offer'],
      [operator.person, `/desk/listings/${owner.listingId}`, '1 on the waiting list'],
    ] as const;
    for (const [who, where, text] of pages) {
      const page = await who.get(where);
      expect(page.text).toContain(text);
      expect(page.text).not.toContain(email);
    }
  });

  test('sends one email with a one-click link to unsubscribe (RFC 8058)', async () => {
    const email = site.newEmail();
    const { link } = await join(email);
    await site.browser().post(link);
    await resumeOffer(site.context, of());
    await announce();
    const mail = await smtp.mailTo(email, 1);
    expect(mail).toContain(`${site.baseUrl}/l/${owner.slug}/offers/${owner.offerId}`);
    const raw = smtp.mails
      .findLast((each) => each.includes(`\nTo: ${email}\n`))!
      .replaceAll(/\n[ \t]+/g, ' ');
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    const stopPath = new URL(/^List-Unsubscribe: <(\S+)>$/m.exec(raw)![1]!).pathname;
    await pause();
    await site.browser().post((await join(email, 2)).link);
    // The link of the earlier email does nothing to the new entry.
    expect((await site.browser().post(stopPath)).text).toContain('You’re not on the waiting list');
    const [entry] = (await rows()).filter((row) => row.email === email);
    expect(entry).toMatchObject({ confirmed_at: expect.any(String) });
    // Neither a made-up code nor the code of another kind of link works.
    const code = stopPath.split('/').at(-1)!;
    for (const wrong of [`/waiting-list/confirm/${code}`, '/waiting-list/stop/x', `${stopPath}a`]) {
      expect((await site.browser().get(wrong)).status).toBe(404);
      expect((await site.browser().post(wrong)).status).toBe(404);
    }
  });

  test('names nothing and confirms nobody once the listing is for members only', async () => {
    const email = site.newEmail();
    const { link } = await join(email);
    const browser = site.browser();
    const setVisibility = (visibility: string) =>
      editListing(site.context, { listing: owner.slug, visibility, actor: 'operator' });
    expect((await browser.get(link)).text).toContain(owner.slug);
    await setVisibility('members');
    for (const answer of [await browser.get(link), await browser.post(link), await browser.get(link)]) {
      expect(answer.text).not.toContain(owner.slug);
    }
    expect((await rows()).find((row) => row.email === email)).toMatchObject({ confirmed_at: null });
    await setVisibility('');
  });

  test('takes a signed-in person with one click, without an email, and lets them leave', async () => {
    const { person, email } = await site.signedIn();
    const offerPath = `/l/${owner.slug}/offers/${owner.offerId}`;
    const before = smtp.mails.length;
    const answers = await Promise.all([person.post(path), person.post(path)]);
    expect(answers.map(({ location }) => location)).toEqual([offerPath, offerPath]);
    expect((await rows()).filter((row) => row.email === email)).toHaveLength(1);
    expect((await person.get(offerPath)).text).toContain('You’re on the waiting list');
    await person.post(`${path}/leave`);
    expect((await person.get(offerPath)).text).toContain('Tell me when it opens');
    expect(smtp.mails.length).toBe(before);
  });

  test('mails a signed-in person whose address was never confirmed a link first', async () => {
    const { person, email, accountId } = await site.signedIn();
    await site.context.db.transaction((tx) =>
      tx.updateTable('accounts').set({ email_verified_at: null }).where('id', '=', accountId).execute(),
    );
    // The account's address is stored, whatever the form says.
    const answer = await person.post(path, { email: site.newEmail() });
    expect(answer.location).toBe(`${path}?sent`);
    expect(await smtp.mailTo(email)).toContain('/waiting-list/confirm/');
    const entry = (await rows()).find((row) => row.email === email);
    expect(entry).toMatchObject({ confirmed_at: null });
    expect((await person.get(`/l/${owner.slug}`)).text).not.toContain('You’re on the waiting list');
  });

  test('needs a challenge while many emails go unused', async () => {
    aheadMs += 2 * HOUR_MS;
    const { context } = site;
    await context.db.transaction(async (tx) => {
      for (let n = 0; n < THRESHOLD; n += 1) {
        const code = { purpose: 'email-sign-in', accountId: null, email: site.newEmail() } as const;
        await keepCode(tx, context, uuidv7(context), code);
      }
    });
    const email = site.newEmail();
    const answer = await site.browser().post(path, { email });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('data-challenge=')]);
    expect(answer.text).toContain(email);
    expect((await rows()).map((row) => row.email)).not.toContain(email);
  });
});
