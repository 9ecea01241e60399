/** Codes of offers that give each claim one of its own. */
import type { Generated } from 'kysely';

export interface CodeTables {
  offer_codes: OfferCodesTable;
}

export interface OfferCodesTable {
  /** The order in which claims get them. */
  seq: Generated<number>;
  /** The owner of the listing. */
  account_number: number;
  offer_id: string;
  /** A hash of the code under the key of the offer's codes. */
  code_hash: Uint8Array;
  /** Encrypted under the key of the offer's codes. */
  code: string;
  added_at: string;
  /** The claim that has it; `null`: it is left. */
  claim_id: string | null;
  /** Set by a restore: it may have been given out since the backup, so no claim gets it until an operator releases it. */
  withheld_at: string | null;
}
