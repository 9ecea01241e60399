/**
 * Concurrent form submissions over HTTP. `test/claims/claim.test.ts` tests the underlying functions with hundreds of
 * concurrent callers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { ENGINES } from '../support/engines.ts';
import { type Answer, type SignedIn, signedInAs } from '../support/person.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

const PEOPLE = 120;
const CLAIM_LIMIT = 25;

describe.each(ENGINES)('concurrent form submissions on %s', (engine) => {
  let site: WholeSite;
  let crowd: readonly SignedIn[];

  beforeAll(async () => {
    site = await openWholeSite(engine);
    crowd = await Promise.all(
      Array.from({ length: PEOPLE }, (_, at) =>
        // Limits concurrency. Citus writes each account to all nodes. Without the limit, some callers would time out
        // waiting for a connection.
        site.context.db.semaphore.run(() =>
          // Mailboxes of a large provider, so that the share of a network in a limited offer does not apply.
          signedInAs(site.service, { email: `crowd-${at}@gmail.com` }),
        ),
      ),
    );
  });
  afterAll(() => site?.close());

  const newOffer = async (claim_limit?: string): Promise<string> => {
    const offer = await createOffer(site.context, {
      listing: site.slug,
      offer: 'For a crowd',
      kind: 'gift',
      code: 'CROWD',
      claim_limit,
      actor: 'operator',
    });
    return offer.id;
  };
  /** Claims the offer. Retries if the service returns 503, because the machine may be too busy. */
  const claim = async (one: SignedIn, offerId: string): Promise<Answer> => {
    const answer = await one.person.post(`/l/${site.slug}/offers/${offerId}/claim`, { via: 'crowd' });
    return answer.status === 503 ? claim(one, offerId) : answer;
  };
  const countClaims = async (offerId: string): Promise<number> => {
    const { count } = await site.context.db.read
      .selectFrom('claims')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('offer_id', '=', offerId)
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  test('two concurrent clicks by the same person create one claim', async () => {
    const offerId = await newOffer();
    const answers = await Promise.all(crowd.flatMap((one) => [claim(one, offerId), claim(one, offerId)]));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    for (let person = 0; person < PEOPLE; person++) {
      expect(answers[2 * person]!.location).toBe(answers[2 * person + 1]!.location);
    }
    expect(new Set(answers.map(({ location }) => location)).size).toBe(PEOPLE);
    expect(await countClaims(offerId)).toBe(PEOPLE);
  });

  test('a claim limit is never exceeded, and requests beyond the limit return 409 with a reason', async () => {
    const offerId = await newOffer(String(CLAIM_LIMIT));
    const answers = await Promise.all(crowd.map((one) => claim(one, offerId)));
    const late = answers.filter(({ status }) => status !== 303);
    expect(answers.length - late.length).toBe(CLAIM_LIMIT);
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([409]));
    for (const { text } of late) expect(text).toContain('The offer was not claimed');
    expect(await countClaims(offerId)).toBe(CLAIM_LIMIT);
  });

  test('only one of 20 concurrent withdrawals of a listing succeeds', async () => {
    const { context } = site;
    const { listing } = site.ids;
    const withdrawals = () =>
      context.db.read
        .selectFrom('events')
        .select('seq')
        .where('type', '=', 'listing.withdrawn')
        .where('subject_id', '=', listing)
        .execute();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        site.request('owner', 'POST', `/dashboard/listings/${listing}/withdraw`),
      ),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await withdrawals()).toHaveLength(1);
  });
});
