import { type Selectable, sql } from 'kysely';
import { compileOnce } from '../../../platform/store/compile-once.ts';
import { isFound, type Queryable, type Transaction } from '../../../platform/store/database.ts';
import type { EmailSignInsTable } from '../../../platform/store/tables/accounts.ts';

export type EmailSignIn = Selectable<EmailSignInsTable>;

/** Every call must have the same columns, because the query is compiled once. */
type EmailSignInRow = Omit<EmailSignIn, 'finished_at'>;

/** A browser that requests a sign-in mail. `isKnown`: the account of the address recognizes the browser. */
interface Requester {
  readonly email: string;
  readonly browserHash: string;
  readonly isKnown: boolean;
}

/** Selects codes that count towards the maximum: of one known browser, or of all unknown ones together. */
const workingCodes = (db: Queryable, { email, browserHash, isKnown }: Requester, at: string) =>
  db
    .selectFrom('email_sign_ins')
    .where('email', '=', email)
    .where('finished_at', 'is', null)
    .where('expires_at', '>', at)
    .where('is_known', '=', isKnown ? 1 : 0)
    .$if(isKnown, (query) => query.where('browser_hash', '=', browserHash));

/** Returns false if `max` earlier codes still work. */
export async function insertEmailSignIn(tx: Transaction, row: EmailSignInRow, max: number): Promise<boolean> {
  const insert = row.is_known === 1 ? insertOfKnown : insertOfUnknown;
  return (await insert(tx, { ...row, max })).length > 0;
}

const insertIfFewer = (isKnown: boolean) =>
  compileOnce((db, { max, ...row }: EmailSignInRow & { max: number }) => {
    const { email, browser_hash: browserHash, created_at } = row;
    const working = workingCodes(db, { email, browserHash, isKnown }, created_at);
    const values = Object.entries(row) as [keyof EmailSignInsTable, string | number | null][];
    return db
      .insertInto('email_sign_ins')
      .columns(values.map(([column]) => column))
      .expression(
        db
          .selectNoFrom((eb) => values.map(([column, value]) => eb.val(value).as(column)))
          .where((eb) => eb(working.select(eb.fn.countAll<number>().as('codes')), '<', max)),
      )
      .returning('link_hash');
  });
const insertOfKnown = insertIfFewer(true);
const insertOfUnknown = insertIfFewer(false);

/** Returns when the first and the last working code expire; `null`: no code works. */
export async function workingCodesUntil(db: Queryable, requester: Requester, at: string) {
  const { first, last } = await workingCodes(db, requester, at)
    .select(({ fn }) => [
      fn.min<string | null>('expires_at').as('first'),
      fn.max<string | null>('expires_at').as('last'),
    ])
    .executeTakeFirstOrThrow();
  const msOf = (time: string | null) => (time === null ? null : Date.parse(time));
  return { firstMs: msOf(first), lastMs: msOf(last) };
}

/** The browser's newest request that accepts codes continues at `next`. Returns false if there is none. */
export const renewEmailSignIn = (
  tx: Transaction,
  { email, browserHash }: Requester,
  { at, tries, ...intent }: Pick<EmailSignIn, 'next' | 'is_intended' | 'tries'> & { readonly at: string },
): Promise<boolean> =>
  isFound(
    tx
      .updateTable('email_sign_ins')
      .set({ requested_at: at, ...intent })
      .where('link_hash', '=', (eb) =>
        eb
          .selectFrom('email_sign_ins')
          .select('link_hash')
          .where('browser_hash', '=', browserHash)
          .where('email', '=', email)
          .where('finished_at', 'is', null)
          .where('expires_at', '>', at)
          .where('tries', '<', tries)
          .orderBy('requested_at', 'desc')
          .limit(1),
      )
      .where('finished_at', 'is', null)
      .returning('link_hash'),
  );

/** A browser's newest unexpired request to sign in by mail, finished or not. */
export const findEmailSignIn = async (db: Queryable, browserHash: string, at: string) =>
  (await selectNewest(db, { browserHash, at }))[0];

const selectNewest = compileOnce((db, { browserHash, at }: { browserHash: string; at: string }) =>
  db
    .selectFrom('email_sign_ins')
    .selectAll()
    .where('browser_hash', '=', browserHash)
    .where('expires_at', '>', at)
    .orderBy('requested_at', 'desc')
    .limit(1),
);

export const takeDigitTry = async (tx: Transaction, linkHash: string, most: number): Promise<boolean> =>
  (await addTry(tx, { linkHash, most })).length > 0;

const addTry = compileOnce((db, { linkHash, most }: { linkHash: string; most: number }) =>
  db
    .updateTable('email_sign_ins')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('link_hash', '=', linkHash)
    .where('tries', '<', most)
    .returning('link_hash'),
);

const finishing = (db: Queryable, at: string) =>
  db.updateTable('email_sign_ins').set({ finished_at: at }).where('finished_at', 'is', null);

type BrowserAndEmail = Pick<EmailSignIn, 'browser_hash' | 'email'>;

/** Works only once, also with digits of an earlier mail to the address, because mails may arrive out of order. */
export const finishByDigits = async (
  tx: Transaction,
  { browser_hash, email }: BrowserAndEmail,
  codeHashes: readonly string[],
  at: string,
) => (await finishWithCode(tx, { browser_hash, email, codeHashes, at }))[0];

const finishWithCode = compileOnce(
  (
    db,
    { browser_hash, email, codeHashes, at }: BrowserAndEmail & { codeHashes: readonly string[]; at: string },
    { isOneOf },
  ) =>
    finishing(db, at)
      .where('browser_hash', '=', browser_hash)
      .where('email', '=', email)
      .where(isOneOf(sql.ref('code_hash'), 'text', codeHashes))
      .where('expires_at', '>', at)
      .returningAll(),
);

export const finishByLink = (tx: Transaction, linkHashes: readonly string[], at: string) =>
  finishing(tx, at)
    .where('link_hash', 'in', linkHashes)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();

/** The unfinished request of a link, without finishing it. */
export const findByLink = (db: Queryable, linkHashes: readonly string[], at: string) =>
  db
    .selectFrom('email_sign_ins')
    .select(['email', 'browser_hash', 'next', 'is_intended', 'requested_at'])
    .where('link_hash', 'in', linkHashes)
    .where('finished_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirst();

/** Ends a browser's other requests for the same address. Returns the hashes of their links, for `deleteCodesOf`. */
export async function finishOthers(tx: Transaction, { browser_hash, email }: BrowserAndEmail, at: string) {
  const rows = await finishAll(tx, { browser_hash, email, at });
  return rows.map(({ link_hash }) => link_hash);
}

const finishAll = compileOnce((db, { browser_hash, email, at }: BrowserAndEmail & { at: string }) =>
  finishing(db, at)
    .where('browser_hash', '=', browser_hash)
    .where('email', '=', email)
    .returning('link_hash'),
);
