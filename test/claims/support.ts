/** Helpers that create claims, offers and people for the tests of claims. */
import type { Context } from '../../src/base/context.ts';
import { type ClaimantInput, issueClaimFor } from '../../src/claims/creation/issue.ts';
import { importClaims } from '../../src/claims/import/import.ts';
import { createOffer } from '../../src/marketplace/offers/create.ts';
import type { Offer } from '../../src/marketplace/offers/queries.ts';
import { createAccount } from '../../src/people/accounts/create.ts';
import type { ListingsTable } from '../../src/platform/store/tables/listings.ts';
import type { Owner } from '../support/marketplace.ts';
import { recordStatements } from '../support/plans.ts';

export const REDEEMED_AT = '2026-11-20T12:00:00.000Z';

/** Imports a file. `faults` lists each bad row as `line: reason`. */
export async function importFile(context: Context, file: string | AsyncIterable<Uint8Array | string>) {
  const faults: string[] = [];
  const result = await importClaims(context, typeof file === 'string' ? piecesOf(file) : file, {
    bad: async (line, reason) => void faults.push(`${line}: ${reason}`),
    progress: () => {},
  });
  return { ...result, faults };
}

/** Splits a file into chunks of 1,000 bytes, regardless of line breaks. */
export async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

export const issueFor = (
  context: Context,
  { offerId }: Pick<Owner, 'offerId'>,
  claimantRef: string,
  input: Partial<ClaimantInput> = {},
) => issueClaimFor(context, { offerId, claimantRef, mode: 'live', via: null, replace: false, ...input });

/** Returns the id of the new offer. */
export const addOffer = async (context: Context, listing: string, offer = 'Another'): Promise<string> =>
  (await createOffer(context, { listing, offer, kind: 'gift', code: 'CODE', actor: 'operator' })).id;

/** The owner's `claim.created` events, in order. */
export const creationsOf = ({ db }: Context, { accountId }: Owner) =>
  db.read
    .selectFrom('events')
    .select(['subject_id', 'actor', 'data'])
    .where('account_id', '=', accountId)
    .where('type', '=', 'claim.created')
    .orderBy('seq')
    .execute();

let people = 0;

/** Returns the id of the new account. */
export async function createPerson(
  context: Context,
  email = `person-${++people}@example.com`,
): Promise<string> {
  return (await createAccount(context, { email, name: 'P', plan: 'starter', actor: 'operator' })).id;
}

export const changeOffer = ({ db }: Context, { offerId }: Owner, change: Partial<Offer>) =>
  db.transaction((tx) => tx.updateTable('offers').set(change).where('id', '=', offerId).execute());

export const changeListing = ({ db }: Context, { listingId }: Owner, change: Partial<ListingsTable>) =>
  db.transaction((tx) => tx.updateTable('listings').set(change).where('id', '=', listingId).execute());

/** `recorded` is a context that records the statements of its transactions. */
export function recordTransactions(context: Context) {
  const recording = recordStatements();
  const { db } = context;
  const recordedIn =
    ({ transaction }: Pick<Context['db'], 'transaction'>): Context['db']['transaction'] =>
    (work) =>
      transaction((tx) => work(tx.withPlugin(recording.plugin)));
  const byKey = { ...db.byKey, transaction: recordedIn(db.byKey) };
  const recorded: Context = { ...context, db: { ...db, transaction: recordedIn(db), byKey } };
  return { ...recording, recorded };
}
