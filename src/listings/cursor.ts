/** Where a page of a list ended that is sorted by time: it comes back in a page's address, as anyone may type it. */
import { isUuid } from '../store/uuid.ts';

export interface Cursor {
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  readonly id: string;
}

/** Years both engines can compare with. */
const TIME = /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export const writeCursor = ({ at, id }: Cursor): string => `${at}~${id}`;

/** `null` for anything that `writeCursor` would not have written. */
export function readCursor(text: string | undefined): Cursor | null {
  const [at = '', id = '', ...more] = text?.split('~') ?? [];
  if (!TIME.test(at) || Number.isNaN(Date.parse(at)) || !isUuid(id) || more.length > 0) return null;
  // A day that does not exist rolls over to the next month.
  return { at: new Date(at).toISOString(), id: id.toLowerCase() };
}
