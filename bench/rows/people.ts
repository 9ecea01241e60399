/** Measures claims by signed-in people, and sign-ins of new people who enter a mailed code. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLetter } from '../../src/people/mail/queries.ts';
import { cookieName } from '../../src/people/sign-in/sessions/cookies.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-keys.ts';
import { alternate, type Bench, inRounds, onBothEngines, type Result } from '../bench.ts';
import { checkWritten, floorTarget, loadRound } from '../load/redeeming.ts';
import { CONNECTIONS, checkRedirects, sendForms } from '../load/rounds.ts';
import { startDurableFloor } from '../setup/baselines.ts';
import { addCrowd, exemptCrowd } from '../setup/crowd.ts';
import type { Engine, Installation } from '../setup/installation.ts';
import type { Stock } from '../setup/stock.ts';

/** A round has `PEOPLE_A_SECOND * bench.seconds` people. */
const PEOPLE_A_SECOND = 3_000;
const GOAL_CLAIMS: Readonly<Record<Engine, number>> = { embedded: 4_000, postgresql: 3_000 };
const GOAL_FLOOR = 0.05;
const GOAL_SIGN_INS: Readonly<Record<Engine, number>> = { embedded: 800, postgresql: 500 };
const SIGN_INS_A_SECOND = 500;
const POLL_MS = 100;

const countRows = async ({ query }: Installation, table: string): Promise<number> =>
  Number((await query(`select count(*) as n from ${table}`))[0]?.['n']);

/**
 * Waits until the server has looked for notices to write about earlier events. A command may have issued claims since the
 * previous round.
 */
async function untilNoticed({ query }: Installation): Promise<void> {
  for (;;) {
    const [log] = await query(
      `select (select value from settings where name = 'notices_cursor') as cursor, max(seq) as last from event_rows`,
    );
    if (log!['cursor'] !== null && Number(log!['cursor']) >= Number(log!['last'])) return;
    await sleep(POLL_MS);
  }
}

async function claimRound(installation: Installation, url: string, people: number): Promise<number> {
  const path = `/l/bench/offers/${installation.offerId}/claim`;
  const cookies = await addCrowd(installation, url, people);
  await untilNoticed(installation);
  const before = await countRows(installation, 'claim_rows');
  const forms = cookies.map((cookie) => ({ path, cookie, body: 'via=newsletter' }));
  const answers = await sendForms(url, installation.folder, forms);
  checkRedirects(answers, people);
  checkWritten(people, (await countRows(installation, 'claim_rows')) - before, 0);
  return people / answers.seconds;
}

async function claims(bench: Bench, stock: Stock): Promise<Result[]> {
  const { installation } = stock;
  const people = PEOPLE_A_SECOND * bench.seconds;
  const server = await installation.serveCrowd();
  const floor = await startDurableFloor(bench.scratch);
  const bare = floorTarget(floor, installation.apiKey);
  const floorRound = async () => (await loadRound(stock, bare, bench.seconds)).perSecond;
  try {
    await claimRound(installation, server.url, people);
    await floorRound();
    const { subject, baseline } = await alternate(
      bench,
      () => claimRound(installation, server.url, people),
      floorRound,
    );
    const result = { unit: 'per second', subject } as const;
    const absolute = GOAL_CLAIMS[installation.engine];
    return [
      {
        ...result,
        what: 'claims by signed-in people through the listing page',
        baseline: { name: 'durable floor', values: baseline },
        goal: { of: 'ratio', at: 'least', value: GOAL_FLOOR },
        notes: [
          `${CONNECTIONS} connections; ${people.toLocaleString('en')} people claim the same offer in each round`,
        ],
      },
      {
        ...result,
        what: 'claims by signed-in people through the listing page, absolute rate',
        goal: { of: 'value', at: 'least', value: absolute },
      },
    ];
  } finally {
    await Promise.all([floor.stop(), server.stop()]);
  }
}

/** Returns sign-ins per second. The time includes both forms: the email address form and the code form. */
async function signInRound(installation: Installation, url: string, people: number): Promise<number> {
  const { folder, query, secretKey } = installation;
  const crowd = Array.from({ length: people }, () => ({
    email: `${randomBytes(8).toString('hex')}@crowd.example`,
    cookie: `${cookieName(url, 'email')}=${randomBytes(32).toString('base64url')}`,
  }));
  const asked = await sendForms(
    url,
    folder,
    crowd.map(({ email, cookie }) => ({
      path: '/sign-in',
      cookie,
      body: `email=${encodeURIComponent(email)}`,
    })),
  );
  checkRedirects(asked, people);
  const box = createSecretBox([secretKey], randomBytes);
  const mails = (await query("select id, recipient, body from mails where body <> ''")) as {
    readonly id: string;
    readonly recipient: string;
    readonly body: string;
  }[];
  const codes = new Map(
    mails.map(({ recipient, ...mail }) => [
      recipient,
      JSON.stringify(openLetter(box, mail)).match(/\d{4} \d{4}/)?.[0],
    ]),
  );
  const before = await countRows(installation, 'sessions');
  const typed = await sendForms(
    url,
    folder,
    crowd.map(({ email, cookie }) => ({
      path: '/sign-in/code',
      cookie,
      body: `code=${encodeURIComponent(codes.get(email) ?? '')}`,
    })),
  );
  checkRedirects(typed, people);
  checkWritten(people, (await countRows(installation, 'sessions')) - before, 0);
  return people / (asked.seconds + typed.seconds);
}

async function signIns(bench: Bench, { installation }: Stock): Promise<Result> {
  const people = SIGN_INS_A_SECOND * bench.seconds;
  const absolute = GOAL_SIGN_INS[installation.engine];
  await exemptCrowd(installation);
  const server = await installation.serveCrowd();
  try {
    const round = () => signInRound(installation, server.url, people);
    await round();
    return {
      what: 'sign-ins of new people with a mailed code',
      unit: 'per second',
      subject: await inRounds(bench, 'sign-ins a second', round),
      goal: { of: 'value', at: 'least', value: absolute },
      notes: [
        `${CONNECTIONS} connections; first all forms with email addresses, then all forms with codes; mail is queued but not sent`,
      ],
    };
  } finally {
    await server.stop();
  }
}

export const peopleRows = [
  ...onBothEngines('claims', 'claims by signed-in people through the listing page', async (bench, engine) => {
    const stock = await bench.stock(engine);
    await stock.stopServer();
    return claims(bench, stock);
  }),
  ...onBothEngines(
    'sign-ins',
    'sign-ins with a mailed code; mail is queued but not sent',
    async (bench, engine) => {
      const stock = await bench.stock(engine);
      await stock.stopServer();
      return [await signIns(bench, stock)];
    },
  ),
];
