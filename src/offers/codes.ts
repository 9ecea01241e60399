/** Adds codes to the list of an offer, and withdraws those that no claim has. */
import type { Context } from '../context.ts';
import { invalid, Refusal } from '../errors.ts';
import { appendEdit } from '../events/queries.ts';
import { type DataKey, newDataKey, openDataKey } from '../secrets/data-key.ts';
import type { Transaction } from '../store/database.ts';
import { amountOf } from '../text/text.ts';
import {
  type CodeLine,
  MAX_CODES_OF_CALL,
  MAX_CODES_OF_OFFER,
  parseListCode,
  purposeOfCodeKey,
} from './code.ts';
import {
  type CodeCounts,
  countAddedCodes,
  deleteCodes,
  deleteCodesLeft,
  insertCodes,
  readCodeKey,
  storeCodeKey,
} from './code-queries.ts';
import type { Offer } from './queries.ts';
import { lockOfferToChange, type OfferToChange } from './write.ts';

/** A line that was not added, and why. */
export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

export interface AddedCodes extends CodeCounts {
  readonly added: number;
  readonly bad: readonly BadLine[];
}

type Keys = Pick<Context, 'secretBox' | 'random'>;

/** The key of an offer's codes; `null` where no configured secret key decrypts it. */
export function openCodeKey({ secretBox, random }: Keys, offerId: string, encrypted: string): DataKey | null {
  const key = secretBox.decrypt(encrypted, purposeOfCodeKey(offerId));
  return key === null ? null : openDataKey(key, purposeOfCodeKey(offerId), random);
}

async function requireCodeKey(context: Context, tx: Transaction, offer: Offer): Promise<DataKey> {
  const known = await readCodeKey(tx, offer.id);
  if (known !== null) {
    const opened = openCodeKey(context, offer.id, known);
    if (opened !== null) return opened;
    throw invalid(
      'The codes of this offer were added under a secret key that is no longer configured. Tell the operator.',
    );
  }
  const made = newDataKey(context.random);
  await storeCodeKey(tx, offer, context.secretBox.encrypt(made, purposeOfCodeKey(offer.id)));
  return openDataKey(made, purposeOfCodeKey(offer.id), context.random);
}

interface ParsedLines {
  readonly codes: readonly { readonly line: number; readonly code: string }[];
  readonly bad: readonly BadLine[];
}

/** Parses every line. One code twice is added once. */
export function parseCodeLines(lines: readonly CodeLine[]): ParsedLines {
  const first = new Map<string, number>();
  const bad: BadLine[] = [];
  for (const { line, text, problem } of lines) {
    try {
      if (problem !== undefined) throw invalid(problem);
      const code = parseListCode(text);
      const known = first.get(code);
      if (known === undefined) first.set(code, line);
      else bad.push({ line, reason: `The code is the same as on line ${known}.` });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      bad.push({ line, reason: error.message });
    }
  }
  return { codes: [...first].map(([code, line]) => ({ line, code })), bad };
}

/**
 * Adds codes to the list of an offer, in the given order. Lines that are malformed or that the list has already are
 * left out and named, so a call whose answer was lost can be sent again.
 */
export async function addCodes(
  context: Context,
  input: OfferToChange & { readonly lines: readonly CodeLine[] },
): Promise<AddedCodes> {
  if (input.lines.length === 0) throw invalid('There are no codes in it. Put one code on each line.');
  if (input.lines.length > MAX_CODES_OF_CALL) {
    throw invalid(`At most ${MAX_CODES_OF_CALL} codes are added at a time; found ${input.lines.length}.`);
  }
  const { codes, bad } = parseCodeLines(input.lines);
  const { engine } = context.db;
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const { offer, listing } = await lockOfferToChange(context, tx, input);
    if (offer.code_list === null) {
      throw invalid('The offer has no code list. Edit it and choose one, then add the codes.');
    }
    const key = await requireCodeKey(context, tx, offer);
    const hashed = codes.map(({ line, code }) => ({ line, hash: key.hash(code), code: key.encrypt(code) }));
    const added = await insertCodes(tx, engine, offer, hashed, at);
    const counts = await countAddedCodes(tx, engine, offer, added.size);
    if (counts.codes_left + counts.codes_given > MAX_CODES_OF_OFFER) {
      const had = counts.codes_left + counts.codes_given - added.size;
      throw invalid(
        `An offer has at most ${MAX_CODES_OF_OFFER} codes, given ones included. It has ${had}; ${amountOf(added.size, 'new code')} would be too many.`,
      );
    }
    if (added.size > 0) {
      await appendEdit(tx, {
        accountId: offer.account_id,
        type: 'offer.changed',
        at,
        actor: input.actor,
        subjectId: offer.id,
        data: { change: 'codes_added', listing: listing.slug, offer: offer.offer },
      });
    }
    const known = hashed
      .filter(({ hash }) => !added.has(hash))
      .map(({ line }) => ({ line, reason: 'The list already has the code.' }));
    return {
      ...counts,
      added: added.size,
      bad: [...bad, ...known].sort((a, b) => a.line - b.line),
    };
  });
}

export interface WithdrawnCodes {
  readonly withdrawn: number;
  /** Lines whose code the list does not have, or a claim has. */
  readonly bad: readonly BadLine[];
}

/** Deletes codes that no claim has: the ones on these lines, or all that are left. A code that was given stays. */
export async function withdrawCodes(
  context: Context,
  input: OfferToChange & { readonly lines: readonly CodeLine[] | null },
): Promise<WithdrawnCodes> {
  if (input.lines !== null && input.lines.length > MAX_CODES_OF_CALL) {
    throw invalid(`At most ${MAX_CODES_OF_CALL} codes are withdrawn at a time; found ${input.lines.length}.`);
  }
  const at = context.at();
  return await context.db.transaction(async (tx) => {
    const { offer, listing } = await lockOfferToChange(context, tx, input);
    const { codes, bad } = input.lines === null ? { codes: [], bad: [] } : parseCodeLines(input.lines);
    const key = input.lines === null ? null : await requireCodeKey(context, tx, offer);
    const hashed = key === null ? [] : codes.map(({ line, code }) => ({ line, hash: key.hash(code) }));
    const named = await deleteCodes(
      tx,
      offer,
      hashed.map(({ hash }) => hash),
    );
    const withdrawn = input.lines === null ? await deleteCodesLeft(tx, offer) : named.size;
    const missing = hashed
      .filter(({ hash }) => !named.has(hash))
      .map(({ line }) => ({ line, reason: 'The code is not among those that are left.' }));
    if (withdrawn > 0) {
      await appendEdit(tx, {
        accountId: offer.account_id,
        type: 'offer.changed',
        at,
        actor: input.actor,
        subjectId: offer.id,
        data: { change: 'codes_withdrawn', listing: listing.slug, offer: offer.offer },
      });
    }
    return { withdrawn, bad: [...bad, ...missing].sort((a, b) => a.line - b.line) };
  });
}
