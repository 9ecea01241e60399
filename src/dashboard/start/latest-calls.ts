/** Why an owner's latest calls verified no claim, in words. */
import { isCause, isFailure, isFixed } from '../../attempts/cause.ts';
import { searchAttempts } from '../../attempts/search.ts';
import { fixedTokenOfHash } from '../../claims/verify/endpoint/fixed-tokens.ts';
import type { Context } from '../../context.ts';
import type { Mode } from '../../keys/key.ts';
import { diagnose } from '../requests/diagnosis.ts';
import { type Call, findCall } from '../requests/queries.ts';

const LOOKED_THROUGH = 20;
/** The newest ones. */
const FAULTS_SHOWN = 3;

/** The newest call with this cause and key. */
export interface Fault extends Pick<Call, 'at' | 'cause' | 'token_last4' | 'key_name'> {
  readonly sentences: string;
  readonly times: number;
}

export interface LatestCalls {
  readonly hasAny: boolean;
  readonly faults: readonly Fault[];
}

export async function readLatestCalls(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  limit = LOOKED_THROUGH,
): Promise<LatestCalls> {
  const read = (mode: Mode) => searchAttempts({ db }, { whose: { accountId, mode }, filter: {}, limit });
  const [live, test] = await Promise.all([read('live'), read('test')]);
  const calls = [...live.rows, ...test.rows].sort((a, b) => (a.at > b.at ? -1 : 1)).slice(0, limit);
  const faulty = calls.filter(({ cause }) => isCause(cause) && (isFailure(cause) || isFixed(cause)));
  const alike = Map.groupBy(faulty, ({ cause, api_key_id }) => `${cause} ${api_key_id}`);
  const faults = await Promise.all(
    [...alike.values()].slice(0, FAULTS_SHOWN).map(async ([newest, ...older]) => {
      const call = await findCall(db.read, accountId, newest!.request_id);
      const sentences = call === undefined ? null : sentencesOf(call);
      if (call === undefined || sentences === null) return [];
      const { at, cause, token_last4, key_name } = call;
      return [{ at, cause, token_last4, key_name, sentences, times: 1 + older.length }];
    }),
  );
  return { hasAny: calls.length > 0, faults: faults.flat() };
}

function sentencesOf(call: Call): string | null {
  // A call with a fixed token is no mistake, but it verifies no claim.
  if (isCause(call.cause) && isFixed(call.cause)) {
    const name = call.token_hash === null ? '' : ` ${fixedTokenOfHash(call.token_hash)?.name ?? ''}`;
    return `The fixed test token${name} was sent and answered: your server reaches this service. It stands for no claim, so open your link with a test claim and verify that.`;
  }
  const diagnosis = diagnose(call, call.claim?.mode ?? null);
  return diagnosis && `${diagnosis.what} ${diagnosis.fix}`;
}
