/** Maximum lengths of form fields, checked when a form is read. Fields that are not listed have a common maximum. */

import { PLANS } from '../accounts/account.ts';
import { MAX_SOLUTION_LENGTH } from '../accounts/challenge.ts';
import { MAX_REQUEST_MESSAGE_LENGTH } from '../accounts/requests.ts';
import { MAX_PLAN_ABOUT_LENGTH } from '../brand/plans.ts';
import { MAX_BODY_BYTES } from '../http/server/bodies.ts';
import { LISTING_FIELDS } from '../listings/fields.ts';
import { MAX_REPORT_LENGTH } from '../listings/report.ts';
import { MAX_ADDRESS_LENGTH } from '../network/web-address.ts';
import { OFFER_FIELDS } from '../offers/fields.ts';
import type { Fields } from '../text/fields.ts';
import { MAX_REASON_LENGTH } from '../text/text.ts';
import { SOLUTION } from '../ui/challenge.tsx';
import type { FieldLengths } from '../ui/form-state.ts';

/** Long enough for the response of an authenticator, with its certificates. */
const MAX_CREDENTIAL_LENGTH = 16 * 1024;
/** Long enough for a fingerprint of every field of the largest form. */
const MAX_SEEN_LENGTH = 2_000;

/** Several forms may have a field of the same name: `description`, for example, belongs to listings and endpoints. */
export const FIELD_LENGTHS: FieldLengths = {
  [SOLUTION]: MAX_SOLUTION_LENGTH,
  ...lengthsOf(OFFER_FIELDS),
  ...lengthsOf(LISTING_FIELDS),
  ...Object.fromEntries(PLANS.map((plan) => [`${plan}.about`, MAX_PLAN_ABOUT_LENGTH])),
  reason: MAX_REASON_LENGTH,
  reply: MAX_REASON_LENGTH,
  message: MAX_REQUEST_MESSAGE_LENGTH,
  words: MAX_REPORT_LENGTH,
  // One-time codes and shared codes are shorter, but people paste the mail or link around them.
  code: MAX_ADDRESS_LENGTH,
  contact: MAX_ADDRESS_LENGTH,
  imprint: MAX_ADDRESS_LENGTH,
  privacy: MAX_ADDRESS_LENGTH,
  terms: MAX_ADDRESS_LENGTH,
  app: MAX_ADDRESS_LENGTH,
  q: MAX_ADDRESS_LENGTH,
  next: MAX_ADDRESS_LENGTH,
  credential: MAX_CREDENTIAL_LENGTH,
  seen: MAX_SEEN_LENGTH,
  // Lists, whose parsers are linear and limit the number of lines and the length of each.
  codes: MAX_BODY_BYTES,
  domains: MAX_BODY_BYTES,
  blockedDomains: MAX_BODY_BYTES,
};

function lengthsOf(fields: Fields): FieldLengths {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { maxLength }]) =>
      maxLength === undefined ? [] : [[name, maxLength]],
    ),
  );
}
