/** Exactly one of a thousand concurrent calls redeems a token. */
import { describe, expect, test } from 'vitest';
import { type DbLocation, ENGINES, type TestEngine } from '../support/engines.ts';
import { burst, type HttpAnswer, outcomeOf } from '../support/load.ts';
import {
  type ServerProcess,
  shareProcesses,
  sized,
  startServer,
  stock,
  withContext,
} from '../support/server-process.ts';
import type { Replacement } from '../support/unguarded-build.ts';

const REDEEMS = 1_000;
const CONNECTIONS = 64;
const ROUNDS = sized(3, 50);
/** Without the guards, a round may have one winner by chance. The first round with several is the last. */
const CONTROL_ROUNDS = 30;
const PROCESSES: Readonly<Record<TestEngine, number>> = { sqlite: 1, postgres: sized(2, 4) };

const { newDbLocation, unguarded } = shareProcesses();

/**
 * Redeems a fresh token `REDEEMS` times concurrently in each round, and returns the responses of each round. Stops
 * after a round that `isEnough` accepts.
 */
async function race(
  dbLocation: DbLocation,
  rounds: number,
  program?: string,
  isEnough: (answers: readonly HttpAnswer[]) => boolean = () => false,
): Promise<HttpAnswer[][]> {
  const { owner, tokens } = await stock(dbLocation, rounds);
  const servers: ServerProcess[] = await Promise.all(
    Array.from({ length: PROCESSES[dbLocation.engine] }, () => startServer(dbLocation, { program })),
  );
  try {
    const ports = servers.map(({ port }) => port);
    const answers: HttpAnswer[][] = [];
    for (const token of tokens) {
      const call = { apiKey: owner.liveKey, token, redeem: true };
      const round: HttpAnswer[] = [];
      // An overloaded server refuses calls with 503 before it executes them. As the guide says, these are sent again.
      while (round.length < REDEEMS) {
        const calls = Array<typeof call>(REDEEMS - round.length).fill(call);
        const responses = await burst(ports, CONNECTIONS, calls);
        round.push(...responses.filter((response) => outcomeOf(response) !== 'unavailable'));
      }
      answers.push(round);
      if (isEnough(round)) break;
    }
    return answers;
  } finally {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  }
}

const winnersOf = (answers: readonly HttpAnswer[]): number =>
  answers.filter((answer) => outcomeOf(answer) === 'redeemed').length;

/**
 * For each engine, the replacements that remove the guards against a second redemption. The control test uses them. On
 * PostgreSQL, also with Citus, the guards are the condition on `redeemed_at`, and a division by zero if the update skips
 * a claim.
 */
const GUARDS: Readonly<Record<TestEngine, readonly Replacement[]>> = {
  postgres: [
    [/ and c\.redeemed_at is null(?=\s+returning c\.account_number, )/, ''],
    [/1 \/ \(count\(\*\) = array_length\(\$4::bigint\[\], 1\)\)::int(?= from redeemed`)/, '1'],
  ],
  sqlite: [
    [/claim: claim \?\? null(?=,)/, 'claim: claim ? { ...claim, redeemedAt: null } : null'],
    [/ and redeemed_at is null/, ''],
  ],
};

describe.each(ENGINES)('concurrent redemptions on %s', (engine) => {
  test(`exactly one of ${REDEEMS} succeeds over ${CONNECTIONS} connections to ${PROCESSES[engine]} process(es), in each of ${ROUNDS} rounds`, async () => {
    const dbLocation = await newDbLocation(engine);
    for (const answers of await race(dbLocation, ROUNDS)) {
      const outcomes = Map.groupBy(answers, outcomeOf);
      expect([...outcomes].map(([name, { length }]) => [name, length]).sort()).toEqual([
        ['already_redeemed', REDEEMS - 1],
        ['redeemed', 1],
      ]);
      const times = new Set(
        answers.map(({ body }) => (JSON.parse(body) as { redeemed_at: string }).redeemed_at),
      );
      expect(times.size).toBe(1);
      expect([...times][0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    const events = await withContext(dbLocation, ({ db }) =>
      db.read
        .selectFrom('events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('type', '=', 'claim.redeemed')
        .executeTakeFirstOrThrow(),
    );
    expect(events.count).toBe(ROUNDS);
  });

  test('control: more than one succeeds if the guards are removed', async () => {
    const program = unguarded(...GUARDS[engine]);
    const dbLocation = await newDbLocation(engine);
    const rounds = await race(dbLocation, CONTROL_ROUNDS, program, (answers) => winnersOf(answers) > 1);
    expect(Math.max(...rounds.map(winnersOf))).toBeGreaterThan(1);
  });
});
