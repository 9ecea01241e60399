/**
 * Concurrent attacks on sign-in by mail, from many networks and against all processes: guessing codes, flooding a
 * mailbox, enumerating accounts, and using a code twice.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../../../src/app/service.ts';
import type { Context } from '../../../../src/base/context.ts';
import { setSince } from '../../../../src/people/accounts/queries.ts';
import {
  byNetwork,
  CHANGE_MAIL_BY_NEWCOMERS,
  counterOf,
  DIGITS_BY_PERSON,
  digitsLimits,
  MAIL_BY_DEVICE,
  MAIL_BY_NETWORK,
  MAIL_BY_PERSON,
  MAX_MAILED_CODES,
} from '../../../../src/people/sign-in/limits/limits.ts';
import { countAttempt, countIfWithin } from '../../../../src/people/sign-in/limits/throttle.ts';
import { ENGINES } from '../../../support/engines.ts';
import { type Answer, OTHER_PASSWORD, Person } from '../../../support/person.ts';
import { startSite } from '../../../support/site.ts';
import { type SmtpSink, startSmtpSink } from '../../../support/smtp-sink.ts';
import { type AccountSite, codeIn, digitsIn, openAccountSite, problemIn } from '../support.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * Number of mails per hour to one address. Above this number, a mail is sent only if no code from an earlier mail still
 * works.
 */
const MAILS_AN_HOUR = 5;
/** Number of wrong codes for one address in 15 minutes, above the daily limit. */
const GUESSES_BEYOND = 3;
const TRIES_A_CODE = 5;
const BURST = 16;
/** How many requests are timed for addresses with an account, and how many for addresses without an account. */
const TIMED = 80;
/** Maximum distance of `likelihood` from 0.5. Random variation exceeds it about once in a million runs. */
const MAX_DEVIATION = 0.23;

/** The probability that a random time in `one` is longer than a random time in `other` (Mann–Whitney U test). */
function likelihood(one: readonly number[], other: readonly number[]): number {
  const longer = one.flatMap((a) => other.filter((b) => a > b)).length;
  return longer / (one.length * other.length);
}

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);

describe.each(ENGINES)('attacks on sign-in by mail on %s', (engine) => {
  let site: AccountSite;
  let other: Service;
  let context: Context;
  let smtp: SmtpSink;
  let passedMs = 0;
  const now = () => Date.now() + passedMs;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    const env = { SMTP_URL: smtp.url, MAIL_FROM: 'claims@example.com', TRUSTED_PROXIES: '127.0.0.1' };
    site = await openAccountSite(engine, env, now);
    // With SQLite, only one process can use the data folder.
    other = engine === 'postgres' ? await startSite(site.dbLocation, env, now) : site;
    context = site.context;
  });
  afterEach(() => {
    passedMs += 25 * HOUR_MS;
  });
  afterAll(async () => {
    if (other !== site) await other?.stop();
    await site?.close();
    await smtp?.close();
  });

  /** People on different networks, alternating between the two processes. */
  const crowd = (count: number): Person[] =>
    Array.from(
      { length: count },
      (_, at) =>
        new Person(at % 2 === 0 ? site.baseUrl : other.baseUrl, { 'X-Forwarded-For': site.network() }),
    );
  const ask = (email: string, who: Person, next = '/claims') => who.post('/sign-in', { email, next });
  const enter = (code: string, who: Person) => who.post('/sign-in/code', { code });
  const open = (code: string, who: Person) => who.post('/sign-in/link', { code, choice: 'sign-in' });
  const countMails = (email: string) => smtp.mails.filter((mail) => mail.includes(`To: ${email}\n`)).length;
  const idle = async () =>
    (await context.db.read.selectFrom('mails').select('id').limit(1).execute()).length === 0;
  /** Counts the mails to an address after all queued mails have been sent. */
  async function mailsTo(email: string): Promise<number> {
    await expect.poll(idle, { timeout: 10_000 }).toBe(true);
    return countMails(email);
  }
  const countedMails = async (email: string) => {
    const { key } = counterOf(context.secretBox, [MAIL_BY_PERSON, email]);
    const row = await context.db.read
      .selectFrom('throttles')
      .select('points')
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.points ?? 0;
  };
  const sessionsOf = async (email: string) =>
    (
      await context.db.read
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .select('sessions.id')
        .where('accounts.email', '=', email)
        .execute()
    ).length;
  const refusals = (answers: readonly Answer[]): string[] => answers.map(({ text }) => problemIn(text));

  test('concurrent guesses from many networks share one daily limit, but the mailed link still works', async () => {
    const email = site.newEmail();
    const left = 10;
    for (let used = left; used < DIGITS_BY_PERSON.attempts; used += 1) {
      await countAttempt(context, [[DIGITS_BY_PERSON, email]]);
    }
    const guessers = crowd(BURST);
    for (const who of guessers) await ask(email, who);
    const guesses = guessers.flatMap((who, at) =>
      Array.from({ length: 5 }, (_, try_) => enter(String(10_000_000 + at * 5 + try_), who)),
    );
    const answers = await Promise.all(guesses);
    expect(await sessionsOf(email)).toBe(0);
    const judged = refusals(answers).filter((sentence) => /^This code is wrong/.test(sentence));
    expect(judged.length).toBeGreaterThan(0);
    expect(judged.length).toBeLessThanOrEqual(left + GUESSES_BEYOND);
    // The limit now rejects the correct digits too, but only for minutes, and not the link.
    passedMs += HOUR_MS;
    for (const who of crowd(GUESSES_BEYOND)) {
      await ask(email, who);
      await enter('10000000', who);
      passedMs += 4 * MINUTE_MS;
    }
    const ada = site.browser();
    const sent = await mailsTo(email);
    await ask(email, ada);
    const mail = await smtp.mailTo(email, sent);
    const refused = problemIn((await enter(digitsIn(mail), ada)).text);
    expect(refused).toMatch(/Open the link in the email, or try again in (a minute|[23] minutes)/);
    expect((await open(codeIn(mail), ada)).status).toBe(303);
  });

  test('concurrent requests from many networks cannot exceed the mail limit of an address', async () => {
    const email = site.newEmail();
    await Promise.all(crowd(BURST).map((who) => ask(email, who)));
    expect(await mailsTo(email)).toBe(MAX_MAILED_CODES);
    passedMs += 15 * MINUTE_MS;
    await Promise.all(crowd(BURST).map((who) => ask(email, who)));
    expect(await mailsTo(email)).toBe(MAILS_AN_HOUR);
    // The links have expired, so one more mail is sent above the hourly limit.
    passedMs += 15 * MINUTE_MS;
    await Promise.all(crowd(BURST).map((who) => ask(email, who)));
    expect(await mailsTo(email)).toBe(MAILS_AN_HOUR + 1);
    const ada = site.browser();
    expect(
      (await open(codeIn(smtp.mails.findLast((mail) => mail.includes(`To: ${email}\n`))!), ada)).status,
    ).toBe(303);
    // Signing in allows one more mail above the limit.
    await ask(email, site.browser());
    await expect.poll(() => countMails(email)).toBe(MAILS_AN_HOUR + 2);
  });

  test('requests for other spellings of a mailbox don’t reveal whether an address has an account', async () => {
    const known = `known${site.newEmail().split('@', 1)[0]}@gmail.com`;
    await site.signedIn({ email: known });
    /** What a stranger sees who first uses up the limits of the mailbox, and how many mails the address gets. */
    const probe = async (email: string) => {
      const spellings = Array.from({ length: 8 }, (_, n) => email.replace('@', `+${n}@`));
      for (const spelling of spellings) await ask(spelling, site.browser());
      passedMs += MINUTE_MS;
      const browser = site.browser();
      const seen = [await ask(email, browser)];
      seen.push(await browser.get('/sign-in/code'), await enter('12345678', browser));
      seen.push(await ask(email, browser), await ask(email, site.browser()));
      const mails = await mailsTo(email);
      // The limits of the spellings have expired, and the code hasn't, even if the requests took half a minute.
      passedMs += 9.5 * MINUTE_MS;
      seen.push(await ask(email, site.browser()));
      return {
        mails,
        seen: seen.map(({ status, location, text }) => [
          status,
          location,
          problemIn(text),
          /<h1>(.*?)<\/h1>/.exec(text)?.[1],
        ]),
      };
    };
    const [ofAccount, ofNobody] = [await probe(known), await probe(known.replace('known', 'nobody'))];
    expect([ofAccount.mails, ofNobody.mails]).toEqual([1, 0]);
    expect(ofNobody.seen).toEqual(ofAccount.seen);
    expect(ofAccount.seen.map(([status]) => status)).toEqual([303, 200, 422, 303, 429, 429]);
  });

  test('requests for a new password don’t reveal through limits whether an address has an account', async () => {
    const seenOf = async (email: string) => {
      for (let n = 0; n < MAILS_AN_HOUR + 1; n += 1) {
        await site.browser().post('/forgot-password', { email });
        await mailsTo(email);
      }
      await expect.poll(async () => countedMails(email)).toBe(MAILS_AN_HOUR);
      return (await Promise.all(crowd(4).map((who) => ask(email, who))))
        .map(({ status }) => status)
        .toSorted();
    };
    const { email } = await site.signedIn();
    const ofAccount = await seenOf(email);
    expect(await seenOf(site.newEmail())).toEqual(ofAccount);
    expect(ofAccount).toContain(429);
  });

  test('a browser has at most three codes for one address, each of them mailed, with five tries for each', async () => {
    const { email } = await site.signedIn();
    const eve = site.browser();
    await ask(email, eve);
    await Promise.all(Array.from({ length: 119 }, () => ask(email, eve)));
    const codes = await context.db.read
      .selectFrom('email_sign_ins')
      .leftJoin('one_time_codes', 'one_time_codes.code_hash', 'email_sign_ins.link_hash')
      .select('one_time_codes.code_hash as mailed')
      .where('email_sign_ins.email', '=', email)
      .execute();
    expect(codes).toHaveLength(MAX_MAILED_CODES);
    expect(codes.every(({ mailed }) => mailed !== null)).toBe(true);
    expect(await mailsTo(email)).toBe(MAX_MAILED_CODES);
    const guesses: Answer[] = [];
    for (let guess = 0; guess < 42; guess += 1) {
      guesses.push(await enter(String(10_000_000 + guess), eve));
      // Asking again continues with an earlier code.
      if (guess % TRIES_A_CODE === TRIES_A_CODE - 1) await ask(email, eve);
    }
    const judged = refusals(guesses).filter((sentence) => /^This code is wrong/.test(sentence));
    expect(judged).toHaveLength(MAX_MAILED_CODES * TRIES_A_CODE);
    const mail = smtp.mails.findLast((one) => one.includes(`To: ${email}\n`))!;
    expect((await enter(digitsIn(mail), eve)).status).not.toBe(303);
    expect((await open(codeIn(mail), site.browser())).status).toBe(303);
  });

  test('strangers cannot keep a known browser from signing in by code', async () => {
    const { email, person } = await site.signedIn();
    const ada = person.thief();
    ada.cookies.delete('claimcheck.session_token');
    const eves = crowd(6);
    for (const eve of eves) await ask(email, eve);
    for (let guess = 0; guess < 41; guess += 1) {
      await countIfWithin(context, digitsLimits(email, site.network(), null));
    }
    const sent = await mailsTo(email);
    // Another browser waits for minutes.
    const unknown = problemIn((await ask(email, site.browser())).text);
    expect(unknown).toMatch(/several emails to this address.*try again in (a|\d+) minutes?/);
    expect((await ask(email, ada)).location).toBe('/sign-in/code?next=%2Fclaims');
    const mail = await smtp.mailTo(email, sent);
    await enter('10000000', ada);
    expect((await enter(digitsIn(mail), ada)).location).toBe('/claims');
  });

  test('a browser that signed in before the address was confirmed is not known', async () => {
    const { email, accountId, person: eve } = await site.signedIn();
    passedMs += MINUTE_MS;
    await context.db.transaction(async (tx) => {
      await setSince(tx, accountId, 'email_verified_at', null);
      await setSince(tx, accountId, 'email_verified_at', context.at());
    });
    for (const who of crowd(6)) await ask(email, who);
    expect(problemIn((await ask(email, eve)).text)).toMatch(/several emails to this address/);
  });

  test('above the mail limit, only one password reset mail is sent until its link is used', async () => {
    const { email } = await site.signedIn();
    const forget = (who: Person) => who.post('/forgot-password', { email });
    for (let asked = 0; asked < MAILS_AN_HOUR; asked += 1) {
      // Codes expire after ten minutes.
      if (asked === MAX_MAILED_CODES) passedMs += 15 * MINUTE_MS;
      await ask(email, site.browser());
    }
    const before = await mailsTo(email);
    const answers = await Promise.all(crowd(BURST).map(forget));
    expect(new Set(answers.map(({ status, text }) => status + text)).size).toBe(1);
    await expect.poll(() => countMails(email)).toBe(before + 1);
    expect(await mailsTo(email)).toBe(before + 1);
    const code = codeIn(await smtp.mailTo(email, before));
    const reset = await site.browser().post('/reset-password', { code, password: OTHER_PASSWORD });
    expect(reset.location).toBe('/sign-in/password?done=password');
    await forget(site.browser());
    await expect.poll(() => countMails(email)).toBe(before + 2);
  });

  /** All attempts that others in the network of a person may make. */
  const useUpNetwork = async ({ headers }: Person) => {
    const counted = byNetwork(MAIL_BY_NETWORK, headers['X-Forwarded-For']!);
    for (let n = 0; n < MAIL_BY_NETWORK.attempts; n += 1) await countIfWithin(context, counted);
  };

  test('strangers in the network cannot keep a known browser from a new password, which has its own limit', async () => {
    const { email, person } = await site.signedIn();
    const ada = person.thief();
    ada.cookies.delete('claimcheck.session_token');
    for (const eve of crowd(6)) await ask(email, eve);
    await useUpNetwork(ada);
    const stranger = new Person(site.baseUrl, ada.headers);
    expect((await stranger.post('/forgot-password', { email })).status).toBe(429);
    const before = await mailsTo(email);
    for (let sent = 0; sent < MAIL_BY_DEVICE.attempts; sent += 1) {
      expect((await ada.post('/forgot-password', { email })).status).toBe(200);
      await expect.poll(() => countMails(email), { timeout: 10_000 }).toBe(before + sent + 1);
    }
    expect((await ada.post('/forgot-password', { email })).status).toBe(200);
    const code = codeIn(await smtp.mailTo(email, before));
    const reset = await ada.post('/reset-password', { code, password: OTHER_PASSWORD });
    expect(reset.location).toBe('/sign-in/password?done=password');
    expect(await mailsTo(email)).toBe(before + MAIL_BY_DEVICE.attempts);
  });

  test('strangers can use up the address changes of a network and of new accounts, but not other people’s', async () => {
    const change = (who: Person) => who.post('/account/email', { email: site.newEmail() });
    const { accountId, person: ada } = await site.signedIn();
    await useUpNetwork(ada);
    const unknown = ada.thief();
    unknown.cookies.delete('claimcheck.device');
    expect((await change(unknown)).status).toBe(429);
    expect((await change(ada)).status).toBe(303);
    const left = CHANGE_MAIL_BY_NEWCOMERS[0].attempts;
    for (let n = 0; n < left; n += 1) await countIfWithin(context, [CHANGE_MAIL_BY_NEWCOMERS]);
    expect((await change(ada)).status).toBe(429);
    await context.db.transaction((tx) =>
      tx
        .updateTable('accounts')
        .set({ created_at: '2020-01-01T00:00:00.000Z' })
        .where('id', '=', accountId)
        .execute(),
    );
    expect((await change(ada)).status).toBe(303);
  });

  test('mails to an address are limited even if many accounts try to change to that address', async () => {
    const victim = site.newEmail();
    const eves = await Promise.all(crowd(2 * BURST).map((who) => site.signedIn({}, who)));
    await Promise.all(eves.map(({ person }) => person.post('/account/email', { email: victim })));
    const sent = await mailsTo(victim);
    expect(sent).toBeGreaterThanOrEqual(MAILS_AN_HOUR);
    expect(sent).toBeLessThanOrEqual(3 * MAILS_AN_HOUR);
  });

  test('a link signs in only one browser, and a code signs in only the browser that requested it', async () => {
    const { email } = await site.signedIn();
    await ask(email, site.browser());
    const link = codeIn(await smtp.mailTo(email));
    const before = await sessionsOf(email);
    const opened = await Promise.all(crowd(8).map((who) => open(link, who)));
    expect(opened.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await sessionsOf(email)).toBe(before + 1);
    const [ada, eve] = [site.browser(), site.browser()];
    await ask(email, ada);
    const digits = digitsIn(await smtp.mailTo(email, 1));
    await ask(email, eve);
    const uses = await Promise.all(
      [ada, eve, ada, eve, ada, eve].map(async (who) => [who, await enter(digits, who.thief())] as const),
    );
    const signedIn = uses.filter(([, { status }]) => status === 303);
    expect(signedIn.map(([who]) => who === ada)).toEqual([true]);
    expect(await sessionsOf(email)).toBe(before + 2);
  });

  // The pages run the same code on both engines. SQLite runs in this process, so its timings are less noisy.
  if (engine === 'postgres') return;

  test('the timing comparison detects a difference and ignores noise', () => {
    const noise = (ms: number) => Array.from({ length: TIMED }, () => ms + 20 * Math.random());
    expect(Math.abs(likelihood(noise(10), noise(10)) - 0.5)).toBeLessThan(MAX_DEVIATION);
    expect(likelihood(noise(20), noise(10))).toBeGreaterThan(0.5 + MAX_DEVIATION);
  });

  test.each([
    ['/sign-in', (email: string, who: Person) => ask(email, who)],
    ['/forgot-password', (email: string, who: Person) => who.post('/forgot-password', { email })],
  ])('the response time of %s does not reveal whether an account exists', async (_, request) => {
    const pairs: (readonly [known: string, unknown: string])[] = [];
    while (pairs.length < TIMED) pairs.push([(await site.signedIn()).email, site.newEmail()]);
    const times = new Map<string, number>();
    // Shuffled, so that background work of earlier requests slows down both kinds of address equally.
    for (const email of shuffled(pairs.flat())) {
      await expect.poll(idle, { timeout: 10_000, interval: 5 }).toBe(true);
      const who = site.browser();
      await who.get('/sign-in');
      const beganMs = performance.now();
      await request(email, who);
      times.set(email, performance.now() - beganMs);
    }
    const timesOf = (kind: 0 | 1) => pairs.map((pair) => times.get(pair[kind])!);
    const likely = likelihood(timesOf(0), timesOf(1));
    expect(Math.abs(likely - 0.5)).toBeLessThan(MAX_DEVIATION);
  });
});
