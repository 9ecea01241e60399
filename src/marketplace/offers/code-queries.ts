import { type ExpressionBuilder, sql } from 'kysely';
import { countOf, type Engine, type Queryable, type Transaction } from '../../platform/store/database.ts';
import { insertionOf } from '../../platform/store/insert-rows.ts';
import { numberOfAccount, readAccountNumber } from '../../platform/store/numbers.ts';
import type { Schema } from '../../platform/store/schema.ts';
import type { Offer } from './queries.ts';

type OfferOfCodes = Pick<Offer, 'id' | 'account_id'>;

export const storeCodeKey = (tx: Transaction, offer: OfferOfCodes, key: string): Promise<unknown> =>
  tx
    .updateTable('offers')
    .set({ code_key: key })
    .where('id', '=', offer.id)
    .where('account_id', '=', offer.account_id)
    .execute();

interface NewCode {
  /** Hexadecimal. */
  readonly hash: string;
  /** Encrypted. */
  readonly code: string;
}

/** Inserts the codes that the offer doesn't have yet, in the given order. Returns the hashes of the inserted codes. */
export async function insertCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferOfCodes,
  codes: readonly NewCode[],
  at: string,
): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set();
  const rows = codes.map(({ hash, code }) => ({
    account_number: offer.account_id,
    offer_id: offer.id,
    code_hash: hash,
    code,
    added_at: at,
  }));
  const { rows: added } = await sql<{ code_hash: Uint8Array }>`
    ${insertionOf(engine, 'offer_codes', CODE_COLUMNS, rows)} on conflict do nothing returning code_hash`.execute(
    tx,
  );
  return hashesOf(added);
}

const hashesOf = (rows: readonly { readonly code_hash: Uint8Array }[]): ReadonlySet<string> =>
  new Set(rows.map(({ code_hash }) => Buffer.from(code_hash).toString('hex')));

const CODE_COLUMNS = {
  account_number: 'accountNumber',
  offer_id: 'uuid',
  code_hash: 'bytes',
  code: 'text',
  added_at: 'time',
} as const;

interface CodeCounts {
  readonly codes_left: number;
  readonly codes_given: number;
}

/** Adds `added` to `codes_left` and returns the new counts. */
export async function countAddedCodes(
  tx: Transaction,
  engine: Engine,
  offer: OfferOfCodes,
  added: number,
): Promise<CodeCounts> {
  const row = { account_number: offer.account_id, offer_id: offer.id, codes_left: added };
  const { rows } = await sql<CodeCounts>`${insertionOf(engine, 'offer_claims', COUNT_COLUMNS, [row])}
    on conflict (account_number, offer_id) do update set codes_left = offer_claims.codes_left + excluded.codes_left
    returning codes_left, codes_given`.execute(tx);
  return rows[0]!;
}

/** The codes of all offers of the account, including those given out or withheld after a restore. */
export async function countCodesOf(db: Queryable, accountId: string): Promise<number> {
  const account = await readAccountNumber(db, accountId);
  const { codes } = await db
    .selectFrom('offer_claims')
    .select(sql<number>`coalesce(sum(codes_left + codes_given), 0)`.as('codes'))
    .where('account_number', '=', account)
    .executeTakeFirstOrThrow();
  const withheld = db
    .selectFrom('offer_codes')
    .where('account_number', '=', account)
    .where('withheld_at', 'is not', null);
  return codes + (await countOf(withheld));
}

const COUNT_COLUMNS = { account_number: 'accountNumber', offer_id: 'uuid', codes_left: 'integer' } as const;

/** Deletes unassigned codes. Returns their hashes. The caller must hold the lock of the offer. */
export async function deleteCodes(
  tx: Transaction,
  offer: OfferOfCodes,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await tx
    .deleteFrom('offer_codes')
    .where('account_number', '=', numberOfAccount(offer.account_id))
    .where('offer_id', '=', offer.id)
    .where('claim_id', 'is', null)
    .where(
      'code_hash',
      'in',
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    )
    .returning(['code_hash', 'withheld_at'])
    .execute();
  const left = rows.filter(({ withheld_at }) => withheld_at === null);
  await changeCodesLeft(tx, offer, -left.length);
  return hashesOf(rows);
}

/** Codes of the offer that no claim has: the ones that are withheld after a restore, or the others. */
const unassigned =
  (account: number, offer: OfferOfCodes, isWithheld = false) =>
  (eb: ExpressionBuilder<Schema, 'offer_codes'>) =>
    eb.and([
      eb.and({ account_number: account, offer_id: offer.id, claim_id: null }),
      eb('withheld_at', isWithheld ? 'is not' : 'is', null),
    ]);

type CodeFilter = ReturnType<typeof unassigned>;

/** Deletes the first `limit` of these codes. Returns how many. */
async function deleteFirst(tx: Transaction, filter: CodeFilter, limit: number): Promise<number> {
  const rows = await firstSeqs(tx, filter, limit);
  if (rows.length > 0) {
    await tx.deleteFrom('offer_codes').where(filter).where('seq', '<=', rows.at(-1)!.seq).execute();
  }
  return rows.length;
}

const firstSeqs = (db: Queryable, filter: CodeFilter, limit: number) =>
  db.selectFrom('offer_codes').select('seq').where(filter).orderBy('seq').limit(limit).execute();

/** Deletes at most `limit` unassigned codes. Returns how many. The caller must hold the lock of the offer. */
export async function deleteCodesLeft(tx: Transaction, offer: OfferOfCodes, limit: number): Promise<number> {
  const account = await readAccountNumber(tx, offer.account_id);
  const left = await deleteFirst(tx, unassigned(account, offer), limit);
  await changeCodesLeft(tx, offer, -left);
  return left + (await deleteFirst(tx, unassigned(account, offer, true), limit - left));
}

/** Encrypted unassigned codes in the order of the list. */
export async function listCodesLeft(
  db: Queryable,
  offer: OfferOfCodes,
  { isWithheld, after, limit }: { isWithheld: boolean; after: number; limit: number },
) {
  const account = await readAccountNumber(db, offer.account_id);
  return await db
    .selectFrom('offer_codes')
    .select(['seq', 'code', 'added_at', 'withheld_at'])
    .where(unassigned(account, offer, isWithheld))
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** The newest imports that have unassigned codes, newest first. Codes that were added at the same time are one import. */
export async function listImports(db: Queryable, offer: OfferOfCodes, limit: number) {
  const account = await readAccountNumber(db, offer.account_id);
  return await db
    .selectFrom('offer_codes')
    .select(({ fn }) => ['added_at', fn.countAll<number>().as('codes')])
    .where(unassigned(account, offer))
    .groupBy('added_at')
    .orderBy('added_at', 'desc')
    .limit(limit)
    .execute();
}

export type CodeImport = Awaited<ReturnType<typeof listImports>>[number];

/** Returns when the newest unassigned code was added. */
export async function newestImport(db: Queryable, offer: OfferOfCodes): Promise<string | undefined> {
  const account = await readAccountNumber(db, offer.account_id);
  const newest = await db
    .selectFrom('offer_codes')
    .select('added_at')
    .where(unassigned(account, offer))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.added_at;
}

/** The numbers (`seq`) of the first and the last unassigned code of an import; `null`: there are none. */
export async function rangeOfImport(db: Queryable, offer: OfferOfCodes, addedAt: string) {
  const account = await readAccountNumber(db, offer.account_id);
  const { first, last } = await db
    .selectFrom('offer_codes')
    .select(({ fn }) => [fn.min('seq').as('first'), fn.max('seq').as('last')])
    .where(unassigned(account, offer))
    .where('added_at', '=', addedAt)
    .executeTakeFirstOrThrow();
  return first === null || last === null ? null : { first, last };
}

/** Deletes at most `limit` unassigned codes of an import. Returns how many. The caller must hold the lock of the offer. */
export async function deleteImported(
  tx: Transaction,
  offer: OfferOfCodes,
  { addedAt, first, last }: { readonly addedAt: string; readonly first: number; readonly last: number },
  limit: number,
): Promise<number> {
  const account = await readAccountNumber(tx, offer.account_id);
  const ofImport: CodeFilter = (eb) =>
    eb.and([unassigned(account, offer)(eb), eb('added_at', '=', addedAt), eb.between('seq', first, last)]);
  const deleted = await deleteFirst(tx, ofImport, limit);
  await changeCodesLeft(tx, offer, -deleted);
  return deleted;
}

/** `codes_left` doesn't include withheld codes. */
async function changeCodesLeft(tx: Transaction, offer: OfferOfCodes, by: number): Promise<void> {
  if (by === 0) return;
  await tx
    .updateTable('offer_claims')
    .set(({ eb }) => ({ codes_left: eb('codes_left', '+', by) }))
    .where('account_number', '=', numberOfAccount(offer.account_id))
    .where('offer_id', '=', offer.id)
    .execute();
}

/** A code key encrypts the codes of one offer. The code key itself is stored encrypted. */
const codeKeys = (db: Queryable) =>
  db
    .selectFrom('offers')
    .select(['id', 'account_number', 'code_key'])
    .where('code_key', 'is not', null)
    .$narrowType<{ code_key: string }>();

export type StoredCodeKey = Awaited<ReturnType<typeof readNewestCodeKeys>>[number];

export const readCodeKeys = (
  db: Queryable,
  of: { readonly offerIds: readonly string[] } | { readonly accountId: string },
) =>
  codeKeys(db)
    .where((eb) => ('offerIds' in of ? eb('id', 'in', of.offerIds) : eb('account_id', '=', of.accountId)))
    .execute();

export const readNewestCodeKeys = (db: Queryable, limit: number) =>
  codeKeys(db).orderBy('id', 'desc').limit(limit).execute();

export const listWithheldCodes = (db: Queryable) =>
  db
    .selectFrom((codes) =>
      codes
        .selectFrom('offer_codes')
        .select(({ fn }) => ['account_number', 'offer_id', fn.countAll<number>().as('codes')])
        .where('withheld_at', 'is not', null)
        .groupBy(['account_number', 'offer_id'])
        .as('withheld'),
    )
    .innerJoin('offers', 'offers.id', 'withheld.offer_id')
    .innerJoin('listings', 'listings.id', 'offers.listing_id')
    .select([
      'withheld.offer_id',
      'withheld.codes',
      'offers.account_id',
      'offers.offer',
      'listings.slug as listing',
    ])
    .orderBy('withheld.offer_id')
    .execute();

export type WithheldCodes = Awaited<ReturnType<typeof listWithheldCodes>>[number];

export const countWithheldCodes = (db: Queryable, offer: OfferOfCodes): Promise<number> =>
  countOf(
    db
      .selectFrom('offer_codes')
      .where('account_number', '=', numberOfAccount(offer.account_id))
      .where('offer_id', '=', offer.id)
      .where('withheld_at', 'is not', null),
  );

/** Withholds the unassigned codes of all offers. Returns how many codes were withheld. */
export async function withholdCodesLeft(tx: Transaction, at: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('offer_codes')
    .set({ withheld_at: at })
    .where('claim_id', 'is', null)
    .where('withheld_at', 'is', null)
    .executeTakeFirstOrThrow();
  await tx.updateTable('offer_claims').set({ codes_left: 0 }).where('codes_left', '<>', 0).execute();
  return Number(numUpdatedRows);
}

/** Releases at most `limit` withheld codes and adds them to `codes_left`. Returns how many were released. */
export async function releaseCodesOf(tx: Transaction, offer: OfferOfCodes, limit: number): Promise<number> {
  const account = await readAccountNumber(tx, offer.account_id);
  const withheld = unassigned(account, offer, true);
  const rows = await firstSeqs(tx, withheld, limit);
  if (rows.length === 0) return 0;
  await tx
    .updateTable('offer_codes')
    .set({ withheld_at: null })
    .where(withheld)
    .where('seq', '<=', rows.at(-1)!.seq)
    .execute();
  await changeCodesLeft(tx, offer, rows.length);
  return rows.length;
}
