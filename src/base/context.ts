/** Dependencies that most functions receive: database, clock, randomness and secrets. */
import type { SecretBox } from '../platform/secrets/secret-keys.ts';
import type { Database } from '../platform/store/database.ts';
import type { EpochMs, Iso } from '../platform/text/time-text.ts';
import type { Marketplace } from './brand/marketplace.ts';

/** Derives claim tokens from the secret keys. */
export interface ClaimTokens {
  /** Deterministic. Uses the first secret key. */
  derive(claimId: string, mode: 'live' | 'test'): string;
  /** `keyIndex`: index of the secret key. Returns `null` if no configured key produces this hash. */
  recover(
    claimId: string,
    mode: 'live' | 'test',
    tokenHash: Uint8Array,
  ): { readonly token: string; readonly keyIndex: number } | null;
}

export interface Context {
  readonly db: Database;
  readonly now: () => EpochMs;
  /** Returns the current time in ISO 8601. */
  at(this: Pick<Context, 'now'>): Iso;
  /** The current brand and plans. */
  readonly marketplace: Marketplace;
  readonly random: (bytes: number) => Uint8Array;
  readonly tokens: ClaimTokens;
  /** Encrypts, decrypts and hashes with the secret keys. */
  readonly secretBox: SecretBox;
}
