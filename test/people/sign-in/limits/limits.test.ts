/** Rate limits on sign-in stop guessing, even concurrent guessing, without locking out the account holder. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHANGES_A_DAY, CHANGES_AN_HOUR } from '../../../../src/app/find-viewer.ts';
import type { Context } from '../../../../src/base/context.ts';
import {
  type Charge,
  counterOf,
  factorLimits,
  type Limit,
  passwordLimits,
  SIGNED_IN_BY_PERSON,
} from '../../../../src/people/sign-in/limits/limits.ts';
import { refund } from '../../../../src/people/sign-in/limits/queries.ts';
import { countAttempt, countIfWithin } from '../../../../src/people/sign-in/limits/throttle.ts';
import { listSessions } from '../../../../src/people/sign-in/sessions/queries.ts';
import { MAX_SESSIONS } from '../../../../src/people/sign-in/sessions/sessions.ts';
import { signIn, signInProven } from '../../../../src/people/sign-in/sign-in.ts';
import { sweepSignIn } from '../../../../src/people/sign-in/sweep.ts';
import { createSecretBox } from '../../../../src/platform/secrets/secret-keys.ts';
import type { Database } from '../../../../src/platform/store/database.ts';
import { ENGINES } from '../../../support/engines.ts';
import { OTHER_PASSWORD, PASSWORD, type Person, signInServices } from '../../../support/person.ts';
import { type AccountSite, appCode, codeInOutbox, openAccountSite, problemIn } from '../support.ts';

const TOO_OFTEN = /Too many attempts/;

describe.each(ENGINES)('sign-in rate limits on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let clock = Math.floor(Date.now() / 30_000) * 30_000;
  const now = () => (clock += 1);
  beforeAll(async () => {
    site = await openAccountSite(engine, {}, now);
    context = site.context;
  });
  afterAll(() => site?.close());

  const browserFrom = (network: string): Person => site.browser({ 'X-Forwarded-For': network });
  const callerFrom = (address: string | null) => ({ cookie: '', userAgent: '', address });
  const prove = (who: Person, code: string) => who.post('/sign-in/second-factor', { code, next: '/claims' });
  const throttleRows = async (): Promise<number> =>
    (await context.db.read.selectFrom('throttles').select('key').execute()).length;

  test('concurrent guesses at a second factor cannot exceed the limit', async () => {
    const { email, person: ada, secret } = await site.withSecondFactor();
    const steps: Person[] = [];
    for (let at = 0; at < 8; at += 1) {
      const thief = site.browser();
      expect((await thief.signIn(email)).location).toMatch(/second-factor/);
      steps.push(thief);
    }
    const guesses = Array.from({ length: 64 }, (_, at) =>
      prove(steps[at % steps.length]!.thief(), String(100_000 + at)),
    );
    const answers = await Promise.all(guesses);
    // If the database is busy, the service answers 503 without checking the code.
    const judged = answers.filter(({ status }) => status !== 429 && status !== 503);
    expect(judged.map(({ text }) => problemIn(text).split('.')[0])).toEqual(
      judged.map(() => 'The code is wrong'),
    );
    expect(judged.length).toBeLessThanOrEqual(10 + steps.length);
    const late = await prove(steps[7]!, appCode(secret, 0, clock));
    expect([late.status, problemIn(late.text)]).toEqual([429, expect.stringMatching(TOO_OFTEN)]);
    // A browser known to the account has a separate limit.
    await ada.post('/sign-out');
    await ada.signIn(email);
    expect((await prove(ada, appCode(secret, 0, clock))).location).toBe('/claims');
  });

  test('an attempt rejected by one limit is not counted by later limits and writes nothing', async () => {
    const eve = site.network();
    const accounts = Array.from({ length: 60 }, (_, at) => `unknown-${at}@example.com`);
    const refused = await Promise.allSettled(
      accounts.map((email) => countAttempt(context, passwordLimits(email, eve, null))),
    );
    expect(refused.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    const before = await throttleRows();
    for (const email of accounts) {
      await expect(countAttempt(context, passwordLimits(`x-${email}`, eve, null))).rejects.toThrow(TOO_OFTEN);
    }
    expect(await throttleRows()).toBe(before);
    // The limit also held for concurrent attempts that passed the read-only check before the limit was reached.
    const { key: networkKey } = counterOf(context.secretBox, passwordLimits('', eve, null)[0]!);
    const points = await context.db.read
      .selectFrom('throttles')
      .select('points')
      .where('key', '=', networkKey)
      .execute();
    expect(points.map((row) => Number(row.points))).toEqual([50]);
  });

  test('concurrent attempts are all counted, even with small clock differences', async () => {
    const limit: Limit = { name: 'at once', attempts: 10, windowMs: 60_000 };
    const attempts = Array.from({ length: 40 }, (_, at) =>
      countAttempt({ ...context, now: () => clock + 40 - at }, [[limit, 'x']]),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  test('a limit resets when its window ends, even if attempts were rejected or the clock ran ahead', async () => {
    const limit: Limit = { name: 'test', attempts: 2, windowMs: 60_000 };
    let aheadMs = 10 * 86_400_000;
    // Doesn't advance with `clock`, which background jobs of the service advance too.
    const startMs = clock;
    const later: Context = { ...context, now: () => startMs + aheadMs };
    const attempt = () => countAttempt(later, [[limit, 'x']]);
    for (const ms of [aheadMs, 0]) {
      aheadMs = ms;
      await attempt();
      await attempt();
      await expect(attempt()).rejects.toThrow('Try again in a minute.');
    }
    aheadMs = 59_999;
    await expect(attempt()).rejects.toThrow(TOO_OFTEN);
    aheadMs += 2;
    const counted = await attempt();
    await context.db.transaction((tx) => refund(tx, counted));
    await attempt();
    await attempt();
    await expect(attempt()).rejects.toThrow(TOO_OFTEN);
  });

  test('the error message gives long waits in hours', async () => {
    const limit: Limit = { name: 'a day', attempts: 1, windowMs: 86_400_000 };
    await countAttempt(context, [[limit, 'x']]);
    await expect(countAttempt(context, [[limit, 'x']])).rejects.toThrow('Try again in 24 hours.');
  });

  test('the sweep deletes expired rows, and rows written by a fast clock, in batches', async () => {
    await sweepSignIn(context);
    const past = new Date(clock - 1_000).toISOString();
    const { accountId, person: ada } = await site.signedIn();
    await context.db.transaction(async (tx) => {
      await tx.deleteFrom('throttles').execute();
      const rows = [
        ...Array.from({ length: 25 }, (_, at) => [`old:${at}`, clock - 1] as const),
        ['ahead', clock + 30 * 86_400_000] as const,
        ['live', clock + 60_000] as const,
      ];
      const throttles = rows.map(([key, expires_ms]) => ({ key, points: 1, expires_ms }));
      await tx.insertInto('throttles').values(throttles).execute();
      const times = { created_at: past, expires_at: past };
      await tx
        .insertInto('sign_in_steps')
        .values({ secret_hash: 'old', account_id: accountId, tries: 0, counted: '[]', ...times })
        .execute();
      await tx
        .insertInto('one_time_codes')
        .values({ code_hash: 'old', purpose: 'sign-in', account_id: accountId, email: null, ...times })
        .execute();
    });
    let transactions = 0;
    const db: Database = {
      ...context.db,
      transaction: (work) => {
        transactions += 1;
        return context.db.transaction(work);
      },
    };
    await sweepSignIn({ ...context, db }, { rowsAPortion: 10 });
    expect(transactions).toBe(5);
    const left = await context.db.read.selectFrom('throttles').select('key').execute();
    expect(left).toEqual([{ key: 'live' }]);
    for (const table of ['sign_in_steps', 'one_time_codes'] as const) {
      const rows = await context.db.read
        .selectFrom(table)
        .selectAll()
        .where('expires_at', '<=', past)
        .execute();
      expect(rows).toEqual([]);
    }
    expect(await ada.isSignedIn()).toBe(true);

    const stopped = new AbortController();
    stopped.abort();
    clock += 120_000;
    await sweepSignIn(context, { signal: stopped.signal });
    expect(await throttleRows()).toBe(1);
  });

  // The queries are the same on both engines, so SQLite is enough.
  if (engine === 'postgres') return;

  test('a correct password resets the attempt counter only if the second factor is correct too', async () => {
    const { email, secret } = await site.withSecondFactor();
    const thief = site.browser();
    for (let tries = 0; tries < 10; tries += 1) expect((await thief.signIn(email)).status).toBe(303);
    expect((await thief.signIn(email)).status).toBe(429);
    const ada = site.browser();
    for (let tries = 0; tries < 12; tries += 1) {
      clock += 30_000;
      await ada.signIn(email);
      expect((await prove(ada, appCode(secret, 0, clock))).status).toBe(303);
      ada.cookies.clear();
    }
  });

  /** Simulates password attempts from each network in turn. Returns how many the limits allowed. */
  const attack = async (email: string, networks: readonly string[], rounds: number): Promise<number> => {
    let judged = 0;
    for (let round = 0; round < rounds; round += 1) {
      for (const from of networks) {
        if (await countIfWithin(context, passwordLimits(email, from, null))) judged += 1;
      }
    }
    return judged;
  };
  /** Sets the counters to their limits. */
  const reach = (counted: readonly Charge[]) =>
    context.db.transaction(async (tx) => {
      for (const entry of counted) {
        const { key, attempts, windowMs } = counterOf(context.secretBox, entry);
        const row = { key, points: attempts, expires_ms: clock + windowMs };
        await tx
          .insertInto('throttles')
          .values(row)
          .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
          .execute();
      }
    });

  test('an attack from many networks does not lock the account holder out of any browser', async () => {
    const { email, person: ada } = await site.signedIn();
    const eve = await site.signedIn();
    const networks = Array.from({ length: 12 }, () => site.network());
    // The account reaches its limit in the ninth round. After that, each network may make three more attempts. These
    // attempts are enough for each network to reach its limit of ten.
    expect(await attack(email, networks, 12)).toBe(12 * 10);
    expect((await browserFrom(networks[0]!).signIn(email)).status).toBe(429);
    // During the attack, the account holder mistypes twice in an unknown browser.
    const elsewhere = site.browser();
    expect((await elsewhere.signIn(email, OTHER_PASSWORD)).status).toBe(422);
    expect((await elsewhere.signIn(email, OTHER_PASSWORD)).status).toBe(422);
    expect((await elsewhere.signIn(email)).status).toBe(303);
    // A /48 gets no more of these extra attempts than a single address.
    expect(await attack(email, ['2001:db8:5:100::1', '2001:db8:5:f00::1', '2001:db8:5::1'], 2)).toBe(3);
    // A browser known to another account is unknown to this account.
    for (let tries = 0; tries < 3; tries += 1) await eve.person.signIn(email, OTHER_PASSWORD);
    expect((await eve.person.signIn(email)).status).toBe(429);
    await ada.post('/sign-out');
    expect((await ada.signIn(email)).status).toBe(303);
    await ada.post('/sign-out');
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await ada.signIn(email, OTHER_PASSWORD)).status).toBe(422);
    }
    expect((await ada.signIn(email)).status).toBe(429);
  });

  test('a password reset by mail lets the account holder in even if all limits are reached', async () => {
    const { email } = await site.signedIn();
    const refusal = async (address: string) => {
      const who = site.browser();
      const [limit, subject, beyond = []] = passwordLimits(address, null, null).at(-1)!;
      await reach([[limit, subject], ...beyond]);
      const { status, text } = await who.signIn(address);
      return [status, problemIn(text)];
    };
    const refused = await refusal(email);
    expect(refused).toEqual([429, expect.stringMatching(/Too many attempts.* or set a new password now/)]);
    expect(await refusal('nobody@example.com')).toEqual(refused);

    const ada = site.browser();
    await ada.post('/forgot-password', { email });
    const code = await codeInOutbox(context, email);
    await ada.post('/reset-password', { code, password: OTHER_PASSWORD });
    expect((await ada.signIn(email, OTHER_PASSWORD)).status).toBe(303);
  });

  test('guessing codes with a stolen password does not lock the account holder out', async () => {
    const { accountId, email, secret, backupCodes } = await site.withSecondFactor();
    const eve = site.network();
    const at = (minutes: number): Context => ({ ...context, now: () => clock + minutes * 60_000 });
    let judged = 0;
    for (let tries = 0; tries < 60; tries += 1) {
      const later = at(16 * Math.floor(tries / 10));
      if (await countIfWithin(later, factorLimits(accountId, eve, null))) judged += 1;
    }
    expect(judged).toBe(27);
    clock += 96 * 60_000;
    const ada = site.browser();
    expect((await ada.signIn(email)).location).toMatch(/second-factor/);
    expect((await prove(ada, appCode(secret, 0, clock))).location).toBe('/claims');
    for (let networks = 0; networks < 12; networks += 1) {
      await countIfWithin(context, factorLimits(accountId, site.network(), null));
    }
    const other = site.browser();
    await other.signIn(email);
    expect((await prove(other, appCode(secret, 0, clock))).status).toBe(429);
    expect((await prove(other, backupCodes[0]!)).location).toBe('/claims');
    await expect(countAttempt(at(20), factorLimits(accountId, site.network(), null))).rejects.toThrow(
      TOO_OFTEN,
    );
    // The refusal is a delay of at most two hours.
    await countAttempt(at(60), factorLimits(accountId, site.network(), null));
  });

  test('a forged device cookie does not make a browser known to the account', async () => {
    const { email, person: ada } = await site.signedIn();
    const eve = site.network();
    for (let tries = 0; tries < 10; tries += 1) await countAttempt(context, passwordLimits(email, eve, null));
    const value = ada.cookies.get('claimcheck.device')!;
    const otherNonce = `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`;
    const otherTag = `${value.slice(0, -2)}${value.endsWith('AA') ? 'BA' : 'AA'}`;
    for (const forged of ['', 'x', '.', otherNonce, otherTag, value.slice(0, -1)]) {
      const thief = browserFrom(eve);
      thief.cookies.set('claimcheck.device', forged);
      expect((await thief.signIn(email)).status).toBe(429);
    }
  });

  test('counter keys are keyed hashes, so they do not reveal addresses', () => {
    const counted: Charge = [SIGNED_IN_BY_PERSON, '198.51.100.7'];
    const { key } = counterOf(context.secretBox, counted);
    expect(key).not.toContain(createHash('sha256').update('198.51.100.7').digest('base64url'));
    const other = createSecretBox(['another secret key that is long enough too'], context.random);
    expect([counterOf(context.secretBox, counted).key, counterOf(other, counted).key === key]).toEqual([
      key,
      false,
    ]);
  });

  test('correct passwords have a high limit, and rejections are written to the security log', async () => {
    const { email, accountId } = await site.signedIn();
    const lines: unknown[] = [];
    const services = signInServices(site, (event, details) => lines.push([event, details]));
    const network = site.network();
    const refused = (address: string, password: string) =>
      expect(signIn(services, { email: address, password, caller: callerFrom(network) })).rejects;
    await refused(email, OTHER_PASSWORD).toThrow('is wrong');
    await refused('unknown@example.com', OTHER_PASSWORD).toThrow('is wrong');
    for (let tries = 0; tries < 99; tries += 1) {
      await countAttempt(context, [[SIGNED_IN_BY_PERSON, accountId]]);
    }
    expect((await site.browser().signIn(email)).status).toBe(303);
    await refused(email, PASSWORD).toThrow(TOO_OFTEN);
    await services.background.drained();
    expect(lines).toEqual([
      ['sign_in_failed', { network, accountId }],
      ['sign_in_failed', { network }],
      ['throttled', { network, accountId }],
    ]);
  });

  test('changes by an account are rate limited, except ending sessions and signing out', async () => {
    const { accountId, person: ada } = await site.signedIn();
    const bob = await site.signedIn();
    const name = (who: Person) => who.post('/account/name', { name: 'Ada' });
    for (const limit of [CHANGES_A_DAY, CHANGES_AN_HOUR]) {
      expect((await name(ada)).location).toBe('/account?done=name');
      await reach([[limit, accountId]]);
      const refused = await name(ada);
      expect([refused.status, refused.text]).toEqual([
        429,
        expect.stringMatching(/has made [\d,]+ changes within .* Nothing was changed\./),
      ]);
      const { key } = counterOf(context.secretBox, [limit, accountId]);
      await context.db.transaction((tx) => refund(tx, [key]));
    }
    await reach([[CHANGES_AN_HOUR, accountId]]);
    const forms = ['/dashboard/listings/new', '/dashboard/settings/keys', '/dashboard/webhooks'];
    const edits = ['check', 'preview', 'slug'].map((slug) => `/dashboard/listings/${slug}`);
    for (const path of [...forms, ...edits, '/account/two-factor', '/account/passkeys/options']) {
      expect([path, (await ada.post(path)).status]).toEqual([path, 429]);
    }
    // Previews and checks, which scripts request while a person types, are not limited.
    expect((await ada.post('/dashboard/listings/new/preview')).status).toBe(200);
    for (const path of ['listings/shop/preview', 'listings/shop/offers/new/check', 'offers/none/check']) {
      expect((await ada.post(`/dashboard/${path}`)).status).toBe(404);
    }
    expect((await name(bob.person)).status).toBe(303);
    expect((await ada.post('/account/sessions/end')).status).toBe(303);
    expect((await ada.post('/sign-out')).status).toBe(303);
  });

  test(`an account has at most ${MAX_SESSIONS} sessions, and the next sign-in revokes the oldest`, async () => {
    const { email, accountId, person: ada } = await site.signedIn();
    const elsewhere = site.browser();
    await elsewhere.signIn(email);
    const session = { accountId, factors: 1, caller: callerFrom(null) } as const;
    const start = () => signInProven(signInServices(site), session);
    for (let sessions = 2; sessions < MAX_SESSIONS; sessions += 1) await start();
    expect(await ada.isSignedIn()).toBe(true);
    await start();
    expect([await ada.isSignedIn(), await elsewhere.isSignedIn()]).toEqual([false, true]);
    expect(await listSessions(context.db.read, accountId, clock)).toHaveLength(MAX_SESSIONS);
  });
});
