/** Claims in every state, for a stored database. */
import type { Service } from '../../src/app/service.ts';
import { importFile, issueFor } from '../claims/support.ts';
import { issueTokens } from '../support/marketplace.ts';
import { callVerify } from '../support/verify.ts';
import type { StoredCall } from './stored.ts';

type Keys = Readonly<Record<'elsewhere' | 'live' | 'old' | 'revoked' | 'rolled' | 'test', string>>;

interface Before {
  /** IDs of offers. */
  readonly offers: Readonly<Record<'codes' | 'sale', string>>;
  /** Tokens of offers that accept no claims any more. */
  readonly tokens: Readonly<Record<'expired' | 'limited' | 'paused', string>>;
}

/** The bytes of a response to verify. Of a problem, only the code, because the rest names the service and the request. */
export async function answerOfVerify(response: Response): Promise<Pick<StoredCall, 'answer' | 'status'>> {
  const text = await response.text();
  const { status, headers } = response;
  if (!headers.get('content-type')?.startsWith('application/problem+json')) return { status, answer: text };
  return { status, answer: (JSON.parse(text) as { readonly code: string }).code };
}

/** Issues claims in every state, and calls verify for each of them. */
export async function redeemClaims(
  { context, baseUrl }: Pick<Service, 'baseUrl' | 'context'>,
  { offers, tokens }: Before,
  keys: Keys,
) {
  const sale = { offerId: offers.sale };
  const [valid, byKey, plain, referenced, late, forOld, ...more] = await issueTokens(context, sale, 8, {
    via: 'spring',
  });
  const [trial, redeemedTrial, validTrial] = await issueTokens(context, sale, 3, { mode: 'test' });
  const [coded] = await issueTokens(context, { offerId: offers.codes }, 1);
  const imported = ['imported-token-1', 'imported-token-2', 'imported-token-3'];
  const rows = imported.map((token, index) => `${token},${offers.sale},podcast,ref-${index},,\n`);
  rows[1] = `${imported[1]},${offers.sale},podcast,ref-1,2026-01-02T03:04:05Z,2026-01-03T00:00:00Z\n`;
  await importFile(context, `token,offer,via,claimant,claimed_at,redeemed_at\n${rows.join('')}`);
  const person = await issueFor(context, sale, 'person-to-replace');

  const call = async (what: string, key: string, body: StoredCall['body'], idempotencyKey?: string) => {
    const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    const { status, answer } = await answerOfVerify(await callVerify(baseUrl, key, body, headers));
    return { what, key, body, ...(idempotencyKey !== undefined && { idempotencyKey }), status, answer };
  };
  const redeem = async (token: string, key = keys.live, idempotencyKey?: string, reference?: string) => {
    const body = { token, redeem: true, ...(reference !== undefined && { reference }) };
    const redeemed = await call(idempotencyKey ?? 'redeemed', key, body, idempotencyKey);
    if (redeemed.status !== 200) throw new Error(`Not redeemed: ${redeemed.answer}`);
    return redeemed;
  };
  const replays = [
    await redeem(byKey!, keys.live, 'order-1'),
    await redeem(referenced!, keys.live, 'order-2', 'invoice-4711'),
    await redeem(redeemedTrial!, keys.test, 'order-of-a-test'),
    await redeem(imported[2]!, keys.live, 'order-of-an-import'),
    await redeem(tokens.expired, keys.live, 'order-after-the-end'),
  ];
  await redeem(plain!);
  await redeem(forOld!, keys.old);
  await redeem(person.token);
  const replacement = await issueFor(context, sale, 'person-to-replace', { replace: true });
  const looks: readonly (readonly [what: string, token: string, key?: string])[] = [
    ['valid', valid!],
    ['redeemed with an Idempotency-Key', byKey!],
    ['redeemed without one', plain!],
    ['redeemed with a reference', referenced!],
    ['redeemed by a key that was rolled', forOld!],
    ['replaced', person.token],
    ['the replacement', replacement.token],
    ['imported', imported[0]!],
    ['imported as redeemed', imported[1]!],
    ['with a code', coded!],
    ['of an expired offer', tokens.expired],
    ['of a full offer', tokens.limited],
    ['of a paused offer', tokens.paused],
    ['for tests', trial!, keys.test],
    ['for tests, redeemed', redeemedTrial!, keys.test],
    ['for tests, with a live key', trial!],
    ['unknown', 'a-token-that-nobody-has'],
    ['with a revoked key', valid!, keys.revoked],
    ['with a key for other networks', valid!, keys.elsewhere],
    ['with a rolled key', valid!, keys.old],
    ['with the key that replaced it', valid!, keys.rolled],
  ];
  const calls: StoredCall[] = [...replays];
  for (const [what, token, key = keys.live] of looks)
    calls.push(await call(what, key, { token, redeem: false }));
  const seq = await context.db.read
    .selectFrom('claim_references')
    .innerJoin('claims', 'claims.seq', 'claim_references.claim_seq')
    .select('claims.id')
    .where('reference', '=', 'invoice-4711')
    .executeTakeFirstOrThrow();
  const redeemable = [
    ...[valid!, late!, imported[0]!, replacement.token, coded!, tokens.limited, tokens.paused].map(
      (token) => ({ key: keys.live, token }),
    ),
    { key: keys.old, token: more[0]! },
    { key: keys.rolled, token: more[1]! },
    { key: keys.test, token: validTrial! },
  ];
  return { calls, redeemable, redeemedId: seq.id };
}
