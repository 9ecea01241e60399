/** UUIDv7 (RFC 9562 section 5.7): IDs that sort by creation time. */
import type { EpochMs } from '../text/time-text.ts';

export interface UuidSource {
  readonly now: () => EpochMs;
  readonly random: (bytes: number) => Uint8Array;
}

/** `rand_a` holds a counter that orders the IDs of one millisecond (RFC 9562 section 6.2, method 1). */
const COUNTER_MAX = 0xfff;
/** Each millisecond, the counter starts at a random value in the lower half of its range, to leave room to count. */
const COUNTER_SEED_MASK = 0x7ff;

const RANDOM_BYTES = 10;
/** Number of IDs whose random bytes are drawn together. Calling `random` costs more than the rest of `uuidv7`. */
const IDS_A_DRAW = 128;

interface Timeline {
  ms: number;
  counter: number;
  /** Random bytes drawn in advance. The first `used` bytes have been consumed. */
  random: Uint8Array;
  used: number;
}

/** One per clock, so that a simulated clock, such as the demo's, doesn't affect IDs from other clocks. */
const timelines = new WeakMap<() => number, Timeline>();

/** IDs from one clock strictly increase, even when it is set back, so their time may be ahead of it. */
export function uuidv7(source: UuidSource): string {
  const now = source.now();
  let timeline = timelines.get(source.now);
  if (timeline === undefined) {
    timeline = { ms: Number.NEGATIVE_INFINITY, counter: 0, random: new Uint8Array(), used: 0 };
    timelines.set(source.now, timeline);
  }
  const bytes = takeRandom(timeline, source);
  const seed = ((bytes[0]! << 8) | bytes[1]!) & COUNTER_SEED_MASK;
  if (now > timeline.ms) {
    timeline.ms = now;
    timeline.counter = seed;
  } else if (timeline.counter < COUNTER_MAX) {
    timeline.counter++;
  } else {
    timeline.ms++;
    timeline.counter = seed;
  }
  const variant = (bytes[2]! & 0x3f) | 0x80;
  return `${timePart(timeline.ms)}-7${hex(timeline.counter, 3)}-${HEX[variant]}${HEX[bytes[3]!]}-${HEX[bytes[4]!]}${HEX[bytes[5]!]}${HEX[bytes[6]!]}${HEX[bytes[7]!]}${HEX[bytes[8]!]}${HEX[bytes[9]!]}`;
}

function takeRandom(timeline: Timeline, source: UuidSource): Uint8Array {
  if (timeline.used === timeline.random.length) {
    timeline.random = source.random(RANDOM_BYTES * IDS_A_DRAW);
    timeline.used = 0;
  }
  timeline.used += RANDOM_BYTES;
  return timeline.random.subarray(timeline.used - RANDOM_BYTES, timeline.used);
}

export const firstUuidOf = (ms: EpochMs): string => `${timePart(Math.max(0, ms))}-7000-8000-000000000000`;

function timePart(ms: number): string {
  const text = hex(ms, 12);
  return `${text.slice(0, 8)}-${text.slice(8)}`;
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');

/** The digits of each byte: looking them up is faster than formatting numbers. */
const HEX = Array.from({ length: 256 }, (_, byte) => hex(byte, 2));

export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Checks the syntax. PostgreSQL raises an error if an ID is compared with text that is not a UUID. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The time in a UUIDv7, in milliseconds since the epoch. Arbitrary for other UUIDs. */
export const timeOfUuid = (uuid: string): EpochMs =>
  Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);

/** A short form for display: the last digits of a UUID, which are random. */
export const shortId = (uuid: string): string => uuid.slice(-8);

export const uuidBytes = (uuid: string): Uint8Array => Buffer.from(uuid.replaceAll('-', ''), 'hex');
