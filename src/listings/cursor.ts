/** Cursors of lists that are sorted by time. A cursor comes back in an address, so it may hold any text. */
import { isUuid } from '../store/uuid.ts';

export interface Cursor {
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  readonly id: string;
}

/** Only years that both engines can compare. */
const TIME = /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export const writeCursor = ({ at, id }: Cursor): string => `${at}~${id}`;

/** `null` for any text that `writeCursor` could not have written. */
export function readCursor(text: string | undefined): Cursor | null {
  const [at = '', id = '', ...more] = text?.split('~') ?? [];
  if (!TIME.test(at) || Number.isNaN(Date.parse(at)) || !isUuid(id) || more.length > 0) return null;
  // A day that does not exist rolls over to the next month.
  return { at: new Date(at).toISOString(), id: id.toLowerCase() };
}
