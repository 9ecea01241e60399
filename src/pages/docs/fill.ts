/**
 * Replaces the example values in the files of `docs/guide/`. Every reader sees the base URL of this service. Signed-in
 * readers also see one of their test tokens and the URL of their redemption page.
 */
import { ALREADY_REDEEMED_TOKEN, REDEEMED_TOKEN } from '../../claims/verify/endpoint/fixed-tokens.ts';
import {
  EXAMPLE_VALUES,
  fillRedemptionLink,
  parseRedemptionLink,
} from '../../marketplace/offers/redemption-link.ts';
import { SANDBOX_KEY } from '../../people/keys/key.ts';

/** The base URL in the files, replaced everywhere. No other URL in the files may begin with it. */
export const EXAMPLE_BASE_URL = 'https://claims.example.com';

export const EXAMPLE_TEST_TOKEN = 'clm_test_YOUR_TEST_TOKEN';
const EXAMPLE_REDEEMED_TOKEN = 'clm_test_YOUR_REDEEMED_TOKEN';
const EXAMPLE_TEST_KEY = 'cck_test_YOUR_TEST_KEY';

/** The URL, path and port of the redemption page in the example programs. */
const EXAMPLE_OPENED = `http://localhost:8080/welcome?claim=${EXAMPLE_TEST_TOKEN}`;
const EXAMPLE_PATH = '/welcome';
const EXAMPLE_PORT = '8080';
/** Matches the parameter `claim` in programs: `query.claim`, `get("claim")`, `params[:claim]`, `name = "claim"`, `_GET['claim']`. */
const EXAMPLE_PARAMETER = /(?<=(?:query|get)\(['"]|query\.|params\[:|ame = "|_GET\[')claim\b/g;

/** The key in a command that verifies a claim. All other operations refuse the sandbox key. */
const KEY_OF_VERIFICATION = /(?<=\/claims\/verify \\\n {2}-H "Authorization: Bearer )\$CLAIMCHECK_API_KEY/g;

export interface Filling {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** If `null`, `fill` inserts fixed tokens and, in verifications, the sandbox key: both work without an account. */
  readonly testToken: string | null;
  /** `null` if the reader has no redemption link, or one that `ownPageOf` rejects. */
  readonly ownPage: OwnPage | null;
}

export interface OwnPage {
  readonly link: string;
  readonly path: string;
  readonly parameter: string;
  /** `null` if the host of the link is not local. */
  readonly port: string | null;
}

/** These match paths and parameters that need no escaping in any language or framework. The path `/` doesn't match. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)+$/;
const PLAIN_NAME = /^[A-Za-z_]\w*$/;
const LOCAL_HOSTS = ['localhost', '127.0.0.1'];

/** Returns `null` if the path or parameter of the link can't be inserted into every program unchanged. */
export function ownPageOf(link: string): OwnPage | null {
  const { parameter } = parseRedemptionLink(link);
  const { pathname, hostname, port } = new URL(link);
  if (!PLAIN_PATH.test(pathname) || !PLAIN_NAME.test(parameter)) return null;
  return { link, path: pathname, parameter, port: LOCAL_HOSTS.includes(hostname) ? port || '80' : null };
}

export function fill(text: string, { baseUrl, testToken, ownPage }: Filling): string {
  const opened =
    ownPage === null
      ? EXAMPLE_OPENED
      : fillRedemptionLink(ownPage.link, { ...EXAMPLE_VALUES, claim: EXAMPLE_TEST_TOKEN });
  const filled = text
    .replaceAll(EXAMPLE_OPENED, () => opened)
    .replaceAll(EXAMPLE_BASE_URL, () => baseUrl)
    .replaceAll(EXAMPLE_TEST_TOKEN, testToken ?? REDEEMED_TOKEN.token)
    .replaceAll(EXAMPLE_REDEEMED_TOKEN, testToken ?? ALREADY_REDEEMED_TOKEN.token);
  if (testToken !== null) return filled;
  return filled.replaceAll(EXAMPLE_TEST_KEY, SANDBOX_KEY).replaceAll(KEY_OF_VERIFICATION, SANDBOX_KEY);
}

/** Like `fill`, for the text or file name of a program. Also replaces the example path, parameter and port. */
export function fillProgram(text: string, filling: Filling): string {
  const { ownPage } = filling;
  if (ownPage === null) return fill(text, filling);
  const { path, parameter, port } = ownPage;
  // Must run before `fill` inserts the base URL, because the base URL may contain the example path or port.
  const own = text
    .replaceAll(`path("${EXAMPLE_PATH.slice(1)}"`, `path("${path.slice(1)}"`)
    .replaceAll(EXAMPLE_PATH, path)
    .replaceAll(EXAMPLE_PARAMETER, parameter)
    .replaceAll(EXAMPLE_PORT, port ?? EXAMPLE_PORT);
  return fill(own, filling);
}
