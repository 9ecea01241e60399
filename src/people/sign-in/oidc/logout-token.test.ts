import { createHmac } from 'node:crypto';
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { providerSessionOf } from './claims.ts';
import { issuerIn, verifyLogoutToken } from './logout-token.ts';

const ISSUER = 'https://login.example.com';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const NOW_S = 1_800_000_000;
const CLAIMS = {
  ...{ iss: ISSUER, aud: 'claimcheck', iat: NOW_S, exp: NOW_S + 120, jti: 'id', sub: 'ada' },
  events: { [EVENT]: {} },
};

describe('a logout token', () => {
  let key: CryptoKey;
  let jwk: JWK;
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    key = pair.privateKey;
    jwk = { ...(await exportJWK(pair.publicKey)), kid: 'key', alg: 'ES256' };
  });

  const sign = (claims: Readonly<Record<string, unknown>>, header = {}, by = key) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'key', ...header }).sign(by);
  const verify = (token: string, changed: { readonly algorithms?: readonly string[] } = {}) =>
    verifyLogoutToken(token, {
      issuer: ISSUER,
      clientId: 'claimcheck',
      keys: createLocalJWKSet({ keys: [jwk] }),
      algorithms: ['ES256'],
      nowMs: NOW_S * 1_000,
      ...changed,
    });

  test('names a person, a session, or both', async () => {
    const person = { issuer: ISSUER, subject: 'ada', providerSession: null };
    expect(await verify(await sign(CLAIMS))).toMatchObject(person);
    const providerSession = providerSessionOf(ISSUER, 's1');
    const both = await sign({ ...CLAIMS, sid: 's1' }, { typ: 'logout+jwt' });
    expect(await verify(both)).toMatchObject({ ...person, providerSession });
    const session = await sign({ ...CLAIMS, sub: undefined, sid: 's1' }, { typ: 'JWT' });
    expect(await verify(session)).toMatchObject({ subject: null, providerSession });
    expect(providerSessionOf('https://other.example', 's1')).not.toBe(providerSession);
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['another audience', { aud: 'another-service' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://login.example.com.evil.example' }],
    ['a nonce', { nonce: 'n' }],
    ['an end in the past', { iat: NOW_S - 200, exp: NOW_S - 61 }],
    ['no end', { exp: undefined }],
    ['an old date of issue', { iat: NOW_S - 900, exp: NOW_S + 900 }],
    ['a date of issue in the future', { iat: NOW_S + 900, exp: NOW_S + 1_800 }],
    ['no date of issue', { iat: undefined }],
    ['no ID', { jti: undefined }],
    ['no event', { events: undefined }],
    ['another event', { events: { 'https://example.com/other': {} } }],
    ['the event as a text', { events: EVENT }],
    ['the event in a list', { events: [EVENT] }],
    ['nobody', { sub: undefined }],
    ['an empty object as the session', { sub: undefined, sid: {} }],
  ])('is refused with %s', async (_what, changes) => {
    await expect(verify(await sign({ ...CLAIMS, ...changes }))).rejects.toThrow();
  });

  test('is refused with the type of an access token', async () => {
    await expect(verify(await sign(CLAIMS, { typ: 'at+jwt' }))).rejects.toThrow('another type');
  });

  test('is refused with another signature, or without one', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const token = await sign(CLAIMS);
    const [, payload, signature] = token.split('.');
    const encoded = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url');
    // The public key as the secret of an HMAC.
    const unsigned = `${encoded({ alg: 'HS256', kid: 'key' })}.${payload}`;
    const hmac = createHmac('sha256', JSON.stringify(jwk)).update(unsigned).digest('base64url');
    for (const forged of [
      await sign(CLAIMS, {}, privateKey),
      `${encoded({ alg: 'none' })}.${payload}.`,
      `${unsigned}.${hmac}`,
      `${encoded({ alg: 'ES256', kid: 'other' })}.${payload}.${signature}`,
      'a.b.c',
    ]) {
      await expect(verify(forged, { algorithms: ['ES256', 'HS256', 'none'] })).rejects.toThrow();
    }
    await expect(verify(token, { algorithms: ['RS256'] })).rejects.toThrow();
  });

  test('says who claims to have issued it', async () => {
    expect(issuerIn(await sign(CLAIMS))).toBe(ISSUER);
    for (const text of ['', 'a.b.c', 'no token']) expect(issuerIn(text)).toBeNull();
  });
});
