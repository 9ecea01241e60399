/** Logout tokens of OpenID Connect Back-Channel Logout 1.0, with which a provider ends sessions. */
import { decodeJwt, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { providerSessionOf } from './claims.ts';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Older tokens have the type of any JWT, or none. */
const TYPES = ['logout+jwt', 'application/logout+jwt', 'jwt'];
/** A token is refused later, even if its `exp` allows more. */
const MAX_AGE = '5m';
const CLOCK_SKEW_S = 60;
export const MAX_LOGOUT_TOKEN_LENGTH = 8_192;

export interface ProviderLogout {
  readonly issuer: string;
  /** The session that ends (`providerSessionOf`); `null`: all sessions of `subject`. */
  readonly providerSession: string | null;
  readonly subject: string | null;
  /** Sessions that started later continue, also if somebody sends the token again. */
  readonly startedBeforeMs: number;
}

interface LogoutTokenRules {
  readonly issuer: string;
  readonly clientId: string;
  /** Public keys only, so that no token can be signed with one of them as the secret of an HMAC. */
  readonly keys: JWTVerifyGetKey;
  /** From the provider's metadata. */
  readonly algorithms: readonly string[] | undefined;
  readonly nowMs: number;
}

/** Who claims to have issued the token, which isn't verified yet; `null`: it isn't a token. */
export function issuerIn(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null;
  } catch {
    return null;
  }
}

/** Throws if the token isn't a valid logout token for this client. */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, keys, algorithms = ['RS256'], nowMs }: LogoutTokenRules,
): Promise<ProviderLogout> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer,
    audience: clientId,
    algorithms: [...algorithms],
    clockTolerance: CLOCK_SKEW_S,
    currentDate: new Date(nowMs),
    maxTokenAge: MAX_AGE,
    requiredClaims: ['exp', 'iat', 'jti'],
  });
  const { events, nonce, sid, sub } = payload;
  if (protectedHeader.typ !== undefined && !TYPES.includes(protectedHeader.typ.toLowerCase())) {
    throw new Error('the token has another type');
  }
  // An ID token has a nonce and no event, so that neither can be used as the other.
  if (nonce !== undefined) throw new Error('the token has a nonce');
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, LOGOUT_EVENT)) {
    throw new Error('the token is not about a logout');
  }
  const subject = typeof sub === 'string' ? sub : null;
  const providerSession = typeof sid === 'string' ? providerSessionOf(issuer, sid) : null;
  if (subject === null && providerSession === null) throw new Error('the token names nobody');
  return {
    issuer,
    providerSession,
    subject,
    startedBeforeMs: (payload.iat! + CLOCK_SKEW_S) * 1_000,
  };
}
