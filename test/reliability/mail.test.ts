/** Processes are killed while they send mail: no mail is lost, and none is sent twice without a reason. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createMailer } from '../../src/mail/mail.ts';
import { ENGINES, type TestEngine, type TestPlace } from '../support/engines.ts';
import { Person, signedInAs } from '../support/person.ts';
import { shareProcesses, startServer, withContext } from '../support/server-process.ts';
import { type SmtpAnswer, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';
import type { Replacement } from '../support/unguarded-build.ts';

const MAILS: Readonly<Record<TestEngine, number>> = { sqlite: 100, postgres: 1_000 };
const CONTROL_MAILS = 100;
const PROCESSES: Readonly<Record<TestEngine, number>> = { sqlite: 1, postgres: 2 };
const ROUNDS = 2;
/**
 * In each round, each process is killed at a random SMTP command in this range; after all rounds there must still be
 * mails to send.
 */
const KILLED_AT: Readonly<Record<TestEngine, { least: number; most: number }>> = {
  sqlite: { least: 20, most: 60 },
  postgres: { least: 20, most: 120 },
};
/** Some are killed up to this much later. */
const KILLED_LATER_MS = 8;
const KICK_MS = 100;
const POLL_MS = 50;

/** A process sends a mail even if another process has taken it. */
const UNGUARDED: Replacement = [/\.where\("next_at", "=", next_at\)/, ''];

const { cleanups, newPlace, unguarded } = shareProcesses();
let smtp: SmtpSink;
beforeAll(async () => {
  smtp = await startSmtpSink();
  cleanups.push(() => smtp.close());
});
afterEach(() => {
  smtp.script = null;
});

const ADDRESS = /claims-\d+@example\.com/;

const below = (limit: number): number => Math.floor(Math.random() * limit);

/** The failures of each SMTP command, with their shares. */
const FAILURES: Readonly<Record<string, readonly (readonly [share: number, answer: string])[]>> = {
  MAIL: [[0.03, '421 4.7.0 Too many connections']],
  RCPT: [[0.03, '450 4.2.1 Greylisted']],
  '.': [
    [0.03, '451 4.3.0 Try later'],
    [0.03, 'close'],
    [0.2, 'lose'],
  ],
};

function flakyAnswer(line: string): SmtpAnswer {
  let place = Math.random();
  for (const [share, answer] of FAILURES[line.split(' ')[0]!] ?? []) {
    if (place < share) return answer;
    place -= share;
  }
  return undefined;
}

const idOf = (mail: string): string => /^Message-ID: <(.*)@example\.com>$/m.exec(mail)![1]!;

/** A place with this many mails that are due, and a signed-in operator. */
async function placeWithMails(
  engine: TestEngine,
  count: number,
): Promise<{ place: TestPlace; olga: Person }> {
  const place = await newPlace(engine);
  const olga = await withContext(place, async (context) => {
    const onFailure = (error: unknown) => {
      throw error;
    };
    const mailer = createMailer(context, { smtpUrl: smtp.url, from: 'claims@example.com', onFailure });
    await context.db.transaction(async (tx) => {
      for (let n = 0; n < count; n += 1) {
        await mailer.keep(tx, { to: `ada-${n}@example.com`, subject: 'A notice', letter: ['It happened.'] });
      }
    });
    const site = { context, baseUrl: 'http://127.0.0.1' };
    return (await signedInAs(site, { email: 'olga@example.com', operator: true })).person;
  });
  return { place, olga };
}

const idsIn = async ({ db }: Context): Promise<Set<string>> => {
  const rows = await db.read.selectFrom('mails').select('id').execute();
  return new Set(rows.map(({ id }) => id));
};

const waitingIds = (place: TestPlace): Promise<Set<string>> => withContext(place, idsIn);

/** Makes all mails due, as if enough time had passed; no process may run. */
const passTime = (place: TestPlace) =>
  withContext(place, (context) =>
    context.db.transaction((tx) => tx.updateTable('mails').set({ next_at: context.at() }).execute()),
  );

interface Sender {
  /** The address that its mails are from. */
  readonly address: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

let senders = 0;

/**
 * Starts a process that sends mail until it is killed. An operator keeps releasing the mail, so that no test has to
 * wait for the job that sends it.
 */
async function startSender(place: TestPlace, olga: Person, program?: string): Promise<Sender> {
  senders += 1;
  const address = `claims-${senders}@example.com`;
  const env = { SMTP_URL: smtp.url, MAIL_FROM: address };
  const server = await startServer(place, { env, program });
  const browser = new Person(server.baseUrl);
  for (const [name, value] of olga.cookies) browser.cookies.set(name, value);
  let isAlive = true;
  const kick = async () => {
    while (isAlive) {
      const answer = await browser.post('/desk/outbox/release').catch(() => null);
      if (isAlive && answer?.status !== 303) throw new Error(`not released: ${answer?.status}`);
      await sleep(KICK_MS);
    }
  };
  const kicking = kick();
  return {
    address,
    kill: async (signal) => {
      isAlive = false;
      await server.kill(signal);
      await kicking;
    },
  };
}

/** What the mail server and the senders know of each mail. */
interface History {
  /** How often the mail server accepted it. */
  readonly taken: Map<string, number>;
  /** How often the sender could not know that it was accepted. */
  readonly unknown: Map<string, number>;
}

const count = (counts: Map<string, number>, id: string): void => {
  counts.set(id, (counts.get(id) ?? 0) + 1);
};

/** Every process is killed once, at a random moment, while the mail server fails now and then. */
async function killAll(place: TestPlace, olga: Person, { taken, unknown }: History): Promise<void> {
  /** Mails that the mail server said it had accepted. */
  const answered: string[] = [];
  /** By the address of a process: how many SMTP commands until it is killed. */
  const left = new Map<string, number>();
  const kills = new Map<string, () => void>();
  smtp.script = (line, mail) => {
    const answer = flakyAnswer(line);
    if (mail !== '' && (answer === undefined || answer === 'lose')) {
      count(taken, idOf(mail));
      if (answer === 'lose') count(unknown, idOf(mail));
      else answered.push(idOf(mail));
    }
    const address = ADDRESS.exec(mail === '' ? line : mail)?.[0];
    if (address === undefined) return answer;
    const { least, most } = KILLED_AT[place.engine];
    left.set(address, (left.get(address) ?? least + below(most - least)) - 1);
    if (left.get(address)! <= 0) kills.get(address)?.();
    return answer;
  };
  const processes = Array.from({ length: PROCESSES[place.engine] }, async () => {
    const sender = await startSender(place, olga);
    await new Promise<void>((resolve) => kills.set(sender.address, resolve));
    // Half of them are killed before the SMTP answer, which is sent after this turn of the event loop.
    if (Math.random() < 0.5) await sleep(below(KILLED_LATER_MS));
    await sender.kill('SIGKILL');
  });
  await Promise.all(processes);
  const waiting = await waitingIds(place);
  for (const id of answered) if (waiting.has(id)) count(unknown, id);
}

/** The mail server works, and processes send until nothing waits. */
async function sendRest(place: TestPlace, olga: Person, { taken }: History, program?: string): Promise<void> {
  smtp.script = (_, mail) => {
    if (mail !== '') count(taken, idOf(mail));
    return undefined;
  };
  const starting = Array.from({ length: PROCESSES[place.engine] }, () => startSender(place, olga, program));
  const processes = await Promise.all(starting);
  await withContext(place, async (context) => {
    while ((await idsIn(context)).size > 0) await sleep(POLL_MS);
  });
  await Promise.all(processes.map((process) => process.kill('SIGKILL')));
}

function faultsOf(ids: ReadonlySet<string>, { taken, unknown }: History): string[] {
  return [...ids].flatMap((id) => {
    const times = taken.get(id) ?? 0;
    const excuses = unknown.get(id) ?? 0;
    if (times === 0) return [`${id} was lost`];
    return times > 1 + excuses ? [`${id} was sent ${times} times, ${excuses} of them without an answer`] : [];
  });
}

const sum = (counts: Map<string, number>): number =>
  [...counts.values()].reduce((total, times) => total + times, 0);

test('a mail that is lost or sent twice is noticed', () => {
  const history = {
    taken: new Map([
      ['once', 1],
      ['twice', 2],
      ['unknown', 2],
      ['often', 3],
    ]),
    unknown: new Map([
      ['unknown', 1],
      ['often', 1],
    ]),
  };
  expect(faultsOf(new Set(['once', 'twice', 'unknown', 'often', 'never']), history)).toEqual([
    'twice was sent 2 times, 0 of them without an answer',
    'often was sent 3 times, 1 of them without an answer',
    'never was lost',
  ]);
});

describe.each(ENGINES)('mail on %s', (engine) => {
  test(`${MAILS[engine]} mails through ${PROCESSES[engine]} process(es) that are killed and a server that fails`, async () => {
    const { place, olga } = await placeWithMails(engine, MAILS[engine]);
    const ids = await waitingIds(place);
    const history: History = { taken: new Map(), unknown: new Map() };
    for (let round = 0; round < ROUNDS; round += 1) {
      await killAll(place, olga, history);
      await passTime(place);
    }
    expect((await waitingIds(place)).size, 'mails after the last kill').toBeGreaterThan(0);
    await sendRest(place, olga, history);
    expect(faultsOf(ids, history)).toEqual([]);
    // Only mails whose answer was lost are sent again.
    expect(sum(history.taken)).toBe(MAILS[engine] + sum(history.unknown));
    expect(sum(history.unknown)).toBeGreaterThan(0);
  });

  // The condition is the same statement on both engines.
  test.skipIf(engine === 'sqlite')(
    'control: without the condition that nobody else took a mail, mails are sent twice',
    async () => {
      const program = unguarded(UNGUARDED);
      const { place, olga } = await placeWithMails(engine, CONTROL_MAILS);
      const ids = await waitingIds(place);
      const history: History = { taken: new Map(), unknown: new Map() };
      await sendRest(place, olga, history, program);
      expect(faultsOf(ids, history)).toContainEqual(expect.stringMatching(/was sent \d+ times, 0 of them/));
    },
  );
});
