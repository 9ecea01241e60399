/** Retention settings: the preview, the job that applies them, and the settings page. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eraseDueAccounts } from '../../../src/background/personal-data/erase.ts';
import {
  applyRetention,
  DEFAULT_RETENTION,
  previewRetention,
  type Retention,
  readRetention,
  retentionNeedsWork,
  setRetention,
} from '../../../src/background/personal-data/retention.ts';
import type { Context } from '../../../src/base/context.ts';
import { appendEvent } from '../../../src/base/events/queries.ts';
import { findAccount } from '../../../src/people/accounts/queries.ts';
import type { Mail } from '../../../src/people/mail/mail.ts';
import { signInProven } from '../../../src/people/sign-in/sign-in.ts';
import { sweepSignIn } from '../../../src/people/sign-in/sweep.ts';
import { DAY_MS } from '../../../src/platform/text/durations.ts';
import {
  type AccountSite,
  openAccountSite,
  problemIn,
  queueMail,
  unescaped,
} from '../../people/sign-in/support.ts';
import { CHROMIUM, createVisitor, pageFindings, press } from '../../support/browser.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner } from '../../support/marketplace.ts';
import { type SignedIn, signInServices } from '../../support/person.ts';

describe.each(ENGINES)('retention on %s', (engine) => {
  let site: AccountSite;
  let context: Context;
  let olga: SignedIn;
  beforeAll(async () => {
    site = await openAccountSite(engine);
    context = site.context;
    olga = await site.signedIn({ operator: true });
  });
  afterAll(() => site?.close());

  const set = (changed: Partial<Retention>) =>
    setRetention(context, {
      retention: { ...DEFAULT_RETENTION, ...changed },
      operatorId: olga.accountId,
      actor: `account:${olga.accountId}`,
    });
  const later = (days: number): Context => ({ ...context, now: () => Date.now() + days * DAY_MS });
  const apply = async (at: Context) => {
    const mails: Mail[] = [];
    const mailer = { keep: async (_: unknown, mail: Mail) => void mails.push(mail), start: () => {} };
    await applyRetention(at, {
      signal: new AbortController().signal,
      notice: { mailer, baseUrl: 'https://claims.example' },
    });
    return mails;
  };
  /** Deletes all sessions. */
  const endSessions = () => context.db.transaction((tx) => tx.deleteFrom('sessions').execute());
  const planned = async ({ accountId }: SignedIn) =>
    (await findAccount(context.db.read, accountId)).delete_reason;

  test('deletes no accounts and no sign-in IP addresses by default, and logs changes by operators', async () => {
    expect(await readRetention(context.db.read)).toEqual({
      unusedMonths: null,
      mailDays: 7,
      signInDays: null,
    });
    expect(await retentionNeedsWork(context)).toBe(false);
    const ada = await site.signedIn();
    for (const path of ['/desk/settings/retention', '/desk/settings/retention/preview']) {
      expect((await ada.person.post(path, { mailDays: '7' })).status).toBe(404);
      const wrong = await olga.person.post(path, { unusedMonths: '5', mailDays: '1', signInDays: 'x' });
      expect(wrong.status).toBe(422);
      for (const words of ['from 6 to 120', 'from 2 to 90', 'from 7 to 3,650']) {
        expect(unescaped(wrong.text)).toContain(words);
      }
      expect(problemIn(wrong.text)).toContain('whole number');
    }
    const values = { unusedMonths: '24', mailDays: '14', signInDays: '90' };
    const preview = await olga.person.post('/desk/settings/retention/preview', values);
    expect(preview.text).toContain('Nothing has been saved or deleted yet.');
    expect((await readRetention(context.db.read)).unusedMonths).toBeNull();
    const saved = await olga.person.post('/desk/settings/retention', values);
    expect(saved.location).toBe('/desk/settings/retention?done');
    expect(await readRetention(context.db.read)).toEqual({ unusedMonths: 24, mailDays: 14, signInDays: 90 });
    expect(unescaped((await olga.person.get('/desk/events?type=all')).text)).toContain(
      'Months until an unused account is deleted: 24 (was not set)',
    );
    const page = (await olga.person.get('/desk/settings/retention')).text;
    for (const words of ['REQUEST_LOG_DAYS', 'EVENT_LOG_MONTHS', 'newest 20,000 calls'])
      expect(page).toContain(words);
    await set({});
  });

  test('deletes unused accounts a week after a warning by mail unless the person signs in', async () => {
    const [unused, back] = [await site.signedIn(), await site.signedIn()];
    const owner = await createOwner(context);
    await endSessions();
    const recent = await site.signedIn();
    const after = later(8 * 31);
    await set({ unusedMonths: 8 });
    const seen = await previewRetention(after, await readRetention(context.db.read));
    // An account that has a session counts as used.
    const emails = seen.examples.map(({ email }) => email);
    expect(emails).toEqual(expect.arrayContaining([unused.email, back.email]));
    for (const kept of [recent.email, olga.email]) expect(emails).not.toContain(kept);
    expect(await planned(unused)).toBeNull();
    const mails = await apply(after);
    expect(mails.map(({ to }) => to).sort()).toEqual([...emails].sort());
    expect(JSON.stringify(mails[0]!.letter)).toContain('To keep it, sign in before then.');
    // A second run schedules no deletions and sends no mail.
    expect(await apply(after)).toEqual([]);
    expect([await planned(unused), await planned(recent)]).toEqual(['unused', null]);
    expect((await findAccount(context.db.read, owner.accountId)).delete_at).toBeNull();
    await signInProven(signInServices({ context: after, baseUrl: site.baseUrl }), {
      accountId: back.accountId,
      factors: 1,
      caller: { cookie: '', userAgent: '', address: null },
    });
    expect(await planned(back)).toBeNull();
    await eraseDueAccounts(later(8 * 31 + 8));
    expect((await findAccount(context.db.read, unused.accountId)).deleted_at).not.toBeNull();
    expect((await findAccount(context.db.read, back.accountId)).deleted_at).toBeNull();
    await set({});
  });

  test('deletes unsent mail after the configured number of days', async () => {
    const id = await queueMail(context, 'nobody@example.com', 'A notice.');
    const has = async () =>
      (await context.db.read.selectFrom('mails').select('id').where('id', '=', id).execute()).length === 1;
    const preview = async (days: number) =>
      (await previewRetention(later(20), { ...DEFAULT_RETENTION, mailDays: days })).mails > 0;
    expect([await preview(30), await preview(14)]).toEqual([false, true]);
    await sweepSignIn(later(20), { mailKeptMs: 30 * DAY_MS });
    expect(await has()).toBe(true);
    await sweepSignIn(later(20), { mailKeptMs: 14 * DAY_MS });
    expect(await has()).toBe(false);
  });

  test('removes IP addresses from old events and keeps the events', async () => {
    const ada = await site.signedIn();
    const bo = await site.signedIn();
    // Simulates an event that was written while the clock was wrong. Events with a future date are treated as old.
    await context.db.transaction((tx) =>
      appendEvent(tx, {
        accountId: bo.accountId,
        type: 'session.sign_in_refused',
        at: '2099-01-01T00:00:00.000Z',
        actor: 'unknown',
        subjectId: bo.accountId,
        data: { failure: 'password', network: '198.51.100.9/32' },
      }),
    );
    const origin = 'https://shop.example';
    await context.db.transaction((tx) =>
      appendEvent(tx, {
        accountId: bo.accountId,
        type: 'key.seen_in_browser',
        at: context.at(),
        actor: 'service',
        subjectId: bo.accountId,
        data: { origin, ip: '198.51.100.9', request_id: 'r' },
      }),
    );
    const young = await site.signedIn();
    const dataOf = async ({ accountId }: SignedIn, types = 'session.%') => {
      const rows = await context.db.read
        .selectFrom('events')
        .select('data')
        .where('account_id', '=', accountId)
        .where('type', 'like', types)
        .orderBy('seq')
        .execute();
      return rows.map(({ data }) => JSON.parse(data));
    };
    const ip = ada.person.headers['X-Forwarded-For'];
    expect(await dataOf(ada)).toEqual([{ ip }]);
    await set({ signInDays: 30 });
    expect(await apply(later(29))).toEqual([]);
    expect(await dataOf(ada)).toEqual([{ ip }]);
    await context.db.transaction((tx) =>
      tx
        .updateTable('event_rows')
        .set({ at: new Date(Date.now() + 20 * DAY_MS).toISOString() })
        .where('subject_id', '=', young.sessionId)
        .execute(),
    );
    const preview = await previewRetention(later(31), await readRetention(context.db.read));
    expect(preview.signIns).toBeGreaterThanOrEqual(3);
    await apply(later(31));
    expect(await dataOf(ada)).toEqual([{}]);
    expect(await dataOf(bo)).toEqual([{}, { failure: 'password' }]);
    expect(await dataOf(bo, 'key.%')).toEqual([{ origin, request_id: 'r' }]);
    expect((await dataOf(young))[0].ip).toBeDefined();
    expect((await previewRetention(later(31), await readRetention(context.db.read))).signIns).toBe(0);
    // The next run finds nothing to change and opens no transaction.
    const write = vi.spyOn(context.db, 'transaction');
    await apply(later(31));
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
    await set({});
  });

  test.skipIf(CHROMIUM === null || engine !== 'sqlite')(
    'can be previewed and configured on the settings page',
    async () => {
      const operator = await site.signedIn({ operator: true });
      for (const _ of [1, 2]) await site.signedIn();
      await context.db.transaction(async (tx) => {
        await tx.deleteFrom('sessions').where('account_id', '<>', operator.accountId).execute();
        await tx.updateTable('accounts').set({ created_at: '2024-01-02T10:00:00.000Z' }).execute();
        await tx.updateTable('account_uses').set({ last_used_at: '2024-05-06T10:00:00.000Z' }).execute();
      });
      const visitor = createVisitor(site.baseUrl);
      await visitor.visit(
        '/desk/settings/people',
        async (page, faults) => {
          await page.getByRole('link', { name: 'Retention' }).click();
          await page.getByLabel('Delete inactive accounts after').fill('12');
          await page.getByLabel('Keep sign-in IP addresses').fill('90');
          await press(page, page.getByRole('button', { name: 'Preview deletions' }));
          await page.getByText('Nothing has been saved or deleted yet.').waitFor();
          expect(await pageFindings(page, 'desk-retention-preview')).toEqual([]);
          await page.getByLabel('Keep mail in the Outbox').fill('0');
          await press(page, page.getByRole('button', { name: 'Save settings' }));
          await page
            .getByRole('alert')
            .getByText('“Keep mail in the Outbox for” must be a whole number from 2 to 90.')
            .waitFor();
          await page.getByLabel('Keep mail in the Outbox').fill('10');
          await press(page, page.getByRole('button', { name: 'Save settings' }));
          await page.getByText('The settings are saved.').waitFor();
          expect(faults.filter((fault) => !/Failed to load resource/.test(fault))).toEqual([]);
        },
        true,
        operator.person.profileCookies(site.baseUrl),
      );
      await visitor.close();
      expect(await readRetention(context.db.read)).toEqual({
        unusedMonths: 12,
        mailDays: 10,
        signInDays: 90,
      });
    },
  );
});
