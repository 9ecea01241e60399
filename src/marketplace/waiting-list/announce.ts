/**
 * Mails the people who wait once an offer can be claimed, whatever the reason. A transaction stores a batch of mails and
 * deletes the people, so that a crash or a second process can't mail anybody twice.
 */
import type { Context } from '../../base/context.ts';
import type { Mailer } from '../../people/mail/mail.ts';
import { countMailToSend } from '../../people/mail/queries.ts';
import { addressesThatMayView } from '../../people/visibility/read-rights.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { readSetting, WAITING_LISTS_RESTORED_AT } from '../../platform/store/settings.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { offerState } from '../offers/offer.ts';
import { offerIsOpen } from './letters.ts';
import {
  type LiveOffer,
  limitGoneOffers,
  listWaitedOffers,
  readLiveOffers,
  takeLongestWaiting,
  waitsForGoneOffer,
} from './queries.ts';
import { GONE_DAYS, stopWaitingUrl } from './waiting-list.ts';

interface AnnounceServices {
  readonly context: Context;
  readonly mailer: Pick<Mailer, 'isReal' | 'keep' | 'start'>;
  readonly baseUrl: string;
  readonly hasProvider: boolean;
}

const OFFERS_A_PAGE = 200;
/**
 * People of one offer per run. The next run checks the offer again, so that the people who would come too late are not
 * mailed and stay on the list.
 */
const PEOPLE_A_RUN = 100;
/** Few, because encrypting their mails would otherwise delay redemptions by more than milliseconds. */
const PEOPLE_A_TRANSACTION = 20;
/** While this many mails wait to be sent, no more are added. Otherwise, one list would delay everybody's mail. */
const MAX_MAIL_TO_SEND = 200;

async function* openOffers({ db, now }: Pick<Context, 'db' | 'now'>): AsyncGenerator<LiveOffer, void> {
  for (let after: string | undefined; ; ) {
    const ids = await listWaitedOffers(db.read, { after, limit: OFFERS_A_PAGE, at: toIso(now()) });
    const offers = ids.length === 0 ? [] : await readLiveOffers(db.read, ids);
    for (const offer of offers) if (offerState(offer, now()) === 'open') yield offer;
    if (ids.length < OFFERS_A_PAGE) return;
    after = ids.at(-1);
  }
}

const mayAddMail = async ({ context, mailer }: AnnounceServices): Promise<boolean> =>
  mailer.isReal && (await countMailToSend(context.db.read)) < MAX_MAIL_TO_SEND;

export async function isAnnouncementDue(services: AnnounceServices): Promise<boolean> {
  for await (const _ of openOffers(services.context)) return mayAddMail(services);
  return false;
}

/** Mails some of the people of each offer that can be claimed. Safe to run concurrently in several processes. */
export async function announceOpenOffers(services: AnnounceServices, signal: AbortSignal): Promise<void> {
  const { context, mailer } = services;
  for await (const offer of openOffers(context)) {
    if (signal.aborted || !(await mayAddMail(services))) return;
    for (let mailed = 0; mailed < PEOPLE_A_RUN && !signal.aborted; mailed += PEOPLE_A_TRANSACTION) {
      const people = await context.db.transaction((tx) => announce(services, tx, offer));
      if (people < PEOPLE_A_TRANSACTION) break;
    }
    mailer.start();
  }
}

/**
 * Returns the number of people who leave the list. They get a mail, unless they may not see the listing, which may have
 * become one for members only. A mail that may have been sent before a restore is held for the operator.
 */
async function announce(
  { context, mailer, baseUrl, hasProvider }: AnnounceServices,
  tx: Transaction,
  offer: LiveOffer,
): Promise<number> {
  const { secretBox, marketplace } = context;
  const limit = PEOPLE_A_TRANSACTION;
  const people = await takeLongestWaiting(tx, { offerId: offer.id, limit, at: context.at() });
  if (people.length === 0) return 0;
  const restoredAt = await readSetting(tx, WAITING_LISTS_RESTORED_AT);
  const addresses = await addressesThatMayView(
    tx,
    { ...offer, id: offer.listing_id },
    people.map(({ email }) => email),
    hasProvider,
  );
  const informed = people.filter(({ email }) => addresses.has(email));
  const mails = informed.map(({ id, email, confirmed_at }) => ({
    to: email,
    isHeld: restoredAt !== null && confirmed_at !== null && confirmed_at <= restoredAt,
    ...offerIsOpen(baseUrl, marketplace.brand, offer, stopWaitingUrl(secretBox, baseUrl, id)),
  }));
  await mailer.keep(tx, ...mails);
  return people.length;
}

const goneUntil = ({ now }: Pick<Context, 'now'>): string => toIso(now() + GONE_DAYS * DAY_MS);

export const areListsToLimit = (context: Pick<Context, 'db' | 'now'>): Promise<boolean> =>
  waitsForGoneOffer(context.db.read, goneUntil(context));

/** People who wait for an offer of a listing that has left the marketplace are deleted after `GONE_DAYS`. */
export const limitLists = (context: Pick<Context, 'db' | 'now'>): Promise<unknown> =>
  context.db.transaction((tx) => limitGoneOffers(tx, goneUntil(context)));
