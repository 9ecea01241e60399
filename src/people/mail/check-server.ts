/** Checks the mail server without sending mail: connects, switches to TLS if the server offers it, and logs in. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../platform/text/durations.ts';
import { explainMailFailure } from './failure.ts';
import { openTransport, type SmtpSecurity, smtpSecurity } from './smtp.ts';

/** Timeout for each step of the check. */
const STEP_MS = 4 * SECOND_MS;
/** How long a result is reused. */
const CACHED_MS = MINUTE_MS;

export interface MailServer {
  readonly security: SmtpSecurity;
  /** Never rejects. Repeated calls share a result for a minute, unless `isFresh` is set. */
  check(options?: CheckOptions): Promise<CheckResult>;
  /** Like `check`, but resolves to `pending` if there is no result after `waitMs`. The check continues. */
  checkWithin(waitMs: number, options?: CheckOptions): Promise<CheckResult | 'pending'>;
}

interface CheckOptions {
  readonly isFresh?: boolean;
}

interface CheckResult {
  /** A sentence with the remedy; `null` if the server accepts the login. */
  readonly failure: string | null;
}

export function createMailServer(smtpUrl: string): MailServer {
  let last: { readonly startedMs: number; readonly result: Promise<CheckResult> } | null = null;
  const check = ({ isFresh = false }: CheckOptions = {}): Promise<CheckResult> => {
    const nowMs = performance.now();
    if (isFresh || last === null || nowMs - last.startedMs > CACHED_MS) {
      last = { startedMs: nowMs, result: verify(smtpUrl) };
    }
    return last.result;
  };
  return {
    security: smtpSecurity(smtpUrl),
    check,
    checkWithin: async (waitMs, options) => {
      const waiting = new AbortController();
      const pending = sleep(waitMs, 'pending' as const, { signal: waiting.signal }).catch(
        () => 'pending' as const,
      );
      return Promise.race([check(options), pending]).finally(() => waiting.abort());
    },
  };
}

async function verify(smtpUrl: string): Promise<CheckResult> {
  try {
    const transport = await openTransport(smtpUrl, { timeoutMs: STEP_MS, forcesLogin: true });
    await transport.verify();
    return { failure: null };
  } catch (error) {
    return { failure: (await explainMailFailure(error, smtpUrl)).sentence };
  }
}
