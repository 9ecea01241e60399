/** An OpenID Connect identity provider on this machine: the real `oidc-provider`, without a sign-in form. */
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { vi } from 'vitest';
import { makeTemporaryFolder } from './folders.ts';
import { serveLocally } from './local-server.ts';

export const CLIENT_ID = 'claimcheck';
export const CLIENT_SECRET = 'a secret that both of them know well';

/** The provider's claims about a person, apart from `sub`. */
export interface ProviderPerson {
  readonly email?: string;
  readonly email_verified?: boolean | string | readonly boolean[];
  /** Microsoft Entra ID: whether the domain of the email address is verified. */
  readonly xms_edov?: boolean | string;
  readonly name?: string;
  readonly groups?: unknown;
  /** Keycloak: an object with the person's roles. */
  readonly realm_access?: unknown;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** File with the client secret. */
  readonly secretFile: string;
  /** Settings of a service that uses this provider. */
  readonly env: Readonly<Record<string, string>>;
  /** Key: the person's `sub`. */
  readonly people: Map<string, ProviderPerson>;
  /** The `sub` of the person who signs in next; `null` if the person denies access. */
  person: string | null;
  /** Authentication methods of the next sign-in (RFC 8176). */
  amr: string[];
  /** While true, the provider accepts requests but does not answer. */
  isSilent: boolean;
  /** Answers requests instead of the provider if it returns true. */
  intercept: ((path: string, response: ServerResponse) => boolean) | null;
  /** Paths of all requests, including query strings. */
  readonly requests: string[];
  /** If set, the token endpoint returns this ID token instead of the correct one. */
  swapIdToken: string | null;
  /** Returns an ID token for `person` that was issued to another client. */
  tokenForAnotherService(nonce: string): Promise<string>;
  /** The ID of the provider's session in the last ID token. */
  sid: string | null;
  /** Makes the library send a logout token to the service. */
  logOut(person: { readonly sub: string; readonly sid?: string | null }): Promise<void>;
  /** Returns a logout token with the provider's signature. `changes` adds or replaces claims. */
  logoutToken(changes: Readonly<Record<string, unknown>>): Promise<string>;
  /** Sets the service's redirect URI. Before this call, the provider answers 503. */
  serve(redirectUri: string): Promise<void>;
  close(): Promise<void>;
}

interface LogoutClient {
  backchannelLogout(sub: string, sid?: string): Promise<void>;
}

const OTHER_CLIENT_ID = 'another-service';
const OTHER_REDIRECT_URI = 'http://127.0.0.1:8/back';
const COOKIE_KEY = 'of the provider alone';

/** `inIdToken`: the ID token contains the name and email address; otherwise only the userinfo endpoint has them. */
export async function startIdentityProvider({ inIdToken = true } = {}): Promise<IdentityProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) =>
    response.writeHead(503).end();
  const server = createServer((request, response) => {
    identityProvider.requests.push(request.url ?? '');
    if (identityProvider.isSilent || identityProvider.intercept?.(request.url ?? '', response)) return;
    handle(request, response);
  });
  const { port, close } = await serveLocally(server);
  const issuer = `http://127.0.0.1:${port}`;
  const folder = makeTemporaryFolder('claimcheck-idp-');
  const secretFile = join(folder, 'client-secret');
  writeFileSync(secretFile, `${CLIENT_SECRET}\n`, { mode: 0o600 });
  // The console is silenced, because oidc-provider warns that its defaults are only for development.
  const silenced = (['info', 'warn'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation(() => {}),
  );
  const identityProvider: IdentityProvider = {
    issuer,
    secretFile,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET_FILE: secretFile },
    people: new Map(),
    person: null,
    amr: ['pwd'],
    isSilent: false,
    intercept: null,
    requests: [],
    swapIdToken: null,
    sid: null,
    logOut: async () => {
      throw new Error('the provider does not serve yet');
    },
    logoutToken: async (changes) => {
      const now = Math.floor(Date.now() / 1_000);
      const claims = {
        ...{ iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 120, jti: `${now}-${Math.random()}` },
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...changes,
      };
      const { privateKey, kid } = await signingKey();
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'logout+jwt' })
        .sign(privateKey);
    },
    tokenForAnotherService: (nonce) => tokenForAnotherService(issuer, nonce),
    serve: async (redirectUri) => {
      handle = await handlerOf(identityProvider, redirectUri, inIdToken);
    },
    close: async () => {
      await close();
      for (const spy of silenced) spy.mockRestore();
      rmSync(folder, { recursive: true });
    },
  };
  return identityProvider;
}

/** The key of all providers of a test file. */
let key: Promise<{ readonly privateKey: CryptoKey; readonly kid: string; readonly jwk: JWK }> | undefined;

const signingKey = () => {
  key ??= generateKeyPair('RS256', { extractable: true }).then(async ({ privateKey }) => {
    const kid = 'test';
    return { privateKey, kid, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' } };
  });
  return key;
};

async function handlerOf(identityProvider: IdentityProvider, redirectUri: string, inIdToken: boolean) {
  const { jwk } = await signingKey();
  const provider = new Provider(identityProvider.issuer, {
    clients: [CLIENT_ID, OTHER_CLIENT_ID].map((client_id) => ({
      client_id,
      client_secret: CLIENT_SECRET,
      redirect_uris: [redirectUri, OTHER_REDIRECT_URI],
      backchannel_logout_uri: new URL('/sign-in/oidc/logout', redirectUri).href,
      backchannel_logout_session_required: true,
    })),
    // By default, the library sends nothing to this machine.
    fetch: (input, init) => fetch(input, { ...(init as object), dispatcher: undefined } as object),
    jwks: { keys: [jwk] },
    cookies: { keys: [COOKIE_KEY] },
    claims: {
      openid: ['sub', 'amr'],
      email: ['email', 'email_verified', 'xms_edov'],
      profile: ['name', 'groups', 'realm_access'],
    },
    conformIdTokenClaims: !inIdToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, ...identityProvider.people.get(sub) }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  provider.use(async (context, next) => {
    await next();
    const { swapIdToken } = identityProvider;
    if (context.path !== '/token') return;
    const { id_token } = (context.body ?? {}) as { readonly id_token?: string };
    const { sid } = id_token === undefined ? {} : decodeJwt(id_token);
    identityProvider.sid = typeof sid === 'string' ? sid : null;
    if (swapIdToken !== null) context.body.id_token = swapIdToken;
  });
  identityProvider.logOut = async ({ sub, sid = null }) => {
    const client = (await provider.Client.find(CLIENT_ID))!;
    await (client as unknown as LogoutClient).backchannelLogout(sub, sid ?? undefined);
  };
  const callback = provider.callback();
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    const { person, amr } = identityProvider;
    const result = person === null ? { error: 'access_denied' } : { login: { accountId: person, amr } };
    return provider.interactionFinished(request, response, result);
  };
}

/** Follows the provider's redirects like a browser, and returns the URL that leads back to the service. */
export async function passThrough(url: string): Promise<string> {
  const { origin } = new URL(url);
  const cookies = new Map<string, string>();
  let next = url;
  for (let steps = 0; steps < 10; steps += 1) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const header of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (header.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    next = new URL(location, next).href;
    if (new URL(next).origin !== origin) return next;
  }
  throw new Error('the provider redirected 10 times without returning to the service');
}

async function tokenForAnotherService(issuer: string, nonce: string): Promise<string> {
  const verifier = 'd'.repeat(43);
  const asked = new URLSearchParams({
    client_id: OTHER_CLIENT_ID,
    redirect_uri: OTHER_REDIRECT_URI,
    response_type: 'code',
    scope: 'openid email profile',
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const back = new URL(await passThrough(`${issuer}/auth?${asked}`));
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${btoa(`${OTHER_CLIENT_ID}:${encodeURIComponent(CLIENT_SECRET)}`)}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: OTHER_REDIRECT_URI,
      code_verifier: verifier,
    }),
  });
  const { id_token } = (await answer.json()) as { id_token?: string };
  if (id_token === undefined) throw new Error(`the provider answered ${answer.status} without a token`);
  return id_token;
}
