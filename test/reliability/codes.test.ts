/** Despite load and crashes, no code is given twice, every claim has a code, and acknowledged codes never change. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { codesOfClaims } from '../../src/claims/codes/codes-of-claims.ts';
import { addCodes } from '../../src/marketplace/offers/codes.ts';
import { editOffer } from '../../src/marketplace/offers/edit.ts';
import { findOwnOffer } from '../../src/marketplace/offers/queries.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import { createOperatorKey } from '../../src/people/keys/create.ts';
import { type DbLocation, ENGINES, type TestEngine } from '../support/engines.ts';
import { claimsOf, createOwner, type Owner } from '../support/marketplace.ts';
import {
  type ServerProcess,
  shareProcesses,
  sized,
  startServer,
  withContext,
} from '../support/server-process.ts';
import type { Replacement } from '../support/unguarded-build.ts';

const CLAIMANTS = sized(130, 240);
const CODES = sized(100, 200);
const CONTROL_CLAIMANTS = 80;
const CONNECTIONS = 64;
/** Number of answers after which a process is killed. */
const KILLED_AT = 50;
const PROCESSES: Readonly<Record<TestEngine, number>> = { sqlite: 1, postgres: 2 };
/** Delay between retries: long enough that retries do not slow down a starting process. */
const RETRY_MS = 100;

const { newDbLocation, unguarded } = shareProcesses();

interface Market {
  readonly dbLocation: DbLocation;
  readonly owner: Owner;
  readonly key: string;
}

async function newMarket(engine: TestEngine): Promise<Market> {
  const dbLocation = await newDbLocation(engine);
  return await withContext(dbLocation, async (context) => {
    const owner = await createOwner(context);
    const actor = 'operator' as const;
    await editOffer(context, { offerId: owner.offerId, actor, code_list: 'close' });
    const lines = Array.from({ length: CODES }, (_, index) => ({ line: index + 1, text: codeOf(index) }));
    await addCodes(context, { offerId: owner.offerId, actor, lines });
    const email = 'operator@example.com';
    const account = await createAccount(context, { email, name: 'O', plan: 'studio', operator: true, actor });
    const scopes = ['claims:write'];
    const { key } = await createOperatorKey(context, { account: account.id, name: 'm', scopes, actor });
    return { dbLocation, owner, key };
  });
}

const codeOf = (index: number): string => `CODE-${index}`;
const indexOf = (code: string): number => Number(code.slice('CODE-'.length));

/** Results of a claimant's two calls. All times are from one clock. Overlapping calls may have run in any order. */
interface Told {
  readonly claimant: string;
  /** `null`: no codes were left. */
  readonly code: string | null;
  /** Start and end of the first call, including its retries. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** Result of the second call. */
  readonly again: string | null;
}

/** Issues a claim and returns its code, or `null` if no codes are left. Retries until the service answers. */
async function issue(
  market: Market,
  ports: () => readonly number[],
  claimant: number,
): Promise<string | null> {
  const body = JSON.stringify({ offer_id: market.owner.offerId, claimant: `claimant-${claimant}` });
  for (let attempt = claimant; ; attempt += 1) {
    const all = ports();
    const response = await fetch(`http://127.0.0.1:${all[attempt % all.length]}/api/v1/operator/claims`, {
      method: 'POST',
      headers: { authorization: `Bearer ${market.key}`, 'content-type': 'application/json' },
      body,
    }).catch(() => null);
    const text = await response?.text().catch(() => undefined);
    if (text === undefined || response === null || response.status === 503) {
      await sleep(RETRY_MS);
      continue;
    }
    if (response.status === 200) return (JSON.parse(text) as { code: string | null }).code;
    // In the control without locks, the number of remaining codes may become negative.
    if (/All codes have been given out\.|has only -\d+ codes left/.test(text)) return null;
    throw new Error(`${response.status}: ${text}`);
  }
}

interface RaceOptions {
  readonly processes: number;
  /** Number of answers after which a process is killed and restarted. */
  readonly killedAt?: number;
  readonly program?: string;
}

/** Issues a claim to every claimant, over many connections. */
async function race(
  market: Market,
  claimants: number,
  { processes, killedAt, ...options }: RaceOptions,
): Promise<Told[]> {
  const start = () => startServer(market.dbLocation, options);
  const servers: ServerProcess[] = await Promise.all(Array.from({ length: processes }, start));
  const answers: Told[] = [];
  let next = 0;
  let restarting: Promise<void> = Promise.resolve();
  const kill = async () => {
    await servers[0]!.kill('SIGKILL');
    servers[0] = await start();
  };
  const client = async () => {
    while (next < claimants) {
      const number = next++;
      const ask = () => issue(market, () => servers.map(({ port }) => port), number);
      const startedMs = performance.now();
      const code = await ask();
      const endedMs = performance.now();
      answers.push({ claimant: `claimant-${number}`, code, startedMs, endedMs, again: await ask() });
      if (answers.length === killedAt) restarting = kill();
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, client));
    await restarting;
    return answers;
  } finally {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  }
}

/** Returns a message for each result that is impossible if the service gives each claim the next code in the list. */
function faultsOfHistory(history: readonly Told[]): string[] {
  const faults: string[] = [];
  const claimantOf = new Map<string, string>();
  for (const { claimant, code, again } of history) {
    if (again !== code) faults.push(`${claimant} was told ${code}, then ${again}`);
    if (code === null) continue;
    if (claimantOf.has(code)) faults.push(`${claimantOf.get(code)} and ${claimant} were both told ${code}`);
    claimantOf.set(code, claimant);
  }
  const answered = history.toSorted((a, b) => a.endedMs - b.endedMs);
  for (const later of history) {
    for (const earlier of answered) {
      if (earlier.endedMs >= later.startedMs) break;
      if (later.code === null) continue;
      if (earlier.code === null) faults.push(`${later.claimant} got a code after the last one was given`);
      else if (indexOf(earlier.code) > indexOf(later.code))
        faults.push(`${later.claimant} got ${later.code} after ${earlier.code} was given`);
    }
  }
  return faults;
}

/** Faults in the history and in the stored codes, and differences between the two. */
async function faultsOf({ dbLocation, owner }: Market, history: readonly Told[]): Promise<string[]> {
  return await withContext(dbLocation, async (context) => {
    const claims = await claimsOf(context, owner);
    const codes = await codesOfClaims(context, context.db.read, claims);
    const counts = (await findOwnOffer(context.db.read, owner.accountId, owner.offerId))!;
    const stored = new Map(claims.map(({ claimant_ref, id }) => [claimant_ref, codes.get(id)]));
    const { claims: made, codes_given, codes_left } = counts;
    return [
      ...faultsOfHistory(history),
      ...(new Set(codes.values()).size === codes.size ? [] : ['two claims have the same code']),
      ...claims.filter(({ id }) => !codes.has(id)).map(({ id }) => `claim ${id} has no code`),
      ...history
        .filter(({ claimant, code }) => (stored.get(claimant) ?? null) !== code)
        .map(({ claimant }) => `${claimant} got a code that differs from the stored one`),
      ...(claims.length === CODES && made === CODES && codes_given === CODES && codes_left === 0
        ? []
        : [
            `${claims.length} claims; counts: ${made} claims, ${codes_given} codes given, ${codes_left} codes left`,
          ]),
    ];
  });
}

const CONDITION: readonly Replacement[] = [
  [/ and claim_id is null/, ''],
  [/ and offer_codes\.claim_id is null/, ''],
];

/**
 * Removes the lock on the offer, the locks on its next codes, and the check that a code is free when it is assigned.
 * The search for free codes still skips codes that have been given.
 */
const LOCKS: readonly Replacement[] = [
  [/await DIALECTS\[engine\]\.takeLock\(tx, offerId\);/, ''],
  [/await giveCodes\(tx, engine, offer, claims\);/, ''],
  // Counting the claims locks the offer's row in `offer_claims`. The changed program gives codes before it counts the
  // claims, so this lock does not protect the codes.
  [/(?=const inserted = await insertClaims)/, 'await giveCodes(tx, engine, offer, claims);'],
  [/\$\{DIALECTS\[engine\]\.skipLocked\}/, ''],
  [/ and offer_codes\.claim_id is null/, ''],
];

const told = (claimant: string, code: string | null, startedMs: number, again = code): Told => ({
  claimant,
  code,
  startedMs,
  endedMs: startedMs + 2,
  again,
});

test.each([
  ['a code given to two claimants', [told('a', codeOf(0), 0), told('b', codeOf(0), 1)], /both told CODE-0/],
  ['a code that changes', [told('a', codeOf(0), 0, codeOf(1))], /was told CODE-0, then CODE-1/],
  ['a lost claim', [told('a', codeOf(0), 0, null)], /was told CODE-0, then null/],
  [
    'a code given after the list was empty',
    [told('a', null, 0), told('b', codeOf(0), 3)],
    /after the last one/,
  ],
  ['codes out of order', [told('a', codeOf(1), 0), told('b', codeOf(0), 3)], /got CODE-0 after CODE-1/],
])('faultsOfHistory() detects %s', (_, history, fault) => {
  expect(faultsOfHistory(history)).toEqual([expect.stringMatching(fault)]);
});

test('faultsOfHistory() accepts overlapping calls in any order', () => {
  const history = [
    told('a', codeOf(1), 0),
    told('b', codeOf(0), 1),
    told('c', null, 2),
    told('d', codeOf(2), 3),
  ];
  expect(faultsOfHistory(history)).toEqual([]);
});

describe.each(ENGINES)('offer codes on %s', (engine) => {
  test(`each of ${CODES} codes goes to exactly one of ${CLAIMANTS} claimants despite a crash (${CONNECTIONS} connections, ${PROCESSES[engine]} process(es))`, async () => {
    const market = await newMarket(engine);
    const answers = await race(market, CLAIMANTS, { processes: PROCESSES[engine], killedAt: KILLED_AT });
    expect(await faultsOf(market, answers)).toEqual([]);
    expect(answers.filter(({ code }) => code === null)).toHaveLength(CLAIMANTS - CODES);
  });

  test('control: without the check that a code is free, a code is given twice', async () => {
    const program = unguarded(...CONDITION);
    const market = await newMarket(engine);
    const faults = await faultsOf(market, await race(market, CONTROL_CLAIMANTS, { processes: 1, program }));
    expect(faults).toContainEqual(expect.stringContaining('were both told'));
  });

  test.runIf(engine === 'postgres')(
    'control: without the locks, claims lose their codes to other claims',
    async () => {
      const program = unguarded(...LOCKS);
      const market = await newMarket(engine);
      const faults = await faultsOf(market, await race(market, CONTROL_CLAIMANTS, { processes: 1, program }));
      expect(faults).toContainEqual(expect.stringMatching(/has no code$/));
    },
  );
});
