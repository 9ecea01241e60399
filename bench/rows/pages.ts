/** Measures the response times of pages with very many claims, and how page requests delay redemptions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DESK_SEARCH_PATH } from '../../src/base/paths.ts';
import { shortClaimId } from '../../src/claims/short-id.ts';
import { DAY_MS } from '../../src/platform/text/durations.ts';
import { alternate, type Bench, forTails, inRounds, onBothEngines, type Result, type Row } from '../bench.ts';
import { nothing, p99During, type Work } from '../load/redeeming.ts';
import { openLoop, requestsOf } from '../load/rounds.ts';
import type { Installation } from '../setup/installation.ts';
import type { LargeInstallation } from '../setup/large-installation.ts';
import { addListings } from '../setup/listings.ts';
import { LOOKS, type SignedIn, slowest } from '../setup/people.ts';
import type { Server } from '../setup/processes.ts';
import { writeTokens } from '../setup/tokens.ts';

/** Goal for the response time of a page. */
const GOAL_MS = 50;
/** Redemptions per second during page requests: far below the peak, so that the redemptions don't queue. */
const RATE = 200;
/** Goal for the p99 of redemptions during page requests, as a ratio to the baseline. */
const GOAL_BESIDE = 1.5;
/** Page requests per second: the load of a few dozen people who spend a few seconds on each page. */
const PAGES_A_SECOND = 10;
const REDEEMED_SECONDS = 5;

const VISITS_A_YEAR = 100_000_000;
const VISITED_LABELS = 50;
/** A divisor of two years. */
const DAYS_TOGETHER = 146;
const CAMPAIGNS_OF_YEAR = `campaigns of a year with ${VISITS_A_YEAR.toLocaleString('en')} visits`;

const APPS = 10_000;
const MARKETPLACE = `the marketplace with ${APPS.toLocaleString('en')} apps`;

const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);

const EXPORT = '/dashboard/claims/export.csv?via=podcast';
const EXPORTS = [
  ['all claims', '/dashboard/claims/export.csv'],
  ['redeemed claims', '/dashboard/claims/export.csv?state=redeemed'],
  ['a rare label', '/dashboard/claims/export.csv?via=rare'],
] as const;

/** Pages that read or count claims, and pages that people open often. */
const pagesOf = ({ offerId, accountId }: Installation, { claimId, shortId, listingId }: Oldest) =>
  ({
    owner: [
      [MARKETPLACE, '/'],
      [`${MARKETPLACE}, by popularity`, '/?sort=popular'],
      [`${MARKETPLACE}, a late page`, '/?page=400'],
      [`${MARKETPLACE}, a search`, '/?q=bench'],
      ['a listing', '/l/bench'],
      ['start', '/dashboard'],
      ['listings', '/dashboard/listings'],
      ['an offer', `/dashboard/offers/${offerId}`],
      ['claims', '/dashboard/claims'],
      ['a claim', `/dashboard/claims/${claimId}`],
      ['claims of a label', '/dashboard/claims?via=podcast'],
      ['claims of a rare label', '/dashboard/claims?via=rare'],
      ['claims of a label that no claim has', '/dashboard/claims?via=nobody'],
      ['redeemed claims', '/dashboard/claims?state=redeemed'],
      ['redeemed claims of a rare label', '/dashboard/claims?via=rare&state=redeemed'],
      ['claims of a person without claims', '/dashboard/claims?claimant=nobody'],
      ['claims of a person', '/dashboard/claims?claimant=user-0'],
      ['claims with a short ID', `/dashboard/claims?short_id=${shortId}`],
      ['claims with a reference that no claim has', '/dashboard/claims?reference=nothing'],
      ['claims of a listing', '/dashboard/claims?listing=bench'],
      ['claims of an offer', `/dashboard/claims?offer=${offerId}&state=not_redeemed`],
      ['claims redeemed in a month of last year', `/dashboard/claims?${monthOfLastYear('redeemed')}`],
      ['claims of a month of last year', `/dashboard/claims?${monthOfLastYear('claimed')}`],
      ['claims from long ago', '/dashboard/claims?claimed_to=2001-01-01'],
      ['test claims', '/dashboard/claims?mode=test'],
      ['calls', '/dashboard/requests'],
      ['own listing', `/dashboard/listings/${listingId}`],
      ['campaigns', '/dashboard/campaigns'],
      ['campaigns of a listing', '/dashboard/campaigns?listing=bench'],
      [
        'campaigns of a listing, three years',
        `/dashboard/campaigns?listing=bench&range=custom&from=${dayOf(1_090)}&to=${dayOf(0)}`,
      ],
      [CAMPAIGNS_OF_YEAR, `/dashboard/campaigns?range=custom&from=${dayOf(364)}&to=${dayOf(0)}`],
      ['keys', '/dashboard/settings/keys'],
    ],
    desk: [
      ['the overview', '/desk'],
      ['the overview, three years', `/desk?range=custom&from=${dayOf(1_090)}&to=${dayOf(0)}`],
      ['the owner', `/desk/accounts/${accountId}`],
      ['the listing', `/desk/listings/${listingId}`],
      ['a claim', `/desk/claims/${claimId}`],
      ['the queue', '/desk/queue'],
      ['accounts', '/desk/accounts'],
      ['events', '/desk/events'],
      ['events of a type', '/desk/events?type=key.created'],
      ['the system', '/desk/system'],
    ],
  }) as const;

/** Texts that an operator searches for. */
const searchesOf = ({ shortId }: Oldest): readonly (readonly [what: string, text: string])[] => [
  ['a part of a name', 'ench'],
  ['a part of an address', 'bench.example'],
  ['a claimant', 'user-0'],
  ['a short ID', shortId],
  ['a text that nothing has', 'nowhere'],
];

/** The oldest claim, and the main listing. */
interface Oldest {
  readonly claimId: string;
  readonly shortId: string;
  readonly listingId: string;
}

const monthOfLastYear = (what: 'claimed' | 'redeemed'): string =>
  `${what}_from=${dayOf(420)}&${what}_to=${dayOf(390)}`;

interface Stage {
  readonly large: LargeInstallation;
  readonly server: Server;
  readonly owner: SignedIn;
  /** Each page with the person who requests it. */
  readonly pages: readonly { readonly what: string; readonly path: string; readonly person: SignedIn }[];
  readonly searches: readonly { readonly what: string; readonly search: () => Promise<unknown> }[];
}

/** Redeems a few claims for the pages that list redeemed claims. */
async function redeemSome({ installation, take }: LargeInstallation, { url }: Server): Promise<void> {
  const load = { url, apiKey: installation.apiKey, rate: RATE, seconds: REDEEMED_SECONDS };
  const tokens = await writeTokens(installation.folder, take(requestsOf(load)));
  await openLoop({ ...load, tokens });
}

/** Inserts two years of visits, directly into the daily and monthly counts. */
async function seedVisits({ query }: Installation): Promise<void> {
  const visits = Math.round(VISITS_A_YEAR / 365 / VISITED_LABELS);
  const counts = `0, 0, 0, ${visits}, ${Math.round(visits * 0.7)}`;
  const columns = 'via, claims, redeemed, arrived, visits, visitors';
  const ofList = (values: readonly string[], name: string) =>
    values.map((value) => `select '${value}' as ${name}`).join(' union all ');
  const labels = ofList(
    Array.from({ length: VISITED_LABELS }, (_, n) => `visited-${n}`),
    'via',
  );
  for (let daysAgo = 0; daysAgo < 2 * 365; daysAgo += DAYS_TOGETHER) {
    const days = ofList(
      Array.from({ length: DAYS_TOGETHER }, (_, n) => dayOf(daysAgo + n)),
      'day',
    );
    await query(`insert into label_days (account_number, listing_id, day, ${columns})
      select o.account_number, o.listing_id, d.day, v.via, ${counts}
      from (select account_number, listing_id from offers order by number limit 1) o
      cross join (${days}) d cross join (${labels}) v where true`);
  }
  await query(`insert into label_months (account_number, listing_id, month, ${columns})
    select account_number, listing_id, substr(day, 1, 7), via, 0, 0, 0, sum(visits), sum(visitors)
    from label_days where via like 'visited-%' group by 1, 2, 3, 4`);
}

/** Inserts approved apps of one owner, each with an offer. */
async function seedApps({ ask, query }: Installation): Promise<void> {
  const { id } = await ask('accounts create --email apps@bench.example --name Apps');
  const [row] = await query(`select number from accounts where id = '${id}'`);
  const owner = { id: id!, number: Number(row!['number']) };
  await addListings(
    { query },
    'bench',
    Array.from({ length: APPS }, () => owner),
  );
}

async function stageOf(large: LargeInstallation, server: Server): Promise<Stage> {
  const [seeded] = await large.installation.query("select 1 as seeded from listings where slug = 'bench-0'");
  if (seeded === undefined) {
    await seedVisits(large.installation);
    await seedApps(large.installation);
  }
  const [first] = await large.installation.query(
    "select c.id, l.id as listing_id from claims c join listings l on l.id = c.listing_id where l.slug = 'bench' and c.mode = 'live' order by c.seq limit 1",
  );
  const claimId = String(first!['id']);
  const oldest = { claimId, shortId: shortClaimId(claimId), listingId: String(first!['listing_id']) };
  const paths = pagesOf(large.installation, oldest);
  const desk = large.desk.at(server.url);
  const as = (person: SignedIn, ofPerson: readonly (readonly [string, string])[]) =>
    ofPerson.map(([what, path]) => ({ what, path, person: person.at(server.url) }));
  return {
    large,
    server,
    owner: large.owner.at(server.url),
    pages: [...as(large.owner, paths.owner), ...as(large.desk, paths.desk)],
    searches: searchesOf(oldest).map(([what, q]) => ({
      what: `search for ${what}`,
      search: () => desk.post(DESK_SEARCH_PATH, { q }),
    })),
  };
}

async function timePages(bench: Bench, { large, pages, searches }: Stage): Promise<Result[]> {
  const results: Result[] = [];
  const looks = [
    ...pages.map(({ what, path, person }) => ({ what, look: () => person.get(path) })),
    ...searches.map(({ what, search }) => ({ what, look: search })),
  ];
  for (const { what, look } of looks) {
    results.push({
      what: `page: ${what}`,
      unit: 'ms',
      subject: await inRounds(bench, what, () => slowest(look)),
      goal: { of: 'value', at: 'most', value: GOAL_MS },
      notes: [`${large.claims.toLocaleString('en')} claims; the second slowest of ${LOOKS} requests`],
    });
  }
  return results;
}

/** Measures an export of the claims with the label `podcast`. These claims are the oldest. */
async function timeExports(bench: Bench, { large, owner }: Stage): Promise<Result[]> {
  const results: Result[] = [];
  for (const [what, path] of EXPORTS) {
    results.push({
      what: `first bytes of an export: ${what}`,
      unit: 'ms',
      subject: await inRounds(bench, `first bytes of an export: ${what}`, () =>
        slowest(() => owner.peek(path)),
      ),
      goal: { of: 'value', at: 'most', value: GOAL_MS },
    });
  }
  return [
    ...results,
    {
      what: `export of ${large.ofPodcast.toLocaleString('en')} claims`,
      unit: 's',
      subject: await inRounds(bench, 'export', async () => (await owner.get(EXPORT)).ms / 1_000),
      notes: [`the oldest of ${large.claims.toLocaleString('en')} claims`],
    },
  ];
}

/** Returns the person's session at the server that will receive the requests. */
type At = (person: SignedIn) => SignedIn;
const here: At = (person) => person;

const lookAtAll =
  ({ pages }: Stage, pauseMs: number, served: At): Work =>
  async (isOver) => {
    for (let look = 0; !isOver(); look++) {
      const { path, person } = pages[look % pages.length]!;
      await Promise.all([served(person).get(path), sleep(pauseMs)]);
    }
  };

const exportAgain =
  ({ owner }: Stage, served: At): Work =>
  async (isOver) => {
    while (!isOver()) await served(owner).get(EXPORT);
  };

async function timeVerifications(bench: Bench, stage: Stage): Promise<Result[]> {
  const compare = async (
    what: string,
    look: Work,
    baseline: { readonly name: string; readonly look: Work },
    note: string,
  ): Promise<Result> => {
    const rate = { rate: RATE, seconds: bench.seconds };
    const measured = await alternate(
      forTails(bench),
      () => p99During(stage.large, stage.server, rate, look),
      () => p99During(stage.large, stage.server, rate, baseline.look),
    );
    return {
      what: `p99 of redemptions ${what}`,
      unit: 'ms',
      subject: measured.subject,
      baseline: { name: baseline.name, values: measured.baseline },
      goal: { of: 'ratio', at: 'most', value: GOAL_BESIDE },
      notes: [`${RATE} redemptions a second; ${note}`],
    };
  };
  const besideReaders = await compare(
    `during ${PAGES_A_SECOND} page requests a second`,
    lookAtAll(stage, 1_000 / PAGES_A_SECOND, here),
    { name: 'no page requests', look: nothing },
    'every page in turn',
  );
  // Requests without a pause keep a processor busy. In the baseline, another process serves these requests, so that the
  // ratio shows only the cost of serving them in the process that also redeems.
  const other = await stage.large.installation.serveBeside();
  const there: At = (person) => person.at(other.url);
  const name = 'another process serves them';
  try {
    return [
      besideReaders,
      await compare(
        'during page requests without a pause',
        lookAtAll(stage, 0, here),
        { name, look: lookAtAll(stage, 0, there) },
        'every page in turn',
      ),
      await compare(
        'during exports without a pause',
        exportAgain(stage, here),
        { name, look: exportAgain(stage, there) },
        'one export after another',
      ),
    ];
  } finally {
    await other.stop();
  }
}

const staged = (
  what: string,
  about: string,
  measure: (bench: Bench, stage: Stage) => Promise<Result[]>,
): readonly Row[] =>
  onBothEngines(what, about, async (bench, engine) => {
    const large = await bench.large(engine);
    const server = await large.installation.serve();
    try {
      await redeemSome(large, server);
      return await measure(bench, await stageOf(large, server));
    } finally {
      await server.stop();
    }
  });

export const pagesRows = [
  ...staged('pages', 'pages and an export with very many claims', async (bench, stage) => [
    ...(await timePages(bench, stage)),
    ...(await timeExports(bench, stage)),
  ]),
  ...staged('readers', 'redemptions during page requests and exports with very many claims', (bench, stage) =>
    stage.large.installation.inMemory(() => timeVerifications(bench, stage)),
  ),
];
