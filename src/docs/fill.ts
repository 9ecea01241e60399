/**
 * What a page fills in. The files of `docs/guide/` are written for an example, so that they read well on a code host:
 * pages show the address of their own service, and a test token of the person who is signed in.
 */

/** The base URL in the files; no other address there may begin like it. */
export const EXAMPLE_BASE_URL = 'https://claims.example.com';

/** The test token in the files. */
export const EXAMPLE_TEST_TOKEN = 'clm_test_YOUR_TEST_TOKEN';

export interface Filling {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** `null`: the example stays. */
  readonly testToken: string | null;
}

export const fill = (text: string, { baseUrl, testToken }: Filling): string =>
  text
    .replaceAll(EXAMPLE_BASE_URL, () => baseUrl)
    .replaceAll(EXAMPLE_TEST_TOKEN, testToken ?? EXAMPLE_TEST_TOKEN);
