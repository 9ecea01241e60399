/** Codes under load and kills: each is given at most once, each claim has one, and no acknowledged one changes. */
import { afterAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/create.ts';
import { codesOfClaims } from '../../src/claims/codes-of-claims.ts';
import { createOperatorKey } from '../../src/keys/create.ts';
import { addCodes } from '../../src/offers/codes.ts';
import { editOffer } from '../../src/offers/edit.ts';
import { findOwnOffer } from '../../src/offers/queries.ts';
import { createTestPlace, ENGINES, type TestEngine, type TestPlace } from '../support/engines.ts';
import { claimsOf, createOwner, type Owner } from '../support/marketplace.ts';
import { type ServerProcess, startServer, withContext } from '../support/server-process.ts';
import { buildWithout, type Guard } from '../support/unguarded-build.ts';

const CLAIMANTS = 600;
const CODES = 500;
const CONNECTIONS = 64;
/** A process is killed after each of these numbers of answers. */
const KILLS = [80, 200, 350];
const PROCESSES: Readonly<Record<TestEngine, number>> = { sqlite: 1, postgres: 2 };
const TIMEOUT_MS = 120_000;

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

interface Market {
  readonly place: TestPlace;
  readonly owner: Owner;
  readonly key: string;
}

async function newMarket(engine: TestEngine): Promise<Market> {
  const place = await createTestPlace(engine);
  cleanups.push(() => place.remove());
  return await withContext(place, async (context) => {
    const owner = await createOwner(context);
    const actor = 'operator' as const;
    await editOffer(context, { offerId: owner.offerId, actor, code_list: 'close' });
    const lines = Array.from({ length: CODES }, (_, index) => ({ line: index + 1, text: `CODE-${index}` }));
    await addCodes(context, { offerId: owner.offerId, actor, lines });
    const email = 'operator@example.com';
    const account = await createAccount(context, { email, name: 'O', plan: 'studio', operator: true, actor });
    const scopes = ['claims:write'];
    const { key } = await createOperatorKey(context, { account: account.id, name: 'm', scopes, actor });
    return { place, owner, key };
  });
}

/** What a claimant was told: their code, or that none is left. */
type Answers = Map<string, string | null>;

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
    if (text === undefined || response === null || response.status === 503) continue;
    if (response.status === 200) return (JSON.parse(text) as { code: string | null }).code;
    if (text.includes('All codes have been given out.')) return null;
    throw new Error(`${response.status}: ${text}`);
  }
}

/** Everybody claims over many connections, while processes are killed and started again. */
async function race(market: Market, kills: readonly number[], program?: string): Promise<Answers> {
  const options = program === undefined ? {} : { program };
  const start = () => startServer(market.place, options);
  const servers: ServerProcess[] = await Promise.all(
    Array.from({ length: PROCESSES[market.place.engine] }, start),
  );
  const answers: Answers = new Map();
  let next = 0;
  let restarting: Promise<void> = Promise.resolve();
  const kill = async () => {
    await servers[0]!.kill('SIGKILL');
    servers[0] = await start();
  };
  const client = async () => {
    while (next < CLAIMANTS) {
      const claimant = next++;
      answers.set(
        `claimant-${claimant}`,
        await issue(market, () => servers.map(({ port }) => port), claimant),
      );
      if (kills.includes(answers.size)) restarting = restarting.then(kill);
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

/** What is wrong with the codes of the claims, compared with what the claimants were told. */
async function faultsOf({ place, owner }: Market, answers: Answers): Promise<string[]> {
  return await withContext(place, async (context) => {
    const claims = await claimsOf(context, owner);
    const codes = await codesOfClaims(context, context.db.read, claims);
    const given = [...codes.values()];
    const counts = (await findOwnOffer(context.db.read, owner.accountId, owner.offerId))!;
    const told = [...answers].filter(([, code]) => code !== null);
    const stored = new Map(claims.map(({ claimant_ref, id }) => [claimant_ref, codes.get(id)]));
    return [
      ...(new Set(told.map(([, code]) => code)).size === told.length
        ? []
        : ['two people were told one code']),
      ...(new Set(given).size === given.length ? [] : ['two claims have one code']),
      ...claims.filter(({ id }) => !codes.has(id)).map(({ id }) => `claim ${id} has no code`),
      ...told
        .filter(([claimant, code]) => stored.get(claimant) !== code)
        .map(([claimant]) => `${claimant} was told another code`),
      ...(claims.length === CODES && counts.claims === CODES ? [] : [`${claims.length} claims`]),
      ...(counts.codes_given === CODES && counts.codes_left === 0 ? [] : [`${JSON.stringify(counts)}`]),
    ];
  });
}

const CONDITION: Guard = {
  file: 'claims/code-queries.ts',
  replacements: [
    [/ and claim_id is null/, ''],
    [/ and offer_codes\.claim_id is null/, ''],
  ],
};

describe.each(ENGINES)('codes on %s', (engine) => {
  test(`${CLAIMANTS} claimants over ${CONNECTIONS} connections to ${PROCESSES[engine]} process(es) that are killed share ${CODES} codes`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const market = await newMarket(engine);
    const answers = await race(market, KILLS);
    expect(await faultsOf(market, answers)).toEqual([]);
    expect([...answers.values()].filter((code) => code === null)).toHaveLength(CLAIMANTS - CODES);
  });

  test('control: without the condition that a code is free, a code is given twice', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { program, remove } = await buildWithout(CONDITION);
    cleanups.push(remove);
    const market = await newMarket(engine);
    const faults = await faultsOf(market, await race(market, [], program));
    expect(faults).toContain('two people were told one code');
  });
});
