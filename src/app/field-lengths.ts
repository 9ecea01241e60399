/** Maximum lengths of form fields, checked when a form is read. Fields that are not listed have a common maximum. */

import { MAX_PLAN_ABOUT_LENGTH } from '../base/brand/plans.ts';
import { LISTING_FIELDS } from '../marketplace/listings/fields.ts';
import { MAX_REPORT_LENGTH } from '../marketplace/listings/report.ts';
import { OFFER_FIELDS } from '../marketplace/offers/fields.ts';
import { proofField } from '../pages/frame/pages.ts';
import { SOLUTION } from '../pages/ui/challenge.tsx';
import type { FieldLengths } from '../pages/ui/form-state.ts';
import { PLANS } from '../people/accounts/account.ts';
import { MAX_REQUEST_MESSAGE_LENGTH } from '../people/accounts/requests.ts';
import { MAX_SOLUTION_LENGTH } from '../people/sign-in/limits/challenge.ts';
import { MAX_LOGOUT_TOKEN_LENGTH } from '../people/sign-in/oidc/logout-token.ts';
import { MAX_BODY_BYTES } from '../platform/http/server/bodies.ts';
import { MAX_ADDRESS_LENGTH } from '../platform/network/web-address.ts';
import type { Fields } from '../platform/text/fields.ts';
import { MAX_REASON_LENGTH } from '../platform/text/text.ts';

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
  logout_token: MAX_LOGOUT_TOKEN_LENGTH,
  [proofField('code')]: MAX_ADDRESS_LENGTH,
  [proofField('credential')]: MAX_CREDENTIAL_LENGTH,
  seen: MAX_SEEN_LENGTH,
  // Lists, whose parsers are linear and limit the number of lines and the length of each.
  codes: MAX_BODY_BYTES,
  domains: MAX_BODY_BYTES,
  blockedDomains: MAX_BODY_BYTES,
  memberDomains: MAX_BODY_BYTES,
  people: MAX_BODY_BYTES,
};

function lengthsOf(fields: Fields): FieldLengths {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { maxLength }]) =>
      maxLength === undefined ? [] : [[name, maxLength]],
    ),
  );
}
