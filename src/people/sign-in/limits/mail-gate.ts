/**
 * Decides whether a mail needs a solved challenge, because many mails of the last hour were not used. Each process
 * counts its mails, and reads the numbers of all after a share of the mails that are left, or a second. So sign-ins
 * share no row, and parallel requests exceed the threshold by a few mails per process at most.
 */
import type { Context } from '../../../base/context.ts';
import { createFlushes } from '../../../platform/process/flushes.ts';
import type { Queryable } from '../../../platform/store/database.ts';
import { HOUR_MS, SECOND_MS } from '../../../platform/text/durations.ts';
import { mailboxOf } from '../../accounts/account.ts';
import { readPolicy } from '../../accounts/policy.ts';
import { addUsedMails, type MailUse, readMailUse } from './mail-use-queries.ts';

const READ_INTERVAL_MS = SECOND_MS;
const FLUSH_INTERVAL_MS = 5 * SECOND_MS;
/** Bounds the memory for the mailboxes whose mails were used in an hour. */
const MAX_USERS = 50_000;
/** Up to this many processes together stay within the threshold. */
const PROCESSES = 8;

/** How many more mails may go unused before a challenge is needed; at most 0: a challenge is needed now. */
const mailsLeft = ({ unused, used }: MailUse, threshold: number): number =>
  Math.max(threshold, used + 1) - unused;

export interface MailPressure extends MailUse {
  readonly threshold: number;
  readonly needsChallenge: boolean;
}

export async function readMailPressure(db: Queryable, nowMs: number): Promise<MailPressure> {
  const [use, { unusedMails: threshold }] = await Promise.all([readMailUse(db, nowMs), readPolicy(db)]);
  return { ...use, threshold, needsChallenge: mailsLeft(use, threshold) <= 0 };
}

export type MailGate = ReturnType<typeof createMailGate>;

type Counting = Pick<Context, 'db' | 'now'>;

export function createMailGate({ db, now }: Counting, onFailure: (error: unknown) => void) {
  /** Mails that are being counted or stored. The next read may miss them. */
  let underWay = 0;
  let left = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let needsChallenge = false;
  let reading: Promise<void> | null = null;
  let used = 0;
  /** The mailboxes whose mails were used in this hour. */
  let users = new Set<string>();
  let hour = 0;
  let drained = Promise.withResolvers<void>();

  const read = async (): Promise<void> => {
    const before = underWay;
    const { threshold, ...use } = await readMailPressure(db.read, now());
    const more = mailsLeft({ used: use.used + used, unused: use.unused + before }, threshold);
    needsChallenge = more <= 0;
    left = Math.ceil(more / PROCESSES);
    readAtMs = now();
  };
  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  };
  const release = (): void => {
    underWay -= 1;
    if (underWay > 0) return;
    drained.resolve();
    drained = Promise.withResolvers();
  };
  const isFresh = () => Math.abs(now() - readAtMs) < READ_INTERVAL_MS;

  const flushes = createFlushes(async () => {
    if (used === 0) return;
    const mails = used;
    used = 0;
    try {
      await db.transaction((tx) => addUsedMails(tx, now(), mails));
    } catch (error) {
      used += mails;
      onFailure(error);
    }
  }, FLUSH_INTERVAL_MS);

  return {
    /** `null`: the mail needs a solved challenge. Otherwise, call the result once the mail is stored. */
    reserve: async (): Promise<(() => void) | null> => {
      for (;;) {
        if (reading !== null || !isFresh()) await refresh();
        else if (needsChallenge) return null;
        else if (left > 0) {
          left -= 1;
          underWay += 1;
          return release;
        } else if (underWay > 0) {
          // Other processes see the mails of this one only once they are stored.
          await drained.promise;
        } else await refresh();
      }
    },
    needsChallenge: async (): Promise<boolean> => {
      if (!isFresh()) await refresh();
      return needsChallenge;
    },
    /** Each mailbox counts once an hour, or one person could sign in repeatedly to send as many mails to strangers. */
    countUsed: (email: string): void => {
      const newHour = Math.floor(now() / HOUR_MS);
      if (newHour !== hour || users.size >= MAX_USERS) {
        hour = newHour;
        users = new Set();
      }
      const mailbox = mailboxOf(email);
      if (!users.has(mailbox)) used += 1;
      users.add(mailbox);
    },
    flush: () => flushes.now(),
    close: () => flushes.close(),
  };
}
