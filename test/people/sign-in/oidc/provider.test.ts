/** Requests to the identity provider, and validation of its responses. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { examineIdentityProviders } from '../../../../src/background/system/connections.ts';
import {
  createIdentityProvider,
  examineIssuer,
  IdentityRefusal,
} from '../../../../src/people/sign-in/oidc/provider.ts';
import { beginOidc, completeOidc } from '../../../../src/people/sign-in/oidc/sign-in.ts';
import { createDbLocation, type DbLocation } from '../../../support/engines.ts';
import {
  CLIENT_ID,
  type IdentityProvider,
  passThrough,
  startIdentityProvider,
} from '../../../support/identity-provider.ts';
import { Person, signInServices } from '../../../support/person.ts';
import { startSite } from '../../../support/site.ts';

const CALLBACK = '/sign-in/oidc/callback';
const NAME = 'Acme & Sons';

describe('identity provider client', () => {
  let dbLocation: DbLocation;
  let idp: IdentityProvider;
  beforeAll(async () => {
    dbLocation = await createDbLocation('sqlite');
  });
  afterAll(() => dbLocation.remove());
  beforeEach(async () => {
    idp = await startIdentityProvider({ inIdToken: false });
    idp.people.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
    idp.person = 'ada';
  });
  afterEach(() => idp.close());

  const SITE = 'http://127.0.0.1:9';
  const CHECKS = { state: 'a'.repeat(43), nonce: 'b'.repeat(43), verifier: 'c'.repeat(43) };
  const settings = () => ({
    number: 1,
    issuerSetting: 'OIDC_ISSUER',
    issuer: idp.issuer,
    clientId: CLIENT_ID,
    clientSecret: { name: 'OIDC_CLIENT_SECRET_FILE', path: idp.secretFile },
    trustsEmail: false,
    operatorClaim: null,
    name: NAME,
  });
  const connect = (timeoutS?: number) =>
    createIdentityProvider(settings(), SITE, timeoutS === undefined ? {} : { timeoutS });
  const problemOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'none',
      (error) => (error instanceof IdentityRefusal ? error.problem : error),
    );
  async function backFrom(provider: ReturnType<typeof connect>): Promise<string> {
    const url = await provider.authorizationUrl(CHECKS, { again: false });
    return new URL(await passThrough(url.href)).search;
  }

  test('reads the operators’ claim from the userinfo endpoint if the ID token lacks it', async () => {
    await idp.serve(SITE + CALLBACK);
    const operatorClaim = { claim: 'realm_access.roles', value: 'operator' };
    for (const [roles, isOperator] of [
      [['operator'], true],
      [['operators'], false],
    ] as const) {
      const person = { email: 'ada@example.com', email_verified: true, realm_access: { roles } };
      idp.people.set('ada', person);
      const provider = createIdentityProvider({ ...settings(), operatorClaim }, SITE);
      expect(await provider.claimsOf(await backFrom(provider), CHECKS)).toMatchObject({ isOperator });
    }
  });

  test('reads the name and email address from the userinfo endpoint if the ID token lacks them', async () => {
    await idp.serve(SITE + CALLBACK);
    const provider = connect();
    expect(await provider.claimsOf(await backFrom(provider), CHECKS)).toMatchObject({
      issuer: idp.issuer,
      subject: 'ada',
      email: 'ada@example.com',
      isEmailVerified: true,
      name: 'Ada',
      isMultiFactor: false,
    });
  });

  test.each([
    [{ email_verified: 'true' }, true, true],
    [{ email_verified: 'True' }, true, true],
    [{ email_verified: 'false' }, false, false],
    [{ email_verified: false }, false, false],
    [{ email_verified: [true] }, false, false],
    [{ xms_edov: true }, true, true],
    [{ xms_edov: '1' }, true, true],
    [{ email_verified: false, xms_edov: true }, false, false],
    [{}, null, true],
  ])('for a person with %j, isEmailVerified is %j (with trustsEmail: %j)', async (says, plain, trusted) => {
    await idp.serve(SITE + CALLBACK);
    idp.people.set('ada', { email: 'ada@example.com', ...says });
    for (const [trustsEmail, isEmailVerified] of [
      [false, plain],
      [true, trusted],
    ]) {
      const provider = createIdentityProvider({ ...settings(), trustsEmail: trustsEmail === true }, SITE);
      expect(await provider.claimsOf(await backFrom(provider), CHECKS)).toMatchObject({ isEmailVerified });
    }
  });

  test('rejects an ID token issued in the future', async () => {
    await idp.serve(SITE + CALLBACK);
    const provider = createIdentityProvider(settings(), SITE, { now: () => Date.now() - 120_000 });
    expect(await problemOf(provider.claimsOf(await backFrom(provider), CHECKS))).toBe('answer_not_valid');
  });

  test('accepts an issuer with or without a trailing slash, and reports a different issuer', async () => {
    let issuer = '';
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const realm = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/acme`;
    const found = (written: string) => examineIssuer({ ...settings(), issuer: written });
    for (const [written, named] of [
      [realm, realm],
      [realm, `${realm}/`],
      [`${realm}/`, realm],
    ] as const) {
      issuer = named;
      expect(await found(written)).toBeNull();
    }
    issuer = 'https://login.example.com/other';
    expect(await found(realm)).toBe(
      `OIDC_ISSUER is ${realm}, but the provider’s issuer is "https://login.example.com/other": set OIDC_ISSUER to the latter`,
    );
    server.close();
    expect(await found('http://127.0.0.1:9')).toMatch(/^http:\/\/127.0.0.1:9 returned no metadata/);
  });

  test('is noted by doctor if user names make operators', async () => {
    await idp.serve(SITE + CALLBACK);
    const examined = async (claim: string) => {
      const operatorClaim = { claim, value: 'ada' };
      const [check] = await examineIdentityProviders([{ ...settings(), operatorClaim }]);
      return [check!.ok, check!.note ?? false, String(check!.detail)];
    };
    expect(await examined('groups')).toEqual([true, false, expect.stringContaining('responds')]);
    expect(await examined('preferred_username')).toEqual([
      true,
      true,
      expect.stringContaining('makes operators by their user name'),
    ]);
  });

  test('fetches the metadata at the first sign-in, retries after a failure, and caches the response', async () => {
    const provider = connect();
    expect(idp.requests).toEqual([]);
    expect(await problemOf(provider.authorizationUrl(CHECKS, { again: false }))).toBe('provider_away');
    await idp.serve(SITE + CALLBACK);
    await provider.authorizationUrl(CHECKS, { again: false });
    await provider.authorizationUrl(CHECKS, { again: false });
    expect(idp.requests).toEqual(Array(2).fill('/.well-known/openid-configuration'));
  });

  test('times out if the provider does not respond', async () => {
    await idp.serve(SITE + CALLBACK);
    const provider = connect(0.2);
    const search = await backFrom(provider);
    idp.isSilent = true;
    expect(await problemOf(provider.claimsOf(search, CHECKS))).toBe('provider_away');
    expect(await problemOf(connect(0.2).authorizationUrl(CHECKS, { again: false }))).toBe('provider_away');
  });

  const ENDPOINTS = ['/.well-known/openid-configuration', '/token', '/jwks', '/me'];
  const sendForever = (response: ServerResponse) => {
    const write = () => {
      while (!response.destroyed && response.write('a'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  };
  test.each([
    ['are endless', sendForever, 5],
    ['do not end in time', () => {}, 0.3],
    ['are not JSON', (response: ServerResponse) => response.end('a"['), 5],
  ])('reports responses that %s as a provider outage', async (_, send, timeoutS) => {
    await idp.serve(SITE + CALLBACK);
    for (const endpoint of ENDPOINTS) {
      idp.intercept = null;
      const search = await backFrom(connect());
      idp.intercept = (path, response) => {
        if (path !== endpoint) return false;
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"a": "');
        send(response);
        return true;
      };
      const startedMs = performance.now();
      expect(await problemOf(connect(timeoutS).claimsOf(search, CHECKS)), endpoint).toBe('provider_away');
      expect(performance.now() - startedMs, endpoint).toBeLessThan(4_000);
    }
  });

  test('rejects a userinfo response about another person', async () => {
    await idp.serve(SITE + CALLBACK);
    const provider = connect();
    const search = await backFrom(provider);
    idp.intercept = (path, response) => {
      if (path !== '/me') return false;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ sub: 'eve', email: 'ada@example.com', email_verified: true }));
      return true;
    };
    expect(await problemOf(provider.claimsOf(search, CHECKS))).toBe('answer_not_valid');
  });

  test('reports a rejected client secret as a provider outage', async () => {
    // Only the operator can fix the secret, so the person sees the same message as during an outage.
    await idp.serve(SITE + CALLBACK);
    writeFileSync(idp.secretFile, 'of another service');
    const provider = connect();
    expect(await problemOf(provider.claimsOf(await backFrom(provider), CHECKS))).toBe('provider_away');
  });

  test.each([
    ['issued to another client', (token: string) => token],
    [
      'with an invalid signature',
      (token: string) => {
        const [header, , signature] = token.split('.');
        const now = Math.floor(Date.now() / 1_000);
        const person = { sub: 'olga', email: 'olga@example.com' };
        const claims = { iss: idp.issuer, aud: CLIENT_ID, nonce: CHECKS.nonce, iat: now, exp: now + 60 };
        const forged = Buffer.from(JSON.stringify({ ...claims, ...person })).toString('base64url');
        return [header, forged, signature].join('.');
      },
    ],
  ])('rejects an ID token %s', async (_, swapped) => {
    await idp.serve(SITE + CALLBACK);
    const provider = connect();
    const search = await backFrom(provider);
    idp.swapIdToken = swapped(await idp.tokenForAnotherService(CHECKS.nonce));
    expect(await problemOf(provider.claimsOf(search, CHECKS))).toBe('answer_not_valid');
  });

  test('causes a 503 response during a provider outage, and logs no code or secret', async () => {
    const site = await startSite(dbLocation, idp.env);
    const answer = await new Person(site.baseUrl).post('/sign-in/oidc', { provider: '1' });
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('Signing in with your company’s account does not work right now.');

    const lines: unknown[] = [];
    const services = signInServices(site, (event, details) => lines.push({ event, ...details }));
    const caller = { cookie: 'claimcheck.oidc=secret', userAgent: '', address: '198.51.100.1' };
    const search = '?code=secret&state=secret';
    await problemOf(beginOidc(services, connect(), { caller, next: '/', isSignedIn: false }));
    await problemOf(completeOidc(services, connect(), { caller, search, session: null }));
    const about = { event: 'identity_refused', network: '198.51.100.1' };
    expect(lines).toEqual([
      { ...about, reason: 'provider_away OAUTH_RESPONSE_IS_NOT_CONFORM' },
      { ...about, reason: 'no_such_sign_in' },
    ]);
    await site.stop();
  });
});
