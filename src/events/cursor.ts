/**
 * A cursor of a feed of events: a number of the event log, and a fingerprint of the last event up to it. Where
 * the database was restored to an earlier state the log goes on with other events under the same numbers, and the
 * fingerprint no longer fits.
 */
import { hash } from 'node:crypto';

export interface Cursor {
  readonly seq: number;
  readonly fingerprint: string;
}

/** What a fingerprint is made of; it has no meaning to a reader. */
export interface FingerprintedEvent {
  readonly seq: number;
  readonly accountId: string;
  readonly type: string;
  readonly at: string;
  readonly subjectId: string;
}

/** 72 bits. */
const FINGERPRINT_LENGTH = 12;
const CURSOR = new RegExp(`^(0|[1-9]\\d{0,14})\\.([\\w-]{${FINGERPRINT_LENGTH}})$`);

/** `event`: the last one up to the number of the cursor; `null` if there is none. */
export const fingerprintOf = (event: FingerprintedEvent | null): string =>
  hash(
    'sha256',
    event === null ? '' : [event.seq, event.accountId, event.type, event.at, event.subjectId].join(' '),
    'base64url',
  ).slice(0, FINGERPRINT_LENGTH);

export const writeCursor = ({ seq, fingerprint }: Cursor): string => `${seq}.${fingerprint}`;

/** `null` for any other text. */
export function parseCursor(text: string): Cursor | null {
  const [, seq, fingerprint] = CURSOR.exec(text) ?? [];
  return seq === undefined || fingerprint === undefined ? null : { seq: Number(seq), fingerprint };
}
