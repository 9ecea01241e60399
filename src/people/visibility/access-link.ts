/** Access links make people members of the marketplace, or let them see one listing that is for members only. */
import type { Context } from '../../base/context.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { invalid, nothingThere } from '../../platform/errors.ts';
import { currentLanguage } from '../../platform/languages/language.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { DIALECTS } from '../../platform/store/dialects.ts';
import { idOfNew } from '../../platform/store/form-id.ts';
import { MARKETPLACE_ID } from '../../platform/store/tables/webhooks.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { parseLine, quote } from '../../platform/text/text.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { typedNumber } from '../../platform/text/typed-number.ts';
import { requireMember } from '../accounts/membership-queries.ts';
import { newCode } from '../sign-in/codes/one-time-code.ts';
import {
  countGrantsOfLink,
  countGrantsOfPerson,
  countOpenLinks,
  deleteAccessLink,
  findAccessLink,
  findLinkByCode,
  findListingOfLinks,
  hasGrant,
  insertAccessLink,
  insertGrant,
} from './link-queries.ts';

/** Links of one listing, or of the marketplace, that work at the same time. */
export const MAX_ACCESS_LINKS = 20;
export const MAX_PEOPLE_OF_LINK = 10_000;
export const MAX_DAYS_OF_LINK = 365;
export const MAX_LINK_NAME_LENGTH = 60;
/** Links that one person has used. */
export const MAX_GRANTS_OF_PERSON = 200;

export const parseLinkName = (text: string): string =>
  parseLine(text, message('The name of the link'), MAX_LINK_NAME_LENGTH);

const parseUpTo = (text: string, max: number, what: 'people' | 'days'): number => {
  const typed = typedNumber(text, currentLanguage().code);
  const count = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
  if (count >= 1 && count <= max) return count;
  throw invalid(
    message(
      'The number of {what, select, days {days} other {people}} must be a whole number from 1 to {max, number}; found {text}.',
      { what, max, text: quote(text) },
    ),
  );
};

export const parsePeopleOfLink = (text: string): number => parseUpTo(text, MAX_PEOPLE_OF_LINK, 'people');
export const parseDaysOfLink = (text: string): number => parseUpTo(text, MAX_DAYS_OF_LINK, 'days');

/** What the links are for: a listing of the account `accountId`, or the marketplace (`listingId` is `null`). */
export interface LinkScope {
  readonly listingId: string | null;
  /** The account to whose log the events are written. */
  readonly accountId: string;
}

interface LinkChange extends LinkScope {
  readonly actor: Actor & `account:${string}`;
  /** The actor is an operator, and need not work in the listing's account. */
  readonly asOperator?: true;
}

interface NewAccessLink extends LinkChange {
  readonly name: string;
  readonly people: number;
  readonly days: number;
  /** The form's UUIDv7: a form that is sent again creates no second link. Ignored if it is not a UUID. */
  readonly formId?: string | undefined;
}

/** Returns the code of the link, which can't be read again. */
export async function createAccessLink(context: Context, link: NewAccessLink): Promise<{ code: string }> {
  const { listingId, accountId, actor, name, people, days, formId } = link;
  const id = idOfNew(context, `access link ${accountId} ${listingId}`, formId);
  const code = newCode(context.random);
  const now = context.now();
  await context.db.transaction(async (tx) => {
    const slug = await lockScope(context, tx, link);
    if ((await findAccessLink(tx, id)) !== undefined) {
      throw invalid(
        message(
          'This form was already submitted, and the link was created. If you didn’t save it, revoke it and create another one.',
        ),
      );
    }
    if ((await countOpenLinks(tx, listingId, toIso(now))) >= MAX_ACCESS_LINKS) {
      throw invalid(
        message('At most {max} invitation links can be open at the same time. Revoke one first.', {
          max: MAX_ACCESS_LINKS,
        }),
      );
    }
    const expires_at = toIso(now + days * DAY_MS);
    await insertAccessLink(tx, {
      id,
      listing_id: listingId,
      name,
      code_hash: context.secretBox.hashesOfCode(code)[0]!,
      max_people: people,
      created_by_id: actor.slice('account:'.length),
      created_at: toIso(now),
      expires_at,
    });
    const event = { accountId, type: 'access_link.created', at: toIso(now), actor, subjectId: id } as const;
    await appendEvent(tx, { ...event, data: { slug, people, expires_at } });
  });
  return { code };
}

/** The people who used the link lose what it gave them. Does nothing if the link was already revoked. */
export const revokeAccessLink = (
  context: Context,
  { id, ...link }: LinkChange & { readonly id: string },
): Promise<void> =>
  context.db.transaction(async (tx) => {
    const slug = await lockScope(context, tx, link);
    await DIALECTS[context.db.engine].takeLock(tx, id);
    if (!(await deleteAccessLink(tx, link.listingId, id))) return;
    const event = { accountId: link.accountId, type: 'access_link.revoked', actor: link.actor } as const;
    await appendEvent(tx, { ...event, at: context.at(), subjectId: id, data: { slug } });
  });

/**
 * Returns the listing's slug; `null` for the marketplace. Throws if the listing belongs to another account, or the actor
 * has lost their role, which ends under the same lock.
 */
async function lockScope(
  { db }: Pick<Context, 'db'>,
  tx: Transaction,
  { listingId, accountId, actor, asOperator }: LinkChange,
): Promise<string | null> {
  const ofAccount = listingId === null || asOperator ? MARKETPLACE_ID : accountId;
  const locks = listingId === null ? [ofAccount] : [ofAccount, listingId];
  await DIALECTS[db.engine].takeLocks(tx, locks);
  await requireMember(tx, ofAccount, actor);
  if (listingId === null) return null;
  const listing = await findListingOfLinks(tx, listingId);
  if (listing?.account_id !== accountId) throw nothingThere();
  return listing.slug;
}

const LINK_IS_SPENT = message(
  'This invitation link does not work any more. It was revoked or has expired, or as many people as it allows have used it. Ask for another one.',
);

/**
 * Gives a signed-in person what the link is for. Using a link again changes nothing. Concurrent uses can't exceed the
 * link's number of people.
 */
export async function acceptAccessLink(
  context: Context,
  { code, personId }: { readonly code: string; readonly personId: string },
): Promise<void> {
  const hashes = context.secretBox.hashesOfCode(code);
  await context.db.transaction(async (tx) => {
    const at = context.at();
    const seen = await findLinkByCode(tx, hashes, at);
    if (seen === undefined) throw invalid(LINK_IS_SPENT);
    // A deletion of the account takes the first lock, and a revocation the second.
    await DIALECTS[context.db.engine].takeLocks(tx, [personId, seen.id]);
    const link = await findLinkByCode(tx, hashes, at);
    if (link === undefined) throw invalid(LINK_IS_SPENT);
    if (await hasGrant(tx, personId, link.id)) return;
    if ((await countGrantsOfLink(tx, link.id)) >= link.max_people) throw invalid(LINK_IS_SPENT);
    if ((await countGrantsOfPerson(tx, personId)) >= MAX_GRANTS_OF_PERSON) {
      throw invalid(
        message('You have used {max} invitation links, which is the limit.', { max: MAX_GRANTS_OF_PERSON }),
      );
    }
    await insertGrant(tx, { account_id: personId, link_id: link.id, created_at: at });
    const event = { accountId: personId, type: 'access_link.used', actor: `account:${personId}` } as const;
    await appendEvent(tx, { ...event, at, subjectId: link.id, data: { slug: link.slug } });
  });
}
