/** What a verification is: its input, its answers, and `decide`, the only place that says what one means. */

export type Mode = 'live' | 'test';

export type ClaimStatus = 'redeemed' | 'valid' | 'already_redeemed' | 'not_found';

/** One verification as it goes to the database. */
export interface Verification {
  /** SHA-256 of the API key as it was sent. */
  readonly keyHash: Uint8Array;
  /** SHA-256 of the token. `null` only checks the key: the request is to be refused, or its token cannot exist. */
  readonly tokenHash: Uint8Array | null;
  readonly redeem: boolean;
  /** SHA-256 of the Idempotency-Key; `null` without one, and whenever `redeem` is false. */
  readonly idempotencyHash: Uint8Array | null;
}

export type VerificationRefusal =
  | 'invalid_api_key'
  | 'plan_without_api_keys'
  | 'account_suspended'
  | 'idempotency_key_reused';

/** Whose key it was; `null` where the key is unknown. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: Mode;
}

export type VerificationAnswer =
  | { readonly kind: 'refused'; readonly code: VerificationRefusal; readonly caller: Caller | null }
  /** The key is good and there was no token to look up. */
  | { readonly kind: 'admitted'; readonly caller: Caller }
  | { readonly kind: 'not_found'; readonly caller: Caller }
  | {
      readonly kind: 'found';
      readonly status: 'redeemed' | 'valid' | 'already_redeemed';
      /** The answer repeats that of an earlier redemption under the same Idempotency-Key. */
      readonly replayed: boolean;
      /** The response body: all eight members of the claim, JSON. */
      readonly body: string;
      readonly via: string | null;
      readonly caller: Caller;
    };

/** Takes verifications and answers each once its batch is durable. */
export interface Verifier {
  /**
   * `done` is called exactly once, never before `submit` returns. Its error is `DatabaseUnavailable` when the
   * database is away or too many verifications wait already (answer 503), anything else is a fault (500).
   */
  submit(
    verification: Verification,
    done: (error: Error | null, answer: VerificationAnswer | null) => void,
  ): void;
}
