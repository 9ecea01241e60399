/**
 * Restoring an older backup repeats the account deletions made since the backup, and withholds codes that may have been
 * given out since then.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eraseDueAccounts } from '../../../src/background/personal-data/erase.ts';
import { codesOfClaims } from '../../../src/claims/codes/codes-of-claims.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { transferListing } from '../../../src/claims/transfer/transfer-listing.ts';
import { findListing } from '../../../src/marketplace/listings/queries.ts';
import {
  addCodes,
  releaseCodes,
  withdrawCodes,
  withholdCodes,
} from '../../../src/marketplace/offers/codes.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { findOwnOffer } from '../../../src/marketplace/offers/queries.ts';
import { joinWithAccount, leaveWithAccount } from '../../../src/marketplace/waiting-list/join.ts';
import { UNDO_MS } from '../../../src/people/accounts/account.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { planDeletion } from '../../../src/people/accounts/edit.ts';
import { findAccount } from '../../../src/people/accounts/queries.ts';
import { DATABASE_FILE } from '../../../src/platform/store/open.ts';
import { writeBackup } from '../../../src/platform/store/sqlite/backup.ts';
import { record, run } from '../../app/cli/support.ts';
import {
  createDbLocation,
  type DbLocation,
  ENGINES,
  openDatabaseAt,
  type TestDatabase,
} from '../../support/engines.ts';
import { eventsOf, refusalOf } from '../../support/events.ts';
import { claimsOf, createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { allTexts } from '../../support/tables.ts';
import { redeemAll } from '../../support/verify.ts';

let dbLocation: DbLocation;
let database: TestDatabase;
let owner: Owner;

async function begin(engine: (typeof ENGINES)[number]): Promise<void> {
  dbLocation = await createDbLocation(engine);
  database = await openDatabaseAt(dbLocation);
  owner = await createOwner(database.context);
  await editOffer(database.context, { offerId: owner.offerId, actor: 'operator', code_list: 'close' });
}
afterEach(async () => {
  await database.db.close();
  await dbLocation.remove();
});

const person = async (email: string) =>
  (await createAccount(database.context, { email, name: 'Ada Lovelace', actor: 'operator' })).id;
const claim = (claimantAccountId: string) =>
  claimOffer(database.context, {
    claimantAccountId,
    listing: owner.slug,
    offerId: owner.offerId,
    rules: { hasMail: false, address: null },
  });
const change = () => ({ offerId: owner.offerId, actor: `account:${owner.accountId}` }) as const;
const linesOf = (...texts: string[]) => texts.map((text, index) => ({ line: index + 1, text }));
const add = (...codes: string[]) => addCodes(database.context, { ...change(), lines: linesOf(...codes) });
const counts = async () => {
  const offer = await findOwnOffer(database.db.read, owner.accountId, owner.offerId);
  return [offer!.codes_left, offer!.codes_given];
};
const erase = async (account: string) => {
  const { context } = database;
  await planDeletion(context, { account, actor: 'operator', notice: null });
  await eraseDueAccounts({ ...context, now: () => Date.now() + UNDO_MS + 1 });
};

describe('restoring the embedded database', () => {
  let backup: string;
  beforeEach(async () => {
    await begin('sqlite');
    backup = join(dbLocation.dataDir, 'backup.db');
  });
  const copy = () => writeBackup(join(dbLocation.dataDir, DATABASE_FILE), backup);
  const restore = async (): Promise<string> => {
    await database.db.close();
    const { code, stderr } = await run(['restore', backup], dbLocation.env);
    expect(code).toBe(0);
    database = await openDatabaseAt(dbLocation);
    return stderr;
  };

  test('repeats a transfer since the backup, even if the former owner was deleted after it', async () => {
    await add('A', 'B', 'C');
    const [spent, token] = await issueTokens(database.context, owner, 2);
    const buyer = await createOwner(database.context);
    copy();
    const { context } = database;
    await transferListing(context, { listing: owner.slug, to: buyer.accountId, actor: 'operator' });
    await redeemAll(context, buyer.liveKey, [spent!]);
    await erase(owner.accountId);
    const said = await restore();
    expect(await findListing(database.db.read, owner.slug)).toMatchObject({
      account_id: buyer.accountId,
      state: 'approved',
    });
    expect((await findAccount(database.db.read, owner.accountId)).name).toBe('Deleted account');
    expect(await redeemAll(database.context, buyer.liveKey, [spent!, token!])).toEqual([
      'already_redeemed',
      'redeemed',
    ]);
    expect(await releaseCodes(database.context, 'operator')).toBe(1);
    expect(said).toContain(`had it before the restore: ${owner.slug}.`);
  });

  test('repeats deletions made since the backup and still blocks second claims', async () => {
    await add('A', 'B', 'C', 'D');
    const ada = await person('ada.l@gmail.com');
    const bo = await person('bo@example.com');
    await claim(ada);
    copy();
    const late = await person('late@example.com');
    await claim(late);
    for (const account of [ada, late]) await erase(account);
    // Another account takes over the deleted account’s email address.
    await database.context.db.transaction((tx) =>
      tx.updateTable('accounts').set({ email: 'ada.l@gmail.com' }).where('id', '=', bo).execute(),
    );
    const said = await restore();
    expect(said).toContain('Deleted 1 account again');
    const texts = await allTexts(database.context);
    expect(texts.includes('Ada Lovelace')).toBe(true);
    const account = await findAccount(database.db.read, ada);
    expect(account).toMatchObject({ email: ada, name: 'Deleted account', delete_at: null });
    expect((await findAccount(database.db.read, 'ada.l@gmail.com')).id).toBe(bo);
    expect((await eventsOf(database.db, ada)).map(({ type }) => type)).toEqual([
      'account.created',
      'account.deleted',
    ]);
    expect((await claimsOf(database.context, owner)).map(({ claimant_id }) => claimant_id)).toEqual([null]);
    await releaseCodes(database.context, 'operator');
    for (const email of ['adal@googlemail.com', 'late+2@example.com']) {
      expect(await refusalOf(claim(await person(email)))).toContain(
        'by an account that has since been deleted',
      );
    }
    expect((await claim(bo)).created).toBe(true);
  });

  test('keeps people off a waiting list who have left it or were mailed since the backup', async () => {
    const [left, stays] = [await person('left@example.com'), await person('stays@example.com')];
    const of = (accountId: string) => ({ offerId: owner.offerId, accountId });
    for (const accountId of [left, stays]) await joinWithAccount(database.context, of(accountId));
    copy();
    await leaveWithAccount(database.context, of(left));
    await restore();
    const waiting = await database.db.read.selectFrom('waiting_people').select('email').execute();
    expect(waiting).toEqual([{ email: 'stays@example.com' }]);
  });

  test('never gives out a code twice, and withholds unused codes until they are released', async () => {
    await add('GIVEN-BEFORE', 'GIVEN-SINCE', 'LEFT', 'WITHDRAWN');
    const [a, b, c] = [await person('a@x.example'), await person('b@x.example'), await person('c@x.example')];
    await claim(a);
    copy();
    await claim(b);
    await withdrawCodes(database.context, { ...change(), lines: linesOf('WITHDRAWN') });
    await add('ADDED-SINCE');
    const said = await restore();
    expect(said).toContain('Withheld: 2 codes that may have been given out after the backup.');
    expect(said).toContain('npm run -s claimcheck -- release-codes');
    expect(await counts()).toEqual([0, 2]);
    expect(await refusalOf(claim(c))).toContain('All codes');
    expect((await add('LEFT', 'ADDED-SINCE', 'GIVEN-SINCE')).added).toBe(0);
    await database.db.close();
    expect(await record(['release-codes'], dbLocation.env)).toEqual({ released_codes: 2 });
    database = await openDatabaseAt(dbLocation);
    expect(await counts()).toEqual([2, 2]);
    const { claimId } = await claim(c);
    const codes = await codesOfClaims(
      database.context,
      database.db.read,
      await claimsOf(database.context, owner),
    );
    expect(codes.get(claimId)).toBe('LEFT');
    expect((await eventsOf(database.db, owner.offerId)).at(-1)?.data).toMatchObject({
      change: 'codes_released',
    });
  });
});

describe.each(ENGINES)('claimcheck after-restore on %s', (engine) => {
  beforeEach(() => begin(engine));

  test('withholds codes and repeats the deletions listed in a file', async () => {
    await add('A', 'B');
    const [ada, bo] = [await person('ada@x.example'), await person('bo@x.example')];
    await claim(ada);
    const file = join(dbLocation.dataDir, 'deleted.txt');
    writeFileSync(file, `ID  DELETED\n${ada}  2026-11-20\n019a9f6c-0000-7000-8000-000000000000\n`);
    await database.db.close();
    expect(await record(['after-restore', '--deleted', file], dbLocation.env)).toMatchObject({
      withheld_codes: 1,
      deleted_again: 1,
    });
    const deleted = await run(['accounts', 'list', '--deleted'], dbLocation.env);
    expect([deleted.stdout.includes(ada), deleted.stdout.includes(bo)]).toEqual([true, false]);
    database = await openDatabaseAt(dbLocation);
    expect((await findAccount(database.db.read, ada)).name).toBe('Deleted account');
    expect(await refusalOf(claim(bo))).toContain('All codes');
    expect(await releaseCodes(database.context, 'operator', 1)).toBe(1);
    expect(await releaseCodes(database.context, 'operator')).toBe(0);
    expect((await claim(bo)).created).toBe(true);
    expect(await counts()).toEqual([0, 2]);
    await add('C', 'D', 'E');
    expect(await withholdCodes(database.context)).toBe(3);
    await add('F');
    // The owner can withdraw codes while they are withheld.
    const withdraw = (lines: ReturnType<typeof linesOf> | null) =>
      withdrawCodes(database.context, { ...change(), lines });
    expect(await withdraw(linesOf('C'))).toEqual({ withdrawn: 1, bad: [] });
    expect(await counts()).toEqual([1, 2]);
    expect(await withdraw(null)).toEqual({ withdrawn: 3, bad: [] });
    expect(await counts()).toEqual([0, 2]);
  });
});
