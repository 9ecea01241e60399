/** Whether the secret keys are those of the database, and what still needs the earlier ones. */
import { countClaimsBySecretKey } from '../claims/count-by-secret-key.ts';
import type { ClaimTokens } from '../claims/token.ts';
import type { Database } from '../store/database.ts';
import { knownSecretKeys } from '../store/settings.ts';
import { type Check, failed, noted, passed } from './check.ts';

export interface SecretKeysInUse {
  /** Fingerprints, in the order of the keys. */
  readonly fingerprints: readonly string[];
  /** `false`: the database was filled under other secret keys. */
  readonly fit: boolean;
  readonly tokens: ClaimTokens;
}

/**
 * `countsClaims`: also says how many claims need an earlier key, which takes long where there are millions. They are
 * read only where there ever was more than one key.
 */
export async function examineSecretKeys(
  db: Database,
  { fingerprints, fit, tokens }: SecretKeysInUse,
  countsClaims: boolean,
): Promise<readonly Check[]> {
  const [current = '', ...earlier] = fingerprints;
  if (!fit) {
    return [
      failed(
        'secret key',
        `fingerprint ${current} is not that of the key this database was filled under; add the former key behind it, or claim links made with that one cannot be shown again.`,
      ),
    ];
  }
  const first = passed('secret key', `fingerprint ${current}, the one this database was filled under`);
  const isRotated = earlier.length > 0 || (await knownSecretKeys(db)).length > 1;
  if (!isRotated) return [first];
  if (!countsClaims) return [first, ...earlier.map(notCounted)];
  const claims = await countClaimsBySecretKey({ db, tokens });
  const without = claims.get(null) ?? 0;
  return [
    first,
    ...earlier.map((fingerprint, place) => counted(fingerprint, claims.get(place + 1) ?? 0)),
    ...(without === 0 ? [] : [withoutKey(without)]),
  ];
}

const notCounted = (fingerprint: string): Check =>
  noted('earlier secret key', `fingerprint ${fingerprint}; claimcheck doctor says what still needs it`);

const counted = (fingerprint: string, claims: number): Check =>
  claims === 0
    ? noted('earlier secret key', `fingerprint ${fingerprint}, and nothing needs it; remove it`)
    : noted(
        'earlier secret key',
        `fingerprint ${fingerprint}, and the links of ${claimsText(claims)} need it; keep it`,
      );

const withoutKey = (claims: number): Check =>
  noted(
    'missing secret key',
    `the links of ${claimsText(claims)} need a key that is not configured, and cannot be shown until it is added behind the others; their tokens still verify`,
  );

const claimsText = (claims: number): string =>
  claims === 1
    ? '1 claim that is not redeemed'
    : `${claims.toLocaleString('en')} claims that are not redeemed`;
