/** Explains why a call in the request log failed and how the owner can fix the cause. */

import { CAUSES, isCause } from '../../../claims/attempts/cause.ts';
import type { CallWithKey } from '../../../claims/attempts/queries.ts';
import { fixedTokenOfHash } from '../../../claims/verify/endpoint/fixed-tokens.ts';
import type { Mode } from '../../../people/keys/key.ts';
import { t } from '../../../platform/languages/translate.ts';

export interface Diagnosis {
  readonly what: string;
  readonly fix: string;
}

/** `null`: nothing went wrong. `tokenMode`: of the account's claim with this token, if there is one. */
export function diagnose(call: CallWithKey, tokenMode: Mode | null): Diagnosis | null {
  if (!isCause(call.cause)) return null;
  const fixed = call.token_hash === null ? undefined : fixedTokenOfHash(call.token_hash);
  if (call.cause === 'test_token_with_live_key' && fixed !== undefined) {
    return {
      what: t('A fixed test token was sent with a live key. Fixed test tokens work only with test keys.'),
      fix: t(CAUSES.test_token_with_live_key.fix),
    };
  }
  const key =
    call.key_name === null ? t('The API key') : t('The API key “{keyName}”', { keyName: call.key_name });
  if (call.cause === 'invalid_api_key' && call.revoked_at !== null) {
    return { what: t('{key} is revoked.', { key }), fix: t(CAUSES.invalid_api_key.fix) };
  }
  if (call.cause === 'invalid_api_key' && call.expires_at !== null) {
    return {
      what: t('{key} has expired.', { key }),
      fix: t('Create a new key and put it on your server.'),
    };
  }
  if (call.cause === 'browser_call' && call.api_key_id === null) {
    return {
      what: t('A web page tried to call the API.'),
      fix: t('Call the API from your server. Anyone can read an API key that is used in a browser.'),
    };
  }
  // Imported tokens don't encode their mode, so use the mode of the claim.
  const isOther = tokenMode !== null && call.key_mode !== null && tokenMode !== call.key_mode;
  const cause = call.cause === 'token_unknown' && isOther ? OTHER_MODE[tokenMode] : call.cause;
  const { what, fix } = CAUSES[cause];
  return fix === null ? null : { what: t(what), fix: t(fix) };
}

const OTHER_MODE = { test: 'test_token_with_live_key', live: 'live_token_with_test_key' } as const;
