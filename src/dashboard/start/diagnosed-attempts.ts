/** An owner's latest calls from the request log, each with a diagnosis in words. */
import { fixedTokenOfHash, outcomesOf } from '../../claims/verify/fixed-tokens.ts';
import type { Context } from '../../context.ts';
import type { Mode } from '../../keys/key.ts';
import type { Queryable } from '../../store/database.ts';
import { type AttemptRow, findModesOfTokens, readAttemptRows } from './attempt-queries.ts';

/** The newest attempts, which get a diagnosis. */
export const DIAGNOSED_ATTEMPTS = 20;

export interface AttemptView {
  readonly at: string;
  readonly requestId: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** The outcome's `status` or the problem's `code`. */
  readonly outcome: string;
  readonly redeem: boolean;
  readonly tokenLast4: string | null;
  readonly latencyUs: number;
  readonly key: { readonly id: string; readonly name: string; readonly start: string } | null;
  /** What went wrong and what to do, in one or two sentences; `null` for a good call. */
  readonly diagnosis: string | null;
}

/** The newest attempts of an account, newest first, each with its diagnosis. */
export async function readLatestAttempts(
  context: Pick<Context, 'db'>,
  accountId: string,
  limit = DIAGNOSED_ATTEMPTS,
): Promise<AttemptView[]> {
  const rows = await readAttemptRows(context.db.read, accountId, limit);
  const elsewhere = await findTokensOfOtherMode(context.db.read, accountId, rows);
  return rows.map((row) => ({
    at: row.at,
    requestId: row.request_id,
    status: row.status,
    outcome: row.outcome,
    redeem: row.redeem === 1,
    tokenLast4: row.token_last4,
    latencyUs: row.latency_us,
    key:
      row.api_key_id === null || row.key_name === null || row.key_start === null
        ? null
        : { id: row.api_key_id, name: row.key_name, start: row.key_start },
    diagnosis: diagnose(row, elsewhere),
  }));
}

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

/** Tokens that were not found although a claim of the account has them: that claim has the other mode. */
async function findTokensOfOtherMode(
  db: Queryable,
  accountId: string,
  rows: readonly AttemptRow[],
): Promise<ReadonlyMap<string, Mode>> {
  const hashes = rows.flatMap(({ outcome, token_hash }) =>
    outcome === 'not_found' && token_hash !== null ? [token_hash] : [],
  );
  const claims = await findModesOfTokens(db, accountId, hashes);
  return new Map(claims.map((claim) => [hex(claim.token_hash), claim.mode]));
}

/** Endings of an unreplaced placeholder, plain or percent-encoded. No token has a brace or a percent sign. */
const PLACEHOLDER_ENDS = ['aim}', 'm%7D', 'm%7d'];

/** `null`: the call was not about a fixed token, or was refused before its token mattered. */
function diagnoseFixed({ token_hash, key_mode, outcome }: AttemptRow): string | null {
  const token = token_hash === null ? undefined : fixedTokenOfHash(token_hash);
  if (token === undefined) return null;
  if (key_mode === 'live') {
    return outcome === 'not_found'
      ? 'A fixed test token was sent with a live key, which does not know it. Use a test key for it.'
      : null;
  }
  return outcomesOf(token).includes(outcome)
    ? `The fixed test token ${token.name} was sent and answered: your server reaches this service. It is no claim, so open your link with a test claim and verify that.`
    : null;
}

function diagnose(row: AttemptRow, otherMode: ReadonlyMap<string, Mode>): string | null {
  const fixed = diagnoseFixed(row);
  if (fixed !== null) return fixed;
  const key = row.key_name === null ? 'The API key' : `The API key “${row.key_name}”`;
  switch (row.outcome) {
    case 'redeemed':
    case 'valid':
    case 'already_redeemed':
      return null;
    case 'not_found':
      return diagnoseNotFound(row, otherMode);
    case 'invalid_api_key':
      if (row.revoked_at !== null) {
        return `${key} is revoked. Put a key that is active on your server.`;
      }
      if (row.expires_at !== null) {
        return `${key} has expired. Roll it or create another, and put that on your server.`;
      }
      return `${key} was refused.`;
    case 'unsupported_media_type':
      return 'The body was not declared as JSON. Send the header Content-Type: application/json.';
    case 'method_not_allowed':
      return 'The call was not a POST. Send a POST to the exact URL: a redirect from http to https turns it into a GET.';
    case 'browser_call':
      return row.api_key_id === null
        ? 'A page in a browser tried to call. Call from your server: an API key in a browser can be read by anyone.'
        : `${key} was sent from a browser, where anyone can read it. Call from your server, and roll the key.`;
    case 'invalid_request':
      return 'The body was not what the operation takes. Send {"token": "…", "redeem": true} and nothing else.';
    case 'body_too_large':
      return 'The body was larger than 4 KiB. Send {"token": "…", "redeem": true} and nothing else.';
    case 'plan_without_api_keys':
      return 'The plan of this account has no API keys, so that every call is refused.';
    case 'account_suspended':
      return 'The account is suspended, so that every call is refused. Ask the operator.';
    case 'rate_limited':
      return `${key} sent faster than it may. Wait as Retry-After says and send the same request again.`;
    case 'idempotency_key_reused':
      return 'The Idempotency-Key has redeemed another token before. Use one for each order or attempt of a person.';
    default:
      return 'The service could not answer. Send the same request again, with the same Idempotency-Key.';
  }
}

function diagnoseNotFound(row: AttemptRow, otherMode: ReadonlyMap<string, Mode>): string {
  if (row.token_last4 !== null && PLACEHOLDER_ENDS.includes(row.token_last4)) {
    return 'The placeholder {claim} itself was sent as the token. Read the token from the link that was opened: the service puts it there when a claimant follows it.';
  }
  const found = row.token_hash === null ? undefined : otherMode.get(hex(row.token_hash));
  if (found === 'test' && row.key_mode === 'live') {
    return 'A test token was sent with a live key. Use a test key for it, or a token of a real claim.';
  }
  if (found === 'live' && row.key_mode === 'test') {
    return 'A live token was sent with a test key. Use a live key for it.';
  }
  return 'No claim on your listings has this token. Send it exactly as it is in the link, neither cut nor decoded a second time.';
}
