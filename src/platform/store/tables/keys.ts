import type { Generated } from 'kysely';

export interface KeyColumns {
  id: string;
  /** The account that owns the key. An operator key acts as this account. */
  account_id: string;
  name: string;
  /** SHA-256 of the complete key, including its prefix. */
  secret_hash: Uint8Array;
  /** The first four characters after the prefix. */
  start: string;
  /** The networks from which the key may be used, separated by spaces; `null`: all. */
  networks: string | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  rolled_to_id: string | null;
}

export interface ApiKeysTable extends KeyColumns {
  /** Stored in compact rows instead of the ID. */
  number: Generated<number>;
  /** The account's number, which verifications use to look up claims. */
  account_number: number;
  mode: 'live' | 'test';
  seen_in_browser_at: string | null;
  /** The person who created the key; `null`: the operator. */
  created_by_id: string | null;
}

/** Separate from `api_keys`, whose rows should rarely be updated. */
export interface ApiKeyUsesTable {
  account_id: string;
  api_key_id: string;
  last_used_at: string;
}

export interface OperatorKeysTable extends KeyColumns {
  /** Separated by spaces. */
  scopes: string;
  last_used_at: string | null;
  /** The last call from outside the networks: its time, and the client's address if it is known. */
  refused_at: string | null;
  refused_ip: string | null;
}
