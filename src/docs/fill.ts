/**
 * What a page fills in. The files of `docs/guide/` are written for an example, so that they read well on a code host:
 * pages show the address of their own service, and a test token of the person who is signed in.
 */
import { ALREADY_REDEEMED_TOKEN, REDEEMED_TOKEN } from '../claims/verify/fixed-tokens.ts';
import { SANDBOX_KEY } from '../keys/key.ts';

/** The base URL in the files; no other address there may begin like it. */
export const EXAMPLE_BASE_URL = 'https://claims.example.com';

/** The test token in the files, the same once it is redeemed, and the test key. */
export const EXAMPLE_TEST_TOKEN = 'clm_test_YOUR_TEST_TOKEN';
export const EXAMPLE_REDEEMED_TOKEN = 'clm_test_YOUR_REDEEMED_TOKEN';
export const EXAMPLE_TEST_KEY = 'cck_test_YOUR_TEST_KEY';

/** How commands of the files send the key. */
const KEY_OF_ENVIRONMENT = 'Bearer $CLAIMCHECK_API_KEY';

export interface Filling {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** `null`: the page shows the sandbox key and fixed tokens, with which its commands work for everybody. */
  readonly testToken: string | null;
}

export function fill(text: string, { baseUrl, testToken }: Filling): string {
  const filled = text
    .replaceAll(EXAMPLE_BASE_URL, () => baseUrl)
    .replaceAll(EXAMPLE_TEST_TOKEN, testToken ?? REDEEMED_TOKEN.token)
    .replaceAll(EXAMPLE_REDEEMED_TOKEN, testToken ?? ALREADY_REDEEMED_TOKEN.token);
  if (testToken !== null) return filled;
  return filled
    .replaceAll(EXAMPLE_TEST_KEY, SANDBOX_KEY)
    .replaceAll(KEY_OF_ENVIRONMENT, `Bearer ${SANDBOX_KEY}`);
}
