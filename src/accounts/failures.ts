/** Records refused attempts: as log lines, and as events of a known account, both limited. */
import { appendEvent } from '../events/queries.ts';
import { networkOf } from '../network/network.ts';
import type { SecurityEvent } from '../process/security-log.ts';
import { toIso } from '../text/time-text.ts';
import { counterOf, FAILURE_EVENTS_BY_PERSON } from './limits.ts';
import type { Caller, SignInServices } from './services.ts';
import { countOne, reachedUntil } from './throttle-queries.ts';

/** The refused attempt: a wrong password, code of a mail or second factor, or any attempt beyond a limit. */
export type Failure = 'password' | 'code' | 'second-factor' | 'limit';

const LOGGED_AS: Readonly<Record<Failure, SecurityEvent>> = {
  password: 'sign_in_failed',
  code: 'sign_in_failed',
  'second-factor': 'second_factor_failed',
  limit: 'throttled',
};

/**
 * Notes a refused attempt. The event is written after the answer, so that the time an answer takes does not say whether
 * there is such an account.
 */
export function noteFailure(
  services: SignInServices,
  failure: Failure,
  { address }: Caller,
  accountId: string | undefined,
): void {
  const network = networkOf(address);
  services.securityLog(LOGGED_AS[failure], { network, ...(accountId !== undefined && { accountId }) });
  if (accountId !== undefined) {
    services.background.start(() => appendFailure(services, accountId, { failure, network }));
  }
}

async function appendFailure(
  { context: { db, now, secretBox } }: SignInServices,
  accountId: string,
  data: { readonly failure: Failure; readonly network: string },
): Promise<void> {
  const counter = counterOf(secretBox, [FAILURE_EVENTS_BY_PERSON, accountId]);
  if ((await reachedUntil(db.read, now(), [counter])).size > 0) return;
  await db.transaction(async (tx) => {
    if (!(await countOne(tx, now(), counter))) return;
    const at = toIso(now());
    const about = { accountId, subjectId: accountId, actor: 'unknown' } as const;
    await appendEvent(tx, { ...about, type: 'session.sign_in_refused', at, data });
  });
}
