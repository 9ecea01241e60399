import type { Mode } from '../../../people/keys/key.ts';
import {
  type ApiCaller,
  type CallerFacts,
  checkCaller,
  type VerificationRefusal,
} from '../decision/verification.ts';

/** Each engine appends its condition on the hash. */
export const selectCallers = (keys: string, accounts: string): string =>
  `select k.secret_hash, k.number, k.id, k.account_number, k.account_id, k.mode, k.networks,
    k.expires_at, k.revoked_at, a.plan, a.suspended_at
  from ${keys} k join ${accounts} a on a.id = k.account_id where k.secret_hash`;

export interface CallerRow extends CallerFacts {
  readonly secret_hash: Uint8Array;
  readonly number: number;
  readonly id: string;
  readonly account_number: number;
  readonly account_id: string;
  readonly mode: Mode;
  readonly networks: string | null;
}

export interface BatchCaller {
  readonly caller: ApiCaller;
  readonly keyNumber: number;
  readonly accountNumber: number;
  readonly mode: Mode;
  /** `null`: the caller may verify. */
  readonly refusal: VerificationRefusal | null;
}

export function toBatchCaller(row: CallerRow, nowMs: number): BatchCaller {
  const { number: keyNumber, account_number: accountNumber, mode, networks } = row;
  return {
    caller: { accountId: row.account_id, keyId: row.id, mode, networks },
    keyNumber,
    accountNumber,
    mode,
    refusal: checkCaller(row, nowMs),
  };
}
