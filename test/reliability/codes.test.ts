/** Codes under load and kills: each is given at most once, each claim has one, and no acknowledged one changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/create.ts';
import { codesOfClaims } from '../../src/claims/codes-of-claims.ts';
import { createOperatorKey } from '../../src/keys/create.ts';
import { addCodes } from '../../src/offers/codes.ts';
import { editOffer } from '../../src/offers/edit.ts';
import { findOwnOffer } from '../../src/offers/queries.ts';
import { ENGINES, type TestEngine, type TestPlace } from '../support/engines.ts';
import { claimsOf, createOwner, type Owner } from '../support/marketplace.ts';
import { type ServerProcess, shareProcesses, startServer, withContext } from '../support/server-process.ts';
import type { Replacement } from '../support/unguarded-build.ts';

const CLAIMANTS = 240;
const CODES = 200;
const CONTROL_CLAIMANTS = 100;
const CONNECTIONS = 64;
/** A process is killed after each of these numbers of answers. */
const KILLS = [50, 120];
const PROCESSES: Readonly<Record<TestEngine, number>> = { sqlite: 1, postgres: 2 };
/** Long enough that a process that is starting has the processor to itself. */
const RETRY_MS = 100;

const { newPlace, unguarded } = shareProcesses();

interface Market {
  readonly place: TestPlace;
  readonly owner: Owner;
  readonly key: string;
}

async function newMarket(engine: TestEngine): Promise<Market> {
  const place = await newPlace(engine);
  return await withContext(place, async (context) => {
    const owner = await createOwner(context);
    const actor = 'operator' as const;
    await editOffer(context, { offerId: owner.offerId, actor, code_list: 'close' });
    const lines = Array.from({ length: CODES }, (_, index) => ({ line: index + 1, text: codeOf(index) }));
    await addCodes(context, { offerId: owner.offerId, actor, lines });
    const email = 'operator@example.com';
    const account = await createAccount(context, { email, name: 'O', plan: 'studio', operator: true, actor });
    const scopes = ['claims:write'];
    const { key } = await createOperatorKey(context, { account: account.id, name: 'm', scopes, actor });
    return { place, owner, key };
  });
}

const codeOf = (index: number): string => `CODE-${index}`;
const indexOf = (code: string): number => Number(code.slice('CODE-'.length));

/** What a claimant's calls returned. All times are from one clock; calls that overlap may have run in any order. */
interface Told {
  readonly claimant: string;
  /** `null`: none is left. */
  readonly code: string | null;
  /** When the claimant first asked. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** What a second call returned. */
  readonly again: string | null;
}

/** Asks for a claimant's claim until there is an answer. */
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
    // Without the locks, more codes may be counted as given than there are.
    if (/All codes have been given out\.|has -\d+ codes? left/.test(text)) return null;
    throw new Error(`${response.status}: ${text}`);
  }
}

/** Everybody claims over many connections, while processes are killed and started again. */
async function race(
  market: Market,
  claimants: number,
  kills: readonly number[],
  options: { readonly program?: string } = {},
): Promise<Told[]> {
  const start = () => startServer(market.place, options);
  const servers: ServerProcess[] = await Promise.all(
    Array.from({ length: PROCESSES[market.place.engine] }, start),
  );
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
      if (kills.includes(answers.length)) restarting = restarting.then(kill);
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

/**
 * What in this history is impossible for a service that gives each claim the next code of its list; empty if nothing
 * is.
 */
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

/** What is wrong with the history, and with the stored codes compared with it. */
async function faultsOf({ place, owner }: Market, history: readonly Told[]): Promise<string[]> {
  return await withContext(place, async (context) => {
    const claims = await claimsOf(context, owner);
    const codes = await codesOfClaims(context, context.db.read, claims);
    const counts = (await findOwnOffer(context.db.read, owner.accountId, owner.offerId))!;
    const stored = new Map(claims.map(({ claimant_ref, id }) => [claimant_ref, codes.get(id)]));
    const { claims: made, codes_given, codes_left } = counts;
    return [
      ...faultsOfHistory(history),
      ...(new Set(codes.values()).size === codes.size ? [] : ['two claims have one code']),
      ...claims.filter(({ id }) => !codes.has(id)).map(({ id }) => `claim ${id} has no code`),
      ...history
        .filter(({ claimant, code }) => (stored.get(claimant) ?? null) !== code)
        .map(({ claimant }) => `${claimant} was told a different code from the one that is stored`),
      ...(claims.length === CODES && made === CODES && codes_given === CODES && codes_left === 0
        ? []
        : [`${claims.length} claims; counted: ${made}, ${codes_given} codes given, ${codes_left} left`]),
    ];
  });
}

const CONDITION: readonly Replacement[] = [
  [/ and claim_id is null/, ''],
  [/ and offer_codes\.claim_id is null/, ''],
];

/** Without the locks of the offer, its count and its next codes; a code is still taken only if it is free. */
const LOCKS: readonly Replacement[] = [
  [/await DIALECTS\[engine\]\.takeLock\(tx, offerId\);/, ''],
  [/await giveCodes\(tx, engine, offer, claims\);/, ''],
  // Before the claims are counted, which locks the row of the count.
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
  ['two people with one code', [told('a', codeOf(0), 0), told('b', codeOf(0), 1)], /both told CODE-0/],
  ['a code that changes', [told('a', codeOf(0), 0, codeOf(1))], /was told CODE-0, then CODE-1/],
  ['a claim that is lost', [told('a', codeOf(0), 0, null)], /was told CODE-0, then null/],
  ['a code after the last one', [told('a', null, 0), told('b', codeOf(0), 3)], /after the last one/],
  ['codes out of order', [told('a', codeOf(1), 0), told('b', codeOf(0), 3)], /got CODE-0 after CODE-1/],
])('the check of histories notices %s', (_, history, fault) => {
  expect(faultsOfHistory(history)).toEqual([expect.stringMatching(fault)]);
});

test('the check of histories accepts calls that overlapped, in any order', () => {
  const history = [
    told('a', codeOf(1), 0),
    told('b', codeOf(0), 1),
    told('c', null, 2),
    told('d', codeOf(2), 3),
  ];
  expect(faultsOfHistory(history)).toEqual([]);
});

describe.each(ENGINES)('codes on %s', (engine) => {
  test(`${CLAIMANTS} claimants over ${CONNECTIONS} connections to ${PROCESSES[engine]} process(es) that are killed share ${CODES} codes`, async () => {
    const market = await newMarket(engine);
    const answers = await race(market, CLAIMANTS, KILLS);
    expect(await faultsOf(market, answers)).toEqual([]);
    expect(answers.filter(({ code }) => code === null)).toHaveLength(CLAIMANTS - CODES);
  });

  test('control: without the condition that a code is free, a code is given twice', async () => {
    const program = unguarded(...CONDITION);
    const market = await newMarket(engine);
    const faults = await faultsOf(market, await race(market, CONTROL_CLAIMANTS, [], { program }));
    expect(faults).toContainEqual(expect.stringContaining('were both told'));
  });

  test.runIf(engine === 'postgres')(
    'control: without the locks, claims lose their codes to others',
    async () => {
      const program = unguarded(...LOCKS);
      const market = await newMarket(engine);
      const faults = await faultsOf(market, await race(market, CONTROL_CLAIMANTS, [], { program }));
      expect(faults).toContainEqual(expect.stringMatching(/has no code$/));
    },
  );
});
