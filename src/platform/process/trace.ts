/**
 * W3C Trace Context, level 2 (https://www.w3.org/TR/trace-context-2/): the trace of a request, from its `traceparent`
 * header to the lines of the log, the events and the webhooks that the request causes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Trace ID and flags, such as `4bf92f3577b34da6a3ce929d0e0e4736-01`. */
export type Trace = string;

const TRACE_ID_LENGTH = 32;
const PARENT_ID_BYTES = 8;

/** Version, trace ID, parent ID, flags. IDs of only zeros and the version ff are invalid. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;
const LENGTH = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'.length;
/** Later versions may append fields. */
const MAX_LENGTH = 256;

/** `sampled` and `random`. A receiver must not pass on other flags. */
const FLAGS = 0b11;

/** `null`: the header is missing or invalid. An invalid header must be ignored. */
export function parseTraceparent(header: string | undefined): Trace | null {
  if (header === undefined || header.length < LENGTH || header.length > MAX_LENGTH) return null;
  if (header.length > LENGTH && (header.startsWith('00') || header[LENGTH] !== '-')) return null;
  const [, traceId, flags] = TRACEPARENT.exec(header.slice(0, LENGTH)) ?? [];
  return traceId === undefined ? null : `${traceId}-${flagsText(Number.parseInt(flags!, 16) & FLAGS)}`;
}

const flagsText = (flags: number): string => flags.toString(16).padStart(2, '0');

/** The header of a request that this service sends. Each request has its own parent ID. */
export const traceparentOf = (trace: Trace, random: (bytes: number) => Uint8Array): string => {
  const parentId = Buffer.from(random(PARENT_ID_BYTES));
  // An ID of only zeros is invalid.
  parentId[0]! |= 1;
  return `00-${trace.slice(0, TRACE_ID_LENGTH)}-${parentId.toString('hex')}-${trace.slice(TRACE_ID_LENGTH + 1)}`;
};

/** For the lines of the log; the name is OpenTelemetry's. */
export const traceBindings = (trace: Trace | null): { readonly trace_id?: string } =>
  trace === null ? {} : { trace_id: trace.slice(0, TRACE_ID_LENGTH) };

const current = new AsyncLocalStorage<Trace | null>();

/** The trace of the request that is being served; `null` outside of `inTrace`. */
export const currentTrace = (): Trace | null => current.getStore() ?? null;

export const inTrace = <T>(trace: Trace | null, serve: () => T): T => current.run(trace, serve);
