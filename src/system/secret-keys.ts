/** Whether the secret keys are those of the database, and what still needs the earlier ones. */
import { countTwoFactors } from '../accounts/two-factor-queries.ts';
import { countClaimsBySecretKey } from '../claims/count-by-secret-key.ts';
import { findSigningKey } from '../claims/receipts/queries.ts';
import type { ClaimTokens } from '../claims/token.ts';
import { encryptedUnder } from '../secret-keys.ts';
import type { Database } from '../store/database.ts';
import { knownSecretKeys } from '../store/settings.ts';
import { amountOf } from '../text.ts';
import { countWebhookSecrets } from '../webhooks/endpoint-queries.ts';
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
  const needs = await countNeeds(db, { fingerprints, tokens }, countsClaims);
  return [
    first,
    ...earlier.map((fingerprint, place) => earlierKey(fingerprint, needs.of[place + 1]!)),
    ...withoutKey(needs.ofNone),
  ];
}

interface Needs {
  /** The key that signs receipts. */
  readonly receipts: boolean;
  readonly secondFactors: number;
  readonly webhookSecrets: number;
  /** That are not redeemed; `null`: not counted. */
  readonly claims: number | null;
}

/** What needs each key, in the order of the keys, and what needs one that is not configured. */
async function countNeeds(
  db: Database,
  { fingerprints, tokens }: Omit<SecretKeysInUse, 'fit'>,
  countsClaims: boolean,
): Promise<{ readonly of: readonly Needs[]; readonly ofNone: Needs }> {
  const isRotated = fingerprints.length > 1 || (await knownSecretKeys(db)).length > 1;
  const claims = countsClaims && isRotated ? await countClaimsBySecretKey({ db, tokens }) : null;
  const claimsOf = (place: number | null): number | null => claims && (claims.get(place) ?? 0);
  const signing = await findSigningKey(db.read);
  const signsUnder = signing === null ? null : encryptedUnder(signing.privateKey);
  const of: Needs[] = [];
  const rest = {
    secondFactors: await countTwoFactors(db.read),
    webhookSecrets: await countWebhookSecrets(db.read),
  };
  for (const [place, fingerprint] of fingerprints.entries()) {
    const secondFactors = await countTwoFactors(db.read, fingerprint);
    const webhookSecrets = await countWebhookSecrets(db.read, fingerprint);
    rest.secondFactors = Math.max(0, rest.secondFactors - secondFactors);
    rest.webhookSecrets = Math.max(0, rest.webhookSecrets - webhookSecrets);
    const receipts = signsUnder === fingerprint;
    of.push({ secondFactors, webhookSecrets, claims: claimsOf(place), receipts });
  }
  const receipts = signsUnder !== null && !fingerprints.includes(signsUnder);
  return { of, ofNone: { ...rest, claims: claimsOf(null), receipts } };
}

function earlierKey(fingerprint: string, { secondFactors, webhookSecrets, claims, receipts }: Needs): Check {
  const needing = [
    ...(secondFactors === 0 ? [] : [secondFactorsText(secondFactors)]),
    ...(webhookSecrets === 0 ? [] : [amountOf(webhookSecrets, 'webhook secret')]),
    ...(receipts ? ['the key of receipts, until the service starts'] : []),
    ...(claims ? [`the links of ${claimsText(claims)}`] : []),
  ].join(' and ');
  const rest = claims === null ? '; claimcheck doctor counts the claims that need it' : '';
  if (needing !== '') {
    return noted(
      'earlier secret key',
      `fingerprint ${fingerprint}, needed by ${needing}${rest || '; keep it'}`,
    );
  }
  return noted(
    'earlier secret key',
    `fingerprint ${fingerprint}${rest || ', and nothing needs it; remove it'}`,
  );
}

function withoutKey({ secondFactors, webhookSecrets, claims, receipts }: Needs): readonly Check[] {
  return [
    ...(secondFactors === 0
      ? []
      : [
          failed(
            'missing secret key',
            `${secondFactorsText(secondFactors)} cannot be checked without a key that is not configured; add it behind the others`,
          ),
        ]),
    ...(receipts
      ? [
          failed(
            'missing secret key',
            'receipts cannot be signed without a key that is not configured; add it behind the others, or run `claimcheck receipts rotate-key`',
          ),
        ]
      : []),
    ...(webhookSecrets === 0
      ? []
      : [
          failed(
            'missing secret key',
            `${amountOf(webhookSecrets, 'webhook secret')} cannot sign without a key that is not configured; add it behind the others`,
          ),
        ]),
    ...(claims
      ? [
          noted(
            'missing secret key',
            `the links of ${claimsText(claims)} cannot be shown without a key that is not configured; their tokens still verify`,
          ),
        ]
      : []),
  ];
}

const secondFactorsText = (count: number): string =>
  count === 1 ? '1 second factor' : `${count.toLocaleString('en')} second factors`;

const claimsText = (count: number): string =>
  count === 1 ? '1 claim that is not redeemed' : `${count.toLocaleString('en')} claims that are not redeemed`;
