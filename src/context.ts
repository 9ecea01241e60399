/** What the rest of the code gets from outside: database, clock, randomness and secrets. */
import type { Marketplace } from './brand/marketplace.ts';
import type { ClaimTokens } from './claims/token.ts';
import type { SecretBox } from './secrets/secret-keys.ts';
import type { Database } from './store/database.ts';
import type { EpochMs, Iso } from './text/time-text.ts';

export interface Context {
  readonly db: Database;
  readonly now: () => EpochMs;
  /** The current time as text. */
  at(this: Pick<Context, 'now'>): Iso;
  /** The current brand and plans. */
  readonly marketplace: Marketplace;
  /** Cryptographically random bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** Derives claim tokens from the secret keys. */
  readonly tokens: ClaimTokens;
  /** Encrypts under the secret keys. */
  readonly secretBox: SecretBox;
}
