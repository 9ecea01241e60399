/** What `npm run store-release` stores of a released version, for the tests of later versions. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COLUMN_TYPES, type Migration } from '../../src/platform/store/migrations/migration.ts';
import type { TestEngine } from '../support/engines.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** A call of verify, and the response of the released version. */
export interface StoredCall {
  readonly what: string;
  readonly key: string;
  readonly body: { readonly token: string; readonly redeem?: boolean; readonly reference?: string };
  readonly idempotencyKey?: string;
  readonly status: number;
  readonly answer: string;
}

/** A resource that the released version served. */
export interface StoredRead {
  readonly path: string;
  /** `null`: without an API key. */
  readonly key: string | null;
  readonly body: unknown;
}

export interface StoredPerson {
  readonly email: string;
  readonly password: string;
  readonly accountId: string;
}

/**
 * What a database contains. Each engine's database has its own IDs and secrets. A member that is added later must be
 * optional, because earlier versions don't have it.
 */
export interface StoredFacts {
  readonly secretKey: string;
  readonly owner: StoredPerson & { readonly cookie: string };
  readonly operator: StoredPerson & { readonly appSecret: string; readonly backupCode: string };
  readonly claimant: StoredPerson & { readonly claimPath: string; readonly claimCode: string };
  /** Works only from a network of documentation. */
  readonly elsewhereKey: string;
  readonly liveKey: string;
  /** Claims that are not redeemed, and the key that may redeem each. */
  readonly redeemable: readonly { readonly key: string; readonly token: string }[];
  /** Calls that change nothing, with `redeem: false` or a used Idempotency-Key. */
  readonly calls: readonly StoredCall[];
  readonly reads: readonly StoredRead[];
  /** A claim's receipt. `iss` is the only member that depends on where the service runs. */
  readonly receipt: { readonly path: string; readonly receipt: string };
  /** The owner's export of claims. */
  readonly exportedClaims: string;
  /** A file of a picture, in base64. */
  readonly picture: { readonly path: string; readonly bytes: string };
  /** Slug of a listing that strangers don't see. */
  readonly membersOnly: string;
  /** A delivery that failed twice, and is due again in some minutes. */
  readonly delivery: {
    readonly endpointId: string;
    readonly secret: string;
    readonly messageId: string;
    readonly payload: string;
  };
  /** Mails of which the first is held back. */
  readonly mails: readonly { readonly to: string; readonly text: string }[];
  readonly heldMails: number;
  readonly withheldCodes: number;
  /** Codes of links that have not been used up. The invitation is for the address `invited`. */
  readonly links: Readonly<Record<'access' | 'invitation' | 'invited' | 'signIn', string>>;
  /** The address of an account that claimed the first offer in `calls` and was erased. */
  readonly erased: string;
  /** When the account with this ID will be deleted, ISO 8601. */
  readonly deletion: { readonly accountId: string; readonly at: string };
}

/** With the SHA-256 of its statements for each engine. */
export interface ReleasedMigration extends Omit<Migration, 'statements'> {
  readonly sqlite: string;
  readonly postgres: string;
}

export interface StoredRelease {
  /** The time of the service when the database was stored, in milliseconds since the epoch. */
  readonly at: number;
  readonly migrations: readonly ReleasedMigration[];
  readonly facts: Readonly<Record<TestEngine, StoredFacts>>;
}

export const folderOf = (version: string): string => join(FOLDER, version);

/** The versions, oldest first. */
export const RELEASES: readonly string[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort(new Intl.Collator('en', { numeric: true }).compare);

export const readRelease = (version: string): StoredRelease =>
  JSON.parse(readFileSync(join(folderOf(version), 'expected.json'), 'utf8'));

export const describeMigrations = (migrations: readonly Migration[]): readonly ReleasedMigration[] =>
  migrations.map(({ statements, ...migration }) => ({
    ...migration,
    sqlite: digestOf(statements(COLUMN_TYPES.sqlite)),
    postgres: digestOf(statements(COLUMN_TYPES.postgres)),
  }));

const digestOf = (statements: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(statements)).digest('hex');
