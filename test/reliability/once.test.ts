/** A thousand callers at once with one token: one of them redeems it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../src/store/database.ts';
import { createTestPlace, ENGINES, type TestPlace } from '../support/engines.ts';
import { burst, type HttpAnswer, outcomeOf } from '../support/load.ts';
import {
  REPOSITORY,
  type ServerProcess,
  startServer,
  stock,
  withContext,
} from '../support/server-process.ts';

const REDEEMS = 1_000;
const CONNECTIONS = 64;
const ROUNDS = 20;
const PROCESSES: Readonly<Record<Engine, number>> = { sqlite: 1, postgres: 4 };
const TIMEOUT_MS = 120_000;

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** Every round's answers: `REDEEMS` redemptions of one fresh token each. */
async function race(place: TestPlace, rounds: number, program?: string): Promise<HttpAnswer[][]> {
  const { owner, tokens } = await stock(place, rounds);
  const servers: ServerProcess[] = await Promise.all(
    Array.from({ length: PROCESSES[place.engine] }, () =>
      startServer(place, program === undefined ? {} : { program }),
    ),
  );
  try {
    const ports = servers.map(({ port }) => port);
    const answers: HttpAnswer[][] = [];
    for (const token of tokens) {
      const call = { apiKey: owner.liveKey, token, redeem: true };
      answers.push(await burst(ports, CONNECTIONS, Array<typeof call>(REDEEMS).fill(call)));
    }
    return answers;
  } finally {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')));
  }
}

const winnersOf = (answers: readonly HttpAnswer[]): number =>
  answers.filter((answer) => outcomeOf(answer) === 'redeemed').length;

/** The build with the guard taken out of one of its files. Throws where a replacement does not apply. */
function buildWithout(file: string, guards: readonly (readonly [RegExp, string])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'claimcheck-unguarded-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, 'dist', file);
  let code = readFileSync(path, 'utf8');
  for (const [guard, replacement] of guards) {
    if (code.match(new RegExp(guard, 'g'))?.length !== 1) throw new Error(`${guard} is not in ${file} once`);
    code = code.replace(guard, replacement);
  }
  writeFileSync(path, code);
  return join(folder, 'bin', 'claimcheck.js');
}

/** What makes a redemption exclusive on each engine. */
const GUARDS: Readonly<Record<Engine, readonly [string, readonly (readonly [RegExp, string])[]]>> = {
  postgres: [
    'claims/verify-postgres.js',
    [
      [/ and c\.redeemed_at is null/, ''],
      [/if \(rows\[0\]\?\.\[0\] !== redemptions\.length\)\s+throw new BatchOvertaken\(\);/, ''],
    ],
  ],
  sqlite: [
    'claims/verify-sqlite.js',
    [
      [/redeemedAt: claim\.redeemed_at, idempotencyHash/, 'redeemedAt: null, idempotencyHash'],
      [/ and redeemed_at is null/, ''],
    ],
  ],
};

describe.each(ENGINES)('once on %s', (engine) => {
  test(`${REDEEMS} redeems of one token over ${CONNECTIONS} connections to ${PROCESSES[engine]} processes have one winner, ${ROUNDS} times`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const place = await createTestPlace(engine);
    cleanups.push(() => place.remove());
    for (const answers of await race(place, ROUNDS)) {
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
    const events = await withContext(place, ({ db }) =>
      db.read
        .selectFrom('events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('type', '=', 'claim.redeemed')
        .executeTakeFirstOrThrow(),
    );
    expect(events.count).toBe(ROUNDS);
  });

  test('control: with the guard removed the same race shows two winners', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const [file, guards] = GUARDS[engine];
    const program = buildWithout(file, guards);
    const place = await createTestPlace(engine);
    cleanups.push(() => place.remove());
    const rounds = await race(place, ROUNDS, program);
    expect(Math.max(...rounds.map(winnersOf))).toBeGreaterThan(1);
  });
});
