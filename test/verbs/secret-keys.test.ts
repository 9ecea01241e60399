import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purposeOfSecret } from '../../src/accounts/authenticator.ts';
import { createAccount } from '../../src/accounts/create.ts';
import { needReencryption, reencryptSecondFactors } from '../../src/accounts/reencrypt.ts';
import { findTwoFactor, putTwoFactor } from '../../src/accounts/two-factor-queries.ts';
import { prepareSigningKey } from '../../src/claims/receipts/keys.ts';
import { createClaimTokens, hashToken } from '../../src/claims/token.ts';
import { createSecretBox, fingerprintOf, type SecretKeys } from '../../src/secret-keys.ts';
import { isDatabaseOfSecretKeys, knownSecretKeys } from '../../src/store/settings.ts';
import { examineSecretKeys } from '../../src/system/secret-keys.ts';
import { changeClaims } from '../support/claims.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { createOwner, issueTokens } from '../support/marketplace.ts';

const OLD = 'the first secret key of the database';
const NEW = 'the second secret key of the database';
const STRANGE = 'a secret key of another database';
const [OLD_PRINT, NEW_PRINT, STRANGE_PRINT] = [OLD, NEW, STRANGE].map(fingerprintOf) as [
  string,
  string,
  string,
];

describe.each(ENGINES)('rotating the secret key on %s', (engine) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(engine);
  });
  afterAll(() => test?.close());

  const start = (...keys: SecretKeys) => isDatabaseOfSecretKeys(test.db, keys.map(fingerprintOf));
  const under = (...keys: SecretKeys) => ({ ...test.context, tokens: createClaimTokens(...keys) });
  const examined = async (countsClaims: boolean, ...keys: SecretKeys) => {
    const fit = await start(...keys);
    const inUse = { fingerprints: keys.map(fingerprintOf), fit, tokens: createClaimTokens(...keys) };
    return (await examineSecretKeys(test.db, inUse, countsClaims)).map(
      ({ check, ok, note, detail }) => `${ok ? (note ? 'note' : 'ok') : 'wrong'} ${check}: ${detail}`,
    );
  };

  it('a database remembers each key that signed, and takes a new one only beside one that it knows', async () => {
    // Many processes that start at once, each with another key: the first one wins.
    const keys = Array.from({ length: 5 }, (_, n) => `${OLD} ${n}`);
    const fit = await Promise.all(keys.map((key) => start(key)));
    expect(fit.filter((fits) => fits)).toHaveLength(1);
    const first = keys[fit.indexOf(true)]!;
    expect(await knownSecretKeys(test.db)).toEqual([fingerprintOf(first)]);

    expect(await start(STRANGE)).toBe(false);
    expect(await start(STRANGE, NEW)).toBe(false);
    // A key behind the first signs nothing yet.
    expect(await start(first, OLD)).toBe(true);
    expect(await knownSecretKeys(test.db)).toEqual([fingerprintOf(first)]);
    // Processes that start with other new keys at once are all remembered.
    expect(await Promise.all([start(OLD, first), start(NEW, first), start(NEW, first)])).toEqual([
      true,
      true,
      true,
    ]);
    expect((await knownSecretKeys(test.db)).toSorted()).toEqual(
      [fingerprintOf(first), OLD_PRINT, NEW_PRINT].toSorted(),
    );
    expect(await start(NEW)).toBe(true);
    expect(await start(STRANGE)).toBe(false);
  });

  it('doctor says how many claims need an earlier key, and which keys can go', async () => {
    const owner = await createOwner(test.context);
    const [spent] = await issueTokens(under(OLD), owner, 3);
    await issueTokens(under(OLD), await createOwner(test.context), 1, { mode: 'test' });
    await issueTokens(under(NEW, OLD), owner, 2);
    await changeClaims(
      test.db,
      { token_hash: hashToken(spent!) },
      { redeemed_at: '2026-11-20T10:00:00.000Z' },
    );
    const current = `ok secret key: fingerprint ${NEW_PRINT}, the one this database was filled under`;
    expect(await examined(true, NEW, OLD)).toEqual([
      current,
      `note earlier secret key: fingerprint ${OLD_PRINT}, needed by the links of 3 claims that are not redeemed; keep it`,
    ]);
    expect(await examined(true, NEW, OLD, STRANGE)).toContainEqual(
      `note earlier secret key: fingerprint ${STRANGE_PRINT}, and nothing needs it; remove it`,
    );
    expect(await examined(false, NEW, OLD)).toEqual([
      current,
      expect.stringMatching(/claimcheck doctor counts the claims that need it$/),
    ]);
    expect(await examined(true, NEW)).toEqual([
      current,
      expect.stringMatching(/^note missing secret key: the links of 3 claims .* their tokens still verify$/),
    ]);
    expect(await examined(true, STRANGE)).toEqual([
      `wrong secret key: fingerprint ${STRANGE_PRINT} is not that of the key this database was filled under; add the former key behind it, or claim links made with that one cannot be shown again.`,
    ]);
  });

  it('doctor says which key the key of receipts needs', async () => {
    const context = (...keys: SecretKeys) => ({
      ...under(...keys),
      secretBox: createSecretBox(keys, randomBytes),
    });
    await prepareSigningKey(context(OLD));
    expect(await examined(false, NEW, OLD)).toContainEqual(
      expect.stringMatching(
        /^note earlier secret key: .* needed by the key of receipts, until the service starts/,
      ),
    );
    expect(await examined(false, NEW)).toContainEqual(
      expect.stringMatching(/^wrong missing secret key: receipts cannot be signed .*rotate-key`$/),
    );
    await prepareSigningKey(context(NEW, OLD));
    for (const checks of [await examined(false, NEW, OLD), await examined(false, NEW)]) {
      expect(checks).not.toContainEqual(expect.stringContaining('receipts'));
    }
  });

  it('second factors move to the first key by themselves, and doctor says how many have not yet', async () => {
    const accountIds: string[] = [];
    for (let n = 0; n < 3; n++) {
      const account = await createAccount(test.context, {
        email: `f${n}@example.com`,
        name: 'F',
        actor: 'operator',
      });
      accountIds.push(account.id);
    }
    const box = createSecretBox([OLD], randomBytes);
    await test.db.transaction(async (tx) => {
      for (const id of accountIds)
        await putTwoFactor(tx, id, box.encrypt(`secret of ${id}`, purposeOfSecret(id)));
    });
    expect(await examined(false, NEW, OLD)).toContainEqual(
      `note earlier secret key: fingerprint ${OLD_PRINT}, needed by 3 second factors; claimcheck doctor counts the claims that need it`,
    );
    expect(await examined(false, NEW)).toContainEqual(
      expect.stringMatching(/^wrong missing secret key: 3 second factors cannot be checked/),
    );

    const context = { ...under(NEW, OLD), secretBox: createSecretBox([NEW, OLD], randomBytes) };
    expect(await needReencryption(context)).toBe(true);
    await reencryptSecondFactors(context);
    expect(await needReencryption(context)).toBe(false);
    expect(await examined(false, NEW, OLD)).not.toContainEqual(expect.stringContaining('second factor'));
    const after = createSecretBox([NEW], randomBytes);
    for (const id of accountIds) {
      const factor = await findTwoFactor(test.db.read, id);
      expect(after.decrypt(factor!.secret, purposeOfSecret(id))).toBe(`secret of ${id}`);
    }
  });
});
