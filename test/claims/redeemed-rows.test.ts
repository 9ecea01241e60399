import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createVerifier } from '../../src/claims/verify/engines/verifier.ts';
import { issueTokens } from '../support/marketplace.ts';
import { shareDatabase, shareOwner } from '../support/shared.ts';
import { answerFrom, verificationOf } from '../support/verify.ts';

const CLAIMS = 2_000;

const database = shareDatabase('sqlite');
const owner = shareOwner(database.context);
test('on SQLite redeemed rows are as long as before, with an Idempotency-Key or without', async () => {
  using file = new DatabaseSync(join(database.dataDir, 'claimcheck.db'), { readOnly: true });
  /** Pages that the rows of claims take, without indexes, and the bytes in them. */
  const sizeOfClaims = () =>
    file
      .prepare("select count(*) as pages, sum(payload) as bytes from dbstat where name = 'claim_rows'")
      .get();
  const tokens = await issueTokens(database.context, owner, CLAIMS, { via: 'spring' });
  const before = sizeOfClaims();
  const verifier = createVerifier(database.db, Date.now, { batch: () => {} });
  const redeem = (token: string, n: number) => {
    const idempotencyKey = n % 2 === 0 ? null : `order-${n}`;
    return answerFrom(verifier, verificationOf({ key: owner.liveKey, token, idempotencyKey }));
  };
  await Promise.all(tokens.map(redeem));
  const redeemed = file.prepare('select count(redeemed_at) as count from claims').get()!['count'];
  expect([redeemed, sizeOfClaims()]).toEqual([CLAIMS, before]);
});
