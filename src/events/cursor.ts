/**
 * A cursor of an event feed: a number in the event log, and a fingerprint of the last event up to it. If
 * the database is restored to an earlier state, the log continues with different events under the same numbers, and the
 * fingerprint no longer matches.
 */
import { hash } from 'node:crypto';

export interface Cursor {
  readonly seq: number;
  readonly fingerprint: string;
}

/** Input of a fingerprint. The fingerprint is opaque to readers. */
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
