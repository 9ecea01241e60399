/** The operator's policy: who can sign up, who can claim offers, and how many claims are allowed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { spelledEmail } from '../../../src/people/accounts/account.ts';
import {
  defaultPolicy,
  type Policy,
  parseDomains,
  readPolicy,
  setPolicy,
} from '../../../src/people/accounts/policy.ts';
import { DIALECTS } from '../../../src/platform/store/dialects.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, type Owner } from '../../support/marketplace.ts';
import type { Person, SignedIn } from '../../support/person.ts';
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';
import { type AccountSite, digitsIn, openAccountSite, problemIn } from '../sign-in/support.ts';

describe.each(ENGINES)('sign-up and claim policy on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let smtp: SmtpSink;
  let olga: SignedIn;
  let owner: Owner;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    site = await openAccountSite(engine, { SMTP_URL: smtp.url, MAIL_FROM: 'claims@example.com' });
    context = site.context;
    olga = await site.signedIn({ operator: true });
    owner = await createOwner(context);
  });
  afterAll(async () => {
    await site?.close();
    await smtp?.close();
  });

  const FORM = {
    visibility: 'everyone',
    signUp: 'open',
    publishing: 'everyone',
    texts: 'standing',
    mustConfirm: 'yes',
    claimsByAccount: '100',
    unusedMails: '50',
    shareByNetwork: '50',
  };
  const set = (changed: Partial<Policy>) =>
    setPolicy(context, {
      policy: { ...defaultPolicy(false), domains: ['example.com'], ...changed },
      hasProvider: false,
      operatorId: olga.accountId,
      actor: `account:${olga.accountId}`,
    });
  const claim = (who: Person, { slug, offerId }: Owner = owner) =>
    who.post(`/l/${slug}/offers/${offerId}/claim`, {});
  /** Signs in with a mailed code. */
  async function enter(email: string, who = site.browser()) {
    const to = spelledEmail(email);
    const after = smtp.mails.filter((mail) => mail.includes(`To: ${to}\n`)).length;
    await who.post('/sign-in', { email });
    const code = digitsIn(await smtp.mailTo(to, after));
    return { who, answer: await who.post('/sign-in/code', { code }) };
  }

  test('concurrent claims by aliases of one mailbox create one claim', async () => {
    const people = [];
    for (const tag of ['', '+a', '+b', '+c']) people.push((await enter(`grace${tag}@example.com`)).who);
    const answers = await Promise.all(people.map((who) => claim(who)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409, 409]);
  });

  test('claims have daily limits per account and network; concurrent claims stay within the account limit', async () => {
    const owners = await Promise.all(Array.from({ length: 6 }, () => createOwner(context)));
    await set({ claimsByAccount: 2 });
    const { person, accountId } = await site.signedIn();
    // Calls the function directly, because the server queues concurrent requests from one network.
    const rules = { hasMail: true, address: null };
    const by = { claimantAccountId: accountId, rules };
    const claims = await Promise.allSettled(
      owners.slice(1).map(({ slug, offerId }) => claimOffer(context, { ...by, listing: slug, offerId })),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const refused = await claim(person, owners[0]);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('2 offers in 24 hours')]);
    // Claims that a clock in the future stored count for nothing.
    const claimed_at = DIALECTS[engine].compactTime(toIso(Date.now() + 300 * DAY_MS));
    await context.db.transaction((tx) =>
      tx
        .updateTable('claim_rows')
        .set({ claimed_at })
        .where('claimant_number', '=', (eb) =>
          eb.selectFrom('accounts').select('number').where('id', '=', accountId),
        )
        .execute(),
    );
    expect((await claim(person, owners[0])).status).toBe(303);
    await set({ claimsByNetwork: 3 });
    const network = { 'X-Forwarded-For': '203.0.113.77' };
    const statuses: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      const { person: each } = await site.signedIn({}, site.browser(network));
      statuses.push((await claim(each)).status);
    }
    expect(statuses).toEqual([303, 303, 303, 409, 409]);
    await set({});
  });

  test('the desk lists likely duplicates of an account and suspends the selected accounts', async () => {
    const browser = () =>
      site.browser({ 'X-Forwarded-For': '203.0.113.88', 'User-Agent': 'Mozilla/5.0 (Alike)' });
    const eve = await site.signedIn({ email: 'eve@example.com', name: 'Eve' }, browser());
    const twin = await site.signedIn({ email: 'eve+2@example.com', name: 'Twin' });
    const neighbour = await site.signedIn({ name: 'Neighbour' }, browser());
    const elsewhere = await site.signedIn({ name: 'Elsewhere' });
    const path = `/desk/accounts/${eve.accountId}`;
    const { text } = await olga.person.get(path);
    const section = text.slice(text.indexOf('id="look-alikes"'));
    expect(section).toMatch(
      /Twin.*Same mailbox.*Neighbour.*Created within an hour of this account, from the same network and browser/s,
    );
    expect(section).not.toContain('Elsewhere');
    const suspend = (form: Readonly<Record<string, string>>) =>
      olga.person.post(`${path}/suspend-look-alikes`, form);
    expect((await suspend({})).status).toBe(422);
    expect((await suspend({ account: elsewhere.accountId })).status).toBe(422);
    const done = await suspend({ account: twin.accountId, reason: 'One mailbox' });
    expect(done.status).toBe(303);
    expect((await olga.person.get(done.location!)).text).toMatch(/Suspended: 1 account.*Twin/s);
    expect(
      (await olga.person.get(`${path}?suspended=${elsewhere.accountId}&suspended=x`)).text,
    ).not.toContain('Suspended: ');
    expect(await twin.person.isSignedIn()).toBe(false);
    for (const other of [neighbour, elsewhere]) expect(await other.person.isSignedIn()).toBe(true);
    await suspend({ account: neighbour.accountId });
    const rest = (await olga.person.get(path)).text;
    const others = rest.slice(
      rest.indexOf('id="look-alikes"'),
      rest.indexOf('</section>', rest.indexOf('id="look-alikes"')),
    );
    expect(others).toContain('Twin');
    expect(others).not.toMatch(/Suspend\b/);
  });

  test('a mailbox cannot claim an offer again after its account has switched to another address', async () => {
    const email = 'gina@example.com';
    const first = await enter(email);
    expect((await claim(first.who)).status).toBe(303);
    for (const next of ['hub+1@example.com', 'hub+2@example.com']) {
      await first.who.post('/account/email', { email: next });
      const code = /email\/confirm#(\S+)/.exec(await smtp.mailTo(next))![1]!;
      expect((await first.who.post('/account/email/confirm', { code })).status).toBe(303);
    }
    const again = await claim((await enter(email)).who);
    expect([again.status, again.text]).toEqual([
      409,
      expect.stringContaining('moved to a different address'),
    ]);
    expect((await claim((await enter('hub+1@example.com')).who)).status).toBe(409);
    expect((await claim(first.who)).status).toBe(303);
  });

  // The remaining tests run the same queries on every engine, so SQLite is enough.
  if (engine === 'postgres') return;

  test('only operators can change the policy; errors name invalid values, and changes are recorded', async () => {
    const ada = await site.signedIn();
    expect((await ada.person.get('/desk/settings/people')).status).toBe(404);
    expect((await ada.person.post('/desk/settings/people', FORM)).status).toBe(404);
    await createListing(context, {
      account: owner.accountId,
      slug: 'waits-for-review',
      name: 'Waits',
      url: 'https://acme.example',
      upTo: 'pending',
      actor: 'operator',
    });
    const wrong = await olga.person.post('/desk/settings/people', {
      ...FORM,
      signUp: 'domains',
      blockedDomains: 'not a domain',
      claimsByAccount: '0',
      claimsByNetwork: 'x',
    });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/1<span class="visually-hidden"> waiting/);
    for (const words of [
      'at least one email domain',
      'must look like example.com',
      '“Claims per account in 24 hours” must be a whole number from 1 to 1,000.',
      '“Claims per network in 24 hours” must be a whole number from 1 to 100,000.',
    ])
      expect(wrong.text).toContain(words);
    const saved = await olga.person.post('/desk/settings/people', {
      ...FORM,
      signUp: 'domains',
      domains: '@bücher.example, Acme.example',
    });
    expect(saved.location).toBe('/desk/settings/people?done');
    expect(await readPolicy(context.db.read, false)).toMatchObject({
      signUp: 'domains',
      domains: ['xn--bcher-kva.example', 'acme.example'],
      mustConfirm: true,
      claimsByNetwork: null,
    });
    expect((await olga.person.get('/desk/events?type=all')).text).toContain('changed the settings');
    expect(defaultPolicy(true).signUp).toBe('invited');
    await set({});
  });

  test('sign-up rules do not affect sign-in; a new person sees the error only after entering the code', async () => {
    const known = await site.signedIn();
    await set({ signUp: 'invited' });
    for (const [email, words] of [
      [site.newEmail(), 'sign-up is closed'],
      [known.email, null],
    ] as const) {
      const { who, answer } = await enter(email);
      expect(words === null ? answer.location : problemIn(answer.text)).toContain(words ?? '/home');
      expect(await who.isSignedIn()).toBe(words === null);
    }
    await set({ signUp: 'domains', domains: ['acme.example'] });
    expect(problemIn((await enter(site.newEmail())).answer.text)).toContain('example.com can’t sign up');
    expect((await enter('bo@acme.example')).answer.status).toBe(303);
    expect(problemIn((await enter('bo@sub.acme.example')).answer.text)).toContain('can’t sign up');
    const move = async (email: string) =>
      problemIn((await known.person.post('/account/email', { email })).text);
    expect(await move('me@elsewhere.example')).toContain('Addresses at elsewhere.example can’t be used here');
    expect(await move('me@acme.example')).toBe('');
    await set({ blockedDomains: parseDomains('@Spam.example. bücher.example') });
    for (const domain of ['mx.spam.example', 'a.b.Spam.Example', 'x.bücher.example', 'XN--BCHER-KVA.example'])
      expect(problemIn((await enter(`bo@${domain}`)).answer.text)).toContain('can’t sign up');
    expect((await enter('bo@notspam.example')).answer.status).toBe(303);
    expect(problemIn((await enter('bo@spam.example')).answer.text)).toContain('spam.example can’t sign up');
    const moved = await known.person.post('/account/email', { email: 'bo@spam.example' });
    expect(problemIn(moved.text)).toBe('Addresses at spam.example can’t be used here. Use another one.');
    await set({});
  });

  test('different spellings of one email address share one claim per offer', async () => {
    const first = await enter('ada.lovelace@gmail.com');
    expect((await claim(first.who)).location).toMatch(/^\/claims\//);
    const other = await createOwner(context);
    for (const email of ['adalovelace+again@googlemail.com', 'ada.love.lace@gmail.com']) {
      const { who } = await enter(email);
      const refused = await claim(who);
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('different spelling')]);
      expect((await claim(who, other)).status).toBe(email.includes('+') ? 303 : 409);
    }
    expect((await claim((await enter('ada.lovelace@example.com')).who)).location).toMatch(/^\/claims\//);
    // The first account is redirected to its existing claim.
    expect((await claim(first.who)).location).toMatch(/^\/claims\//);
  });

  test('a claim requires a confirmed address unless the policy allows unconfirmed addresses', async () => {
    const { person, accountId } = await site.signedIn();
    await context.db.transaction((tx) =>
      tx.updateTable('accounts').set({ email_verified_at: null }).where('id', '=', accountId).execute(),
    );
    expect((await claim(person)).text).toContain('Confirm your email address first');
    await set({ mustConfirm: false });
    expect((await claim(person)).location).toMatch(/^\/claims\//);
    await set({});
  });
});

test('saving the policy without a mail server preserves the hidden mail settings', async () => {
  const site = await openAccountSite('sqlite', {});
  try {
    const { accountId, person } = await site.signedIn({ operator: true });
    const policy = { ...defaultPolicy(false), mustConfirm: false, mailsCodes: true, remindAfterDays: 7 };
    const actor = `account:${accountId}` as const;
    await setPolicy(site.context, { policy, hasProvider: false, operatorId: accountId, actor });
    const { signUp, publishing, texts, visibility } = policy;
    const form = { signUp, publishing, texts, visibility, claimsByAccount: '50', shareByNetwork: '40' };
    expect((await person.post('/desk/settings/people', form)).location).toBe('/desk/settings/people?done');
    expect(await readPolicy(site.context.db.read, false)).toEqual({
      ...policy,
      claimsByAccount: 50,
      shareByNetwork: 40,
    });
  } finally {
    await site.close();
  }
});
