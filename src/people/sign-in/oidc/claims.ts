/** What the provider says about a person at a sign-in. */
import type { IDToken } from 'openid-client';
import { hashOfSecret } from '../../../platform/secrets/secrets.ts';

type RawClaims = Readonly<Record<string, unknown>>;

/** Claims about the person, from a verified response of the provider. Values of type `unknown` are not yet parsed. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: unknown;
  readonly isEmailVerified: boolean | null;
  readonly name: unknown;
  /** Whether the person has the operators' claim; `null`: the provider doesn't say who is an operator. */
  readonly isOperator: boolean | null;
  /** Whether the person used more than one factor (`mfa` in `amr`, RFC 8176). */
  readonly isMultiFactor: boolean;
  /** When the person authenticated at the provider; `null`: unknown. */
  readonly authenticatedAtMs: number | null;
  /** Identifies the session at the provider (`providerSessionOf`); `null`: the provider doesn't name it. */
  readonly providerSession: string | null;
}

export interface ClaimRules {
  /** Whether to accept an email address if the provider doesn't say whether it is verified. */
  readonly trustsEmail: boolean;
  /** Operators have this value in this claim; `null`: the provider doesn't say who is an operator. */
  readonly operatorClaim: { readonly claim: string; readonly value: string } | null;
}

/** Whether the ID token has the address and the operators' claim. The userinfo endpoint may have what is missing. */
export const isComplete = ({ operatorClaim }: ClaimRules, idToken: IDToken): boolean =>
  idToken['email'] !== undefined &&
  (operatorClaim === null || valueOfClaim(idToken, operatorClaim.claim) !== undefined);

/** `userInfo`: the response of the userinfo endpoint for the same person; `null`: it wasn't asked. */
export function claimsFrom(
  { trustsEmail, operatorClaim }: ClaimRules,
  idToken: IDToken,
  userInfo: RawClaims | null,
): Claims {
  const { amr, auth_time, sid } = idToken as RawClaims;
  // All from one source, so that `email_verified` is about this address.
  const person: RawClaims = idToken['email'] === undefined ? (userInfo ?? {}) : idToken;
  // In `xms_edov`, Microsoft Entra ID says whether the domain of the address was verified.
  const isVerified = booleanOf(person['email_verified']) ?? booleanOf(person['xms_edov']);
  const isEmailVerified = isVerified ?? (trustsEmail ? true : null);
  // People may type any address at the provider. Only a verified one makes operators.
  const isUnproven = operatorClaim?.claim === 'email' && isEmailVerified !== true;
  const sources = isUnproven ? [] : [idToken, userInfo ?? {}];
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: person['email'],
    isEmailVerified,
    name: person['name'],
    isOperator: operatorClaim === null ? null : hasValue(sources, operatorClaim),
    isMultiFactor: Array.isArray(amr) && amr.includes('mfa'),
    authenticatedAtMs: typeof auth_time === 'number' ? Math.max(0, auth_time * 1_000) : null,
    providerSession: typeof sid === 'string' ? providerSessionOf(idToken.iss, sid) : null,
  };
}

/** Some providers send a boolean as a number, or as text such as `True`. `null`: the claim is missing. */
function booleanOf(claim: unknown): boolean | null {
  if (claim === undefined || claim === null) return null;
  // The text of a deeply nested claim would exceed the stack.
  return typeof claim !== 'object' && /^(?:true|1)$/i.test(String(claim));
}

/** Whether the claim is this text, or a list that contains it. The first source that has the claim decides. */
function hasValue(
  sources: readonly RawClaims[],
  { claim, value }: NonNullable<ClaimRules['operatorClaim']>,
): boolean {
  const sent = sources.map((source) => valueOfClaim(source, claim)).find((one) => one !== undefined);
  return Array.isArray(sent) ? sent.includes(value) : sent === value;
}

/** Looks for the complete name first. If it isn't found, its dots separate the names of nested members. */
function valueOfClaim(claims: RawClaims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim];
  let value: unknown = claims;
  for (const name of claim.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as RawClaims)[name];
  }
  return value;
}

/** For sessions that the provider may end. `sid` is unique only at the issuer. */
export const providerSessionOf = (issuer: string, sid: string): string =>
  hashOfSecret(JSON.stringify([issuer, sid]));
