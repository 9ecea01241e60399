/** While many mails go unused, strangers must solve a challenge; so must crowds of new accounts. */
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { newChallenge, requireSolution } from '../../../../src/people/sign-in/limits/challenge.ts';
import { createMailGate } from '../../../../src/people/sign-in/limits/mail-gate.ts';
import { readMailUse } from '../../../../src/people/sign-in/limits/mail-use-queries.ts';
import { PACES_BY_DOMAIN } from '../../../../src/people/sign-in/limits/new-account-price.ts';
import { countIn } from '../../../../src/people/sign-in/limits/throttle.ts';
import { ENGINES } from '../../../support/engines.ts';
import type { Answer, Person } from '../../../support/person.ts';
import { type SmtpSink, startSmtpSink } from '../../../support/smtp-sink.ts';
import { type AccountSite, digitsIn, openAccountSite, problemIn, unescaped } from '../support.ts';

const HOUR_MS = 3_600_000;
const THRESHOLD = 50;

const solved = async (json: string): Promise<string> => {
  const challenge = JSON.parse(json) as Challenge;
  return JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) });
};
const challengeIn = (text: string): string | undefined => {
  const json = /data-challenge="([^"]*)"/.exec(text)?.[1];
  return json && unescaped(json);
};

describe.each(ENGINES)('a challenge on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let smtp: SmtpSink;
  let passedMs = 0;
  beforeAll(async () => {
    smtp = await startSmtpSink();
    const env = { SMTP_URL: smtp.url, MAIL_FROM: 'claims@example.com' };
    site = await openAccountSite(engine, env, () => Date.now() + passedMs);
    context = site.context;
  });
  // The hour's mails, accounts and counters of a test don't count in the next one.
  afterEach(() => {
    passedMs += 2 * HOUR_MS;
  });
  afterAll(async () => {
    await site?.close();
    await smtp?.close();
  });

  /** Tries again after a 503, which a busy machine answers to some of many parallel requests. */
  async function ask(email: string, who = site.browser(), more = {}): Promise<Answer> {
    for (;;) {
      const answer = await who.post('/sign-in', { email, ...more });
      if (answer.status !== 503) return answer;
    }
  }
  async function enter(email: string, who: Person, more = {}) {
    const code = digitsIn(await smtp.mailTo(email));
    return who.post('/sign-in/code', { code, ...more });
  }
  const sent = async () => (await readMailUse(context.db.read, context.now())).unused;
  const useUp = () =>
    Promise.all(Array.from({ length: THRESHOLD + 10 }, (_, n) => ask(`u${n}-${passedMs}@example.org`)));

  test('is needed after 50 unused mails: 140 parallel requests from 35 networks cause at most 80 mails', async () => {
    expect(challengeIn((await site.browser().get('/sign-in')).text)).toBeUndefined();
    const networks = Array.from({ length: 35 }, () => site.browser());
    const answers = await Promise.all(
      Array.from({ length: 140 }, (_, n) => ask(`s${n}@example.org`, networks[n % 35])),
    );
    expect(await sent()).toBeLessThanOrEqual(80);
    expect(await sent()).toBeGreaterThan(20);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 422]));

    const ada = site.browser();
    const page = await ada.get('/sign-in');
    const solution = await solved(challengeIn(page.text)!);
    const email = site.newEmail();
    expect((await ask(email, ada, { solution })).status).toBe(303);
    expect((await enter(email, ada)).status).toBe(303);
    // The form keeps what was typed, and shows the challenge next to it.
    const refused = await ask('bo@example.org');
    expect([refused.status, problemIn(refused.text)]).toEqual([
      422,
      expect.stringContaining('check that you’re a person'),
    ]);
    expect(refused.text).toContain('value="bo@example.org"');
    expect(challengeIn(refused.text)).toBeDefined();
    expect((await site.browser().post('/forgot-password', { email })).status).toBe(422);

    passedMs += HOUR_MS + 2_000;
    expect(challengeIn((await site.browser().get('/sign-in')).text)).toBeUndefined();
  });

  test('two processes together stay within the threshold', async () => {
    const gates = [1, 2].map(() => createMailGate(context, () => {}));
    const send = async (gate: (typeof gates)[number], n: number) => {
      const release = await gate.reserve();
      if (release === null) return;
      await context.db.transaction((tx) =>
        tx
          .insertInto('one_time_codes')
          .values({
            code_hash: `race-${n}`,
            purpose: 'email-sign-in',
            account_id: null,
            email: null,
            created_at: context.at(),
            expires_at: context.at(),
          })
          .execute(),
      );
      release();
    };
    await Promise.all(Array.from({ length: 140 }, (_, n) => send(gates[n % 2]!, n)));
    await Promise.all(gates.map((gate) => gate.close()));
    expect(await sent()).toBeLessThanOrEqual(80);
    expect(await sent()).toBeGreaterThanOrEqual(THRESHOLD);
  });

  test('is not needed while most mails are used, or in browsers that the account knows', async () => {
    const gate = createMailGate(context, () => {});
    const known = site.browser();
    const email = site.newEmail();
    await ask(email, known);
    expect((await enter(email, known)).status).toBe(303);
    await known.post('/sign-out');
    await useUp();
    expect((await ask(site.newEmail())).status).toBe(422);
    expect(challengeIn((await known.get('/sign-in')).text)).toBeUndefined();
    expect((await ask(email, known)).status).toBe(303);
    expect((await ask(site.newEmail(), known)).status).toBe(422);
    // One person who signs in again and again is counted once.
    for (let n = 0; n < 2 * THRESHOLD; n += 1) gate.countUsed(`one+${n}@example.com`);
    await gate.flush();
    passedMs += 1_500;
    expect((await ask(site.newEmail())).status).toBe(422);
    for (let n = 0; n < 2 * THRESHOLD; n += 1) gate.countUsed(`n${n}@example.com`);
    await gate.close();
    passedMs += 1_500;
    expect((await ask(site.newEmail())).status).toBe(303);
  });

  test('is needed for a password link to another address, also for a person who is signed in', async () => {
    const [{ person, email }, { email: victim }] = [await site.signedIn(), await site.signedIn()];
    await useUp();
    expect((await person.post('/forgot-password', { email: victim })).status).toBe(422);
    expect((await person.post('/forgot-password', { email })).status).toBe(200);
  });

  test('counts once, for one purpose, until it expires', async () => {
    const challenge = await newChallenge(context, 'mail');
    const text = await solved(challenge);
    await expect(requireSolution(context, 'account', text)).rejects.toThrow('check that you’re a person');
    const uses = await Promise.allSettled(
      Array.from({ length: 8 }, () => requireSolution(context, 'mail', text)),
    );
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const late = await solved(await newChallenge(context, 'mail'));
    passedMs += HOUR_MS;
    await expect(requireSolution(context, 'mail', late)).rejects.toThrow('check that you’re a person');
    const other = JSON.parse(await solved(await newChallenge(context, 'mail')));
    other.challenge.parameters.data.until += HOUR_MS;
    const malformed = ['null', '{}', '[]', '{"data":null}'].map(
      (parameters) => `{"challenge":{"signature":"x","parameters":${parameters}},"solution":{}}`,
    );
    for (const forged of [
      ...['', '{}', 'null', '[]', JSON.stringify(other), '{"challenge":{"signature":"x"}}'],
      ...malformed,
    ])
      await expect(requireSolution(context, 'mail', forged)).rejects.toThrow('check that you’re a person');
  });

  test('slows down new accounts of an unknown mail domain, and keeps the code until it is solved', async () => {
    const network = { 'X-Forwarded-For': site.network() };
    const join = async (email: string, more = {}) => {
      const who = site.browser(network);
      await ask(email, who);
      return { who, answer: await enter(email, who, more) };
    };
    for (let n = 0; n < 5; n += 1)
      expect((await join(`n${n}@x${n}.catchall.example`)).answer.status).toBe(303);
    const { who, answer } = await join('sixth@catchall.example');
    expect(answer.status).toBe(422);
    const code = digitsIn(await smtp.mailTo('sixth@catchall.example'));
    const solution = await solved(challengeIn(answer.text)!);
    expect((await who.post('/sign-in/code', { code, solution })).status).toBe(303);
    for (let n = 1; n < PACES_BY_DOMAIN[0]!.attempts; n += 1)
      await context.db.transaction((tx) =>
        countIn(
          context,
          tx,
          PACES_BY_DOMAIN.map((pace) => [pace, 'catchall.example']),
        ),
      );
    const slow = await join('slow@catchall.example');
    expect([slow.answer.status, slow.answer.text]).toEqual([429, expect.stringContaining('in a minute')]);
    // A right code that is refused makes others repeat their work, so it has as many tries as a wrong one.
    for (let n = 0; n < 4; n += 1) expect((await enter('slow@catchall.example', slow.who)).status).toBe(429);
    const spent = await enter('slow@catchall.example', slow.who);
    expect([spent.status, problemIn(spent.text)]).toEqual([
      422,
      expect.stringContaining('Too many attempts. Ask for a new code, or open the link'),
    ]);
    // Known providers are not slowed down, and other networks only by domain.
    expect((await join('crowd@gmail.com')).answer.status).toBe(303);
    // A subdomain that a provider gives to a customer is not the provider.
    const below: number[] = [];
    for (let n = 0; n < 6; n += 1) below.push((await join(`n${n}@x${n}.free.fr`)).answer.status);
    expect(below).toEqual([303, 303, 303, 303, 303, 422]);
  });
});
