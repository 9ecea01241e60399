/**
 * A claimant's email address is hidden from app owners, and the code of a claim is shown only to the claimant. Covers
 * pages, exports, API responses and webhooks.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER_ROUTES } from '../../src/api/owner/routes.ts';
import { createEndpoint } from '../../src/background/webhooks/endpoints.ts';
import { openClaim } from '../../src/claims/claimants/open.ts';
import { claimOffer } from '../../src/claims/creation/claim-offer.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { addCodes } from '../../src/marketplace/offers/codes.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import { localOutgoing } from '../support/receiver.ts';
import type { Ids, PersonName } from './sample-data.ts';
import { pathWith, routesOf } from './site-routes.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

const CODE = 'PERSONAL-CODE-4711';

describe('personal data of a claimant', () => {
  let site: WholeSite;
  /** Equals `site.ids`, except that `offer` is an offer with a code list, and `claim` has a code from the list. */
  let ids: Ids;
  let endpointId: string;
  let token: string;
  beforeAll(async () => {
    site = await openWholeSite('sqlite');
    const { context, people, slug } = site;
    const { accountId } = people.owner;
    const actor = 'operator' as const;
    const { id: offer } = await createOffer(context, {
      listing: slug,
      offer: 'A code of your own',
      kind: 'discount',
      redemption_link: 'https://notes.example/welcome?claim={claim}',
      code_list: 'close',
      actor,
    });
    await addCodes(context, { offerId: offer, actor, lines: [{ line: 1, text: CODE }] });
    const endpoint = await createEndpoint(context, localOutgoing(), {
      accountId,
      actor,
      url: 'http://127.0.0.1:8080/hook',
      eventTypes: ['claim.created', 'claim.redeemed'],
    });
    endpointId = endpoint.id;
    const claimant = { claimantAccountId: people.claimant.accountId };
    const { claimId } = await claimOffer(context, { ...claimant, listing: slug, offerId: offer });
    const { link } = await openClaim(context, { ...claimant, claimId });
    token = new URL(link).searchParams.get('claim')!;
    ids = { ...site.ids, offer, claim: claimId };
  });
  afterAll(() => site?.close());

  const addressesOf = (...names: readonly PersonName[]) => names.map((name) => site.people[name].email);
  const withKey = (path: string, init: RequestInit = {}) =>
    fetch(site.service.baseUrl + path, {
      ...init,
      headers: { authorization: `Bearer ${site.apiKey}`, 'content-type': 'application/json' },
    });

  /** The text of every page, page fragment and export that the person can open. */
  async function textsFor(person: PersonName): Promise<readonly (readonly [path: string, text: string])[]> {
    const texts: (readonly [string, string])[] = [];
    for (const route of routesOf(site.service)) {
      if (route.method !== 'GET') continue;
      const path = pathWith(route, ids);
      // Among the pages of the documentation, some show calls of the owner's server. The others read no data.
      if (person !== 'owner' && path.startsWith('/docs')) continue;
      const { status, text } = await site.request(person, 'GET', path);
      if (status === 200) texts.push([path, text]);
    }
    return texts;
  }
  const holding = (texts: readonly (readonly [string, string])[], secrets: readonly string[]): string[] =>
    texts.flatMap(([path, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${path} holds ${secret}`),
    );

  test('the claimant sees the email address and the code; an operator sees only the address', async () => {
    const own = await textsFor('claimant');
    expect(holding(own, [CODE])).toEqual(
      expect.arrayContaining([`/claims holds ${CODE}`, `/claims/${ids.claim} holds ${CODE}`]),
    );
    expect(holding(own, addressesOf('claimant'))).toContain(`/account holds ${addressesOf('claimant')[0]}`);
    const desk = await textsFor('operator');
    expect(holding(desk, addressesOf('claimant'))).not.toEqual([]);
    expect(holding(desk, [CODE])).toEqual([]);
  });

  test('the email address and the code are hidden from the owner on all pages and in exports', async () => {
    const texts = await textsFor('owner');
    expect(texts.length).toBeGreaterThan(40);
    expect(texts.map(([path]) => path)).toEqual(expect.arrayContaining([`/dashboard/claims/${ids.claim}`]));
    expect(texts.filter(([path]) => path.includes('export')).length).toBeGreaterThan(0);
    expect(holding(texts, [CODE, ...addressesOf('claimant', 'stranger', 'operator')])).toEqual([]);
  });

  test('the email address and the code are hidden from other claimants', async () => {
    const texts = await textsFor('stranger');
    expect(holding(texts, [CODE, ...addressesOf('claimant', 'owner', 'operator')])).toEqual([]);
  });

  test('the owner can search claims by code, but cannot probe for email addresses', async () => {
    const find = (q: string) => site.request('owner', 'POST', '/dashboard/claims/find', { form: { q } });
    const [known, unknown] = ['bo@people.example', 'nobody@people.example'];
    const answers = await Promise.all([find(known), find(unknown)]);
    expect(answers[0]!.status).toBe(422);
    expect(answers[0]!.text.replaceAll(known, '')).toBe(answers[1]!.text.replaceAll(unknown, ''));
    expect((await find(CODE)).location).toBe(`/dashboard/claims/${ids.claim}`);
  });

  test('API responses and webhooks contain neither the email address nor the code', async () => {
    const texts: (readonly [string, string])[] = [];
    const redeem = await withKey(VERIFY_PATH, {
      method: 'POST',
      body: JSON.stringify({ token, redeem: true }),
    });
    texts.push([VERIFY_PATH, await redeem.text()]);
    for (const { operation } of OWNER_ROUTES) {
      const query = operation.path.endsWith('/campaigns') ? `?listing=${site.slug}` : '';
      const path = operation.path.replace('{id}', ids.claim) + query;
      const answer = await withKey(path);
      expect([path, answer.status]).toEqual([path, 200]);
      texts.push([path, await answer.text()]);
    }
    const deliveries = () =>
      site.context.db.read
        .selectFrom('deliveries')
        .select('payload')
        .where('endpoint_id', '=', endpointId)
        .execute();
    await expect.poll(async () => (await deliveries()).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(2);
    for (const { payload } of await deliveries()) texts.push(['a webhook', payload]);
    expect(holding(texts, [ids.claim]).length).toBeGreaterThan(3);
    expect(holding(texts, [CODE, ...addressesOf('claimant', 'stranger', 'operator')])).toEqual([]);
  });
});
