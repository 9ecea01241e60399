/** Cursors of lists in order of time. A cursor comes back in an address, so it may hold any text. */
import { FIRST_MS, parseIso, toIso } from '../text/time-text.ts';
import { isUuid } from './uuid.ts';

/** A place in a list: the time of its row, ISO 8601 UTC with milliseconds, and the row's number, which grows too. */
export interface TimePosition {
  readonly at: string;
  readonly seq: number;
}

/** The same where rows have ids. */
export interface IdPosition {
  readonly at: string;
  readonly id: string;
}

export const writeCursor = (place: TimePosition | IdPosition): string =>
  `${place.at}~${'id' in place ? place.id : place.seq}`;

/** `null` for anything that `writeCursor` did not write. */
export function parseCursor(text: string | undefined): TimePosition | null {
  const [at, seq] = partsOf(text);
  return at === null || !/^\d{1,15}$/.test(seq) ? null : { at, seq: Number(seq) };
}

/** `null` for anything that `writeCursor` did not write. */
export function parseIdCursor(text: string | undefined): IdPosition | null {
  const [at, id] = partsOf(text);
  return at === null || !isUuid(id) ? null : { at, id: id.toLowerCase() };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function partsOf(text = ''): readonly [at: string | null, key: string] {
  const [at = '', key = '', ...more] = text.split('~');
  return [TIME.test(at) && parseIso(at) !== null && more.length === 0 ? at : null, key];
}

/** The time so many milliseconds before, and not before year 1. */
export const earlier = (at: string, ms: number): string => toIso(Math.max(FIRST_MS, Date.parse(at) - ms));
