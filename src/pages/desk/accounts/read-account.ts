import { listNewestNotices, readMailSettings } from '../../../background/notices/queries.ts';
import type { Context } from '../../../base/context.ts';
import { readNewestClaimsOf } from '../../../claims/claimants/queries.ts';
import { listOwnListings } from '../../../marketplace/listings/counted-queries.ts';
import { mayPublish } from '../../../people/accounts/policy.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { listRequests } from '../../../people/accounts/request-queries.ts';
import { isAccountInUse } from '../../../people/invitations/queries.ts';
import { listKeyViews } from '../../../people/keys/view.ts';
import { listNewestMailsTo } from '../../../people/mail/queries.ts';
import { countPowersElsewhere, listMembers, listMemberships } from '../../../people/members/queries.ts';
import { countSessions } from '../../../people/sign-in/sessions/queries.ts';
import { takePage } from '../../../platform/store/database.ts';
import { nameEvents, readAuditLog } from '../audit/queries.ts';
import { findLookAlikes, findSuspended } from './queries.ts';

const EVENTS_SHOWN = 4;
const CLAIMS_SHOWN = 20;
const MAILS_SHOWN = 10;

export type ReadAccount = Awaited<ReturnType<typeof readAccountPage>>;

interface AccountPageState {
  /** Ids of the accounts that an operator has just suspended together. */
  readonly suspendedIds: readonly string[];
  /** Cursor: the `seq` of a claim. Only earlier claims are shown. A malformed cursor is ignored. */
  readonly claimsBefore: string | undefined;
}

export async function readAccountPage(
  context: Pick<Context, 'db' | 'now' | 'at' | 'marketplace'>,
  account: Account,
  { suspendedIds, claimsBefore }: AccountPageState,
) {
  const db = context.db.read;
  const { id, email } = account;
  const before = /^[1-9]\d{0,17}$/.test(claimsBefore ?? '') ? Number(claimsBefore) : null;
  const [{ listings, next }, keys, claims, { events }, lookAlikes, suspended] = await Promise.all([
    listOwnListings(db, id),
    listKeyViews(context, id),
    takePage(CLAIMS_SHOWN, (limit) => readNewestClaimsOf(db, id, { before, limit })),
    readAuditLog(db, { filter: { accountId: id }, limit: EVENTS_SHOWN }),
    findLookAlikes(db, account),
    findSuspended(db, suspendedIds),
  ]);
  const [members, works, elsewhere, sessions, mails, notices, { refusal }, requests, isPublisher, isInUse] =
    await Promise.all([
      listMembers(db, id),
      listMemberships(db, id),
      countPowersElsewhere(db, id, context.at()),
      countSessions(db, id, context.at()),
      listNewestMailsTo(db, email, MAILS_SHOWN),
      listNewestNotices(db, id, MAILS_SHOWN),
      readMailSettings(db, id),
      listRequests(db, id),
      mayPublish(db, account),
      isAccountInUse(db, id),
    ]);
  return {
    account,
    listings,
    hasMoreListings: next !== null,
    claims: claims.rows,
    nextClaims: claims.nextAfter?.seq ?? null,
    isFirstClaims: before === null,
    keys,
    members,
    works,
    elsewhere,
    sessions,
    mails,
    notices,
    mailRefusal: refusal,
    lookAlikes,
    suspended,
    requests,
    now: context.now(),
    mayPublish: isPublisher,
    isInUse,
    plans: context.marketplace.plans,
    events,
    names: await nameEvents(db, events),
  };
}
