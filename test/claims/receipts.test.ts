/** A third party can verify receipts with only the published keys, even after a key rotation. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { reencrypt } from '../../src/background/system/secret-keys.ts';
import type { Context } from '../../src/base/context.ts';
import { prepareSigningKey, rotateSigningKey } from '../../src/claims/receipts/signing.ts';
import { shortClaimId } from '../../src/claims/short-id.ts';
import { editOffer } from '../../src/marketplace/offers/edit.ts';
import { createSecretBox, fingerprintOf, type SecretKeys } from '../../src/platform/secrets/secret-keys.ts';
import { run } from '../app/cli/support.ts';
import { ENGINES } from '../support/engines.ts';
import { claimsOf, issueTokens, OFFER_TEXT } from '../support/marketplace.ts';
import { REPOSITORY } from '../support/program.ts';
import { shareOwner, shareSite } from '../support/shared.ts';
import { callVerify } from '../support/verify.ts';

const OLD: SecretKeys = ['the first secret key of the database'];
const BOTH: SecretKeys = ['the second secret key of the database', ...OLD];
const UNRELATED: SecretKeys = ['a secret key of another database'];

describe.each(ENGINES)('receipts on %s', (engine) => {
  const site = shareSite(engine);
  const { context } = site;
  const owner = shareOwner(context);
  const tokens: string[] = [];

  beforeAll(async () => {
    tokens.push(...(await issueTokens(context, owner, 5, { via: 'spring' })));
    tokens.push(...(await issueTokens(context, owner, 1, { mode: 'test' })));
  });

  const redeem = async (
    token: string,
    key = owner.liveKey,
    idempotencyKey: string | null = token,
    reference?: string,
  ): Promise<Record<string, unknown>> => {
    const headers = idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey };
    const response = await callVerify(site.baseUrl, key, { token, redeem: true, reference }, headers);
    return (await response.json()) as Record<string, unknown>;
  };
  const idOf = async (at: number) => (await claimsOf(context, owner))[at]!.id;
  const ask = (id: string, key = owner.liveKey) =>
    fetch(`${site.baseUrl}/api/v1/marketplace/claims/${id}/receipt`, {
      headers: { Authorization: `Bearer ${key}` },
    });
  const receiptOf = async (at: number, key = owner.liveKey): Promise<string> => {
    const response = await ask(await idOf(at), key);
    expect(response.status).toBe(200);
    return ((await response.json()) as { receipt: string }).receipt;
  };
  const published = async (): Promise<JSONWebKeySet> =>
    (await (await fetch(`${site.baseUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
  /** Verifies a receipt as a third party does, with only the published keys. */
  const check = async (receipt: string, keys: JSONWebKeySet) =>
    (
      await jwtVerify(receipt, createLocalJWKSet(keys), {
        issuer: site.baseUrl,
        typ: 'claim-receipt+jwt',
        algorithms: ['ES256'],
      })
    ).payload;
  const rows = () => context.db.read.selectFrom('receipt_keys').selectAll().orderBy('created_at').execute();

  test('contain the response to the redemption and are verifiable with only the published keys', async () => {
    const keys = await published();
    const reference = 'order-4711';
    const answer = { ...(await redeem(tokens[0]!, owner.liveKey, 'order-1', reference)), reference };
    const before = Math.floor(Date.now() / 1_000);
    const receipt = await receiptOf(0);
    const { iat, ...payload } = await check(receipt, keys);
    const sub = await idOf(0);
    const short_id = shortClaimId(sub);
    expect(payload).toEqual({ iss: site.baseUrl, sub, short_id, mode: 'live', ...answer });
    expect(Object.keys(payload).slice(4)).toEqual(Object.keys(answer));
    expect(iat).toBeGreaterThanOrEqual(before);
    expect(decodeProtectedHeader(receipt)).toEqual({
      alg: 'ES256',
      typ: 'claim-receipt+jwt',
      kid: keys.keys[0]!.kid,
    });
    expect(receipt).not.toContain(tokens[0]);
  });

  test('contain the offer as it was at redemption, and are not available before redemption', async () => {
    const answer = await redeem(tokens[1]!);
    await redeem(tokens[4]!, owner.liveKey, null);
    expect((await check(await receiptOf(4), await published()))['offer']).toBe(answer['offer']);
    await editOffer(context, { offerId: owner.offerId, offer: 'Another text', actor: 'operator' });
    expect(answer['offer']).not.toBe('Another text');
    expect((await check(await receiptOf(1), await published()))['offer']).toBe(answer['offer']);
    // Without an Idempotency-Key, a redemption does not store the offer. After an edit, the receipt omits the offer.
    const reworded = await check(await receiptOf(4), await published());
    expect(reworded).toMatchObject({ status: 'redeemed', offer_id: owner.offerId });
    for (const name of ['offer', 'kind']) expect(reworded).not.toHaveProperty(name);
    await redeem(tokens[5]!, owner.testKey);
    const trial = await check(await receiptOf(5, owner.testKey), await published());
    expect(trial).toMatchObject({ mode: 'test', status: 'redeemed' });
    expect((await ask(await idOf(5))).status).toBe(404);
    const open = await ask(await idOf(2));
    expect(await open.json()).toMatchObject({ status: 409, code: 'claim_not_redeemed' });
  });

  test('fail verification if the payload was changed or the public key differs', async () => {
    const keys = await published();
    const [head, payload, signature] = (await receiptOf(0)).split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...claims, via: 'other' })).toString('base64url');
    await expect(check([head, changed, signature].join('.'), keys)).rejects.toThrow(/signature/);
    const { publicKey } = await generateKeyPair('ES256');
    const { x, y } = await exportJWK(publicKey);
    const others = { keys: keys.keys.map((key) => ({ ...key, x: x!, y: y! })) };
    await expect(check([head, payload, signature].join('.'), others)).rejects.toThrow(/signature/);
  });

  test('stay valid after the signing key is rotated; only the new key can sign', async () => {
    const old = await receiptOf(0);
    const before = await published();
    const rotated = await run(['receipts', 'rotate-key', '--json'], site.env);
    expect(rotated.code).toBe(0);
    const { kid } = JSON.parse(rotated.stdout);
    const keys = await published();
    expect(keys.keys.map((key) => key.kid)).toEqual([kid, before.keys[0]!.kid]);
    const fresh = await receiptOf(0);
    expect(decodeProtectedHeader(fresh).kid).toBe(kid);
    expect(await check(old, keys)).toMatchObject({ status: 'redeemed' });
    expect(await check(fresh, keys)).toMatchObject({ status: 'redeemed' });
    await expect(check(fresh, before)).rejects.toThrow();
    const kept = (await rows()).filter(({ private_key }) => private_key !== null);
    expect(kept.map((row) => row.kid)).toEqual([kid]);
  });

  test('are signed by a single key, even after keys are created and rotated concurrently', async () => {
    const rotations = await Promise.all(Array.from({ length: 4 }, () => rotateSigningKey(context)));
    await Promise.all(Array.from({ length: 4 }, () => prepareSigningKey(context)));
    const [signing, ...more] = (await rows()).filter(({ private_key }) => private_key !== null);
    expect(more).toEqual([]);
    expect(rotations).toContain(signing!.kid);
    const kids = (await published()).keys.map(({ kid }) => kid);
    for (const kid of rotations) expect(kids).toContain(kid);
  });

  test('the published key set is cacheable and contains no private keys', async () => {
    const response = await fetch(`${site.baseUrl}/.well-known/jwks.json`);
    expect(response.headers.get('content-type')).toBe('application/jwk-set+json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const { keys } = (await response.json()) as JSONWebKeySet;
    for (const key of keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    }
    // Stored private keys are encrypted, so no row contains a private JSON Web Key in plain text.
    for (const { private_key } of await rows()) expect(private_key ?? '').not.toContain('"d"');
  });

  test('the signing key is re-encrypted with a new secret key, and can be rotated if it is unreadable', async () => {
    const under = (keys: SecretKeys): Context => ({
      ...context,
      secretBox: createSecretBox(keys, context.random),
    });
    const before = await rows();
    await rotateSigningKey(under(OLD));
    const { kid } = (await rows()).find(({ private_key }) => private_key !== null)!;
    const keyOf = async () => (await rows()).find((row) => row.kid === kid)!.private_key;
    await reencrypt(under(BOTH));
    expect(await keyOf()).toMatch(new RegExp(`^${fingerprintOf(BOTH[0])}\\.`));
    expect(await prepareSigningKey(under([BOTH[0]]))).toBe(true);
    const moved = await keyOf();
    expect(await prepareSigningKey(under(UNRELATED))).toBe(false);
    expect(await keyOf()).toBe(moved);
    // The running service does not have these secret keys, so it cannot decrypt the signing key.
    const response = await ask(await idOf(0));
    expect(await response.json()).toMatchObject({ status: 500, code: 'internal_error' });
    await rotateSigningKey(context);
    await check(await receiptOf(0), await published());
    expect((await rows()).length).toBe(before.length + 2);
  });

  // The documentation does not depend on the engine.
  if (engine === 'postgres') return;

  test('match the documentation; its example program rejects forged receipts and test receipts', async () => {
    const page = readFileSync(join(REPOSITORY, 'docs/guide/receipts.md'), 'utf8');
    const [header, payload] = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text]) =>
      JSON.parse(text!),
    );
    const receipt = await receiptOf(0);
    expect(Object.keys(decodeProtectedHeader(receipt))).toEqual(Object.keys(header));
    expect(Object.keys(decodeJwt(receipt))).toEqual(Object.keys(payload));

    const program = /^```js\n(\/\/ check-receipt\.mjs.*?)^```$/ms.exec(page)![1]!;
    const folder = mkdtempSync(join(tmpdir(), 'claimcheck-receipt-'));
    try {
      symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      const file = join(folder, 'check-receipt.mjs');
      writeFileSync(file, program.replaceAll('https://claims.example.com', site.baseUrl));
      const said = (text: string) =>
        promisify(execFile)(process.execPath, [file, text]).then(
          ({ stdout }) => stdout.trim(),
          ({ stderr }: { stderr: string }) => stderr,
        );
      const [start, claims, signature] = receipt.split('.') as [string, string, string];
      const other = Buffer.from(claims, 'base64url').toString().replace('"spring"', '"summer"');
      const forged = [start, Buffer.from(other).toString('base64url'), signature].join('.');
      const [good, bad, test] = await Promise.all([
        said(receipt),
        said(forged),
        said(await receiptOf(5, owner.testKey)),
      ]);
      expect(good).toMatch(new RegExp(`^${await idOf(0)} was redeemed at .*Z: ${OFFER_TEXT}$`));
      expect(bad).toContain('signature verification failed');
      expect(test).toContain('This is the receipt of a test claim.');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
