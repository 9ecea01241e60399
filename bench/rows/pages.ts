/** The pages with very many claims: how long each takes, and what verifications notice of those who look at them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { alternate, type Bench, type Result, type Row } from '../bench.ts';
import { openLoop, requestsOf } from '../load/open-loop-round.ts';
import { checkRedeemed } from '../load/redeeming.ts';
import { type Engine, type Installation, install, pathOf } from '../setup/installation.ts';
import { type SignedIn, signIn } from '../setup/people.ts';
import type { Server } from '../setup/processes.ts';
import { shuffle, writeTokens } from '../setup/tokens.ts';

/** What a page may take at the server. */
const REACH_MS = 50;
/** Looks at a page in a round; the slowest but one of them counts. */
const LOOKS = 20;
/** Claims of the label that is exported. */
const EXPORTED = 100_000;
const RARE = 50;
/** Verifications a second while pages are looked at: far below the peak, so that no queue of their own shows. */
const RATE = 200;
/** How far the p99 of verifications may rise beside pages. */
const REACH_BESIDE = 1.5;
/** What some dozens of people who read what they see ask for, each second. */
const PAGES_A_SECOND = 10;
/** Of verifications beside something with verifications beside something else. */
const COMPARISONS = 3;
/** Redeemed before anything is measured, so that filters by state have two sides. */
const REDEEMED_SECONDS = 5;

const EXPORT = '/dashboard/claims/export.csv?via=podcast';
const OWNER_EMAIL = 'owner@bench.example';
const DESK_EMAIL = 'desk@bench.example';

/** An address of each page that reads claims or counts them, and of those that others wait at. */
const pagesOf = ({ offerId }: Installation) =>
  ({
    owner: [
      ['the marketplace', '/'],
      ['a listing', '/l/bench'],
      ['start', '/dashboard'],
      ['listings', '/dashboard/listings'],
      ['an offer', `/dashboard/offers/${offerId}`],
      ['claims', '/dashboard/claims'],
      ['a claim', '/dashboard/claims/1'],
      ['claims of a label', '/dashboard/claims?via=podcast'],
      ['claims of a rare label', '/dashboard/claims?via=rare'],
      ['claims of a label that none has', '/dashboard/claims?via=nobody'],
      ['redeemed claims', '/dashboard/claims?state=redeemed'],
      ['redeemed claims of a rare label', '/dashboard/claims?via=rare&state=redeemed'],
      ['claims of a person that none has', '/dashboard/claims?claimant=nobody'],
      ['claims of long ago', '/dashboard/claims?until=2001-01-01'],
      ['campaigns', '/dashboard/campaigns'],
      ['keys', '/dashboard/settings/keys'],
    ],
    desk: [
      ['the queue', '/desk'],
      ['accounts', '/desk/accounts'],
      ['events', '/desk/events'],
      ['events of a type', '/desk/events?type=key.created'],
      ['the system', '/desk/system'],
    ],
  }) as const;

/** A person as one of several processes serves them. */
type At = (person: SignedIn) => SignedIn;
const here: At = (person) => person;

/** An installation with `count` claims under three labels, some of them redeemed, and both people signed in. */
async function filled(
  bench: Bench,
  engine: Engine,
  count: number,
): Promise<{
  installation: Installation;
  server: Server;
  owner: SignedIn;
  desk: SignedIn;
  tokens: string[];
}> {
  const installation = await install(engine, bench.scratch, bench.postgres);
  const { stdout } = await installation.command([
    ...['accounts', 'create', '--operator', '--json'],
    ...['--email', DESK_EMAIL, '--name', 'Desk'],
  ]);
  const { set_password_link: deskLink } = JSON.parse(stdout) as { set_password_link: string };
  bench.say(`  issuing ${count.toLocaleString('en')} claims`);
  // Links of the command line work for an hour: the people come first, the claims while they wait.
  const early = await installation.serve();
  let owner: SignedIn;
  let desk: SignedIn;
  try {
    owner = await signIn(early.url, OWNER_EMAIL, installation.setPasswordPath);
    desk = await signIn(early.url, DESK_EMAIL, pathOf(deskLink));
  } finally {
    await early.stop();
  }
  const exported = Math.min(EXPORTED, Math.floor(count / 2));
  await installation.issue(exported, 'podcast');
  await installation.issue(RARE, 'rare');
  const issued = await installation.issue(count - exported - RARE);
  await installation.settle();
  const wanted = requestsOf({ rate: RATE, seconds: bench.seconds }) * bench.rounds * 2 * COMPARISONS;
  const redeemed = requestsOf({ rate: RATE, seconds: REDEEMED_SECONDS });
  const tokens = await issued.tokens(wanted + redeemed);
  shuffle(tokens);
  const server = await installation.serve();
  const file = await writeTokens(installation.folder, tokens.splice(0, redeemed));
  const { apiKey } = installation;
  await openLoop({ url: server.url, apiKey, tokens: file, rate: RATE, seconds: REDEEMED_SECONDS });
  return { installation, server, owner: owner.at(server.url), desk: desk.at(server.url), tokens };
}

const pagesRow = (engine: Engine): Row => ({
  name: `${engine}-pages`,
  engine,
  about: 'pages with very many claims, and verifications beside them',
  run: async (bench) => {
    const count = bench.manyClaims ?? bench.claims;
    const { installation, server, owner, desk, tokens } = await filled(bench, engine, count);
    const row = `${engine}-pages`;
    const pages = pagesOf(installation);
    const all = [
      ...pages.owner.map(([what, path]) => ({ what, path, person: owner })),
      ...pages.desk.map(([what, path]) => ({ what, path, person: desk })),
    ];
    try {
      const results: Result[] = [];
      for (const { what, path, person } of all) {
        await person.get(path);
        const subject: number[] = [];
        for (let round = 1; round <= bench.rounds; round++) subject.push(await slowest(person, path));
        bench.say(`  ${what}: ${subject.map((ms) => ms.toFixed(1)).join(', ')} ms`);
        const notes = [`${count.toLocaleString('en')} claims; the slowest but one of ${LOOKS} looks`];
        results.push({
          row,
          what: `page: ${what}`,
          unit: 'ms',
          subject,
          baseline: null,
          reach: { of: 'value', at: 'most', value: REACH_MS },
          notes,
        });
      }
      const exports: number[] = [];
      for (let round = 1; round <= bench.rounds; round++) {
        exports.push((await owner.get(EXPORT)).ms / 1_000);
      }
      bench.say(`  export: ${exports.map((s) => s.toFixed(2)).join(', ')} s`);
      results.push({
        row,
        what: `export of ${Math.min(EXPORTED, Math.floor(count / 2)).toLocaleString('en')} claims`,
        unit: 's',
        subject: exports,
        baseline: null,
        reach: null,
        notes: [],
      });

      const p99 = async (): Promise<number> => {
        const round = { rate: RATE, seconds: bench.seconds };
        const file = await writeTokens(installation.folder, tokens.splice(0, requestsOf(round)));
        const before = await installation.redeemedRows();
        const load = { url: server.url, apiKey: installation.apiKey, tokens: file, ...round };
        const { answered, p99: measured } = await openLoop(load);
        checkRedeemed(answered, (await installation.redeemedRows()) - before, 0);
        return measured;
      };
      const beside = async (look: (isOver: () => boolean) => Promise<void>): Promise<number> => {
        let isOver = false;
        const looking = look(() => isOver);
        try {
          return await p99();
        } finally {
          isOver = true;
          await looking;
        }
      };
      const lookAtAll = (pauseMs: number, served: At) => async (isOver: () => boolean) => {
        for (let look = 0; !isOver(); look++) {
          const { path, person } = all[look % all.length]!;
          await Promise.all([served(person).get(path), sleep(pauseMs)]);
        }
      };
      const exportAll = (served: At) => async (isOver: () => boolean) => {
        while (!isOver()) await served(owner).get(EXPORT);
      };
      const compare = async (
        what: string,
        subject: () => Promise<number>,
        baseline: { name: string; run: () => Promise<number> },
        note: string,
      ): Promise<void> => {
        const measured = await alternate(bench, subject, baseline.run);
        results.push({
          row,
          what: `p99 of verifications ${what}`,
          unit: 'ms',
          subject: measured.subject,
          baseline: { name: baseline.name, values: measured.baseline },
          reach: { of: 'ratio', at: 'most', value: REACH_BESIDE },
          notes: [`${RATE} requests a second; ${note}`],
        });
      };

      await compare(
        `beside ${PAGES_A_SECOND} pages a second`,
        () => beside(lookAtAll(1_000 / PAGES_A_SECOND, here)),
        { name: 'nobody looks', run: p99 },
        'every page in turn',
      );
      // Without a pause they take a processor for themselves. What that costs anybody on the same machine is in both figures;
      // what it costs who is served by the same process is the ratio.
      const other = await installation.serve();
      const there: At = (person) => person.at(other.url);
      try {
        await compare(
          'beside pages without a pause',
          () => beside(lookAtAll(0, here)),
          { name: 'another process serves them', run: () => beside(lookAtAll(0, there)) },
          'every page in turn',
        );
        await compare(
          'beside exports without a pause',
          () => beside(exportAll(here)),
          { name: 'another process serves them', run: () => beside(exportAll(there)) },
          'one export after the other',
        );
      } finally {
        await other.stop();
      }
      return results;
    } finally {
      await server.stop();
      await installation.remove();
    }
  },
});

/** The slowest but one: one look may meet the machine at a bad moment. */
async function slowest(person: SignedIn, path: string): Promise<number> {
  const times: number[] = [];
  for (let look = 0; look < LOOKS; look++) times.push((await person.get(path)).ms);
  return times.toSorted((a, b) => b - a)[1]!;
}

export const pagesRows: readonly Row[] = [pagesRow('embedded'), pagesRow('postgresql')];
