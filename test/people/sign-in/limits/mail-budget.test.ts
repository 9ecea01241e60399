/** Mail that strangers can cause is limited per mailbox, whatever its kind and however its address is spelled. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { unsignedText } from '../../../../src/people/mail/letter.ts';
import { createMailer, type Mailer } from '../../../../src/people/mail/mail.ts';
import { openLetter } from '../../../../src/people/mail/queries.ts';
import { inviteMember } from '../../../../src/people/members/invite.ts';
import { requestEmailSignIn } from '../../../../src/people/sign-in/email/sign-in.ts';
import { INVITATION_BY_NEWCOMERS } from '../../../../src/people/sign-in/limits/limits.ts';
import { countIfWithin } from '../../../../src/people/sign-in/limits/throttle.ts';
import type { SignInServices } from '../../../../src/people/sign-in/services.ts';
import { uuidv7 } from '../../../../src/platform/store/uuid.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../src/platform/text/durations.ts';
import { ENGINES } from '../../../support/engines.ts';
import { createOwner } from '../../../support/marketplace.ts';
import { type AccountSite, openAccountSite } from '../support.ts';

describe.each(ENGINES)('mail to one mailbox on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let mailer: Mailer;
  let aheadMs = 0;
  beforeAll(async () => {
    site = await openAccountSite(engine, {}, () => Date.now() + aheadMs);
    context = site.context;
    const stored = createMailer(context, { smtpUrl: null, from: 'claims@example.com', onFailure: () => {} });
    mailer = { ...stored, isReal: true };
  });
  afterAll(() => site?.close());

  const mailsTo = async (pattern: string) => {
    const rows = await context.db.read.selectFrom('mails').selectAll().execute();
    return rows.filter(({ recipient }) => recipient.includes(pattern));
  };
  /** Like a separate process: each call gets new services. */
  const ask = (email: string, network = site.network()) => {
    const services = {
      context,
      mailer,
      baseUrl: site.baseUrl,
      securityLog: () => {},
      background: { start: () => {} },
      findIntended: async () => null,
    } as unknown as SignInServices;
    const caller = { cookie: '', userAgent: '', address: network };
    return requestEmailSignIn(services, { email, next: '/', isIntended: false, caller }).catch(() => null);
  };
  const newAccount = async (name = 'Ada') => (await site.signedIn({ name })).accountId;
  const invite = (accountId: string, email: string, address = site.network(), formId?: string) =>
    inviteMember(
      { context, mailer, baseUrl: site.baseUrl },
      { accountId, actor: `account:${accountId}`, role: 'member', email, address, formId },
    );

  test('is limited for all spellings of a Gmail mailbox together', async () => {
    const spellings = Array.from({ length: 60 }, (_, n) => {
      const dotted = [...'bombedmailbox'].map((letter, at) => (n & (1 << (at % 6)) ? `${letter}.` : letter));
      return `${dotted.join('').replace(/\.$/, '')}+${n}@${n % 2 ? 'gmail' : 'googlemail'}.com`;
    });
    await Promise.all(spellings.map((email) => ask(email)));
    const mails = (await context.db.read.selectFrom('mails').select('recipient').execute()).filter(
      ({ recipient }) => recipient.replaceAll('.', '').startsWith('bombedmailbox'),
    );
    expect(mails.length).toBeGreaterThanOrEqual(5);
    expect(mails.length).toBeLessThanOrEqual(6);
  });

  test('reaches the address of an account even after strangers have used up the limit with other spellings', async () => {
    const email = 'keepsreading@gmail.com';
    await site.signedIn({ email });
    for (let n = 0; n < 10; n += 1) await ask(`keeps.reading+${n}@gmail.com`);
    await ask(email);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('invitations by several accounts share a limit with other mail, and above it the inviter gets a link', async () => {
    const accounts = await Promise.all(Array.from({ length: 5 }, () => newAccount()));
    const email = 'invited@example.org';
    await ask(email);
    const links: (string | null)[] = [];
    for (let round = 0; round < 4; round += 1) {
      const made = await Promise.all(accounts.map((accountId) => invite(accountId, email)));
      links.push(...made.map(({ link }) => link));
    }
    // Four invitations within the limit of all mail, and one beyond it.
    expect(await mailsTo(email)).toHaveLength(6);
    expect(links.filter((link) => link === null)).toHaveLength(5);
  });

  test('strangers can neither use up the invitations of an approved owner, nor keep others from inviting for a day', async () => {
    const email = 'wanted@example.org';
    for (let n = 0; n < 10; n += 1) await invite(await newAccount(), email);
    const { accountId } = await createOwner(context);
    const waits = [];
    for (let n = 0; n < 4; n += 1) waits.push((await invite(accountId, email)).wait?.toString() ?? null);
    expect(waits).toEqual([null, null, null, '24 hours']);
    const stranger = await newAccount();
    expect((await invite(stranger, email)).wait?.toString()).toBe('2 hours');
    aheadMs += 2 * HOUR_MS + MINUTE_MS;
    expect((await invite(stranger, email)).wait).toBeNull();
  });

  test('invitations by all new accounts have a budget, but not those by approved owners', async () => {
    aheadMs += HOUR_MS + MINUTE_MS;
    const used = INVITATION_BY_NEWCOMERS[0].attempts - 1;
    for (let n = 0; n < used; n += 1) await countIfWithin(context, [INVITATION_BY_NEWCOMERS]);
    const invited = async (accountId: string, n: number) =>
      (await invite(accountId, `budget-${n}@example.org`)).link === null ? 'mailed' : 'link';
    const newcomer = await newAccount();
    expect([await invited(newcomer, 1), await invited(newcomer, 2)]).toEqual(['mailed', 'link']);
    expect(await invited((await createOwner(context)).accountId, 3)).toBe('mailed');
    expect(await mailsTo('budget-')).toHaveLength(2);
    aheadMs += HOUR_MS + MINUTE_MS;
    expect(await invited(newcomer, 4)).toBe('mailed');
  });

  test('a form that is sent twice mails one invitation, and a corrected form mails another', async () => {
    const accountId = await newAccount();
    const form = uuidv7(context);
    const send = (email: string, formId?: string) => invite(accountId, email, undefined, formId);
    const links = await Promise.all([send('once@example.org', form), send('once@example.org', form)]);
    expect([...links, await send('once@example.org', form)]).toEqual(
      Array(3).fill({ link: null, wait: null }),
    );
    await send('corrected@example.org', form);
    expect([await mailsTo('once@'), await mailsTo('corrected@')].map((mails) => mails.length)).toEqual([
      1, 1,
    ]);
    // Control: without the form's id, each call creates an invitation.
    await Promise.all([send('twice@example.org'), send('twice@example.org')]);
    expect(await mailsTo('twice@')).toHaveLength(2);
  });

  test('an invitation names the account plainly, and its link stops all further invitations', async () => {
    const name = 'PAYPAL: account locked, verify at https://evil.example/login or evil.example';
    const accountId = await newAccount(name);
    const email = 'victim@example.org';
    await invite(accountId, email);
    const [mail] = await mailsTo(email);
    const letter = openLetter(context.secretBox, mail!)!;
    const text = unsignedText(letter);
    expect(mail!.subject + text).not.toMatch(/https?:\/\/evil|evil\.example/);
    expect(text).toContain('“PAYPAL: account locked, verify at … or evil example”');
    const inviter = await context.db.read
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    expect(text).toContain(`(${inviter.email})`);

    const path = letter.stopUrl!.slice(site.baseUrl.length);
    const stranger = site.browser();
    // Mail scanners open links, so a GET changes nothing.
    expect((await stranger.get(path)).status).toBe(200);
    await invite(accountId, email);
    expect(await mailsTo(email)).toHaveLength(2);
    expect((await stranger.post(path)).status).toBe(200);
    expect((await invite(await newAccount(), 'victim+tag@example.org')).link).not.toBeNull();
    expect(await mailsTo('victim')).toHaveLength(2);
    await stranger.post(`${path}/resume`);
    await invite(accountId, email);
    expect(await mailsTo(email)).toHaveLength(3);
    expect((await stranger.post('/invitation/stop/x')).status).toBe(404);
  });
});
