import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  examineSecretKeys,
  needsReencryption,
  reencrypt,
} from '../../../src/background/system/secret-keys.ts';
import { prepareSigningKey } from '../../../src/claims/receipts/signing.ts';
import { createClaimTokens, hashToken } from '../../../src/claims/token.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { purposeOfSecret } from '../../../src/people/sign-in/credentials/authenticator.ts';
import { findTwoFactor, putTwoFactor } from '../../../src/people/sign-in/credentials/queries.ts';
import { COMMAND_NAME } from '../../../src/platform/process/version.ts';
import {
  createSecretBox,
  fingerprintOf,
  type SecretKeys,
} from '../../../src/platform/secrets/secret-keys.ts';
import { isDatabaseOfSecretKeys, knownSecretKeys } from '../../../src/platform/store/settings.ts';
import { changeClaims } from '../../support/claims.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner, issueTokens } from '../../support/marketplace.ts';
import { shareDatabase } from '../../support/shared.ts';

const OLD = 'the first secret key of the database';
const NEW = 'the second secret key of the database';
const UNKNOWN = 'a secret key of another database';
const [OLD_PRINT, NEW_PRINT, UNKNOWN_PRINT] = [OLD, NEW, UNKNOWN].map(fingerprintOf) as [
  string,
  string,
  string,
];

describe.each(ENGINES)('rotating the secret key on %s', (engine) => {
  const database = shareDatabase(engine);

  const start = (...keys: SecretKeys) => isDatabaseOfSecretKeys(database.db, keys.map(fingerprintOf));
  const under = (...keys: SecretKeys) => ({ ...database.context, tokens: createClaimTokens(...keys) });
  const examined = async (isThorough: boolean, ...keys: SecretKeys) => {
    const fit = await start(...keys);
    const inUse = { fingerprints: keys.map(fingerprintOf), fit, tokens: createClaimTokens(...keys) };
    return (await examineSecretKeys(database.db, inUse, isThorough)).map(
      ({ check, ok, note, detail }) => `${ok ? (note ? 'note' : 'ok') : 'wrong'} ${check}: ${detail}`,
    );
  };

  test('a database accepts a new key only together with a key that it knows', async () => {
    // If processes with different keys start concurrently on a new database, only one key is accepted.
    const keys = Array.from({ length: 5 }, (_, n) => `${OLD} ${n}`);
    const fit = await Promise.all(keys.map((key) => start(key)));
    expect(fit.filter((fits) => fits)).toHaveLength(1);
    const first = keys[fit.indexOf(true)]!;
    expect(await knownSecretKeys(database.db)).toEqual([fingerprintOf(first)]);

    expect(await start(UNKNOWN)).toBe(false);
    expect(await start(UNKNOWN, NEW)).toBe(false);
    // Only the first configured key's fingerprint is stored, because new tokens and data don't use the other keys.
    expect(await start(first, OLD)).toBe(true);
    expect(await knownSecretKeys(database.db)).toEqual([fingerprintOf(first)]);
    // If processes start concurrently with different new keys and a known key, every new key is stored.
    expect(await Promise.all([start(OLD, first), start(NEW, first), start(NEW, first)])).toEqual([
      true,
      true,
      true,
    ]);
    expect((await knownSecretKeys(database.db)).toSorted()).toEqual(
      [fingerprintOf(first), OLD_PRINT, NEW_PRINT].toSorted(),
    );
    expect(await start(NEW)).toBe(true);
    expect(await start(UNKNOWN)).toBe(false);
  });

  test('doctor reports which keys are still needed by claim links and which can be removed', async () => {
    const owner = await createOwner(database.context);
    const [spent, open] = await issueTokens(under(OLD), owner, 2);
    await issueTokens(under(NEW, OLD), owner, 2);
    const redeem = (token: string) =>
      changeClaims(
        database.db,
        { token_hash: hashToken(token) },
        { redeemed_at: '2026-11-20T10:00:00.000Z' },
      );
    await redeem(spent!);
    const current = `ok secret key: fingerprint ${NEW_PRINT}, known to this database`;
    const kept = `note earlier secret keys: keep ${OLD_PRINT}, needed by claim links`;
    for (const isThorough of [true, false]) {
      expect(await examined(isThorough, NEW, OLD)).toEqual([current, kept]);
    }
    expect(await examined(true, NEW, OLD, UNKNOWN)).toEqual([
      current,
      `${kept}; remove ${UNKNOWN_PRINT}, which is no longer needed`,
    ]);
    expect(await examined(true, NEW)).toEqual([
      current,
      expect.stringMatching(
        `^note missing secret key: some claim links .*${OLD_PRINT}.* the tokens in these links stay valid$`,
      ),
    ]);
    expect(await examined(true, UNKNOWN)).toEqual([
      `wrong secret key: this database has only been used with other secret keys; the configured key has the fingerprint ${UNKNOWN_PRINT}. Add the earlier key after the configured one; otherwise the links of earlier claims can't be shown again`,
    ]);
    await redeem(open!);
    expect(await examined(true, NEW, OLD)).toEqual([
      current,
      `note earlier secret keys: remove ${OLD_PRINT}, which is no longer needed`,
    ]);
  });

  test('the system page checks only the oldest claims, and refers to doctor for the rest', async () => {
    const owner = await createOwner(database.context);
    await issueTokens(under(NEW, OLD), owner, 1_000);
    const [last] = await issueTokens(under(OLD), owner, 1);
    const [, onPage] = await examined(false, NEW, OLD);
    expect(onPage).toBe(
      `note earlier secret keys: keep ${OLD_PRINT} until ${COMMAND_NAME} doctor reports that no claim link needs it`,
    );
    expect(await examined(true, NEW, OLD)).toContainEqual(expect.stringMatching('needed by claim links$'));
    await changeClaims(
      database.db,
      { token_hash: hashToken(last!) },
      { redeemed_at: '2026-11-20T10:00:00.000Z' },
    );
  });

  test('doctor fails if no key decrypts a value; re-encryption moves all values to the first key', async () => {
    const old = { ...under(OLD), secretBox: createSecretBox([OLD], randomBytes) };
    await prepareSigningKey(old);
    const accountIds: string[] = [];
    for (let n = 0; n < 101; n++) {
      const email = `f${n}@example.com`;
      accountIds.push((await createAccount(database.context, { email, name: 'F', actor: 'operator' })).id);
    }
    await database.db.transaction(async (tx) => {
      for (const id of accountIds)
        await putTwoFactor(tx, id, old.secretBox.encrypt(`secret of ${id}`, purposeOfSecret(id)));
    });
    const needing = 'second factors, the receipt signing key';
    expect(await examined(true, NEW, OLD)).toContainEqual(
      `note earlier secret keys: keep ${OLD_PRINT}, needed by ${needing}`,
    );
    expect(await examined(true, NEW)).toContainEqual(
      expect.stringMatching(
        `^wrong missing secret key: no configured key decrypts ${needing}; add the key with fingerprint ${OLD_PRINT} .*rotate-key`,
      ),
    );

    const context = { ...under(NEW, OLD), secretBox: createSecretBox([NEW, OLD], randomBytes) };
    expect(await needsReencryption(context)).toBe(true);
    await reencrypt(context);
    expect(await needsReencryption(context)).toBe(false);
    expect(await examined(true, NEW, OLD)).toContainEqual(
      expect.stringMatching('which is no longer needed$'),
    );
    const after = createSecretBox([NEW], randomBytes);
    for (const id of accountIds) {
      const factor = await findTwoFactor(database.db.read, id);
      expect(after.decrypt(factor!.secret, purposeOfSecret(id))).toBe(`secret of ${id}`);
    }
    expect(await prepareSigningKey({ ...context, secretBox: after })).toBe(true);
  });
});
