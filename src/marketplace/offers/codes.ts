import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import type { PersonActor } from '../../base/events/queries.ts';
import { lockAccount } from '../../people/accounts/queries.ts';
import { chargeGrowth, isNewcomer } from '../../people/growth/growth.ts';
import { invalid, nothingThere, Refusal, tried } from '../../platform/errors.ts';
import { message, type Words } from '../../platform/languages/translate.ts';
import { yieldToEventLoop } from '../../platform/process/yielding.ts';
import { type DataKey, newDataKey, openDataKey } from '../../platform/secrets/secret-keys.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { accountOf } from '../listings/queries.ts';
import {
  type CodeLine,
  MAX_CODES_OF_CALL,
  MAX_CODES_OF_NEWCOMER,
  MAX_CODES_OF_OFFER,
  NO_CODES,
  parseListCode,
  purposeOfCodeKey,
  storedBytesOf,
} from './code.ts';
import {
  countAddedCodes,
  countCodesOf,
  countWithheldCodes,
  deleteCodes,
  deleteCodesLeft,
  deleteImported,
  insertCodes,
  listWithheldCodes,
  newestImport,
  rangeOfImport,
  readCodeKeys,
  releaseCodesOf,
  storeCodeKey,
  withholdCodesLeft,
} from './code-queries.ts';
import { bulkTransaction, CODES_A_PORTION, deleteInPortions } from './delete-codes.ts';
import { appendOfferChange, lockOfferToChange, type OfferToChange } from './edit.ts';
import { findOwnOffer, type Offer } from './queries.ts';

export interface BadLine {
  readonly line: number;
  readonly reason: Words;
}

/** Groups lines with the same reason, in order of the first line. */
export function groupByReason<T extends { readonly line: number }>(
  bad: readonly T[],
  textOf: (bad: T) => string,
): readonly { readonly reason: string; readonly lines: readonly number[] }[] {
  const groups = Map.groupBy(bad, textOf);
  return [...groups].map(([reason, lines]) => ({ reason, lines: lines.map(({ line }) => line) }));
}

type Keys = Pick<Context, 'secretBox' | 'random'>;

/** Returns `null` if no configured secret key can decrypt the code key. */
export function openCodeKey({ secretBox, random }: Keys, offerId: string, encrypted: string): DataKey | null {
  const key = secretBox.decrypt(encrypted, purposeOfCodeKey(offerId));
  return key === null ? null : openDataKey(key, purposeOfCodeKey(offerId), random);
}

/** Returns the code key of an offer that belongs to the caller; `null` if the offer never had codes. */
export async function findCodeKey(context: Keys, tx: Transaction, offer: Offer): Promise<DataKey | null> {
  const [stored] = await readCodeKeys(tx, { offerIds: [offer.id] });
  if (stored === undefined) return null;
  const opened = openCodeKey(context, offer.id, stored.code_key);
  if (opened !== null) return opened;
  throw invalid(
    message(
      'The codes of this offer were added under a secret key that is no longer configured. Report this to <operator>the operator of this marketplace</operator>.',
    ),
  );
}

async function createCodeKey(context: Context, tx: Transaction, offer: Offer): Promise<DataKey> {
  const dataKey = newDataKey(context.random);
  await storeCodeKey(tx, offer, context.secretBox.encrypt(dataKey, purposeOfCodeKey(offer.id)));
  return openDataKey(dataKey, purposeOfCodeKey(offer.id), context.random);
}

/** The same sentence for each line, so that a page can report them together. */
const REPEATED = message('An earlier line has the same code.');

type ParsedLines = ReturnType<typeof parseLines>;

/** Throws `invalid_request` if there are too many lines. Malformed and repeated codes are returned in `bad`. */
function parseLines(lines: readonly CodeLine[]) {
  if (lines.length > MAX_CODES_OF_CALL) {
    throw invalid(
      message('At most {maxCodesOfCall} codes can be sent at a time; found {count}.', {
        maxCodesOfCall: MAX_CODES_OF_CALL,
        count: lines.length,
      }),
    );
  }
  const first = new Map<string, number>();
  const bad: BadLine[] = [];
  for (const { line, text, problem } of lines) {
    const code = problem === undefined ? tried(() => parseListCode(text)) : invalid(problem);
    if (code instanceof Refusal) {
      bad.push({ line, reason: code.sentence });
      continue;
    }
    if (first.has(code)) bad.push({ line, reason: REPEATED });
    else first.set(code, line);
  }
  return { codes: [...first].map(([code, line]) => ({ line, code })), bad };
}

/** Returns the bad lines and, with `reason`, the lines whose hash is not in `done`. Ordered by line. */
const reportRest = (
  { bad }: ParsedLines,
  hashed: readonly { readonly line: number; readonly hash: string }[],
  done: ReadonlySet<string>,
  reason: Words,
): readonly BadLine[] =>
  [...bad, ...hashed.filter(({ hash }) => !done.has(hash)).map(({ line }) => ({ line, reason }))].sort(
    (a, b) => a.line - b.line,
  );

/** Reports malformed and stored codes (`repeated`), so that clients can retry after a lost response. */
export async function addCodes(
  context: Context,
  input: OfferToChange & {
    readonly lines: readonly CodeLine[];
    /** `importedAt` of the previous part, if a file is sent in parts. */
    readonly continues?: string;
  },
) {
  if (input.lines.length === 0) throw invalid(NO_CODES);
  const parsed = parseLines(input.lines);
  const { engine } = context.db;
  const at = context.at();
  const ownerId = accountOf(input);
  // Charged before the insertion, because even rows that are rolled back take space.
  if (ownerId !== null) await chargeCodes(context, { ...input, accountId: ownerId }, parsed);
  const key = await context.db.transaction(async (tx) => {
    const { offer } = await lockOfferToChange(context, tx, input);
    requireCodeList(offer);
    return (await findCodeKey(context, tx, offer)) ?? (await createCodeKey(context, tx, offer));
  });
  const sealed = await inPortions(parsed.codes, ({ line, code }) => ({
    line,
    hash: key.hash(code),
    code: key.encrypt(code),
  }));
  return await bulkTransaction(context, async (tx) => {
    const { offer, listing } = await lockOfferToChange(context, tx, input);
    requireCodeList(offer);
    const isContinued = input.continues !== undefined && input.continues === (await newestImport(tx, offer));
    const importedAt = isContinued ? input.continues! : at;
    const added = await insertCodes(tx, engine, offer, sealed, importedAt);
    const counts = await countAddedCodes(tx, engine, offer, added.size);
    const withheld = await countWithheldCodes(tx, offer);
    const total = counts.codes_left + counts.codes_given + withheld;
    if (total > MAX_CODES_OF_OFFER) {
      throw invalid(
        message(
          'An offer can have at most {maxCodesOfOffer} codes, including those already given out or withheld after a restore. This offer has {count}; {count2, plural, one {# new code} other {# new codes}} would be too many.',
          { maxCodesOfOffer: MAX_CODES_OF_OFFER, count: total - added.size, count2: added.size },
        ),
      );
    }
    if (ownerId !== null) await refuseManyCodes(context, tx, ownerId);
    if (added.size > 0)
      await appendOfferChange(tx, { offer, listing, at, actor: input.actor }, { change: 'codes_added' });
    const bad = reportRest(parsed, sealed, added, message('The list already has the code.'));
    return { ...counts, added: added.size, repeated: sealed.length - added.size, bad, importedAt };
  });
}

/** Codes that the list already has are charged too. Another account's offer is refused before anything is charged. */
async function chargeCodes(
  context: Context,
  { offerId, accountId }: { readonly offerId: string; readonly accountId: string },
  { codes }: ParsedLines,
): Promise<void> {
  if ((await findOwnOffer(context.db.read, accountId, offerId)) === null) throw nothingThere();
  // Refused before any row is written. `refuseManyCodes` makes the limit exact.
  if (await isNewcomer(context.db.read, accountId)) {
    if ((await countCodesOf(context.db.read, accountId)) >= MAX_CODES_OF_NEWCOMER) throw tooManyCodes();
  }
  await chargeGrowth(context, { accountId, bytes: storedBytesOf(codes.map(({ code }) => code)) });
}

const tooManyCodes = (): Refusal =>
  invalid(
    message(
      'An account can have at most {most, number} codes until the operator has approved its first listing. No codes were added.',
      { most: MAX_CODES_OF_NEWCOMER },
    ),
  );

async function refuseManyCodes({ db }: Context, tx: Transaction, accountId: string): Promise<void> {
  if (!(await isNewcomer(tx, accountId))) return;
  // Concurrent additions to other offers of the account wait here, so that the sum is exact.
  await lockAccount(tx, db.engine, accountId);
  if ((await countCodesOf(tx, accountId)) <= MAX_CODES_OF_NEWCOMER) return;
  throw tooManyCodes();
}

/** Deletes the codes of one import that are not assigned or withheld. Returns how many. */
export async function withdrawImport(
  context: Context,
  { importedAt: addedAt, ...target }: OfferToChange & { readonly importedAt: string },
): Promise<number> {
  let range: Awaited<ReturnType<typeof rangeOfImport>> | undefined;
  return await withdrawInPortions(context, target, async (tx, offer, limit) => {
    range ??= await rangeOfImport(tx, offer, addedAt);
    return range === null ? 0 : await deleteImported(tx, offer, { addedAt, ...range }, limit);
  });
}

/** Returns the number of deleted codes. Claims may get codes until all portions are deleted. */
function withdrawInPortions(
  context: Context,
  input: OfferToChange,
  deletePortion: (tx: Transaction, offer: Offer, limit: number) => Promise<number>,
): Promise<number> {
  // Only the first portion checks the version that the person has seen.
  let { version } = input;
  return deleteInPortions(context, async (tx, limit) => {
    const { offer, listing } = await lockOfferToChange(context, tx, { ...input, version });
    version = undefined;
    const deleted = await deletePortion(tx, offer, limit);
    const change = { offer, listing, at: context.at(), actor: input.actor };
    // Replaces the event of the previous portion (`appendEdit`).
    if (deleted > 0) await appendOfferChange(tx, change, { change: 'codes_withdrawn' });
    return deleted;
  });
}

/** Deletes unassigned codes. `lines`: the codes to delete; `null`: all unassigned codes. */
export async function withdrawCodes(
  context: Context,
  input: OfferToChange & { readonly lines: readonly CodeLine[] | null },
) {
  if (input.lines === null) {
    return { withdrawn: await withdrawInPortions(context, input, deleteCodesLeft), bad: [] };
  }
  const parsed = parseLines(input.lines);
  const at = context.at();
  const key = await context.db.transaction(async (tx) => {
    const { offer } = await lockOfferToChange(context, tx, input);
    return await findCodeKey(context, tx, offer);
  });
  const hashed = await inPortions(parsed.codes, ({ line, code }) => ({ line, hash: key?.hash(code) ?? '' }));
  return await bulkTransaction(context, async (tx) => {
    const { offer, listing } = await lockOfferToChange(context, tx, input);
    const hashes = key === null ? [] : hashed.map(({ hash }) => hash);
    const deleted = await deleteCodes(tx, offer, hashes);
    if (deleted.size > 0) {
      await appendOfferChange(tx, { offer, listing, at, actor: input.actor }, { change: 'codes_withdrawn' });
    }
    const reason = message('The code is not in the list or was already given to a claim.');
    return { withdrawn: deleted.size, bad: reportRest(parsed, hashed, deleted, reason) };
  });
}

function requireCodeList({ code_list }: Offer): void {
  if (code_list !== null) return;
  throw invalid(message('The offer has no code list. Choose a code list for the offer, then add the codes.'));
}

/** Number of codes that are hashed or encrypted between two yields. This takes about a millisecond. */
const CODES_PER_YIELD = 50;

/** Yields to pages, because hashing and encrypting a thousand codes takes as long as rendering several of them. */
export async function inPortions<T, R>(
  items: readonly T[],
  transform: (item: T) => R,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += CODES_PER_YIELD) {
    await yieldToEventLoop();
    results.push(...items.slice(from, from + CODES_PER_YIELD).map(transform));
  }
  return results;
}

/** Pause between two transactions, so that other writes can proceed. */
const PAUSE_MS = 10;

/** Unassigned codes, after a restore: some may have been given out since the backup. Returns how many. */
export const withholdCodes = (context: Pick<Context, 'db' | 'now' | 'at'>): Promise<number> => {
  const at = context.at();
  return context.db.transaction((tx) => withholdCodesLeft(tx, at));
};

/** Releases the codes that were withheld after a restore, so that new claims get them. Returns the number of codes. */
export async function releaseCodes(
  context: Pick<Context, 'db' | 'now' | 'at'>,
  actor: PersonActor,
  codesAPortion = CODES_A_PORTION,
): Promise<number> {
  const { db } = context;
  let released = 0;
  for (const { offer_id, account_id, offer, listing } of await listWithheldCodes(db.read)) {
    const at = context.at();
    for (let more = true; more; ) {
      const portion = await db.transaction(async (tx) => {
        await DIALECTS[db.engine].takeLock(tx, offer_id);
        return releaseCodesOf(tx, { id: offer_id, account_id }, codesAPortion);
      });
      released += portion;
      more = portion === codesAPortion;
      if (more) await sleep(PAUSE_MS);
    }
    const of = { id: offer_id, account_id, offer };
    const change = { offer: of, listing: { slug: listing }, at, actor };
    await db.transaction((tx) => appendOfferChange(tx, change, { change: 'codes_released' }));
  }
  return released;
}
