/** A restore keeps revocations and redemptions made since the backup. */
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findEndpoint } from '../../../src/background/webhooks/endpoint-queries.ts';
import { createEndpoint } from '../../../src/background/webhooks/endpoints.ts';
import { transferListing } from '../../../src/claims/transfer/transfer-listing.ts';
import { createVerifier } from '../../../src/claims/verify/verifier.ts';
import { countLabels } from '../../../src/marketplace/campaigns/count.ts';
import { suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { findRole } from '../../../src/people/accounts/membership-queries.ts';
import { renameAccount } from '../../../src/people/accounts/rename.ts';
import { changeKeyNetworks } from '../../../src/people/keys/change-networks.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { revokeKey } from '../../../src/people/keys/end.ts';
import { releaseMail } from '../../../src/people/mail/mail.ts';
import { listDueMails } from '../../../src/people/mail/queries.ts';
import { suspendAccount } from '../../../src/people/members/suspend.ts';
import { ask } from '../../../src/platform/store/batch-queue.ts';
import { DATABASE_FILE } from '../../../src/platform/store/open.ts';
import {
  MAILBOX_MARK_KEY,
  readSetting,
  WAITING_LISTS_RESTORED_AT,
} from '../../../src/platform/store/settings.ts';
import { writeBackup } from '../../../src/platform/store/sqlite/backup.ts';
import { restoreBackup } from '../../../src/platform/store/sqlite/restore.ts';
import { ACCESS_TABLES } from '../../../src/platform/store/tables/accounts.ts';
import { addOffer } from '../../claims/support.ts';
import {
  createDbLocation,
  type DbLocation,
  openDatabaseAt,
  type TestDatabase,
} from '../../support/engines.ts';
import { createOwner, issueTokens, type Owner } from '../../support/marketplace.ts';
import { localOutgoing } from '../../support/receiver.ts';
import { outcomeIn, verificationOf } from '../../support/verify.ts';

const NOW_MS = Date.now() + 3_600_000;
const AT = '2026-11-20T10:00:00.000Z';
const LATER = '2099-01-01T00:00:00.000Z';
const PAGE_BYTES = 4_096;

let dbLocation: DbLocation;
let database: TestDatabase;
let owner: Owner;
let file: string;
let backup: string;

beforeEach(async () => {
  dbLocation = await createDbLocation('sqlite');
  file = join(dbLocation.dataDir, DATABASE_FILE);
  backup = join(dbLocation.dataDir, 'backup.db');
  database = await openDatabaseAt(dbLocation);
  owner = await createOwner(database.context);
});
afterEach(async () => {
  await database.db.close();
  await dbLocation.remove();
});

async function redeem(
  token: string,
  key = owner.liveKey,
  idempotencyKey: string | null = null,
  reference: string | null = null,
) {
  const verifier = createVerifier(database.db, () => NOW_MS, { batch: () => {} });
  const answer = await ask(verifier, verificationOf({ key, token, idempotencyKey, reference }));
  return answer.kind === 'found' && answer.replayed ? answer.body : outcomeIn(answer);
}

async function restore() {
  await database.db.close();
  const result = restoreBackup(backup, file, () => NOW_MS);
  database = await openDatabaseAt(dbLocation);
  return result;
}

/** Runs a statement on a separate connection, like another process. */
function write(statement: string, ...values: (string | number | Uint8Array)[]): void {
  const connection = new DatabaseSync(file, { timeout: 5_000 });
  connection.prepare(statement).run(...values);
  connection.close();
}

const addPasskey = (id: string) =>
  write(
    'insert into passkeys values (?, ?, ?, ?, ?, 0, ?, ?, null)',
    ...[id, owner.accountId, 'phone', id, new Uint8Array(2), '[]', AT],
  );
const setPassword = (hash: string) =>
  write('insert or replace into passwords values (?, ?, ?)', owner.accountId, hash, AT);

const rowsOf = (table: (typeof ACCESS_TABLES)[number] | 'passkeys' | 'passwords') =>
  database.db.read.selectFrom(table).selectAll().execute();

test('a restore carries over revocations, suspensions and new keys made since the backup', async () => {
  const { context } = database;
  const newKey = (name: string) =>
    createKey(context, { account: owner.accountId, name, mode: 'live', actor: 'operator' });
  const kept = await newKey('kept');
  const limited = await newKey('limited');
  const [token] = await issueTokens(context, owner, 1);
  const stranger = await createOwner(context);
  setPassword('old');
  addPasskey('019aa3c2-5b6e-7d10-8f4a-2c9e7b1d6035');
  write(
    'insert into sessions values (?, ?, ?, 1, ?, ?, ?, ?, ?, null, null, null, null)',
    ...['019aa3c2-5b6e-7d10-8f4a-2c9e7b1d6036', owner.accountId, 'hash', AT, AT, AT, LATER, LATER],
  );
  write(
    'insert into sign_in_steps values (?, ?, null, null, 0, ?, ?, ?)',
    ...['hash', owner.accountId, '[]', AT, LATER],
  );
  write('insert into one_time_codes values (?, ?, null, null, ?, ?)', 'hash', 'verify_email', AT, LATER);
  write('insert into oidc_sign_ins values (?, ?, ?, ?)', 'hash', 'hash', 'sealed', LATER);
  write(
    'insert into mails values (?, ?, ?, ?, null, ?, ?, 0, null, null, null)',
    ...['019aa3c2-5b6e-7d10-8f4a-2c9e7b1d6037', 'ada@example.com', 'Your key', '', AT, AT],
  );
  writeBackup(file, backup);

  await revokeKey(context, { keyId: owner.liveKeyId, actor: 'operator' });
  await changeKeyNetworks(context, { keyId: limited.id, networks: '203.0.113.7', actor: 'operator' });
  const made = await newKey('made');
  await suspendAccount(context, { account: stranger.accountId, actor: 'operator' });
  await suspendListing(context, { listing: owner.slug, reason: 'Not now.', actor: 'operator' });
  setPassword('new');
  write('delete from passkeys');

  const { carriedOver, lost, ended, heldMails } = await restore();
  expect(lost).toEqual([]);
  expect(heldMails).toBe(1);
  expect(await listDueMails(database.db.read, LATER, 10)).toEqual([]);
  expect(await releaseMail(database)).toBe(1);
  expect(await listDueMails(database.db.read, LATER, 10)).toHaveLength(1);
  // The suspension of the listing ended the good standing of its owner.
  expect(carriedOver).toEqual({ accounts: 2, sign_in_methods: 1, api_keys: 3, listings: 1 });
  expect(ended).toEqual({
    sessions: 1,
    sign_in_steps: 1,
    one_time_codes: 1,
    invitations: 0,
    access_links: 0,
    access_grants: 0,
    email_sign_ins: 0,
    oidc_sign_ins: 1,
  });
  for (const table of ACCESS_TABLES) expect(await rowsOf(table)).toEqual([]);
  expect(await rowsOf('passkeys')).toEqual([]);
  expect(await rowsOf('passwords')).toMatchObject([{ hash: 'new' }]);
  expect(await redeem(token!)).toBe('invalid_api_key');
  expect(await redeem(token!, stranger.liveKey)).toBe('account_suspended');
  const listing = await database.db.read
    .selectFrom('listings')
    .select('state')
    .where('slug', '=', owner.slug)
    .executeTakeFirst();
  expect(listing).toEqual({ state: 'suspended' });
  expect(await redeem(token!, made.key)).toBe('redeemed');
  expect(await redeem(token!, kept.key)).toBe('already_redeemed');
  expect(await redeem(token!, limited.key)).toBe('networks_changed');
});

test('a restore carries over mailbox marks, even if their key was re-encrypted after the backup', async () => {
  write("insert into settings (name, value) values ('mailbox_mark_key', 'encrypted first')");
  writeBackup(file, backup);
  write("update settings set value = 'encrypted again' where name = 'mailbox_mark_key'");
  write(
    "insert into mailbox_marks (account_number, offer_id, mark) select number, ?, x'01' from accounts where id = ?",
    ...[owner.offerId, owner.accountId],
  );
  await restore();
  const { read } = database.db;
  expect(await read.selectFrom('mailbox_marks').selectAll().execute()).toHaveLength(1);
  expect(await readSetting(read, MAILBOX_MARK_KEY)).toBe('encrypted again');
});

test('a restore keeps a marketplace limited to members that has been limited since the backup', async () => {
  write("insert into settings (name, value) values ('policy', ?)", '{"publishing":"everyone"}');
  writeBackup(file, backup);
  write(
    "update settings set value = ? where name = 'policy'",
    '{"publishing":"approved","visibility":"members"}',
  );
  const { carriedOver } = await restore();
  expect(carriedOver).toEqual({ listings: 1 });
  // Other settings are as in the backup.
  expect(JSON.parse((await readSetting(database.db.read, 'policy'))!)).toEqual({
    publishing: 'everyone',
    visibility: 'members',
  });
  expect(await readSetting(database.db.read, WAITING_LISTS_RESTORED_AT)).toBeNull();
});

test('a restore carries over removals, demotions and additions of members since the backup', async () => {
  const { context } = database;
  const people = await Promise.all([1, 2, 3, 4].map(() => createOwner(context)));
  const joins = (at: number, role: string) =>
    write(
      'insert into memberships values (?, ?, ?, ?, null)',
      ...[owner.accountId, people[at]!.accountId, role, AT],
    );
  joins(0, 'owner');
  joins(1, 'owner');
  joins(2, 'member');
  writeBackup(file, backup);
  write('delete from memberships where member_id = ?', people[0]!.accountId);
  write("update memberships set role = 'member' where member_id = ?", people[1]!.accountId);
  joins(3, 'member');
  const { carriedOver } = await restore();
  expect(carriedOver.memberships).toBe(3);
  const roles = await Promise.all(
    people.map(({ accountId }) => findRole(database.db.read, owner.accountId, accountId)),
  );
  expect(roles).toEqual([null, 'member', 'member', 'member']);
});

test.each([
  ['includes the backup', true],
  ['does not include the backup', false],
])('a restore keeps endpoints of former members paused, if the history %s', async (_, isContinued) => {
  const { accountId } = owner;
  const url = 'http://127.0.0.1:4001/hook';
  const input = { accountId, actor: `account:${accountId}`, url, eventTypes: ['claim.created'] } as const;
  const { id } = await createEndpoint(database.context, localOutgoing(), input);
  const older = join(dbLocation.dataDir, 'older.db');
  writeBackup(file, older);
  await revokeKey(database.context, { keyId: owner.liveKeyId, actor: 'operator' });
  writeBackup(file, backup);
  if (!isContinued) {
    await database.db.close();
    rmSync(file);
    writeBackup(older, file);
    database = await openDatabaseAt(dbLocation);
    await createOwner(database.context);
  }
  write("update webhook_endpoints set disabled_at = ?, disabled_reason = 'member_gone' where id = ?", AT, id);
  const { lost } = await restore();
  expect(lost).toHaveLength(isContinued ? 0 : 1);
  const endpoint = await findEndpoint(database.db.read, accountId, id);
  expect(endpoint).toMatchObject({ disabled_at: AT, disabled_reason: 'member_gone' });
});

test('a restore carries over redemptions made since the backup, for offers that the backup contains', async () => {
  const { context } = database;
  const [before, old, untouched] = await issueTokens(context, owner, 3, { via: 'spring' });
  await redeem(before!, owner.liveKey, null, 'order-0');
  writeBackup(file, backup);
  const answered = JSON.parse(
    await redeem(old!, owner.liveKey, 'order-1', 'order 1').then(() =>
      redeem(old!, owner.liveKey, 'order-1'),
    ),
  );
  const [made, gone] = await issueTokens(context, owner, 2, { via: 'spring' });
  await redeem(made!, owner.liveKey, null, 'order-2');
  const offerId = await addOffer(context, owner.slug);
  const [orphan] = await issueTokens(context, { ...owner, offerId }, 1);
  await redeem(orphan!, owner.liveKey, null, 'order-3');

  const { carriedOver, lost } = await restore();
  expect(carriedOver).toEqual({ redemptions: 2 });
  expect(lost).toEqual([
    expect.stringContaining('1 redemption could not be carried over'),
    expect.stringContaining('Claims created since the backup'),
  ]);
  expect(JSON.parse(await redeem(old!, owner.liveKey, 'order-1'))).toEqual(answered);
  expect([await redeem(before!), await redeem(made!), await redeem(gone!), await redeem(orphan!)]).toEqual([
    'already_redeemed',
    'already_redeemed',
    'not_found',
    'not_found',
  ]);
  const references = await database.db.read
    .selectFrom('claims')
    .leftJoin('claim_references', 'claim_references.claim_seq', 'claims.seq')
    .select('reference')
    .orderBy('seq')
    .execute();
  expect(references.map(({ reference }) => reference)).toEqual(['order-0', 'order 1', null, 'order-2']);
  const events = await database.db.read
    .selectFrom('events')
    .select(['type', 'actor', 'subject_id'])
    .where('type', 'in', ['claim.created', 'claim.redeemed'])
    .execute();
  expect(events.filter(({ type }) => type === 'claim.created')).toHaveLength(4);
  const redeemed = events.filter(({ type }) => type === 'claim.redeemed');
  expect(new Set(redeemed.map(({ subject_id }) => subject_id)).size).toBe(3);
  for (const { actor } of redeemed) expect(actor).toBe(`key:${owner.liveKeyId}`);
  expect(await countLabels(database.context, { listing: owner.slug })).toMatchObject([
    { via: 'spring', claims: 4, redeemed: 3 },
  ]);
  expect(await redeem(untouched!)).toBe('redeemed');
});

test('a restore over a database older than the backup keeps the revocations in the backup', async () => {
  setPassword('old');
  const keyWith = (networks: string) =>
    createKey(database.context, { account: owner.accountId, name: 'shop', networks, actor: 'operator' });
  const [widened, narrowed] = [await keyWith(''), await keyWith('')];
  const older = join(dbLocation.dataDir, 'older.db');
  writeBackup(file, older);
  await changeKeyNetworks(database.context, {
    keyId: widened.id,
    networks: '203.0.113.7',
    actor: 'operator',
  });
  await revokeKey(database.context, { keyId: owner.liveKeyId, actor: 'operator' });
  setPassword('new');
  writeBackup(file, backup);
  await database.db.close();
  rmSync(file);
  writeBackup(older, file);
  database = await openDatabaseAt(dbLocation);
  await createOwner(database.context);
  await changeKeyNetworks(database.context, {
    keyId: narrowed.id,
    networks: '203.0.113.8',
    actor: 'operator',
  });

  const { lost } = await restore();
  expect(lost).toEqual([expect.stringContaining('does not include this backup')]);
  const [token] = await issueTokens(database.context, owner, 1);
  expect(await redeem(token!)).toBe('invalid_api_key');
  for (const { key } of [widened, narrowed]) expect(await redeem(token!, key)).toBe('networks_changed');
  expect(await rowsOf('passwords')).toMatchObject([{ hash: 'new' }]);
});

test('a restore over a damaged database succeeds and reports that nothing was carried over', async () => {
  const [token] = await issueTokens(database.context, owner, 1);
  writeBackup(file, backup);
  await revokeKey(database.context, { keyId: owner.liveKeyId, actor: 'operator' });
  await database.db.close();
  const descriptor = openSync(file, 'r+');
  const { size } = statSync(file);
  writeSync(descriptor, Buffer.alloc(size - PAGE_BYTES, 0xaa), 0, size - PAGE_BYTES, PAGE_BYTES);
  closeSync(descriptor);
  const damaged = restoreBackup(backup, file, () => NOW_MS);
  expect(damaged.lost.join(' ')).toContain('carried over');
  expect(damaged.carriedOver).toEqual({});
  database = await openDatabaseAt(dbLocation);
  expect(await redeem(token!)).toBe('redeemed');
  // Nobody knows who was mailed since the backup.
  expect(await readSetting(database.db.read, WAITING_LISTS_RESTORED_AT)).toBe(new Date(NOW_MS).toISOString());
});

test('a restore carries over changes even if a later edit replaced the last event in the backup', async () => {
  const ada = { email: 'ada@example.com', name: 'Ada', actor: 'operator' } as const;
  const { id: accountId } = await createAccount(database.context, ada);
  const rename = (name: string) => renameAccount(database.context, { accountId, name });
  await rename('First');
  setPassword('old');
  writeBackup(file, backup);
  await rename('Second');
  setPassword('new');
  const { lost } = await restore();
  expect(lost).toEqual([]);
  expect(await rowsOf('passwords')).toMatchObject([{ hash: 'new' }]);
});

test('a restore names the transfers since the backup, and keeps the redemptions of the new account', async () => {
  const { context } = database;
  const [token, other] = await issueTokens(context, owner, 2);
  const buyer = await createOwner(context);
  const second = await createOwner(context);
  writeBackup(file, backup);
  const late = await createOwner(context);
  for (const [listing, to] of [
    [owner.slug, buyer.accountId],
    [second.slug, late.accountId],
  ] as const) {
    await transferListing(context, { listing, to, actor: 'operator' });
  }
  expect(await redeem(token!, buyer.liveKey)).toBe('redeemed');
  const { lost, transfers, carriedOver } = await restore();
  expect(transfers).toEqual([{ listing: owner.listingId, slug: owner.slug, to: buyer.accountId }]);
  expect(lost).toContain(
    `Listings that were transferred to accounts created since the backup belong to their former accounts again: ${second.slug}.`,
  );
  expect(carriedOver.redemptions).toBe(1);
  expect([await redeem(token!), await redeem(other!)]).toEqual(['already_redeemed', 'redeemed']);
});
