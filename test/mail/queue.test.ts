/** A mail is lost neither by a server that defers it nor by a process that dies, and is sent once. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueCode } from '../../src/accounts/one-time-code-queries.ts';
import { sweepSignIn } from '../../src/accounts/sweep.ts';
import type { Context } from '../../src/context.ts';
import { type AttemptFailed, createMailer, type Mailer } from '../../src/mail/mail.ts';
import { listOutbox } from '../../src/mail/queries.ts';
import { examineMailDelivery } from '../../src/system/connections.ts';
import { ENGINES } from '../support/engines.ts';
import { shareDatabase } from '../support/shared.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import { allTexts } from '../support/tables.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;
const MAIL = { to: 'ada@example.com', subject: 'A notice', letter: ['Something happened.'] };

describe.each(ENGINES)('mail that waits for its server on %s', (engine) => {
  const database = shareDatabase(engine);
  let smtp: SmtpSink;
  let passedMs = 0;
  let failures: AttemptFailed[] = [];
  const mailers: Mailer[] = [];
  beforeAll(async () => {
    smtp = await startSmtpSink();
  });
  afterEach(async () => {
    smtp.script = null;
    await Promise.all(mailers.splice(0).map((mailer) => mailer.close()));
    await database.db.transaction((tx) => tx.deleteFrom('mails').execute());
    smtp.mails.splice(0);
    smtp.commands.splice(0);
    failures = [];
  });
  afterAll(() => smtp?.close());

  /** Each is as a process of its own. */
  function newMailer(url = smtp.url): Mailer {
    const context: Context = { ...database.context, now: () => Date.now() + passedMs };
    const mailer = createMailer(context, {
      smtpUrl: url,
      from: 'Claims <claims@example.com>',
      onFailure: (error) => {
        throw error;
      },
      onAttemptFailed: (attempt) => failures.push(attempt),
    });
    mailers.push(mailer);
    return mailer;
  }
  const keep = (mailer: Mailer, mail = MAIL) => database.db.transaction((tx) => mailer.keep(tx, mail));
  const run = (mailer: Mailer) => mailer.run(new AbortController().signal);
  const rows = () => database.db.read.selectFrom('mails').selectAll().orderBy('id').execute();
  const pass = (ms: number) => {
    passedMs += ms;
  };

  it('is tried again after 451, and deleted once it was accepted', async () => {
    const mailer = newMailer();
    await keep(mailer);
    smtp.script = (line) => (line.startsWith('RCPT') ? '451 4.7.1 Try later, ada@example.com' : undefined);
    await run(mailer);
    expect(smtp.mails).toEqual([]);
    expect(await rows()).toMatchObject([{ attempts: 1, failure: 'The mail server answered 451 4.7.1.' }]);
    expect(failures).toMatchObject([{ attempts: 1, isLast: false }]);

    smtp.script = null;
    await run(mailer);
    expect(smtp.mails).toEqual([]);
    pass(10 * SECOND_MS);
    expect(await mailer.isDue()).toBe(true);
    await run(mailer);
    expect(smtp.mails).toHaveLength(1);
    expect(await rows()).toEqual([]);
  });

  it.each([
    [
      'the server is away',
      'smtp://127.0.0.1:9',
      () => undefined,
      /^The connection to the mail server failed/,
    ],
    [
      'the connection is lost',
      null,
      (line: string) => (line === '.' ? 'close' : undefined),
      /^The connection/,
    ],
  ] as const)('is tried again after: %s', async (_, url, script, words) => {
    const broken = newMailer(url ?? smtp.url);
    await keep(broken);
    smtp.script = script;
    await run(broken);
    expect((await rows())[0]?.failure).toMatch(words);
    smtp.script = null;
    pass(10 * SECOND_MS);
    await run(newMailer());
    expect(smtp.mails).toHaveLength(1);
  });

  it('is given up after a permanent refusal, and the operator sees why', async () => {
    const mailer = newMailer();
    await keep(mailer);
    smtp.script = (line) => (line.startsWith('RCPT') ? '550 5.1.1 No such user' : undefined);
    await run(mailer);
    pass(24 * HOUR_MS);
    await run(mailer);
    expect(failures).toMatchObject([{ attempts: 1, isLast: true }]);
    const at = new Date(Date.now() + passedMs).toISOString();
    const [shown] = await listOutbox(database.db.read, database.context.secretBox, at);
    expect(shown).toMatchObject({
      text: 'Something happened.\n',
      failure: 'The mail server answered 550 5.1.1.',
    });
    const [check] = await examineMailDelivery(database.db, 'tls');
    expect(check).toMatchObject({ ok: true, note: true });
    expect(check?.detail).toMatch(/^1 mail could not be sent; the newest: The mail server answered 550/);
    await sweepSignIn({ ...database.context, now: () => Date.now() + passedMs + 8 * 24 * HOUR_MS });
    expect(await rows()).toEqual([]);
  });

  it('stays no longer than its code works, and holds it in no readable form', async () => {
    const mailer = newMailer();
    const context: Context = { ...database.context, now: () => Date.now() + passedMs };
    smtp.script = (line) => (line.startsWith('MAIL') ? '451 4.3.0 Busy' : undefined);
    const code = await database.db.transaction(async (tx) => {
      const made = await issueCode(tx, context, { purpose: 'set-up', accountId: null });
      await mailer.keep(tx, { ...MAIL, letter: [`Your code: ${made}`], code: made });
      return made;
    });
    await run(mailer);
    expect(await allTexts(database.context)).not.toContain(code);
    pass(HOUR_MS);
    smtp.script = null;
    await run(mailer);
    expect(smtp.mails).toEqual([]);
    expect(await rows()).toMatchObject([{ next_at: null, failure: 'The mail server answered 451 4.3.0.' }]);
    expect(JSON.stringify(failures)).not.toContain(code);
  });

  it('is sent once by several processes, also after one of them died during an attempt', async () => {
    const COUNT = 40;
    const [dying, ...others] = [newMailer(), newMailer(), newMailer()];
    for (let n = 0; n < COUNT; n += 1) await keep(dying!, { ...MAIL, subject: `Notice ${n}` });
    // Its attempts never end: what a killed process leaves.
    let stalled = 0;
    smtp.script = (line) => {
      if (line !== '.') return undefined;
      stalled += 1;
      return 'stall';
    };
    const lost = run(dying!);
    while (stalled < 4) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    smtp.script = null;
    await Promise.all(others.map(run));
    const subjects = () => smtp.mails.map((mail) => /^Subject: (.*)$/m.exec(mail)![1]!);
    expect(new Set(subjects()).size).toBe(subjects().length);
    expect(subjects().length).toBe(COUNT - 4);
    pass(3 * 60 * SECOND_MS);
    await Promise.all(others.map(run));
    expect(new Set(subjects()).size).toBe(COUNT);
    expect(subjects().length).toBe(COUNT);
    expect(await rows()).toEqual([]);
    await dying!.close();
    await lost;
  });

  it('is not sent while a restore holds it', async () => {
    const mailer = newMailer();
    await keep(mailer);
    const hold = (at: string | null) =>
      database.db.transaction((tx) => tx.updateTable('mails').set({ held_at: at }).execute());
    await hold(new Date().toISOString());
    pass(HOUR_MS);
    expect(await mailer.isDue()).toBe(false);
    await run(mailer);
    expect(smtp.mails).toEqual([]);
    await hold(null);
    await run(mailer);
    expect(smtp.mails).toHaveLength(1);
  });
});
