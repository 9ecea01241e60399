/** Measures how a concurrent command, upload or job delays redemptions. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { flush, makeFolder } from '../../src/platform/process/files.ts';
import type { Migration } from '../../src/platform/store/migrations/migration.ts';
import { latestVersion, MIGRATIONS } from '../../src/platform/store/migrations/migrations.ts';
import { migratePostgres } from '../../src/platform/store/postgres/migrate.ts';
import { type Bench, forTails, inTurns, onBothEngines, type Result } from '../bench.ts';
import { nothing, redeemStock, type Work } from '../load/redeeming.ts';
import { quantile } from '../load/rounds.ts';
import { addCalls, countCalls } from '../setup/calls.ts';
import { addCrowd, addSessions } from '../setup/crowd.ts';
import { importClaims } from '../setup/import.ts';
import type { Installation } from '../setup/installation.ts';
import type { Server } from '../setup/processes.ts';
import type { Stock } from '../setup/stock.ts';

/** Goal of the ratio: p99 during the work divided by p99 without it. */
const GOAL = { of: 'ratio', at: 'most', value: 3 } as const;
/** Redemptions per second: far below the peak, so that they don't queue. */
const RATE = 200;
/** Number of claims per import. The import is repeated until the round is over. */
const IMPORTED = 20_000;
const CHECKPOINT_PAUSE_MS = 500;
const MIGRATION_PAUSE_MS = 2_000;
/** Long enough for each kind of delay, such as a checkpoint during an import, to occur in every window. */
const WINDOW_SECONDS = 10;
/** Jobs that delete rows run every minute, so each of these windows includes a run. */
const JOB_WINDOW_SECONDS = 65;
/** Deleting these calls takes a large part of a window. */
const DELETED_CALLS = 100_000;
/** Erasing these accounts takes a large part of a window. */
const ERASED_ACCOUNTS = 1_000;
const PICTURE = new URL('../../docs/screenshots/campaigns-light.png', import.meta.url);

const again =
  (once: () => Promise<unknown>): Work =>
  async (isOver) => {
    while (!isOver()) await once();
  };

/** Deletes the backups after the window: the service deletes one a day, which delays some flushes by up to 65 ms. */
const backUp =
  ({ command, folder }: Installation): Work =>
  async (isOver) => {
    const backups = join(folder, 'backups');
    makeFolder(backups);
    for (let count = 0; !isOver(); count++) await command(['backup', join(backups, `${count}.db`)]);
    await rm(backups, { recursive: true });
    flush(folder);
  };

/** A migration of the claims while servers of the previous release run. With the embedded database, none would run. */
const NEXT: Migration = {
  version: latestVersion() + 1,
  name: 'next release',
  compatibleWith: latestVersion(),
  statements: () => [
    "alter table claim_rows add column source text not null default 'page'",
    'create table notes_of_claims (claim_seq bigint primary key, note text not null)',
  ],
};

async function migrate({ databaseUrl, query }: Installation): Promise<void> {
  const { to } = await migratePostgres(databaseUrl!, { migrations: [...MIGRATIONS, NEXT] });
  if (to !== NEXT.version) throw new Error(`the migration stopped at version ${to}`);
  await sleep(MIGRATION_PAUSE_MS);
  await query(
    `drop table notes_of_claims; alter table claim_rows drop column source; delete from schema_migrations where version = ${to}`,
  );
}

/** Uploads a large picture again and again, as the owner. The service encodes each upload in several sizes. */
const uploadPictures =
  (installation: Installation, { url }: Server): Work =>
  async (isOver) => {
    const [cookie = ''] = await addSessions(installation, url, [installation.accountId]);
    const [listing] = await installation.query('select id from listings');
    const form = new FormData();
    form.set('picture', new Blob([readFileSync(PICTURE)], { type: 'image/png' }), 'cover.png');
    while (!isOver()) {
      await installation.query('delete from throttles');
      const response = await fetch(`${url}/dashboard/listings/${listing?.['id']}/pictures/cover`, {
        method: 'POST',
        headers: { cookie, origin: url, 'sec-fetch-site': 'same-origin' },
        body: form,
        redirect: 'manual',
      });
      if (response.status !== 303) throw new Error(`an upload was refused with ${response.status}`);
    }
  };

/** Returns the commands and uploads by name, in the order of the report. */
const worksOf = (installation: Installation, server: Server): Readonly<Record<string, Work>> => ({
  'an import': again(() =>
    importClaims(installation, IMPORTED, () => `ext-${randomBytes(16).toString('base64url')}`),
  ),
  'an export': again(() =>
    installation.command(['claims', 'export'], join(installation.folder, 'export.csv')),
  ),
  ...(installation.engine === 'embedded'
    ? { 'a backup': backUp(installation) }
    : {
        'a checkpoint': again(async () => {
          await installation.query('checkpoint');
          await sleep(CHECKPOINT_PAUSE_MS);
        }),
        'a migration of the claims': again(() => migrate(installation)),
      }),
  'uploads of pictures': uploadPictures(installation, server),
});

type Latencies = readonly (readonly number[])[];

/** Measures windows of all sides in turns. Returns each side's latencies, an array for each window. */
async function windowsInTurns<Side extends string>(
  bench: Bench,
  stock: Stock,
  seconds: number,
  works: Readonly<Record<Side, () => Promise<Work>>>,
): Promise<Readonly<Record<Side, Latencies>>> {
  const names = Object.keys(works) as Side[];
  const windows = Object.fromEntries(names.map((name) => [name, [] as (readonly number[])[]])) as Record<
    Side,
    (readonly number[])[]
  >;
  const sides = Object.fromEntries(
    names.map((name) => [
      name,
      async () => {
        const { latencies, p99 } = await redeemStock(stock, { rate: RATE, seconds }, await works[name]());
        windows[name].push(latencies);
        return p99;
      },
    ]),
  );
  await inTurns(bench, sides);
  return windows;
}

const SHARES = { p50: 0.5, p90: 0.9, p99: 0.99, 'p99.9': 0.999, max: 1 } as const;

/** The distribution of all windows together: single windows have too few slow requests to compare their tails. */
function distributionOf(windows: Latencies): string {
  const sorted = windows.flat().toSorted((a, b) => a - b);
  return Object.entries(SHARES)
    .map(([name, share]) => `${name} ${quantile(sorted, share).toFixed(1)}`)
    .join(', ');
}

const p99s = (windows: Latencies): number[] => windows.map((window) => quantile(window, SHARES.p99));

const resultOf = (name: string, subject: Latencies, baseline: Latencies): Result => ({
  what: `p99 of redemptions during ${name}`,
  unit: 'ms',
  subject: p99s(subject),
  baseline: { name: 'nothing else running', values: p99s(baseline) },
  goal: GOAL,
  notes: [
    `${RATE} redemptions a second, open loop, ${subject.length} windows; ms of all windows: ${distributionOf(subject)}; nothing else running: ${distributionOf(baseline)}`,
  ],
});

async function besideWorks(bench: Bench, stock: Stock): Promise<Result[]> {
  const works = { nothing, ...worksOf(stock.installation, await stock.server()) };
  const sides = Object.fromEntries(Object.entries(works).map(([name, work]) => [name, async () => work]));
  const windows = await windowsInTurns(forTails(bench), stock, WINDOW_SECONDS, sides);
  return Object.keys(works)
    .filter((name) => name !== 'nothing')
    .map((name) => resultOf(name, windows[name]!, windows['nothing']!));
}

interface Chore {
  readonly name: string;
  /** Adds the rows that the job deletes. */
  add(): Promise<unknown>;
  readonly amount: number;
  count(): Promise<number>;
}

const choresOf = (installation: Installation, { url }: Server): readonly Chore[] => [
  {
    name: `a sweep of ${DELETED_CALLS.toLocaleString('en')} calls`,
    amount: DELETED_CALLS,
    add: () => addCalls(installation, DELETED_CALLS),
    count: () => countCalls(installation),
  },
  {
    name: `the erasure of ${ERASED_ACCOUNTS.toLocaleString('en')} accounts`,
    amount: ERASED_ACCOUNTS,
    add: async () => {
      await addCrowd(installation, url, ERASED_ACCOUNTS);
      await installation.query(
        `update accounts set delete_at = '${new Date().toISOString()}' where email like '%@crowd.example'`,
      );
    },
    count: async () => {
      const [row] = await installation.query(
        `select count(*) as people from accounts where email like '%@crowd.example'`,
      );
      return Number(row?.['people']);
    },
  },
];

/** Measures redemptions during a run of a job that deletes rows. */
async function besideChore(bench: Bench, stock: Stock, { name, amount, add, count }: Chore): Promise<Result> {
  let before = 0;
  const windows = await windowsInTurns({ ...bench, rounds: 1 }, stock, JOB_WINDOW_SECONDS, {
    chore: async () => {
      await add();
      before = await count();
      return nothing;
    },
    nothing: async () => {
      const after = await count();
      if (after > before - amount / 2)
        throw new Error(`${name} deleted too few rows: ${before} before, ${after} after`);
      return nothing;
    },
  });
  return resultOf(name, windows.chore, windows.nothing);
}

export const besideRows = onBothEngines(
  'beside',
  'redemptions during imports, exports, backups (PostgreSQL: checkpoints and migrations), uploads, a sweep of the request log and erasures',
  async (bench, engine) => {
    const stock = await bench.stock(engine);
    await redeemStock(stock, { rate: RATE, seconds: bench.seconds });
    const results = await besideWorks(bench, stock);
    for (const chore of choresOf(stock.installation, await stock.server())) {
      results.push(await besideChore(bench, stock, chore));
    }
    return results;
  },
);
