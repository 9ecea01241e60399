/** The Outbox deletes the text of a mail when the code in the mail stops working. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailPreviews } from '../../../../src/pages/desk/outbox/previews.ts';
import { insertMails, listOutbox, openLetter, sealLetter } from '../../../../src/people/mail/queries.ts';
import { recordRefusal } from '../../../../src/people/mail/refusal-queries.ts';
import { deleteCodesOf } from '../../../../src/people/sign-in/codes/queries.ts';
import { sweepSignIn } from '../../../../src/people/sign-in/sweep.ts';
import { ENGINES } from '../../../support/engines.ts';
import { OTHER_PASSWORD, type Person } from '../../../support/person.ts';
import { type AccountSite, codeInOutbox, openAccountSite } from '../support.ts';

const EMAIL = 'ada@example.com';
const HOUR_MS = 60 * 60 * 1_000;

describe.each(ENGINES)('the Outbox on %s', (engine) => {
  let site: AccountSite;
  let ada: Person;
  beforeAll(async () => {
    site = await openAccountSite(engine);
    ada = (await site.signedIn({ email: EMAIL })).person;
  });
  afterAll(() => site?.close());

  const bodies = async () => {
    const mails = await site.context.db.read
      .selectFrom('mails')
      .select(['id', 'body'])
      .orderBy('id', 'desc')
      .execute();
    return mails.map((mail) =>
      JSON.stringify(openLetter(site.context.secretBox, mail)?.letter ?? '').replace('""', ''),
    );
  };
  const listed = (now: number) =>
    listOutbox(site.context.db.read, site.context.secretBox, new Date(now).toISOString());
  const shown = async (now: number) => (await listed(now)).map(({ text }) => text);
  async function newLink(): Promise<string> {
    const before = (await bodies()).length;
    await ada.post('/forgot-password', { email: EMAIL });
    while ((await bodies()).length === before) await new Promise((resolve) => setTimeout(resolve, 5));
    return codeInOutbox(site.context, EMAIL);
  }

  test('deletes the text of a mail once its code is replaced, used or expired', async () => {
    await newLink();
    const code = await newLink();
    expect(await bodies()).toEqual([expect.stringContaining(code), '']);
    expect((await ada.post('/reset-password', { code, password: OTHER_PASSWORD })).status).toBe(303);
    expect(await bodies()).toEqual(['', '']);

    const last = await newLink();
    const now = site.context.now();
    expect(await shown(now)).toEqual([expect.stringContaining(last), '', '']);
    expect(await shown(now + HOUR_MS)).toEqual(['', '', '']);
    await sweepSignIn({ ...site.context, now: () => now });
    expect((await bodies())[0]).toContain(last);
    await sweepSignIn({ ...site.context, now: () => now + HOUR_MS });
    expect(await bodies()).toEqual(['', '', '']);
    const [mail] = await listed(now);
    expect(mail).toMatchObject({ recipient: EMAIL, subject: 'Set a new password' });
  });

  test('deletes the text of a mail with its code or in batches, but keeps the text of a mail without a code', async () => {
    const { db } = site.context;
    await db.transaction(async (tx) => {
      await tx.deleteFrom('mails').execute();
      const mail = { recipient: EMAIL, subject: 'S', created_at: site.context.at(), next_at: null };
      for (let n = 0; n < 5; n++) {
        const id = `01890a5d-ac96-774b-bcce-00000000000${n}`;
        const body = sealLetter(site.context.secretBox, id, { letter: ['text'] });
        await insertMails(tx, [{ ...mail, id, body, code_hash: n === 0 ? null : `gone-${n}` }]);
      }
    });
    await db.transaction((tx) => deleteCodesOf(tx, ['gone-4']));
    expect(await bodies()).toEqual(['', ...Array(4).fill('["text"]')]);
    await sweepSignIn(site.context, { rowsAPortion: 2 });
    expect(await bodies()).toEqual(['', '', '', '', '["text"]']);
  });

  // The next test does not depend on the engine, so SQLite is enough.
  if (engine === 'postgres') return;

  test('an operator who resumes mail to a refused address leaves one event in the audit log', async () => {
    const { context } = site;
    const { email, accountId } = await site.signedIn();
    const { person: olga, accountId: operator } = await site.signedIn({ operator: true });
    await context.db.transaction((tx) =>
      recordRefusal(tx, { email, at: context.at(), sentence: 'Refused.' }),
    );
    const clear = () => olga.post(`/desk/outbox/refused/${accountId}/clear`);
    for (const { status } of [await clear(), await clear()]) expect(status).toBe(303);
    const events = context.db.read.selectFrom('events').select('actor').where('account_id', '=', accountId);
    expect(await events.where('type', '=', 'account.mail_resumed').execute()).toEqual([
      { actor: `account:${operator}` },
    ]);
  });

  test('mails contain no broken links', async () => {
    const { person } = await site.signedIn({ operator: true });
    const paths = mailPreviews(site.baseUrl, site.context.marketplace)
      .flatMap(({ letter }) =>
        letter.flatMap((part) => (typeof part === 'object' && 'href' in part ? part.href : [])),
      )
      .map((href) => new URL(href).pathname)
      // Skips what doesn't exist in the previews: claims, listings and people on waiting lists.
      .filter((path) => !/[0-9a-f]{8}-|^\/l\/|\/example$/.test(path));
    expect(paths).toContain('/dashboard/settings/keys');
    for (const path of new Set(paths)) expect([path, (await person.get(path)).status]).not.toContain(404);
  });
});
