/** People who want one email when an offer can be claimed. Nothing else is ever sent to them. */
import { CONFIRM_WAITING_PATH, STOP_WAITING_PATH } from '../../base/paths.ts';
import type { SecretBox } from '../../platform/secrets/secret-keys.ts';
import { isUuid } from '../../platform/store/uuid.ts';

/** Maximum number of people who wait for one offer. */
export const MAX_WAITING_PEOPLE = 10_000;
/** Maximum number of offers that one person waits for. */
export const MAX_LISTS_OF_PERSON = 50;
/** How long people wait before they are deleted. */
export const WAITING_DAYS = 365;
/** How long people wait for an offer whose listing has left the marketplace. */
export const GONE_DAYS = 30;

/** An offer that people wait for, with the name of its listing. */
export interface WaitedOffer {
  readonly id: string;
  readonly offer: string;
  readonly listing: string;
  readonly slug: string;
}

/** The purposes for which links in emails are sealed, so that one link can't be turned into the other. */
const CONFIRM = 'join waiting list';
const STOP = 'leave waiting list';

export const confirmUrl = (box: SecretBox, baseUrl: string, id: string): string =>
  `${baseUrl}${CONFIRM_WAITING_PATH}/${box.seal(id, CONFIRM)}`;

/** Unsubscribes the person with one request (RFC 8058). */
export const stopWaitingUrl = (box: SecretBox, baseUrl: string, id: string): string =>
  `${baseUrl}${STOP_WAITING_PATH}/${box.seal(id, STOP)}`;

/** Returns the ID of the person's row; `null` if the code was altered or comes from another installation. */
export const parseConfirmCode = (box: SecretBox, code: string): string | null =>
  idOrNull(box.unseal(code, CONFIRM));
export const parseStopWaiting = (box: SecretBox, code: string): string | null =>
  idOrNull(box.unseal(code, STOP));

const idOrNull = (text: string | null): string | null => (text !== null && isUuid(text) ? text : null);
