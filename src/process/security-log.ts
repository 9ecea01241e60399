/**
 * Logs attempts of attackers, for the operator. The lines of a minute are limited, so that an attack cannot fill the
 * disk. Each network has a limit for each kind of event, so that one network does not hide the lines of others.
 */

import { networksOf } from '../network/network.ts';
import { MINUTE_MS } from '../text/durations.ts';

/** What is logged, with its sentence. */
const SENTENCES = {
  sign_in_failed: 'a sign-in failed',
  second_factor_failed: 'a second factor was wrong',
  identity_refused: 'a sign-in through the identity provider was refused',
  throttled: 'attempts were refused by a limit',
  foreign_request: 'a request from another site was refused',
  desk_probed: 'an account that is not an operator asked for a page of the desk',
  unknown_keys: 'a network sends unknown API keys faster than they are looked up',
  operator_call_from_browser: 'a call of an operator operation came from a browser',
  metrics_refused: 'a request for /metrics was refused',
} as const;

export type SecurityEvent = keyof typeof SENTENCES;

/** Never a secret, an email address or anything else that a client typed. */
interface SecurityDetails {
  /** From `networkOf`. */
  readonly network: string;
  readonly requestId?: string;
  readonly accountId?: string;
  /** A fixed word for what was wrong. */
  readonly reason?: string;
}

/** Logs an event, or counts it where too many came before. */
export type SecurityLog = (event: SecurityEvent, details: SecurityDetails) => void;

export const WINDOW_MS = MINUTE_MS;
/** Lines of one event from one network in a window. */
export const LINES_A_NETWORK = 10;
/** Lines of all networks in a window; it also bounds how much is remembered. */
export const LINES_A_WINDOW = 200;

/** `write` writes a line of the log at level `warn`. `clock`: milliseconds of a monotonic clock. */
export function createSecurityLog(
  write: (bindings: object, message: string) => void,
  clock: () => number = () => performance.now(),
): SecurityLog {
  let endsAt = Number.NEGATIVE_INFINITY;
  let lines = 0;
  /** By event and network. */
  const linesOf = new Map<string, number>();
  const suppressed = new Map<SecurityEvent, number>();

  const reportSuppressed = (): void => {
    if (suppressed.size === 0) return;
    const counts = Object.fromEntries(suppressed);
    suppressed.clear();
    write({ suppressed: counts }, 'more security events came than are logged one by one');
  };

  return (event, { network, ...details }) => {
    const now = clock();
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
    // An attack may end before the window does, so the count must not wait for a next event.
    if (suppressed.size === 0) setTimeout(reportSuppressed, endsAt - now).unref();
    suppressed.set(event, (suppressed.get(event) ?? 0) + 1);
  };
}
