/** A retry with the same Idempotency-Key gets the response that was lost. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type DbLocation, ENGINES } from '../support/engines.ts';
import {
  type Connection,
  type Cut,
  type HttpAnswer,
  openConnection,
  outcomeOf,
  requestText,
} from '../support/load.ts';
import { type Stock, shareProcesses, sized, stock, withContext } from '../support/server-process.ts';
import { startSite } from '../support/site.ts';

/** Number of lost calls per engine and kind of cut. */
const LOST = sized(100, 1_000);
const CLIENTS = 16;
/** Every nth redemption has no Idempotency-Key. */
const KEYLESS_EVERY = 5;
/** Number of retries per lost call. Only the first retry may redeem the token. */
const RETRIES = 2;
const CUTS: readonly Cut[] = ['written', 'first byte'];

interface Retried {
  readonly keyless: boolean;
  readonly answers: readonly HttpAnswer[];
}

describe.each(ENGINES)('lost responses on %s', (engine) => {
  const { cleanups, newDbLocation } = shareProcesses();
  let dbLocation: DbLocation;
  let port: number;
  let goods: Stock;

  beforeAll(async () => {
    dbLocation = await newDbLocation(engine);
    goods = await stock(dbLocation, LOST * CUTS.length);
    const site = await startSite(dbLocation);
    cleanups.push(() => site.stop());
    port = Number(new URL(site.baseUrl).port);
  });

  /** A `worn` connection has already served a call. */
  async function openForLosing(worn: boolean): Promise<Connection> {
    const connection = await openConnection(port);
    if (worn) {
      const call = { apiKey: goods.owner.liveKey, token: 'a-token-of-no-claim', redeem: false };
      expect((await connection.exchange(requestText(call))).status).toBe(404);
    }
    return connection;
  }

  async function loseAndRetry(index: number, token: string, cut: Cut): Promise<Retried> {
    const keyless = index % KEYLESS_EVERY === 0;
    const idempotencyKey = keyless ? null : `order-${token}`;
    const request = requestText({ apiKey: goods.owner.liveKey, token, redeem: true, idempotencyKey });
    await (await openForLosing(index % 2 === 0)).cut(request, cut);
    const connection = await openConnection(port);
    const answers: HttpAnswer[] = [];
    for (let retry = 0; retry < RETRIES; retry += 1) answers.push(await connection.exchange(request));
    connection.close();
    return { keyless, answers };
  }

  test.each(CUTS)(`are replayed on retry after ${LOST} cut connections (%s)`, async (cut) => {
    const start = CUTS.indexOf(cut) * LOST;
    const tokens = goods.tokens.slice(start, start + LOST);
    const retried: Retried[] = [];
    let next = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let index = next; index < LOST; index = next) {
          next += 1;
          retried.push(await loseAndRetry(index, tokens[index]!, cut));
        }
      }),
    );

    expect(retried).toHaveLength(LOST);
    for (const { keyless, answers } of retried) {
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const outcomes = answers.map(outcomeOf);
      if (keyless) {
        // If the server has not processed the lost call, the first retry redeems.
        expect(outcomes[0]).toBe(
          cut === 'written' && outcomes[0] === 'redeemed' ? 'redeemed' : 'already_redeemed',
        );
        expect(outcomes[1]).toBe('already_redeemed');
      } else {
        expect(outcomes).toEqual(['redeemed', 'redeemed']);
        expect(answers[1]!.replayed).toBe(true);
        expect(answers[1]!.body).toBe(answers[0]!.body);
        if (cut === 'first byte') expect(answers[0]!.replayed).toBe(true);
      }
    }
    // Control: the server must have processed most lost calls before their retries.
    const lost = retried.filter(({ keyless, answers }) =>
      keyless ? outcomeOf(answers[0]!) === 'already_redeemed' : answers[0]!.replayed,
    );
    expect(lost.length).toBeGreaterThan(LOST / 2);

    const { count } = await withContext(dbLocation, ({ db }) =>
      db.read
        .selectFrom('events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('type', '=', 'claim.redeemed')
        .executeTakeFirstOrThrow(),
    );
    expect(count).toBe(start + LOST);
  });
});
