/** Cursors of lists in order of time. */
import { FIRST_MS, toIso } from './time-text.ts';

/** A place in a list: the time of its row, and the row's number, which grows too. */
export interface TimePosition {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly seq: number;
}

export const writeCursor = ({ at, seq }: TimePosition): string => `${at}~${seq}`;

/** `null` for anything that `writeCursor` did not write. */
export function parseCursor(text: string | undefined): TimePosition | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(\d{1,15})$/.exec(text ?? '');
  if (parts === null) return null;
  const ms = Date.parse(parts[1]!);
  if (Number.isNaN(ms) || ms < FIRST_MS || toIso(ms) !== parts[1]) return null;
  return { at: parts[1], seq: Number(parts[2]) };
}

/** The time so many milliseconds before, and not before year 1. */
export const earlier = (at: string, ms: number): string => toIso(Math.max(FIRST_MS, Date.parse(at) - ms));
