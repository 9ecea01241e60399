import { createRemoteJWKSet, customFetch } from 'jose';
import type * as OpenIdClient from 'openid-client';
import { oidcCallbackPath } from '../../../base/paths.ts';
import { Refusal } from '../../../platform/errors.ts';
import { type Message, message, type Words } from '../../../platform/languages/translate.ts';
import { isLoopbackHost } from '../../../platform/network/network.ts';
import { limitedResponse } from '../../../platform/network/response-body.ts';
import { readSecret, type SecretSource } from '../../../platform/process/environment.ts';
import { MINUTE_MS } from '../../../platform/text/durations.ts';
import { quote } from '../../../platform/text/text.ts';
import { FRESH_PROOF_MS, OPERATOR_ELSEWHERE } from '../sessions/sessions.ts';
import { type ClaimRules, type Claims, claimsFrom, isComplete } from './claims.ts';
import { type ProviderLogout, verifyLogoutToken } from './logout-token.ts';

/** How far the provider's clock may be ahead. */
const CLOCK_SKEW_MS = MINUTE_MS;
const TIMEOUT_S = 5;
/** Far more than the metadata, keys and claims of any provider. */
const MAX_RESPONSE_BYTES = 1_024 * 1_024;
/** OpenID Connect Core, section 2, allows at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;
const SCOPE = 'openid email profile';

export interface IdentityProviderSettings extends ClaimRules {
  /** 1 for the first provider, which may be the only one. */
  readonly number: number;
  /** An https URL, or an http URL on this machine. */
  readonly issuer: string;
  /** Name of the setting with the issuer, for messages to the operator. */
  readonly issuerSetting: string;
  readonly clientId: string;
  readonly clientSecret: SecretSource;
  readonly name: Words;
}

/** Values that bind the provider's response to the sign-in that requested it. */
export interface OidcChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const NOT_CONFIRMED = message(
  'Your company hasn’t confirmed the email address of your account. Ask the person who manages the company’s accounts.',
);

/** Messages to the person whose sign-in is refused, by problem. `name`: the provider's name. */
const SENTENCES = {
  provider_away: (name: Words) =>
    message(
      'Signing in with {name} does not work right now. Try again in a moment, or sign in another way.',
      { name },
    ),
  issuer_differs: (name: Words) =>
    message(
      'Signing in with {name} is not set up correctly. Tell <operator>the operator of this marketplace</operator>.',
      { name },
    ),
  access_denied: (name: Words) => message('Your sign-in with {name} was cancelled or refused.', { name }),
  answer_not_valid: (name: Words) =>
    message('This sign-in with {name} was already used or has expired. Start again.', { name }),
  email_missing: () =>
    message(
      'This service can’t see the email address of your company account. Ask the person who manages the company’s accounts.',
    ),
  email_not_verified: () => NOT_CONFIRMED,
  email_verified_missing: () => NOT_CONFIRMED,
  account_exists: () =>
    message(
      'An account with your email address already exists here. Sign in to it as before, then connect your company account to it. If you don’t know your password here, set a new one first.',
    ),
  other_account: () =>
    message('This browser is signed in to another account. Sign out first, then sign in again.'),
  operator_elsewhere: () => OPERATOR_ELSEWHERE,
  account_suspended: () =>
    message('This account is suspended. Contact <operator>the operator of this marketplace</operator>.'),
  no_such_sign_in: () =>
    message('This sign-in was started in another browser, was already used, or has expired. Start again.'),
};

type IdentityProblem = keyof typeof SENTENCES;

/** Explanations for the operator, by problem. They are logged. */
export const IDENTITY_CAUSES: Readonly<Partial<Record<string, string>>> = {
  issuer_differs: 'OIDC_ISSUER is not the issuer that the provider names; claimcheck doctor shows both',
  email_missing:
    'the provider sent no email address; grant this service the scope “email” in the provider’s settings',
  email_not_verified: 'the provider sent email_verified as false',
  email_verified_missing:
    'the provider sent no email_verified; set OIDC_TRUST_EMAIL=true if people cannot choose their address at the provider',
  email_not_accepted: 'no account can have this address',
  account_exists: 'an account with this address exists, and its holder has not connected it to the provider',
};

interface RefusalDetails {
  readonly name?: Words;
  readonly libraryCode?: string | undefined;
  readonly sentence?: Message;
}

export class IdentityRefusal extends Refusal {
  readonly problem: IdentityProblem;
  /** Error code of the OpenID library; never a value from the response. */
  readonly libraryCode: string | undefined;

  constructor(
    problem: IdentityProblem,
    { name = '', libraryCode, sentence = SENTENCES[problem](name) }: RefusalDetails = {},
  ) {
    super(problem === 'provider_away' ? 'unavailable' : 'invalid_request', sentence);
    this.problem = problem;
    this.libraryCode = libraryCode;
  }
}

/** What people see of a provider, and what identifies it. */
export type ProviderChoice = Pick<IdentityProviderSettings, 'number' | 'name' | 'issuer'>;

export interface IdentityProvider extends ProviderChoice {
  /** `again`: the person must sign in at the provider again, even if they are signed in there. */
  authorizationUrl(checks: OidcChecks, options: { readonly again: boolean }): Promise<URL>;
  /** `search`: the query of the callback URL. Refuses a response that belongs to a different sign-in. */
  claimsOf(search: string, checks: OidcChecks): Promise<Claims>;
  /** `null`: the token isn't a valid logout token for this service, or the provider's keys can't be fetched. */
  logoutOf(token: string): Promise<ProviderLogout | null>;
}

/** `baseUrl`: this service's URL, without a trailing slash. The provider isn't contacted before the first sign-in. */
export function createIdentityProvider(
  settings: IdentityProviderSettings,
  baseUrl: string,
  { timeoutS = TIMEOUT_S, now = Date.now }: { timeoutS?: number; now?: () => number } = {},
): IdentityProvider {
  const { number, name, issuer } = settings;
  const redirectUri = baseUrl + oidcCallbackPath(number);
  let discovered: ReturnType<typeof discover> | null = null;

  /** Caches the discovered metadata, but not a failure, so that the next sign-in retries. */
  const connect = () => {
    discovered ??= discover(settings, timeoutS).catch((error) => {
      discovered = null;
      throw refusalOf(error, name);
    });
    return discovered;
  };

  return {
    number,
    name,
    issuer,
    authorizationUrl: async ({ state, nonce, verifier }, { again }) => {
      const { client, config } = await connect();
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopeOf(settings, config),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(again && { prompt: 'login', max_age: String(FRESH_PROOF_MS / 1_000) }),
      });
    },
    claimsOf: async (search, { state, nonce, verifier }) => {
      const { client, config } = await connect();
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(redirectUri + search), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (idToken === undefined) throw new Error('the library returned no claims');
        if (!SUBJECT.test(idToken.sub) || idToken.iat * 1_000 > now() + CLOCK_SKEW_MS) {
          throw new IdentityRefusal('answer_not_valid', { name });
        }
        const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
        if (isComplete(settings, idToken) || !hasUserInfo) return claimsFrom(settings, idToken, null);
        // Some providers return the address or the groups only from the userinfo endpoint, not in the token.
        const person = await client.fetchUserInfo(config, tokens.access_token, idToken.sub);
        return claimsFrom(settings, idToken, person);
      } catch (error) {
        throw refusalOf(error, name);
      }
    },
    logoutOf: async (token) => {
      try {
        const { config, keys } = await connect();
        const { issuer, id_token_signing_alg_values_supported: algorithms } = config.serverMetadata();
        const rules = { issuer, clientId: settings.clientId, keys, algorithms, nowMs: now() };
        return await verifyLogoutToken(token, rules);
      } catch {
        return null;
      }
    },
  };
}

/** Some providers send groups only if asked for a scope with the name of the claim. Others refuse unknown scopes. */
function scopeOf({ operatorClaim }: IdentityProviderSettings, config: OpenIdClient.Configuration): string {
  const [scope = ''] = operatorClaim?.claim.split('.') ?? [];
  const isExtra = scope !== '' && !SCOPE.split(' ').includes(scope);
  return isExtra && config.serverMetadata().scopes_supported?.includes(scope) === true
    ? `${SCOPE} ${scope}`
    : SCOPE;
}

/** The setting and the provider may differ in a trailing slash. */
export function issuerSpellings(issuer: string): readonly string[] {
  const withoutSlash = issuer.replace(/\/$/, '');
  return [withoutSlash, `${withoutSlash}/`];
}

export const isSameIssuer = (one: string, other: string): boolean => issuerSpellings(one).includes(other);

/** If the provider reports a different issuer, retries with the trailing slash of `issuer` added or removed. */
async function discover(settings: IdentityProviderSettings, timeout: number) {
  try {
    return await discoverAt(settings, timeout);
  } catch (error) {
    if (!isOtherIssuer(error)) throw error;
    const { issuer } = settings;
    const other = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
    return await discoverAt({ ...settings, issuer: other }, timeout);
  }
}

function isOtherIssuer(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { attribute?: unknown } };
  // The userinfo response is compared too, and its attribute is the subject.
  return code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' && cause?.attribute === 'issuer';
}

/** For `doctor`: fetches the provider's metadata. Returns a description of the problem; `null` if there is none. */
export async function examineIssuer(settings: IdentityProviderSettings): Promise<string | null> {
  const { issuer, issuerSetting } = settings;
  try {
    await discover(settings, TIMEOUT_S);
    return null;
  } catch (error) {
    if (isOtherIssuer(error)) {
      const named = (error as { cause?: { body?: { issuer?: unknown } } }).cause?.body?.issuer;
      return `${issuerSetting} is ${issuer}, but the provider’s issuer is ${quote(String(named))}: set ${issuerSetting} to the latter`;
    }
    const { code, message } = error as { code?: unknown; message?: unknown };
    return `${issuer} returned no metadata (${String(code ?? message)}); check ${issuerSetting} and the network`;
  }
}

async function discoverAt(settings: IdentityProviderSettings, timeout: number) {
  const { issuer, clientId } = settings;
  const secret = readSecret(settings.clientSecret).trim();
  const client = await import('openid-client');
  const server = new URL(issuer);
  const config = await client.discovery(server, clientId, {}, clientSecret(client, secret), {
    timeout,
    [client.customFetch]: limitedFetch,
    // Verifies the signature of each ID token, even though tokens come directly from the provider.
    execute: [
      client.enableNonRepudiationChecks,
      ...(server.protocol === 'http:' && isLoopbackHost(server.hostname)
        ? [client.allowInsecureRequests]
        : []),
    ],
  });
  const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri ?? issuer), {
    timeoutDuration: timeout * 1_000,
    [customFetch]: limitedFetch,
  });
  return { client, config, keys };
}

/** Uses HTTP Basic (RFC 6749 section 2.3.1), or the body if the provider lists only other methods. */
function clientSecret(client: typeof OpenIdClient, secret: string): OpenIdClient.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** Converts a library error into a refusal without any text from the provider. */
function refusalOf(error: unknown, name: Words): IdentityRefusal {
  const { code, error: denied, status } = error as { code?: unknown; error?: unknown; status?: unknown };
  const libraryCode = typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : undefined;
  if (denied === 'access_denied') return new IdentityRefusal('access_denied', { name });
  if (error instanceof IdentityRefusal) return error;
  if (isOtherIssuer(error)) return new IdentityRefusal('issuer_differs', { name, libraryCode });
  const isAway =
    // The client secret file can't be read, or the provider is unreachable, doesn't respond, returns a server error or
    // rejects this service's credentials.
    error instanceof TypeError ||
    libraryCode === undefined ||
    AWAY_CODES.has(libraryCode) ||
    denied === 'invalid_client' ||
    denied === 'temporarily_unavailable' ||
    denied === 'server_error' ||
    (typeof status === 'number' && (status === 401 || status >= 500));
  return new IdentityRefusal(isAway ? 'provider_away' : 'answer_not_valid', { name, libraryCode });
}

const AWAY_CODES: ReadonlySet<string> = new Set([
  'ENOENT',
  'EACCES',
  'OAUTH_TIMEOUT',
  // The body isn't JSON, is too large, or doesn't end in time.
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** `fetch` for the libraries, which read a response to its end. Reading more than `MAX_RESPONSE_BYTES` fails. */
const limitedFetch = async (url: string, options: object): Promise<Response> =>
  limitedResponse(await fetch(url, options), MAX_RESPONSE_BYTES);
