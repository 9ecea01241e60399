/**
 * A mailed link may have been requested by a stranger, or may sign in to a stranger's account. The page of the link names
 * the request, and nothing happens before the person chooses.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { byNetwork, CODE_BY_NETWORK } from '../../../../src/people/sign-in/limits/limits.ts';
import { countIfWithin } from '../../../../src/people/sign-in/limits/throttle.ts';
import { issueSignInLink } from '../../../../src/people/sign-in/sign-in.ts';
import { ENGINES } from '../../../support/engines.ts';
import { createOwner, OFFER_TEXT } from '../../../support/marketplace.ts';
import { type Answer, Person } from '../../../support/person.ts';
import { type SmtpSink, startSmtpSink } from '../../../support/smtp-sink.ts';
import { type AccountSite, codeIn, digitsIn, openAccountSite, unescaped } from '../support.ts';

const LINK = '/sign-in/link';

describe.each(ENGINES)('the page of a sign-in link on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let smtp: SmtpSink;
  let claimPath: string;
  let accountName: string;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    site = await openAccountSite(engine, { SMTP_URL: smtp.url, MAIL_FROM: 'claims@example.com' });
    context = site.context;
    const { slug, offerId } = await createOwner(context);
    claimPath = `/l/${slug}/offers/${offerId}/claim`;
    accountName = slug;
  });
  afterAll(async () => {
    await site?.close();
    await smtp?.close();
  });

  const mailsTo = (email: string) => smtp.mails.filter((mail) => mail.includes(`To: ${email}\n`)).length;
  /** Returns the code of the link in the mail that `path` sends. */
  async function linkFor(email: string, who: Person, path = '/sign-in'): Promise<string> {
    const before = mailsTo(email);
    await who.post(path, { email, next: '/claims' });
    return codeIn(await smtp.mailTo(email, before));
  }
  const labels = ({ text }: Answer): string[] =>
    [...text.matchAll(/<button[^>]* name="choice"[^>]*>(.*?)<\/button>/gs)].map(([, label]) =>
      unescaped(label!),
    );
  const choices = ({ text }: Answer): string[] =>
    [...text.matchAll(/<button[^>]* name="choice" value="([a-z-]+)"/g)].map(([, value]) => value!);
  const primary = ({ text }: Answer): string =>
    /<button[^>]* class="button primary" name="choice" value="([a-z-]+)"[^>]* autofocus/.exec(text)?.[1] ??
    '';
  /** Sends the form of the page as a browser does when the person clicks the button. */
  function choose(who: Person, { text }: Answer, choice: string): Promise<Answer> {
    const form = /<form[^>]* action="\/sign-in\/link".*?<\/form>/s.exec(text)![0];
    const fields = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
    return who.post(LINK, {
      ...Object.fromEntries(fields.map(([, name, value]) => [name!, unescaped(value!)])),
      choice,
    });
  }
  const claimsOf = (email: string) =>
    context.db.read
      .selectFrom('claims')
      .innerJoin('accounts', 'accounts.id', 'claims.claimant_id')
      .select('claims.id')
      .where('accounts.email', '=', email)
      .execute();
  const emailOf = async (who: Person): Promise<string> =>
    /[\w.-]+@example\.com/.exec((await who.get('/account')).text)?.[0] ?? '';

  test('signs in nobody and keeps the link valid until the person chooses', async () => {
    const email = site.newEmail();
    const ada = site.browser();
    const code = await linkFor(email, ada);
    for (let times = 0; times < 2; times += 1) {
      const page = await ada.post(LINK, { code });
      expect([page.status, labels(page)]).toEqual([200, ['Sign in']]);
      expect(page.text).toContain(email);
      expect(page.text).toContain('In this browser');
      expect(page.text).toMatch(/<time datetime="[^"]+"[^>]*>[^<]*UTC/);
    }
    expect(await ada.isSignedIn()).toBe(false);
    expect((await choose(ada, await ada.post(LINK, { code }), 'sign-in')).location).toBe('/claims');
    expect(await emailOf(ada)).toBe(email);
    expect((await ada.post(LINK, { code })).status).toBe(422);
  });

  test('claims with one click in the browser that requested the claim', async () => {
    const email = site.newEmail();
    const ada = site.browser();
    const code = await linkFor(email, ada, claimPath);
    const page = await ada.post(LINK, { code });
    expect([choices(page), primary(page)]).toEqual([['claim', 'sign-in'], 'claim']);
    expect(unescaped(page.text)).toContain(`Claim “${OFFER_TEXT}” from `);
    const { location } = await choose(ada, page, 'claim');
    expect((await ada.get(location!)).location).toMatch(/^\/claims\//);
    expect(await claimsOf(email)).toHaveLength(1);
  });

  test('doesn’t claim in another browser unless the person chooses to claim', async () => {
    for (const [choice, claims] of [
      ['sign-in', 0],
      ['claim', 1],
    ] as const) {
      const email = site.newEmail();
      const code = await linkFor(email, site.browser(), claimPath);
      const ada = site.browser();
      const page = await ada.post(LINK, { code });
      expect([choices(page), primary(page)]).toEqual([['sign-in', 'claim'], 'sign-in']);
      expect(page.text).toContain('In another browser or on another device');
      expect(page.text).toContain('Nothing has been claimed');
      const { location } = await choose(ada, page, choice);
      expect(location).toBe(claimPath);
      const next = await ada.get(location!);
      expect([choice, next.location?.startsWith(claims === 0 ? `/l/${accountName}` : '/claims/')]).toEqual([
        choice,
        true,
      ]);
      expect([choice, await emailOf(ada), (await claimsOf(email)).length]).toEqual([choice, email, claims]);
    }
  });

  test('doesn’t continue a claim that was begun in this browser for another account', async () => {
    const ada = site.browser();
    await linkFor(site.newEmail(), ada, claimPath);
    const stranger = site.newEmail();
    const code = await linkFor(stranger, site.browser(), claimPath);
    const { location } = await choose(ada, await ada.post(LINK, { code }), 'sign-in');
    await ada.get(location!);
    expect(await claimsOf(stranger)).toEqual([]);
  });

  test.each([
    ['a mailed link', (email: string) => linkFor(email, site.browser(), claimPath), ['sign-in', 'claim']],
    ['a mailed link without a claim', (email: string) => linkFor(email, site.browser()), ['sign-in']],
  ] as const)(
    'names both accounts to a signed-in person, who stays by default: %s',
    async (_, link, rest) => {
      const { email: stranger } = await site.signedIn();
      const code = await link(stranger);
      const { email, person: ada } = await site.signedIn();
      const page = await ada.post(LINK, { code });
      expect([choices(page), primary(page)]).toEqual([['stay', ...rest], 'stay']);
      for (const address of [email, stranger]) expect(page.text).toContain(address);
      expect(page.text).toContain(`Stay signed in as ${email}`);
      await ada.get((await choose(ada, page, 'stay')).location!);
      expect(await emailOf(ada)).toBe(email);
      expect(await claimsOf(email)).toEqual([]);
      // The choice of a page that was opened before the person signed in doesn't count.
      const early = await ada.post(LINK, { code, choice: 'sign-in' });
      expect([early.status, primary(early)]).toEqual([200, 'stay']);
      expect((await choose(ada, page, 'sign-in')).status).toBe(303);
      expect(await emailOf(ada)).toBe(stranger);
      expect(await claimsOf(stranger)).toEqual([]);
    },
  );

  test('names the account of a link from the command line', async () => {
    const { email } = await site.signedIn();
    const link = await issueSignInLink(context, { account: email, baseUrl: site.baseUrl, next: '/claims' });
    const code = link.split('#')[1]!;
    const { email: other, person: ada } = await site.signedIn();
    const page = await ada.post(LINK, { code, next: '/claims' });
    expect([choices(page), primary(page)]).toEqual([['stay', 'sign-in'], 'stay']);
    for (const text of [email, other, 'By the operator of this marketplace'])
      expect(page.text).toContain(text);
    expect((await choose(ada, page, 'sign-in')).location).toBe('/claims');
  });

  test('counts guesses of links, but not valid links, towards the limit of the network', async () => {
    const { attempts } = CODE_BY_NETWORK;
    const network = site.network();
    const who = () => new Person(site.baseUrl, { 'X-Forwarded-For': network });
    const code = await linkFor(site.newEmail(), who());
    for (let times = 0; times <= attempts; times += 1) {
      expect((await who().post(LINK, { code })).status).toBe(200);
    }
    const guesses = await Promise.all(
      Array.from({ length: attempts + 5 }, (_, at) =>
        who().post(LINK, { code: `AAAAAAAA${String(at).padStart(2, '0')}` }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(attempts);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(await countIfWithin(context, byNetwork(CODE_BY_NETWORK, network))).toBe(false);
    expect((await who().post(LINK, { code })).status).toBe(429);
    expect((await who().post(LINK, { code, choice: 'sign-in' })).status).toBe(429);
  });

  test('a code that the person types claims without a further choice', async () => {
    const email = site.newEmail();
    const ada = site.browser();
    await ada.post(claimPath, { email });
    const { location } = await ada.post('/sign-in/code', { code: digitsIn(await smtp.mailTo(email)) });
    expect((await ada.get(location!)).location).toMatch(/^\/claims\//);
    expect(await claimsOf(email)).toHaveLength(1);
  });
});
