/** Tells the operator what is wrong with proxies: in the log, and in the database, where the check of proxies finds it. */
import type { Context } from '../context.ts';
import type { Logger } from '../http/server/log.ts';
import { type ProxyFault, type ProxyWatch, watchProxies } from '../http/server/watch-proxies.ts';
import { forgetProxyFindings, rememberProxyFinding } from '../store/settings.ts';

const UNTRUSTED =
  'requests from this address have forwarding headers, and TRUSTED_PROXIES does not name it: if it is your proxy, limits by address count all of its clients as one';

const WARNINGS: Readonly<Record<ProxyFault, string>> = {
  untrusted: UNTRUSTED,
  'untrusted elsewhere': UNTRUSTED,
  unreadable:
    'the client address that this trusted proxy sends cannot be read: limits by address count all of its clients as one',
  unnamed: 'this trusted proxy sends no X-Forwarded-For: limits by address count all of its clients as one',
  'other address':
    'people reach the service through this address under a host that is not in BASE_URL, but share links, QR codes and mails lead to BASE_URL',
};

/** Forgets what was found before this start. `baseUrl`: see `ProxyWatchOptions`. */
export async function reportProxies(
  { db, now }: Context,
  baseUrl: () => string,
  log: Logger,
): Promise<ProxyWatch> {
  // A database that cannot be written now, as on a full disk, must not keep the service from starting.
  await forgetProxyFindings(db).catch((error) =>
    log.warn({ err: error }, 'what was found about proxies before this start is kept'),
  );
  return watchProxies({
    baseUrl,
    onFound: (report) => {
      const { fault, ...bindings } = report;
      log.warn(bindings, WARNINGS[fault]);
      if (fault === 'untrusted elsewhere') return;
      rememberProxyFinding(db, { ...report, seenAt: new Date(now()).toISOString() }).catch((error) =>
        log.warn({ err: error }, 'what was found about a proxy was not stored'),
      );
    },
  });
}
