/** A clock that was a year ahead, or behind, for some hours: nothing is deleted, and nothing waits for a year. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  examineClock,
  forDeletions,
  isClockTrusted,
  moveDeletionClock,
} from '../../../src/background/system/clock.ts';
import { createEndpoint } from '../../../src/background/webhooks/endpoints.ts';
import type { Context } from '../../../src/base/context.ts';
import { planDeletion } from '../../../src/people/accounts/edit.ts';
import { putTwoFactor, takeStep } from '../../../src/people/sign-in/credentials/queries.ts';
import { isFreshProof } from '../../../src/people/sign-in/sessions/sessions.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/platform/text/durations.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import { ENGINES } from '../../support/engines.ts';
import { inEnglish } from '../../support/english.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { Person, signedInAs } from '../../support/person.ts';
import { localOutgoing } from '../../support/receiver.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts';

const YEAR_MS = 366 * DAY_MS;

describe.each(ENGINES)('a clock that jumps, on %s', (engine) => {
  let site: OwnSite;
  let sink: SmtpSink;
  let owner: Owner;
  const startMs = Date.now();
  let shiftMs = 0;
  /** Stands still between two passes, however long they take, so that jobs find the same work due on any machine. */
  const now = () => startMs + shiftMs;

  beforeAll(async () => {
    sink = await startSmtpSink();
    const env = { SMTP_URL: sink.url, MAIL_FROM: 'claims@claims.example', EVENT_LOG_MONTHS: '6' };
    site = await openSite(engine, env, now);
    owner = await createOwner(site.context);
  });
  afterAll(async () => {
    await site?.close();
    await sink?.close();
  });

  const runJobs = async () => {
    for (const job of site.jobs.jobs) await site.jobs.runIfDue(job);
  };
  const passTo = async (ms: number) => {
    shiftMs = ms;
    await runJobs();
  };
  /** As if the service had run until then. */
  const settle = async (context: Pick<Context, 'db' | 'now'> = site.context) => {
    while (!(await isClockTrusted(context))) await moveDeletionClock(context);
  };
  const db = () => site.context.db.read;
  const clock = async () => (await examineClock(site.context.db, site.context.now()))[0]!;
  const idsOf = async (table: 'accounts' | 'sessions') =>
    (await db().selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
  const due = async () => ({
    mails: await db().selectFrom('mails').select(['next_at', 'attempts']).execute(),
    deliveries: await db().selectFrom('deliveries').select(['next_at', 'attempts']).execute(),
  });
  const latest = async () => {
    const { mails, deliveries } = await due();
    const jobs = await db().selectFrom('jobs').select(['started_at', 'leased_until']).execute();
    return Math.max(
      ...[...mails, ...deliveries].map(({ next_at }) => (next_at === null ? 0 : Date.parse(next_at))),
      ...jobs.flatMap(({ started_at, leased_until }) =>
        [started_at, leased_until ?? started_at].map(Date.parse),
      ),
    );
  };
  const events = async () =>
    Number(
      (
        await db()
          .selectFrom('events')
          .select(({ fn }) => fn.countAll().as('events'))
          .executeTakeFirstOrThrow()
      ).events,
    );
  const signInMail = (email: string) => new Person(site.baseUrl).post('/sign-in', { email });

  test('ahead by a year for an hour deletes nothing, and afterwards all work goes on', async () => {
    await passTo(0);
    const ada = await signedInAs(site, { email: 'ada@example.com' });
    const leaver = await signedInAs(site, { email: 'leaver@example.com' });
    const notice = null;
    await planDeletion(site.context, { account: leaver.accountId, actor: 'operator', notice });
    const outgoing = localOutgoing();
    await createEndpoint(site.context, outgoing, {
      accountId: owner.accountId,
      actor: `account:${owner.accountId}`,
      url: 'http://127.0.0.1:9009/hooks',
      eventTypes: ['claim.created'],
    });
    await outgoing.close();
    await passTo(MINUTE_MS);
    const [accounts, sessions, eventsBefore] = [
      await idsOf('accounts'),
      await idsOf('sessions'),
      await events(),
    ];

    sink.script = () => '451 4.3.0 Try later';
    await passTo(YEAR_MS);
    const bo = await signedInAs(site, { email: 'bo@example.com' });
    await signInMail('cleo@example.com');
    await issueTokens(site.context, owner, 1);
    for (const pass of [2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS]) await passTo(YEAR_MS + pass);
    expect(await latest()).toBeGreaterThan(startMs + YEAR_MS);
    expect(await idsOf('accounts')).toEqual(expect.arrayContaining(accounts));
    expect(await idsOf('sessions')).toEqual(expect.arrayContaining(sessions));
    expect(await events()).toBeGreaterThanOrEqual(eventsBefore);

    sink.script = null;
    shiftMs = 2 * HOUR_MS;
    expect(inEnglish(await clock())).toMatchObject({
      ok: false,
      detail: expect.stringContaining('in the future'),
    });
    await runJobs();
    expect(await latest()).toBeLessThan(site.context.now() + HOUR_MS);
    expect((await ada.person.get('/account')).status).toBe(200);
    const uses = await db().selectFrom('account_uses').select('last_used_at').execute();
    for (const { last_used_at } of uses) {
      expect(Date.parse(last_used_at)).toBeLessThan(site.context.now() + 2 * DAY_MS);
    }
    const attempts = async () => (await due()).deliveries.map((one) => one.attempts);
    const [before] = await attempts();
    for (const pass of [HOUR_MS, 2 * HOUR_MS]) await passTo(2 * HOUR_MS + pass);
    expect((await attempts())[0]).toBeGreaterThan(before!);
    // Sessions of the wrong clock would last for a year too long.
    expect(await idsOf('sessions')).not.toContain(bo.sessionId);
    await signInMail('cleo@example.com');
    expect(await sink.mailTo('cleo@example.com')).toContain('claims@claims.example');
    await issueTokens(site.context, owner, 1);
    await passTo(5 * HOUR_MS);
    expect(await clock()).toMatchObject({ ok: true });
    // Deletions go on too.
    for (let day = 1; day <= 9; day += 1) await passTo(5 * HOUR_MS + day * DAY_MS);
    const { deleted_at } = await db()
      .selectFrom('accounts')
      .select('deleted_at')
      .where('id', '=', leaver.accountId)
      .executeTakeFirstOrThrow();
    expect(deleted_at).not.toBeNull();
  });

  test('ahead by hours leaves no code that is valid for hours', async () => {
    const dayMs = 12 * DAY_MS;
    await passTo(dayMs);
    await passTo(dayMs + 6 * HOUR_MS);
    await signInMail('eve@example.com');
    const valid = async () => {
      const query = db().selectFrom('email_sign_ins').select('email').where('email', '=', 'eve@example.com');
      return await query.where('expires_at', '>', toIso(site.context.now())).execute();
    };
    expect(await valid()).toHaveLength(1);
    shiftMs = dayMs + MINUTE_MS;
    expect(await valid()).toHaveLength(1);
    await runJobs();
    expect(await valid()).toEqual([]);
  });

  test('behind by a year deletes no sessions, and jobs run then and afterwards', async () => {
    await passTo(20 * DAY_MS);
    await settle();
    const ada = await signedInAs(site, { email: 'ada2@example.com' });
    const started = async () =>
      new Set((await db().selectFrom('jobs').select('started_at').execute()).map((job) => job.started_at));
    await passTo(-YEAR_MS);
    await passTo(HOUR_MS - YEAR_MS);
    for (const at of await started()) expect(Date.parse(at)).toBeLessThan(site.context.now() + MINUTE_MS);
    await passTo(20 * DAY_MS + 2 * HOUR_MS);
    expect((await ada.person.get('/account')).status).toBe(200);
    expect(Math.max(...[...(await started())].map(Date.parse))).toBeGreaterThan(
      site.context.now() - MINUTE_MS,
    );
  });

  test('a time in the future neither confirms an identity nor disables the codes of an authenticator app', async () => {
    const { accountId } = await signedInAs(site, { email: 'dora@example.com' });
    const now = site.context.now();
    const isFresh = (ms: number) => isFreshProof({ provenAt: toIso(ms) }, now);
    expect([now, now - MINUTE_MS, now + YEAR_MS].map(isFresh)).toEqual([true, true, false]);
    const step = Math.floor(now / 30_000);
    await site.context.db.transaction(async (tx) => {
      await putTwoFactor(tx, accountId, 'secret');
      expect(await takeStep(tx, accountId, step + YEAR_MS / 30_000)).toBe(true);
      expect(await takeStep(tx, accountId, step)).toBe(true);
      expect(await takeStep(tx, accountId, step)).toBe(false);
      expect(await takeStep(tx, accountId, step - 1)).toBe(false);
    });
  });

  test('deletions trust a clock that jumped ahead by at most a day an hour', async () => {
    await settle();
    const start = site.context.now();
    let nowMs = start;
    const context = { ...site.context, now: () => nowMs };
    await moveDeletionClock(context);
    const trusted = async () => (await forDeletions(context)).context.now();
    expect(await trusted()).toBe(start);
    nowMs += YEAR_MS;
    expect(await isClockTrusted(context)).toBe(false);
    expect(await trusted()).toBe(start + 2 * HOUR_MS);
    await moveDeletionClock(context);
    expect(await trusted()).toBe(start + DAY_MS + 2 * HOUR_MS);
    // Control: without the deletion clock, the sweep would delete all events.
    const old = (await forDeletions(context)).context;
    expect(toIso(old.now() - 180 * DAY_MS) < toIso(start)).toBe(true);
    nowMs = start;
    await moveDeletionClock(context);
    expect(await trusted()).toBe(start);
    expect(await isClockTrusted(context)).toBe(true);
  });
});
