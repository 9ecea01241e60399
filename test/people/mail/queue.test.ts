/** Queued mail is retried if the server defers it or a process dies, and is sent only once. */
import { describe, expect, test } from 'vitest';
import { examineMailDelivery } from '../../../src/background/system/mail-checks.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { createMailServer } from '../../../src/people/mail/check-server.ts';
import { listDueMails, listOutbox } from '../../../src/people/mail/queries.ts';
import { listRefused, recordRefusal } from '../../../src/people/mail/refusal-queries.ts';
import { issueCode } from '../../../src/people/sign-in/codes/queries.ts';
import { sweepSignIn } from '../../../src/people/sign-in/sweep.ts';
import { toIso } from '../../../src/platform/text/time-text.ts';
import { ENGINES } from '../../support/engines.ts';
import { inEnglish } from '../../support/english.ts';
import { shareDatabase } from '../../support/shared.ts';
import { allTexts } from '../../support/tables.ts';
import { HOUR_MS, MAIL, SECOND_MS, shareMailQueue } from './support.ts';

describe.each(ENGINES)('queued mail on %s', (engine) => {
  const database = shareDatabase(engine);
  const queue = shareMailQueue(database);
  const { context, failures, keep, newMailer, pass, rows, run } = queue;

  /** Creates accounts and returns their addresses. */
  const people = (...names: readonly string[]) =>
    Promise.all(
      names.map(async (name) => {
        const email = `${name}@example.com`;
        await createAccount(database.context, { email, name, actor: 'operator' });
        return email;
      }),
    );

  test('with a code is sent before other mail that has been due longer', async () => {
    const mailer = newMailer();
    for (const to of ['ann@example.com', 'bob@example.com']) await keep(mailer, { ...MAIL, to });
    pass(SECOND_MS);
    const subject = { purpose: 'sign-in', accountId: null } as const;
    const code = await database.db.transaction((tx) => issueCode(tx, context, subject));
    await keep(mailer, { ...MAIL, to: 'cora@example.com', code });
    const due = await listDueMails(database.db.read, context.at(), 1);
    const codes = (await rows()).filter(({ code_hash }) => code_hash !== null);
    expect(due.map(({ id }) => id)).toEqual(codes.map(({ id }) => id));
    await run(mailer);
    expect(await rows()).toEqual([]);
  });

  test('is retried after a 451 response, and deleted once the server accepts it', async () => {
    const mailer = newMailer();
    await keep(mailer);
    queue.smtp.script = (line) =>
      line.startsWith('RCPT') ? '451 4.7.1 Try later, ada@example.com' : undefined;
    await run(mailer);
    expect(queue.smtp.mails).toEqual([]);
    expect(await rows()).toMatchObject([{ attempts: 1, failure: 'The mail server answered 451 4.7.1.' }]);
    expect(failures).toMatchObject([{ attempts: 1, isLast: false }]);

    queue.smtp.script = null;
    await run(mailer);
    expect(queue.smtp.mails).toEqual([]);
    pass(10 * SECOND_MS);
    expect(await mailer.isDue()).toBe(true);
    await run(mailer);
    expect(queue.smtp.mails).toHaveLength(1);
    expect(await rows()).toEqual([]);
  });

  test('is not retried after a permanent failure, and the Outbox shows the reason', async () => {
    const mailer = newMailer();
    await keep(mailer);
    queue.smtp.script = (line) => (line.startsWith('RCPT') ? '550 5.1.1 No such user' : undefined);
    await run(mailer);
    pass(24 * HOUR_MS);
    await run(mailer);
    expect(failures).toMatchObject([{ attempts: 1, isLast: true }]);
    const [shown] = await listOutbox(database.db.read, database.context.secretBox, context.at());
    expect(shown).toMatchObject({
      text: 'Something happened.\n',
      failure: 'The mail server answered 550 5.1.1: the mailbox does not exist or accepts no mail.',
    });
    const [check] = await examineMailDelivery(database.db, createMailServer(queue.smtp.url), context.now());
    expect(check).toMatchObject({ ok: true, note: true });
    expect(String(check?.detail)).toMatch(
      /^1 email could not be sent\. The latest error: The mail server answered 550/,
    );
    pass(8 * 24 * HOUR_MS);
    await sweepSignIn(context);
    expect(await rows()).toEqual([]);
  });

  test('marks only the mailbox that the server refuses', async () => {
    const mailer = newMailer();
    const [gone, spam] = await people('gone', 'spam');
    queue.smtp.script = (line) => {
      if (line === `RCPT TO:<${gone}>`) return '550 5.1.1 No such user';
      return line === `RCPT TO:<${spam}>` ? '550 5.7.1 Relaying denied' : undefined;
    };
    for (const to of [gone, spam]) await keep(mailer, { ...MAIL, to: to! });
    await run(mailer);
    const { read } = database.db;
    expect((await listRefused(read, 9)).map(({ email }) => email)).toEqual([gone]);
    const [check] = await examineMailDelivery(database.db, createMailServer(queue.smtp.url), context.now());
    expect(String(check?.detail)).toContain('1 person gets only essential mail');
    queue.smtp.script = null;
    await keep(mailer, { ...MAIL, to: gone! });
    await run(mailer);
    expect(await listRefused(read, 9)).toEqual([]);
  });

  test('marks nobody if the server refuses several people within minutes, and is then retried', async () => {
    const mailer = newMailer();
    pass(HOUR_MS);
    const emails = await people('amy', 'ben', 'cat', 'dan');
    queue.smtp.script = (line) => (line.startsWith('RCPT') ? '550 5.1.1 No such user' : undefined);
    for (const to of emails) await keep(mailer, { ...MAIL, to });
    await run(mailer);
    expect(await listRefused(database.db.read, 9)).toEqual([]);
    const [check] = await examineMailDelivery(database.db, createMailServer(queue.smtp.url), context.now());
    expect(inEnglish(check)).toMatchObject({ ok: false, detail: expect.stringContaining('several people') });
    queue.smtp.script = null;
    pass(60 * SECOND_MS);
    await run(mailer);
    expect(queue.smtp.mails).toHaveLength(4);
    expect(await rows()).toEqual([]);
  });

  test('marks nobody if refusals of a burst are recorded out of order', async () => {
    const sentence = 'The mail server answered 550 5.1.1.';
    pass(HOUR_MS);
    const atMs = context.now();
    const emails = await people('eva', 'fay', 'gus', 'hal');
    const refuse = (email: string, ms: number) =>
      database.db.transaction((tx) => recordRefusal(tx, { email, at: toIso(atMs + ms), sentence }));
    const marked: boolean[] = [];
    for (const [index, ms] of [1, 2, 3, 0].entries()) marked.push(await refuse(emails[index]!, ms));
    expect(marked).toEqual([true, true, false, false]);
    expect(await listRefused(database.db.read, 9)).toEqual([]);
  });

  test('is deleted with its code, unless an attempt to send it has failed', async () => {
    const mailer = newMailer();
    const issue = () =>
      database.db.transaction((tx) => issueCode(tx, context, { purpose: 'sign-in', accountId: null }));
    await keep(mailer, { ...MAIL, code: await issue() });
    const second = await issue();
    expect(await rows()).toEqual([]);
    await keep(mailer, { ...MAIL, code: second });
    queue.smtp.script = (line) => (line.startsWith('RCPT') ? '451 4.7.1 Try later' : undefined);
    await run(mailer);
    await issue();
    expect(await rows()).toMatchObject([{ body: '', failure: 'The mail server answered 451 4.7.1.' }]);
  });

  test('is not sent after its code has expired, and the code is never stored in plain text', async () => {
    const mailer = newMailer();
    queue.smtp.script = (line) => (line.startsWith('MAIL') ? '451 4.3.0 Busy' : undefined);
    const code = await database.db.transaction(async (tx) => {
      const made = await issueCode(tx, context, { purpose: 'set-up', accountId: null });
      await mailer.keep(tx, { ...MAIL, letter: [`Your code: ${made}`], code: made });
      return made;
    });
    await run(mailer);
    expect(await allTexts(database.context)).not.toContain(code);
    pass(HOUR_MS);
    queue.smtp.script = null;
    await run(mailer);
    expect(queue.smtp.mails).toEqual([]);
    expect(await rows()).toMatchObject([{ next_at: null, failure: 'The mail server answered 451 4.3.0.' }]);
    expect(JSON.stringify(failures)).not.toContain(code);
  });

  test('is sent only once, even if several processes send mail and one of them dies', async () => {
    const COUNT = 20;
    const [dying, ...others] = [newMailer(), newMailer(), newMailer()];
    for (let n = 0; n < COUNT; n += 1) await keep(dying!, { ...MAIL, subject: `Notice ${n}` });
    // The mailer `dying` gets no response until the end of the test, as if its process had been killed.
    const end = Promise.withResolvers<'close'>();
    let stalled = 0;
    queue.smtp.script = (line) => {
      if (line !== '.') return undefined;
      stalled += 1;
      return end.promise;
    };
    const lost = run(dying!);
    await expect.poll(() => stalled).toBe(4);
    queue.smtp.script = null;
    await Promise.all(others.map(run));
    const subjects = () => queue.smtp.mails.map((mail) => /^Subject: (.*)$/m.exec(mail)![1]!);
    expect(new Set(subjects()).size).toBe(subjects().length);
    expect(subjects().length).toBe(COUNT - 4);
    pass(3 * 60 * SECOND_MS);
    await Promise.all(others.map(run));
    expect(new Set(subjects()).size).toBe(COUNT);
    expect(await rows()).toEqual([]);
    end.resolve('close');
    await lost;
    expect(subjects().length).toBe(COUNT);
  });

  test('is not sent while it is held back after a restore', async () => {
    const mailer = newMailer();
    await keep(mailer);
    const hold = (at: string | null) =>
      database.db.transaction((tx) => tx.updateTable('mails').set({ held_at: at }).execute());
    await hold(new Date().toISOString());
    pass(HOUR_MS);
    expect(await mailer.isDue()).toBe(false);
    await run(mailer);
    expect(queue.smtp.mails).toEqual([]);
    await hold(null);
    await run(mailer);
    expect(queue.smtp.mails).toHaveLength(1);
  });
});
