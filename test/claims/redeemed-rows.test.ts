import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken } from '../../src/claims/token.ts';
import { createVerifier } from '../../src/claims/verify/decision/verifier.ts';
import { hashKey } from '../../src/keys/key.ts';
import { shortHash } from '../../src/secrets/secrets.ts';
import { openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../support/marketplace.ts';

const CLAIMS = 2_000;

let database: TestDatabase;
let owner: Owner;
let file: DatabaseSync;
beforeAll(async () => {
  database = await openTestDatabase('sqlite');
  owner = await createOwner(database.context);
  file = new DatabaseSync(join(database.dataDir, 'claimcheck.db'), { readOnly: true });
});
afterAll(async () => {
  file?.close();
  await database?.close();
});

/** Pages that the rows of claims take, indexes apart, and the bytes in them. */
const sizeOfClaims = () =>
  file.prepare("select count(*) as pages, sum(payload) as bytes from dbstat where name = 'claim_rows'").get();

test('on SQLite redeemed rows are as long as before, with an Idempotency-Key or without', async () => {
  const tokens = await issueTokens(database.context, owner, CLAIMS, { via: 'spring' });
  const before = sizeOfClaims();
  const verifier = createVerifier(database.db, Date.now, { batch: () => {} });
  const redeem = (token: string, n: number) =>
    new Promise<void>((resolve, reject) => {
      const idempotencyHash = n % 2 === 0 ? null : shortHash(`order-${n}`);
      const keyHash = hashKey(owner.liveKey);
      verifier.submit({ keyHash, tokenHash: hashToken(token), redeem: true, idempotencyHash }, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  await Promise.all(tokens.map(redeem));
  const redeemed = file.prepare('select count(redeemed_at) as count from claims').get()!['count'];
  expect([redeemed, sizeOfClaims()]).toEqual([CLAIMS, before]);
});
