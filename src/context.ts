/** Dependencies that most functions receive: database, clock, randomness and secrets. */
import type { Marketplace } from './brand/marketplace.ts';
import type { ClaimTokens } from './claims/token.ts';
import type { SecretBox } from './secrets/secret-keys.ts';
import type { Database } from './store/database.ts';
import type { EpochMs, Iso } from './text/time-text.ts';

export interface Context {
  readonly db: Database;
  readonly now: () => EpochMs;
  /** Returns the current time in ISO 8601. */
  at(this: Pick<Context, 'now'>): Iso;
  /** The current brand and plans. */
  readonly marketplace: Marketplace;
  /** Returns cryptographically secure random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** Derives claim tokens from the secret keys. */
  readonly tokens: ClaimTokens;
  /** Encrypts, decrypts and hashes with the secret keys. */
  readonly secretBox: SecretBox;
}
