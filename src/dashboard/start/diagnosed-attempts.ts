/** An owner's latest calls from the request log, each with a diagnosis in words. */
import { isCause, isFixed, outcomeOf, statusOf } from '../../attempts/cause.ts';
import { fixedTokenOfHash } from '../../claims/verify/fixed-tokens.ts';
import type { Context } from '../../context.ts';
import type { Mode } from '../../keys/key.ts';
import type { Queryable } from '../../store/database.ts';
import { diagnose } from '../requests/diagnosis.ts';
import { type AttemptRow, findModesOfTokens, readAttemptRows } from './attempt-queries.ts';

/** The newest attempts, which get a diagnosis. */
const DIAGNOSED_ATTEMPTS = 20;

export interface AttemptView {
  readonly at: string;
  readonly requestId: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** The outcome's `status` or the problem's `code`. */
  readonly outcome: string;
  readonly tokenLast4: string | null;
  /** `null` where it was not measured. */
  readonly latencyUs: number | null;
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
    status: statusOf(row.cause),
    outcome: outcomeOf(row.cause),
    tokenLast4: row.token_last4,
    latencyUs: row.latency_us,
    key:
      row.api_key_id === null || row.key_name === null || row.key_start === null
        ? null
        : { id: row.api_key_id, name: row.key_name, start: row.key_start },
    diagnosis: sentencesOf(row, elsewhere),
  }));
}

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

/** Tokens that were not found although a claim of the account has them: that claim has the other mode. */
async function findTokensOfOtherMode(
  db: Queryable,
  accountId: string,
  rows: readonly AttemptRow[],
): Promise<ReadonlyMap<string, Mode>> {
  const hashes = rows.flatMap(({ cause, token_hash }) =>
    outcomeOf(cause) === 'not_found' && token_hash !== null ? [token_hash] : [],
  );
  const claims = await findModesOfTokens(db, accountId, hashes);
  return new Map(claims.map((claim) => [hex(claim.token_hash), claim.mode]));
}

function sentencesOf(row: AttemptRow, claims: ReadonlyMap<string, Mode>): string | null {
  const mode = row.token_hash === null ? null : (claims.get(hex(row.token_hash)) ?? null);
  if (isCause(row.cause) && isFixed(row.cause)) return ofFixedToken(row);
  const diagnosis = diagnose(row, mode);
  return diagnosis === null ? null : `${diagnosis.what} ${diagnosis.fix}`;
}

/** A call with a fixed token is no mistake, but it verifies no claim. */
function ofFixedToken({ token_hash }: AttemptRow): string {
  const name = token_hash === null ? '' : ` ${fixedTokenOfHash(token_hash)?.name ?? ''}`;
  return `The fixed test token${name} was sent and answered: your server reaches this service. It is no claim, so open your link with a test claim and verify that.`;
}
