/**
 * Crowds at the buttons of the pages, through the service as it runs. What the verbs themselves hold against a thousand
 * at once is in test/claims/claim.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../src/accounts/create.ts';
import { createOffer } from '../../src/offers/create.ts';
import { sha256 } from '../../src/secrets.ts';
import { uuidv7 } from '../../src/store/uuid.ts';
import { ENGINES } from '../support/engines.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

const PEOPLE = 120;
const CLAIM_LIMIT = 25;
const SESSION_COOKIE = 'claimcheck.session_token';

describe.each(ENGINES)('crowds on %s', (engine) => {
  let site: WholeSite;
  let crowd: readonly string[];

  beforeAll(async () => {
    site = await openWholeSite(engine);
    crowd = await Promise.all(Array.from({ length: PEOPLE }, (_, index) => cookieOfNewPerson(index)));
  });
  afterAll(() => site?.close());

  /** Someone new, signed in without the page that counts how many sign in from one address. */
  async function cookieOfNewPerson(index: number): Promise<string> {
    const { context } = site;
    const account = await createAccount(context, {
      email: `crowd-${index}@people.example`,
      name: `Person ${index}`,
      actor: 'operator',
    });
    const secret = Buffer.from(context.random(24)).toString('base64url');
    const now = context.now();
    await context.db.transaction((tx) =>
      tx
        .insertInto('sessions')
        .values({
          id: uuidv7(context),
          account_id: account.id,
          token_hash: Buffer.from(sha256(secret)).toString('base64url'),
          factors: 1,
          proven_at: new Date(now).toISOString(),
          created_at: new Date(now).toISOString(),
          last_seen_at: new Date(now).toISOString(),
          expires_at: new Date(now + 3_600_000).toISOString(),
          idle_expires_at: new Date(now + 3_600_000).toISOString(),
          ip: null,
          user_agent: null,
        })
        .execute(),
    );
    return `${SESSION_COOKIE}=${secret}`;
  }

  const newOffer = async (claimLimit?: string): Promise<string> => {
    const offer = await createOffer(site.context, {
      listing: site.slug,
      offer: 'For a crowd',
      kind: 'gift',
      code: 'CROWD',
      claimLimit,
      actor: 'operator',
    });
    return offer.id;
  };
  const claim = async (cookie: string, offerId: string) => {
    const response = await fetch(`${site.service.baseUrl}/l/${site.slug}/offers/${offerId}/claim`, {
      method: 'POST',
      body: new URLSearchParams({ via: 'crowd' }),
      headers: { cookie, origin: site.service.baseUrl },
      redirect: 'manual',
    });
    return {
      status: response.status,
      location: response.headers.get('location'),
      text: await response.text(),
    };
  };
  const countClaims = async (offerId: string): Promise<number> => {
    const { count } = await site.context.db.read
      .selectFrom('claims')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('offer_id', '=', offerId)
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  it('a claim that everyone double-clicks is one each', async () => {
    const offerId = await newOffer();
    const answers = await Promise.all(
      crowd.flatMap((cookie) => [cookie, cookie]).map((cookie) => claim(cookie, offerId)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    for (let person = 0; person < PEOPLE; person++) {
      expect(answers[2 * person]!.location).toBe(answers[2 * person + 1]!.location);
    }
    expect(new Set(answers.map(({ location }) => location)).size).toBe(PEOPLE);
    expect(await countClaims(offerId)).toBe(PEOPLE);
  });

  it('a claim limit holds, and those who come too late read why', async () => {
    const offerId = await newOffer(String(CLAIM_LIMIT));
    const answers = await Promise.all(crowd.map((cookie) => claim(cookie, offerId)));
    const late = answers.filter(({ status }) => status !== 303);
    expect(answers.length - late.length).toBe(CLAIM_LIMIT);
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([409]));
    for (const { text } of late) expect(text).toContain('The offer was not claimed');
    expect(await countClaims(offerId)).toBe(CLAIM_LIMIT);
  });

  it('a listing withdrawn by many clicks is withdrawn once', async () => {
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
