/** Measures how hostile forms of strangers and of free accounts delay redemptions. */
import { type Bench, inTurns, onBothEngines, type Result } from '../bench.ts';
import type { HostileForm } from '../load/attack.ts';
import { redeemStock } from '../load/redeeming.ts';
import { sendHostileForms, WARM_UP_SECONDS } from '../load/rounds.ts';
import { addSessions } from '../setup/crowd.ts';
import { type Installation, REDEMPTION_LINK } from '../setup/installation.ts';
import type { Server } from '../setup/processes.ts';
import type { Stock } from '../setup/stock.ts';

/** Redemptions per second on a typical day. */
const RATE = 20;
const GOAL = { of: 'ratio', at: 'most', value: 3 } as const;
const ACCOUNTS = 10;
const NETWORKS = 100;
const CONNECTIONS = 32;
/** Of all networks together. More than a process of the service accepts. */
const CUT_CONNECTIONS = 5_000;

const URLENCODED = 'application/x-www-form-urlencoded';
const BOUNDARY = 'a-boundary-of-the-bench';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** Alternating combining marks: normalizing them takes time that grows with the square of the length. */
const MARKS = encodeURIComponent(`a${'\u0315\u0300'.repeat(5_000)}`);
const BRACES = encodeURIComponent('{'.repeat(20_000));
const BLANKS = '+'.repeat(60_000);
const CODES_A_REQUEST = 1_000;

interface FreeAccount {
  readonly cookie: string;
  readonly listingId: string;
  readonly offerId: string;
  readonly codesOfferId: string;
}

/** Creates an account with a draft that has an offer with a link and an offer with a code list. */
async function addFreeAccount({ ask }: Installation, n: number) {
  const account = await ask(`accounts create --email free-${n}@bench.example --name Free`);
  const slug = `free-${n}`;
  const listing = await ask(
    `listings create --account ${account['id']} --slug ${slug} --name Free --url https://free-${n}.example/`,
  );
  const offer = await ask(
    `offers create --listing ${slug} --kind discount --offer Free --redemption-link ${REDEMPTION_LINK}`,
  );
  const codes = await ask(`offers create --listing ${slug} --kind discount --offer Codes --code-list close`);
  return {
    accountId: account['id']!,
    listingId: listing['id']!,
    offerId: offer['id']!,
    codesOfferId: codes['id']!,
  };
}

const addressOf = (n: number): string => `10.66.${n >> 8}.${n & 255}`;

const byStranger =
  (path: string, body: string) =>
  (n: number): HostileForm => ({ path, body, cookie: '', address: addressOf(n), type: URLENCODED });

const ofStrangers = (count: number, forms: readonly ReturnType<typeof byStranger>[]): HostileForm[] =>
  Array.from({ length: count }, (_, n) => forms.map((form) => form(n))).flat();

const STRANGER_FORMS = [
  byStranger('/sign-in', `email=${MARKS}%40example.com`),
  byStranger('/forgot-password', `email=${MARKS}%40example.com`),
  byStranger('/sign-in', `email=${BLANKS}`),
];

/** Half a request on each connection, from addresses that are not a proxy's. */
const CUT_REQUESTS: readonly HostileForm[] = Array.from({ length: NETWORKS }, (_, n) => ({
  ...byStranger('/sign-in', '')(n),
  isCut: true,
  from: `127.66.0.${n + 1}`,
}));

const connectionsOf = (forms: readonly HostileForm[]): number =>
  forms === CUT_REQUESTS ? CUT_CONNECTIONS : CONNECTIONS;

const byAccount = (
  accounts: readonly FreeAccount[],
  formsOf: (account: FreeAccount) => readonly (Pick<HostileForm, 'path' | 'body'> & Partial<HostileForm>)[],
): HostileForm[] =>
  accounts.flatMap((account, n) =>
    formsOf(account).map((form) => ({
      cookie: account.cookie,
      address: addressOf(n),
      type: URLENCODED,
      ...form,
    })),
  );

const codesOf = (lines: number): string =>
  Array.from({ length: lines }, (_, line) => `BENCH-{n}-${String(line).padStart(4, '0')}`).join('%0A');

const FILE = [
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`,
  'x'.repeat(100_000),
  `\r\n--${BOUNDARY}--\r\n`,
].join('');

const attacksBy = (accounts: readonly FreeAccount[]): Readonly<Record<string, readonly HostileForm[]>> => ({
  'half-sent requests from a hundred networks': CUT_REQUESTS,
  'long email addresses from one network': ofStrangers(1, STRANGER_FORMS),
  'long email addresses from a hundred networks': ofStrangers(NETWORKS, STRANGER_FORMS),
  'long links and blanks from ten free accounts': byAccount(
    accounts,
    ({ listingId, offerId, codesOfferId }) => [
      { path: `/dashboard/offers/${offerId}/check`, body: `redemption_link=https://a.example/${BRACES}` },
      {
        path: `/dashboard/listings/${listingId}/offers/new/preview`,
        body: `redemption_link=https://a.example/${BRACES}`,
      },
      { path: `/dashboard/offers/${codesOfferId}/codes`, body: `codes=${BLANKS}` },
    ],
  ),
  'code lists from ten free accounts': byAccount(accounts, ({ codesOfferId }) => [
    { path: `/dashboard/offers/${codesOfferId}/codes`, body: `codes=${codesOf(CODES_A_REQUEST)}` },
  ]),
  'slow uploads from ten free accounts': byAccount(accounts, ({ listingId }) => [
    { path: `/dashboard/listings/${listingId}/pictures/icon`, type: MULTIPART, body: FILE, dripMs: 20 },
  ]),
});

/** Resets what limits the attackers, so that each round measures accepted forms before it measures refusals. */
async function resetLimits({ query }: Installation, accounts: readonly FreeAccount[]): Promise<void> {
  const offers = accounts.map(({ codesOfferId }) => `'${codesOfferId}'`).join();
  await query('delete from throttles');
  await query(`delete from offer_codes where offer_id in (${offers})`);
  await query(`update offer_claims set codes_left = 0 where offer_id in (${offers})`);
}

/** Returns the p50 of redemptions, in milliseconds, while the forms are sent. */
async function p50During(
  stock: Stock,
  server: Server,
  seconds: number,
  forms: readonly HostileForm[],
): Promise<number> {
  const { folder } = stock.installation;
  const load = { connections: connectionsOf(forms), seconds: WARM_UP_SECONDS + seconds };
  const attack = async () => {
    if (forms.length > 0) await sendHostileForms(server.url, folder, forms, load);
  };
  return (await redeemStock(stock, { rate: RATE, seconds }, attack, server)).p50;
}

async function measure(bench: Bench, stock: Stock): Promise<Result[]> {
  const { installation } = stock;
  await stock.stopServer();
  const created = [];
  for (let n = 0; n < ACCOUNTS; n += 1) created.push(await addFreeAccount(installation, n));
  const server = await installation.serveCrowd();
  try {
    const ids = created.map(({ accountId }) => accountId);
    const cookies = await addSessions(installation, server.url, ids);
    const accounts = created.map((account, n) => ({ ...account, cookie: cookies[n]! }));
    const attacks = attacksBy(accounts);
    const during = async (forms: readonly HostileForm[]) => {
      await resetLimits(installation, accounts);
      return p50During(stock, server, bench.seconds, forms);
    };
    await during([]);
    const sides = Object.entries({ nobody: [], ...attacks });
    const medians = await inTurns(
      bench,
      Object.fromEntries(sides.map(([name, forms]) => [name, () => during(forms)])),
    );
    return Object.keys(attacks).map(
      (name): Result => ({
        what: `p50 of redemptions during ${name}`,
        unit: 'ms',
        subject: medians[name] ?? [],
        baseline: { name: 'no attack', values: medians['nobody'] ?? [] },
        goal: GOAL,
        notes: [
          `${RATE} redemptions a second, open loop; ${connectionsOf(attacks[name]!)} connections send without a pause`,
        ],
      }),
    );
  } finally {
    await server.stop();
  }
}

export const attacksRows = onBothEngines(
  'attacks',
  'redemptions during hostile forms of strangers and free accounts',
  async (bench, engine) => measure(bench, await bench.stock(engine)),
);
