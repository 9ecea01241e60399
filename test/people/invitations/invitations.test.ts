/** Invitations to the marketplace and to accounts: who can accept one, once, what the person gets, and resending. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { findByEmail } from '../../../src/people/accounts/queries.ts';
import { listRequests } from '../../../src/people/accounts/request-queries.ts';
import { askForPlan, askToPublish } from '../../../src/people/accounts/requests.ts';
import { acceptInvitation } from '../../../src/people/invitations/accept.ts';
import { MAX_INVITED_A_DAY } from '../../../src/people/invitations/invitation.ts';
import {
  type InvitationOutcome,
  inviteAgain,
  inviteOwner,
  invitePeople,
  inviteToAccount,
  withdrawMarketInvitation,
} from '../../../src/people/invitations/invite.ts';
import { listMarketInvitations } from '../../../src/people/invitations/queries.ts';
import type { Mail } from '../../../src/people/mail/mail.ts';
import { inviteMember, inviteMemberAgain } from '../../../src/people/members/invite.ts';
import { MAX_INVITATIONS, MAX_INVITATIONS_A_DAY, MIN_RESEND_MS } from '../../../src/people/members/member.ts';
import { listInvitations, listMembers } from '../../../src/people/members/queries.ts';
import { hashOfInvited, refuseInvitations } from '../../../src/people/members/refusals.ts';
import { restoreAccount, suspendAccount } from '../../../src/people/members/suspend.ts';
import { setOperator } from '../../../src/people/sign-in/access.ts';
import { sweepSignIn } from '../../../src/people/sign-in/sweep.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import { ENGINES } from '../../support/engines.ts';
import { refusalOf, typesOf } from '../../support/events.ts';
import { Person, type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';

const SPENT = 'This link or code does not work';

describe.each(ENGINES)('an invitation to the marketplace on %s', (engine) => {
  let sink: SmtpSink;
  let site: OwnSite;
  let operator: SignedIn;
  let nowMs = Date.now();
  let people = 0;
  const mails: Mail[] = [];
  const mailer = {
    isReal: true,
    keep: async (_: unknown, ...kept: readonly Mail[]) => void mails.push(...kept),
    start: () => {},
  };

  beforeAll(async () => {
    sink = await startSmtpSink();
    const env = {
      SMTP_URL: sink.url,
      MAIL_FROM: 'claims@claims.example',
      OPERATOR_SECOND_FACTOR: 'required',
    };
    site = await openSite(engine, env, () => nowMs);
    operator = await newOperator();
  });
  afterAll(async () => {
    await site?.close();
    await sink?.close();
  });

  const newOperator = () => {
    people += 1;
    return signedInAs(site, { email: `operator-${people}@example.com`, name: 'Olga', operator: true });
  };
  const newEmail = () => {
    people += 1;
    return `new-${people}@elsewhere.example`;
  };
  const services = () => ({ context: site.context, mailer, baseUrl: site.baseUrl });
  const by = ({ accountId }: SignedIn = operator) =>
    ({ operatorId: accountId, actor: `account:${accountId}` }) as const;
  const COMMON = { role: 'owner', plan: 'studio', note: null, language: 'en' } as const;
  const inviteAll = (emails: readonly string[], more: object = {}) =>
    invitePeople(services(), {
      ...COMMON,
      ...by(),
      people: emails.map((email) => ({ email, name: null })),
      ...more,
    });
  const invite = async (email: string, more: object = {}): Promise<InvitationOutcome> =>
    (await inviteAll([email], more))[0]!.outcome;
  const codeTo = (email: string): string => mails.findLast(({ to }) => to === email)!.code!;
  const invited = async (email: string, more: object = {}): Promise<string> => {
    expect(await invite(email, more)).toEqual({ is: 'mailed' });
    return codeTo(email);
  };
  const accountOf = (email: string) => findByEmail(site.context.db.read, email);
  const openOf = async (email: string) =>
    (await listMarketInvitations(site.context.db.read)).find((one) => one.email === email);
  /** Follows the link of a mail and clicks the button. */
  const accept = async (code: string, person = new Person(site.baseUrl), form = {}) => {
    const opened = await person.post('/invitation', { code });
    if (opened.location === null) return opened;
    await person.get('/invitation/open');
    return person.post('/invitation/accept', form);
  };

  test('closes the requests for what it gives, so that they leave the queue', async () => {
    const email = newEmail();
    const code = await invited(email);
    const { accountId, person } = await signedInAs(site, { email });
    const request = { accountId, actor: `account:${accountId}` } as const;
    await askForPlan(site.context, { ...request, plan: 'everything' });
    await askToPublish(site.context, request);
    expect((await accept(code, person)).location).toBe('/dashboard');
    expect(await listRequests(site.context.db.read, accountId)).toEqual([]);
  });

  test('signs up with one click, and gives plan and permission to publish', async () => {
    const email = newEmail();
    const code = await invited(email, { people: [{ email, name: 'Ines Ito' }] });
    const person = new Person(site.baseUrl);
    // A scanner that opens the link, even with scripts, uses nothing up.
    await person.post('/invitation', { code });
    const page = await person.get('/invitation/open');
    expect(page.text).toContain('Accept invitation');
    expect(page.text).not.toContain(code);
    expect(await accountOf(email)).toBeUndefined();

    expect((await accept(code, person)).location).toBe('/dashboard');
    expect(await person.isSignedIn()).toBe(true);
    const account = (await accountOf(email))!;
    expect(account).toMatchObject({ name: 'Ines Ito', plan: 'studio', operator_since: null });
    expect([account.publisher_since, account.email_verified_at]).not.toContain(null);
    expect(await typesOf(site.context.db, account.id)).toEqual([
      'account.created',
      'account.invitation_accepted',
    ]);
    // Not a second time, neither by the same person nor by another.
    expect((await accept(code)).text).toContain(SPENT);
    expect(person.received.some((cookie) => cookie.includes(code))).toBe(false);
  });

  test('makes an operator who must set up a second factor before opening the desk', async () => {
    const email = newEmail();
    const person = new Person(site.baseUrl);
    const code = await invited(email, { role: 'operator' });
    expect((await accept(code, person)).location).toBe('/desk');
    expect((await accountOf(email))!.operator_since).not.toBeNull();
    const desk = await person.get('/desk');
    expect(desk.location).toContain('/prove');
    expect((await person.get('/desk/accounts')).text).not.toContain(operator.email);
  });

  test('is accepted by only one of two people at the same time', async () => {
    const email = newEmail();
    const code = await invited(email);
    const two = [new Person(site.baseUrl), new Person(site.baseUrl)];
    for (const person of two) await person.post('/invitation', { code });
    await Promise.all(two.map((person) => person.post('/invitation/accept')));
    const signedIn = await Promise.all(two.map((person) => person.isSignedIn()));
    expect(signedIn.filter(Boolean)).toHaveLength(1);
  });

  test.each(['owner', 'operator'] as const)(
    'never signs in to an account that somebody uses (%s)',
    async (role) => {
      const email = newEmail();
      const code = await invited(email, { role });
      const own = await signedInAs(site, { email });
      const finder = new Person(site.baseUrl);
      expect((await accept(code, finder)).location).toBe('/invitation/open');
      expect(await finder.isSignedIn()).toBe(false);
      expect((await finder.get('/invitation/open')).text).toContain('First sign in or sign up with');
      // The person accepts it in a session.
      const accepted = await accept(code, own.person);
      expect(accepted.location).toBe(role === 'owner' ? '/dashboard' : '/sign-in?next=%2Fdesk');
      expect(await own.person.isSignedIn()).toBe(role === 'owner');
      expect((await accountOf(email))!.operator_since === null).toBe(role === 'owner');
    },
  );

  test('is not accepted by another signed-in person, who can switch to the invited address', async () => {
    const email = newEmail();
    const code = await invited(email);
    const other = await signedInAs(site, { email: newEmail() });
    const refused = await accept(code, other.person);
    expect(refused.text).toContain(`This link signs you in as ${email} instead`);
    // Staying is the default.
    expect(refused.text).toMatch(/class="button primary"[^>]*>Stay signed in as/);
    expect(await accountOf(email)).toBeUndefined();
    expect((await accept(code, other.person, { as: 'invited' })).location).toBe('/dashboard');
    expect((await other.person.get('/account')).text).toContain(email);
  });

  test('stops working when it is withdrawn, sent again or expires', async () => {
    const [withdrawn, renewed, expired] = [newEmail(), newEmail(), newEmail()];
    const codes = [await invited(withdrawn), await invited(renewed), await invited(expired)];
    const opened = new Person(site.baseUrl);
    await opened.post('/invitation', { code: codes[0]! });
    const one = { id: (await openOf(withdrawn))!.id, ...by() };
    const twice = [withdrawMarketInvitation(services(), one), withdrawMarketInvitation(services(), one)];
    expect((await Promise.all(twice)).toSorted()).toEqual([false, true]);
    // Also in a browser that opened it before.
    const ended = await opened.post('/invitation/accept');
    expect([ended.status, ended.text]).toEqual([410, expect.stringContaining('This invitation has ended')]);
    const { id } = (await openOf(renewed))!;
    nowMs += MIN_RESEND_MS;
    expect(await inviteAgain(services(), { id, ...by() })).toEqual({ is: 'mailed' });
    nowMs += 7 * DAY_MS - 60_000;
    const working = await accept(codeTo(renewed));
    nowMs += 120_000;
    for (const code of codes) expect((await accept(code)).text).toContain(SPENT);
    expect(working.location).toBe('/dashboard');
    expect([await accountOf(withdrawn), await accountOf(expired)]).toEqual([undefined, undefined]);
  });

  test('can be sent again for 30 days after it expired, unless a new one has replaced it', async () => {
    const [again, replaced, forgotten] = [newEmail(), newEmail(), newEmail()];
    const codes = [await invited(again), await invited(replaced), await invited(forgotten)];
    nowMs += 8 * DAY_MS;
    await sweepSignIn(site.context);
    for (const code of codes) expect((await accept(code)).text).toContain(SPENT);
    const { id } = (await openOf(again))!;
    expect(await inviteAgain(services(), { id, ...by() })).toEqual({ is: 'mailed' });
    expect((await accept(codeTo(again))).location).toBe('/dashboard');
    expect(await inviteAgain(services(), { id, ...by() })).toBeNull();
    const { id: expiredId } = (await openOf(replaced))!;
    await invited(replaced);
    expect(await inviteAgain(services(), { id: expiredId, ...by() })).toBeNull();
    nowMs += 30 * DAY_MS;
    await sweepSignIn(site.context);
    expect([await openOf(forgotten), (await openOf(replaced))?.id]).toEqual([undefined, expect.any(String)]);
  });

  test.each(['demoted', 'suspended'] as const)('ends when its sender is %s', async (how) => {
    const email = newEmail();
    const sender = await newOperator();
    const code = await invited(email, { ...by(sender), role: 'operator' });
    const account = sender.accountId;
    if (how === 'suspended') await suspendAccount(site.context, { account, ...by() });
    else await setOperator(site.context, { account, ...by(), operator: false, hasMail: true });
    expect((await accept(code)).text).toContain(SPENT);
    // Also not when the sender is an operator again.
    if (how === 'suspended') await restoreAccount(site.context, { account, ...by() });
    else await setOperator(site.context, { account, ...by(), operator: true, hasMail: true });
    expect((await accept(code)).text).toContain(SPENT);
    expect(await openOf(email)).toBeUndefined();
  });

  test('is not mailed to people who stopped invitations, nor more than three times a day', async () => {
    const email = newEmail();
    const { context } = site;
    const hash = await context.db.transaction((tx) => hashOfInvited(context, tx, email));
    await refuseInvitations(context, hash);
    expect(await invite(email)).toMatchObject({ is: 'unmailed', cause: 'refused' });
    const often = newEmail();
    await invited(often);
    const { id } = (await openOf(often))!;
    const outcomes = [];
    for (let i = 0; i < 3; i += 1) {
      nowMs += MIN_RESEND_MS;
      outcomes.push(await inviteAgain(services(), { id, ...by() }));
    }
    expect(outcomes.map((outcome) => outcome?.is)).toEqual(['mailed', 'mailed', 'unmailed']);
    // The link of the last one replaces the others.
    expect((await accept(codeTo(often))).text).toContain(SPENT);
  });

  test('is mailed once when it is resent twice within a minute, also to the owner of an account', async () => {
    const email = newEmail();
    await invited(email);
    const { id } = (await openOf(email))!;
    const resend = () => inviteAgain(services(), { id, ...by() });
    const mailsTo = (address: string) => mails.filter(({ to }) => to === address).length;
    nowMs += MIN_RESEND_MS;
    expect(await Promise.all([resend(), resend()])).toEqual([{ is: 'mailed' }, { is: 'mailed' }]);
    expect(mailsTo(email)).toBe(2);
    nowMs += MIN_RESEND_MS - 1;
    await resend();
    expect(mailsTo(email)).toBe(2);
    expect((await accept(codeTo(email))).location).toBe('/dashboard');

    const prepared = newEmail();
    const account = await createAccount(site.context, { email: prepared, name: 'Mira', actor: 'operator' });
    const inviteIt = () => inviteOwner(services(), account, by());
    expect(await Promise.all([inviteIt(), inviteIt()])).toEqual([{ is: 'mailed' }, { is: 'mailed' }]);
    expect(mailsTo(prepared)).toBe(1);
  });

  test('is sent once to a person, and not to people who have an account', async () => {
    const [email, taken] = [newEmail(), newEmail()];
    const { accountId } = await signedInAs(site, { email: taken });
    const twice = await Promise.all([invite(email), invite(email)]);
    expect(twice.map(({ is }) => is).sort()).toEqual(['mailed', 'open']);
    expect(await invite(taken)).toEqual({ is: 'account', accountId });
    expect(mails.filter(({ to }) => [email, taken].includes(to))).toHaveLength(1);
  });

  test('opens an account that an operator has created, until somebody signs in', async () => {
    const email = newEmail();
    const account = await createAccount(site.context, { email, name: 'Mira', actor: 'operator' });
    await inviteToAccount(services(), account, 'operator');
    const first = codeTo(email);
    expect(await inviteToAccount(services(), account, 'operator')).toBeNull();
    const person = new Person(site.baseUrl);
    expect((await accept(first, person)).location).toBe('/dashboard');
    expect(await accountOf(email)).toMatchObject({ id: account.id, plan: 'starter', name: 'Mira' });
    const later = new Person(site.baseUrl);
    await accept(codeTo(email), later);
    expect(await later.isSignedIn()).toBe(false);
  });

  test('without a plan leaves the plan of an account that nobody uses yet', async () => {
    const [prepared, email] = [newEmail(), newEmail()];
    const studio = { email: prepared, name: 'Mira', plan: 'studio', actor: 'operator' } as const;
    await createAccount(site.context, studio);
    for (const address of [prepared, email]) await accept(await invited(address, { plan: null }));
    const plans = [(await accountOf(prepared))!.plan, (await accountOf(email))!.plan];
    expect(plans).toEqual(['studio', 'starter']);
  });

  test('has a daily limit for all operators together', async () => {
    nowMs += 2 * DAY_MS;
    const hundred = Array.from({ length: 100 }, newEmail);
    // Addresses with an open invitation count too.
    for (let sent = 0; sent < MAX_INVITED_A_DAY; sent += 100) await inviteAll(hundred);
    expect(await refusalOf(inviteAll([newEmail()]))).toContain('500 invitations within a day');
  });
});

describe.each(ENGINES)('an invitation to an account on %s', (engine) => {
  let site: OwnSite;
  let nowMs = Date.now();
  let people = 0;
  const codes: string[] = [];
  const mailer = {
    isReal: true,
    keep: async (_: unknown, ...kept: readonly Mail[]) => void codes.push(...kept.map(({ code }) => code!)),
    start: () => {},
  };
  const services = () => ({ context: site.context, mailer, baseUrl: site.baseUrl });
  const newEmail = () => {
    people += 1;
    return `person-${people}@example.com`;
  };
  const newPerson = () => signedInAs(site, { email: newEmail(), plan: 'everything' });
  const by = ({ accountId }: SignedIn, own = accountId) =>
    ({ accountId: own, actor: `account:${accountId}`, address: null }) as const;
  const invite = (owner: SignedIn, email: string | null) =>
    inviteMember(services(), { ...by(owner), role: 'member', email });
  const listed = ({ accountId }: SignedIn) => listInvitations(site.context.db.read, accountId);
  const resend = (owner: SignedIn, id: string) => inviteMemberAgain(services(), { ...by(owner), id });
  const resendLater = (owner: SignedIn, id: string) => {
    nowMs += MIN_RESEND_MS;
    return resend(owner, id);
  };
  const join = (code: string, { accountId: personId, sessionId }: SignedIn) =>
    acceptInvitation(services(), { code, session: { personId, sessionId } });

  beforeAll(async () => {
    site = await openSite(engine, {}, () => nowMs);
  });
  afterAll(() => site?.close());

  test('is resent with a new code, also after it expired, until it is accepted', async () => {
    const [owner, email] = [await newPerson(), newEmail()];
    await invite(owner, email);
    const [{ id } = { id: '' }] = await listed(owner);
    expect(await resendLater(owner, id)).toEqual({ link: null, wait: null });
    nowMs += 8 * DAY_MS;
    await sweepSignIn(site.context);
    const old = codes.slice(-2);
    expect(await resend(owner, id)).toEqual({ link: null, wait: null });
    const milo = await signedInAs(site, { email });
    for (const code of old) expect(await refusalOf(join(code, milo))).toContain(SPENT);
    await join(codes.at(-1)!, milo);
    expect(await resend(owner, id)).toBeNull();
    expect(await listed(owner)).toEqual([]);
  });

  test('is resent only by owners of the account', async () => {
    const [owner, other] = [await newPerson(), await newPerson()];
    await invite(owner, newEmail());
    const [{ id } = { id: '' }] = await listed(owner);
    expect(await resend(other, id)).toBeNull();
    const forged = inviteMemberAgain(services(), { ...by(other, owner.accountId), id });
    expect(await refusalOf(forged)).toContain('Only owners of this account');
    expect(codes).toHaveLength(new Set(codes).size);
  });

  test('is mailed once when it is resent twice within a minute, and may be accepted at that time', async () => {
    const [owner, email] = [await newPerson(), newEmail()];
    await invite(owner, email);
    const [{ id } = { id: '' }] = await listed(owner);
    const before = codes.length;
    nowMs += MIN_RESEND_MS;
    await Promise.all([resend(owner, id), resend(owner, id)]);
    nowMs += MIN_RESEND_MS - 1;
    expect(await resend(owner, id)).toEqual({ link: null, wait: null });
    expect(codes).toHaveLength(before + 1);
    nowMs += 1;
    expect(await listed(owner)).toHaveLength(1);
    const milo = await signedInAs(site, { email });
    const [joined, again] = await Promise.allSettled([join(codes.at(-1)!, milo), resend(owner, id)]);
    const members = await listMembers(site.context.db.read, owner.accountId);
    const outcome = [joined.status, again.status === 'fulfilled' && again.value !== null];
    expect([members.length, (await listed(owner)).length, ...outcome]).toEqual(
      members.length === 1 ? [1, 0, 'fulfilled', false] : [0, 1, 'rejected', true],
    );
  });

  test('has the limits of a new one when it is resent', async () => {
    nowMs += DAY_MS;
    const owner = await newPerson();
    await invite(owner, newEmail());
    const [{ id } = { id: '' }] = await listed(owner);
    const outcomes = [];
    for (let sent = 0; sent < 3; sent += 1) outcomes.push(await resendLater(owner, id));
    // Three mails a day to one mailbox. Afterwards, the new link is shown.
    expect(outcomes.map((outcome) => outcome!.link === null)).toEqual([true, true, false]);
    expect(outcomes[2]!.wait).not.toBeNull();
    for (let sent = 4; sent < MAX_INVITATIONS_A_DAY; sent += 1) await resend(owner, id);
    expect(await refusalOf(resend(owner, id))).toContain('50 invitations within a day');
  });

  test('doesn’t count as open after it expired, until it is resent', async () => {
    const owner = await newPerson();
    for (let sent = 0; sent < MAX_INVITATIONS; sent += 1) await invite(owner, null);
    nowMs += 8 * DAY_MS;
    for (let sent = 0; sent < MAX_INVITATIONS; sent += 1) await invite(owner, null);
    const { id } = (await listed(owner)).at(-1)!;
    expect(await refusalOf(resend(owner, id))).toContain('open invitations');
    expect((await listed(owner)).map((one) => one.id)).toContain(id);
  });
});

describe('the mail of an invitation', () => {
  let sink: SmtpSink;
  let site: OwnSite;
  let operator: SignedIn;

  beforeAll(async () => {
    sink = await startSmtpSink();
    site = await openSite('sqlite', { SMTP_URL: sink.url, MAIL_FROM: 'claims@claims.example' });
    operator = await signedInAs(site, { email: 'olga@example.com', name: 'Olga', operator: true });
  });
  afterAll(async () => {
    await site?.close();
    await sink?.close();
  });

  test('carries the sentence as a quotation without links, in the chosen language', async () => {
    const note = 'Hi <b>you</b>, pay at https://evil.example/x or call +49 30 1234567';
    const form = {
      people: 'Ines <ines@people.example>',
      role: 'owner',
      plan: 'studio',
      note,
      language: 'de',
    };
    const answer = await operator.person.post('/desk/accounts/invitations', form);
    expect(answer.text).toContain('ines@people.example');
    const mail = await sink.mailTo('ines@people.example');
    expect(mail).toContain('Olga schreibt: „Hi <b>you</b>, pay at … or call …“');
    expect(mail).toContain('Hi &lt;b&gt;you&lt;/b&gt;');
    expect(mail).not.toContain('evil.example');
    expect(mail).not.toContain('1234567');
  });

  test('of an account lets a new person sign up and join with one click', async () => {
    const owner = await signedInAs(site, { email: 'ada@acme.example', name: 'Acme' });
    const members = '/dashboard/settings/members';
    await owner.person.post(members, { email: 'milo@example.com', role: 'member' });
    const mail = await sink.mailTo('milo@example.com');
    const code = /\/invitation#([0-9A-Z]{10})/.exec(mail)![1]!;
    const milo = new Person(site.baseUrl);
    await milo.post('/invitation', { code });
    const page = await milo.get('/invitation/open');
    expect(page.text).toContain('>Join<');
    expect((await milo.post('/invitation/accept')).location).toBe('/dashboard');
    expect((await milo.get('/account/accounts')).text).toContain('Acme');
  });

  test('is needed to sign up: the link of an invitation that was not mailed is not enough', async () => {
    const owner = await signedInAs(site, { email: 'mallory@acme.example', name: 'Mallory' });
    const { context, baseUrl } = site;
    const hash = await context.db.transaction((tx) => hashOfInvited(context, tx, 'victim@example.com'));
    await refuseInvitations(context, hash);
    const mailer = { isReal: true, keep: async () => {}, start: () => {} };
    const { link } = await inviteMember(
      { context, mailer, baseUrl },
      {
        accountId: owner.accountId,
        actor: `account:${owner.accountId}`,
        role: 'member',
        email: 'victim@example.com',
        address: null,
      },
    );
    const mallory = new Person(baseUrl);
    await mallory.post('/invitation', { code: link!.split('#')[1]! });
    expect((await mallory.post('/invitation/accept')).location).toBe('/invitation/open');
    expect(await findByEmail(context.db.read, 'victim@example.com')).toBeUndefined();
  });
});

test('without a mail server, the operator passes links on, and the person sets a password', async () => {
  const site = await openSite('sqlite');
  try {
    const operator = await signedInAs(site, { email: 'olga@example.com', operator: true });
    const path = '/desk/accounts/invitations';
    const form = { people: 'ines@people.example', role: 'owner', plan: 'studio' };
    const answer = await operator.person.post(path, form);
    const code = /\/invitation#([0-9A-Z]{10})/.exec(answer.text.replaceAll(/<[^>]+>/g, ''))![1]!;
    expect((await operator.person.get(path)).text).not.toContain(code);
    const ines = new Person(site.baseUrl);
    await ines.post('/invitation', { code });
    const weak = await ines.post('/invitation/accept', { password: 'short' });
    expect(weak.status).toBe(422);
    const password = 'four random words do well';
    expect((await ines.post('/invitation/accept', { password })).location).toBe('/dashboard');
    const later = new Person(site.baseUrl);
    expect((await later.signIn('ines@people.example', password)).location).toBe('/');
  } finally {
    await site.close();
  }
});

test('an operator prepares a listing for a person without an account, who then takes it over', async () => {
  const sink = await startSmtpSink();
  const site = await openSite('sqlite', { SMTP_URL: sink.url, MAIL_FROM: 'claims@claims.example' });
  try {
    const { person: operator } = await signedInAs(site, { email: 'olga@example.com', operator: true });
    const email = 'ines@people.example';
    const begun = await operator.post('/desk/listings/new', { email, name: 'Ines Apps' });
    const { id } = (await findByEmail(site.context.db.read, email))!;
    expect(begun.location).toBe(`/desk/accounts/${id}/listings/new`);
    // A second time, the account exists.
    expect((await operator.post('/desk/listings/new', { email })).location).toBe(begun.location);
    const page = await operator.get(`/desk/accounts/${id}`);
    expect(page.text).toContain('Nobody has signed in to this account yet');
    const listing = { account: id, name: 'Kompass', slug: 'kompass', url: 'https://kompass.example' };
    const kompass = await createListing(site.context, { ...listing, upTo: 'pending', actor: 'operator' });
    expect((await operator.get(`/desk/listings/${kompass.id}`)).text).toContain('Invite the owner');
    const invite = `/desk/accounts/invitations/owner/${id}`;
    expect((await operator.post(invite)).text).toContain(`The invitation to ${email} is on its way.`);

    const mail = await sink.mailTo(email);
    expect(mail).toContain('Subject: Take over Kompass on Claimcheck');
    expect(mail).toContain('Ada has prepared Kompass for you on Claimcheck.');
    const code = /\/invitation#([0-9A-Z]{10})/.exec(mail)![1]!;
    const ines = new Person(site.baseUrl);
    await ines.post('/invitation', { code });
    expect((await ines.get('/invitation/open')).text).toContain('an account that contains Kompass');
    expect((await ines.post('/invitation/accept')).location).toBe('/dashboard');
    expect((await ines.get('/account')).text).toContain('Ines Apps');
    expect((await operator.get(`/desk/accounts/${id}`)).text).not.toContain('Nobody has signed in');
    // From now on, it belongs to the person.
    expect((await operator.post(invite)).text).toContain('wasn’t invited');
    expect((await operator.get('/desk/listings/new')).status).toBe(200);
  } finally {
    await site.close();
    await sink.close();
  }
});
