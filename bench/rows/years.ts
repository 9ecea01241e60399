/** Measures an installation with five years of data: redemptions, reading events, and dropping a month of events. */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fingerprintOf, writeCursor } from '../../src/base/events/feed.ts';
import { sealedCursors } from '../../src/platform/http/operations/query-parameters.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-keys.ts';
import { openDatabase } from '../../src/platform/store/open.ts';
import { monthStart } from '../../src/platform/store/partitions.ts';
import { alternate, type Bench, inRounds, MEGABYTE, type Result, type Row } from '../bench.ts';
import { nothing, redeemDuring, type Work } from '../load/redeeming.ts';
import { requestsOf } from '../load/rounds.ts';
import { type Installation, install } from '../setup/installation.ts';
import { signInBoth } from '../setup/large-installation.ts';
import { LOOKS, slowest } from '../setup/people.ts';
import { query } from '../setup/postgres.ts';
import { shuffle } from '../setup/tokens.ts';
import { addYears } from '../setup/years.ts';
import { FEW_CLAIMS, freshRound, requireManyClaims, roundWithFew } from './growth.ts';

/** A redeemed claim usually has only two events, so this event log is larger than in practice. */
const EVENTS_A_CLAIM = 10;
const GOAL_MS = 50;
/** Redemptions per second while a month is dropped. */
const RATE = 200;
const SECONDS = 10;
/** Goal for the p99 of redemptions while a month is dropped, as a ratio to the p99 without a drop. */
const GOAL_BESIDE = 1.5;

const FEED = '/api/v1/marketplace/redemptions';

/** Returns a cursor for the redemption feed. The cursor is `events` events behind the newest event. */
async function cursorBehind(installation: Installation, events: number): Promise<string> {
  const [event] = await query(
    installation.databaseUrl!,
    `select * from events where seq <= (select max(seq) from event_rows) - $1 order by seq desc limit 1`,
    [events],
  );
  const { seq, type, at, subject_id } = event as Record<string, string | Date>;
  const fingerprint = fingerprintOf({
    seq: Number(seq),
    type: String(type),
    at: (at as Date).toISOString(),
    subjectId: String(subject_id),
  });
  const box = createSecretBox([installation.secretKey], randomBytes);
  return sealedCursors(box, 'redemptions', installation.accountId).seal(
    writeCursor({ seq: Number(seq), fingerprint }),
  );
}

async function timeReaders(bench: Bench, installation: Installation): Promise<Result[]> {
  const { owner: _, desk } = await signInBoth(installation);
  const url = installation.databaseUrl!;
  const server = await installation.serve();
  try {
    const feed = (after: string) => async () => {
      const answer = await fetch(`${server.url}${FEED}?limit=100&after=${after}`, {
        headers: { authorization: `Bearer ${installation.apiKey}` },
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`the feed responded with ${answer.status}: ${text}`);
    };
    const [count] = await query(url, 'select count(*) as events from event_rows');
    const page = (path: string) => () => desk.at(server.url).get(path);
    const looks: readonly (readonly [what: string, look: () => Promise<unknown>])[] = [
      ['feed of redemptions, at its end', feed(await cursorBehind(installation, 0))],
      ['feed of redemptions, 500 events before its end', feed(await cursorBehind(installation, 500))],
      [
        'feed of redemptions, from the middle',
        feed(await cursorBehind(installation, Math.floor(Number(count!['events']) / 2))),
      ],
      ['audit log', page('/desk/events')],
      ['audit log, one type', page('/desk/events?type=key.created')],
      ['audit log, a month two years ago', page(twoYearsAgo())],
      ['audit log, redemptions', page('/desk/events?type=claim.redeemed')],
      ['system page', page('/desk/system')],
    ];
    const results: Result[] = [];
    for (const [what, look] of looks) {
      const subject = await inRounds(bench, what, () => slowest(look));
      results.push({
        ...{ what, unit: 'ms', subject },
        goal: { of: 'value', at: 'most', value: GOAL_MS },
        notes: [`the second slowest of ${LOOKS} requests`],
      });
    }
    return results;
  } finally {
    await server.stop();
  }
}

function twoYearsAgo(): string {
  const day = (months: number) => monthStart(Date.now(), -months).slice(0, 10);
  return `/desk/events?since=${day(24)}&until=${day(23)}`;
}

/** Compares the p99 of redemptions with and without a concurrent drop of the oldest month. */
async function dropMonths(bench: Bench, installation: Installation, tokens: string[]): Promise<Result[]> {
  const { databaseUrl } = installation;
  const db = await openDatabase({
    databaseUrl,
    dataDir: installation.folder,
    now: Date.now,
    mustExist: true,
  });
  const partitions = db.partitions!;
  const server = await installation.serve();
  const tookMs: number[] = [];
  const rate = { rate: RATE, seconds: SECONDS };
  const p99 = async (work: Work): Promise<number> => {
    const load = { installation, url: server.url, tokens: tokens.splice(0, requestsOf(rate)) };
    return (await redeemDuring(load, rate, work)).p99;
  };
  const drop = async () => {
    await sleep((SECONDS * 1_000) / 2);
    const [oldest] = await partitions.list('event_rows');
    const startedMs = performance.now();
    if (!(await partitions.drop(oldest!))) throw new Error(`${oldest!.name} was not dropped`);
    tookMs.push(performance.now() - startedMs);
  };
  try {
    const { subject, baseline } = await alternate(
      bench,
      () => p99(drop),
      () => p99(nothing),
    );
    bench.say(`  drop of a month: ${tookMs.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    return [
      {
        ...{ what: 'p99 of redemptions while a month is dropped', unit: 'ms', subject },
        baseline: { name: 'no month is dropped', values: baseline },
        goal: { of: 'ratio', at: 'most', value: GOAL_BESIDE },
        notes: [`${RATE} redemptions a second`],
      },
      {
        ...{ what: 'drop of a month of events', unit: 'ms', subject: tookMs },
        notes: ['including the time to connect to the database'],
      },
    ];
  } finally {
    await db.close();
    await server.stop();
  }
}

async function measure(bench: Bench, installation: Installation): Promise<Result[]> {
  const { manyClaims } = bench;
  const shape = { eventsAClaim: EVENTS_A_CLAIM, eventsAnAuditEvent: 50, ofPodcast: 0, rare: 1 };
  await addYears(installation, { claims: manyClaims, ...shape }, bench.say);
  const tokens = await (await installation.issue(FEW_CLAIMS * (bench.rounds + 2))).tokens();
  await installation.settle();
  shuffle(tokens);
  const [{ bytes } = { bytes: 0 }] = await query(
    installation.databaseUrl!,
    'select pg_database_size(current_database()) as bytes',
  );
  const words = `${manyClaims.toLocaleString('en')} claims and ${(manyClaims * EVENTS_A_CLAIM).toLocaleString('en')} events`;
  bench.say(`  ${words}: ${(Number(bytes) / MEGABYTE).toFixed(0)} MB`);
  const readers = await timeReaders(bench, installation);
  const { subject, baseline } = await alternate(
    bench,
    () => freshRound(bench, installation, tokens.splice(0, FEW_CLAIMS)),
    () => roundWithFew(bench, 'postgresql'),
  );
  return [
    { what: `size with ${words}`, unit: 'MB', subject: [Number(bytes) / MEGABYTE] },
    {
      ...{ what: `redemptions with ${words}`, unit: 'per second', subject },
      baseline: { name: `with ${FEW_CLAIMS.toLocaleString('en')} claims`, values: baseline },
      goal: { of: 'ratio', at: 'least', value: 0.9 },
      notes: ['tokens of the newest claims, in random order'],
    },
    ...readers,
    ...(await dropMonths(bench, installation, tokens)),
  ];
}

export const yearsRows: readonly Row[] = [
  {
    name: 'postgresql-years',
    engine: 'postgresql',
    about: 'five years of events: redemptions, the feed, the audit log, and the drop of a month',
    run: async (bench) => {
      requireManyClaims(bench);
      const installation = await install('postgresql', bench.scratch, bench.postgres);
      try {
        return await measure(bench, installation);
      } finally {
        await installation.remove();
      }
    },
  },
];
