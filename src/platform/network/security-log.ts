/** Logs security events, rate limited per network and in total, so that an attack can't fill the disk. */

import { MINUTE_MS } from '../text/durations.ts';
import { networksOf } from './network.ts';

const SENTENCES = {
  sign_in_failed: 'a sign-in failed',
  second_factor_failed: 'a second factor was wrong',
  identity_refused: 'a sign-in through the identity provider was refused',
  throttled: 'an attempt was refused because of a limit',
  foreign_request: 'a request from another site was refused',
  desk_probed: 'an account that is not an operator requested a page of the desk',
  unknown_keys: 'a network sent more unknown API keys than the limit allows',
  operator_call_from_browser: 'a browser called the operator API',
  operator_key_outside: 'a call with an operator key came from outside the networks of the key',
  metrics_refused: 'a request for /metrics was refused',
} as const;

export type SecurityEvent = keyof typeof SENTENCES;

/** Must not contain secrets, email addresses or other data sent by a client. */
interface SecurityDetails {
  readonly network: string;
  readonly requestId?: string;
  readonly accountId?: string;
  /** A constant that identifies the cause. */
  readonly reason?: string;
}

/** Logs an event, or only counts it if a limit is reached. */
export type SecurityLog = (event: SecurityEvent, details: SecurityDetails) => void;

export const WINDOW_MS = MINUTE_MS;
/** Maximum lines per window for one type of event and one network. */
export const LINES_A_NETWORK = 10;
/** Maximum lines per window. Also limits the number of networks kept in memory. */
export const LINES_A_WINDOW = 200;

/** `write` logs a line at level `warn`. */
export function createSecurityLog(write: (bindings: object, message: string) => void): SecurityLog {
  let endsAt = Number.NEGATIVE_INFINITY;
  let lines = 0;
  /** Lines in the current window, by event and network. */
  const linesOf = new Map<string, number>();
  const suppressed = new Map<SecurityEvent, number>();

  const reportSuppressed = (): void => {
    if (suppressed.size === 0) return;
    const counts = Object.fromEntries(suppressed);
    suppressed.clear();
    write({ suppressed: counts }, 'some security events were not logged individually');
  };

  return (event, { network, ...details }) => {
    const now = performance.now();
    if (now >= endsAt) {
      reportSuppressed();
      endsAt = now + WINDOW_MS;
      lines = 0;
      linesOf.clear();
    }
    const sources = networksOf(network).map((counted) => ({
      key: `${event} ${counted.network}`,
      most: LINES_A_NETWORK * counted.times,
    }));
    const before = (key: string) => linesOf.get(key) ?? 0;
    if (lines < LINES_A_WINDOW && sources.every(({ key, most }) => before(key) < most)) {
      lines += 1;
      for (const { key } of sources) linesOf.set(key, before(key) + 1);
      write({ security: event, network, ...details }, SENTENCES[event]);
      return;
    }
    // The timer reports the count even if no other event follows.
    if (suppressed.size === 0) setTimeout(reportSuppressed, endsAt - now).unref();
    suppressed.set(event, (suppressed.get(event) ?? 0) + 1);
  };
}
