/**
 * Tells the operator of a proxy that TRUSTED_PROXIES does not name: in the log, and in the database, where the checks of
 * proxies find it.
 */
import type { Logger } from '../http/log.ts';
import { watchUntrustedProxies } from '../http/untrusted-proxies.ts';
import type { OpenContext } from '../open-context.ts';
import { forgetUntrustedProxy, rememberUntrustedProxy } from '../store/settings.ts';

const WARNING =
  'requests from this address have forwarding headers, and TRUSTED_PROXIES does not name it: if it is your proxy, limits by address count all of its clients as one';

/** Forgets what was found before this start. Call the result with the peer of each request that has such headers. */
export async function reportUntrustedProxies(
  { config, db, now }: OpenContext,
  log: Logger,
): Promise<(peer: string | undefined) => void> {
  // A database that cannot be written now, as on a full disk, must not keep the service from starting.
  await forgetUntrustedProxy(db).catch((error) =>
    log.warn({ err: error }, 'the address of an untrusted proxy is kept from before this start'),
  );
  return watchUntrustedProxies({
    trusted: config.trustedProxies,
    onFound: (address, isOwn) => {
      log.warn({ address }, WARNING);
      if (!isOwn) return;
      rememberUntrustedProxy(db, address, new Date(now()).toISOString()).catch((error) =>
        log.warn({ err: error }, 'the address of an untrusted proxy was not stored'),
      );
    },
  });
}
