/** Checks of what the service is connected to: the mail server, the database server, the proxy in front of it. */
import { explainFailure } from '../failure.ts';
import { readMailBacklog } from '../mail/queries.ts';
import type { SmtpSecurity } from '../mail/smtp-security.ts';
import type { Database } from '../store/database.ts';
import type { DatabaseLink } from '../store/postgres/connection-options.ts';
import { untrustedProxy } from '../store/settings.ts';
import { amountOf } from '../text.ts';
import { type Check, failed, noted, passed } from './check.ts';

export interface Connections {
  /** `null`: mail waits in the Outbox. */
  readonly mail: SmtpSecurity | null;
  /** `null`: the embedded database. */
  readonly database: DatabaseLink | null;
  /** That of the standby which is read from; `null`: there is none. */
  readonly standby: DatabaseLink | null;
  /** Whether BASE_URL is https. The service itself speaks http, so a proxy is in front of it then. */
  readonly isHttps: boolean;
  /** Whether TRUSTED_PROXIES names any. */
  readonly isAnyProxyTrusted: boolean;
}

const MAIL_ON_ITS_WAY: Readonly<Record<SmtpSecurity, string>> = {
  tls: 'over TLS',
  starttls: 'which must move to TLS (STARTTLS) before anything is sent',
  opportunistic: 'over TLS only where that server offers it (on this machine, or requireTLS=false)',
};

/** Without a mail server all works; sign-up may then say that an address is taken. */
export const examineMail = (security: SmtpSecurity | null): Check =>
  security === null
    ? noted(
        'mail',
        'waits on the Outbox page, since SMTP_URL is not set; new accounts work without a verified address, and sign-up says when one is taken',
      )
    : passed('mail', `leaves through the server that SMTP_URL names, ${MAIL_ON_ITS_WAY[security]}`);

/** What the mail server has not accepted. */
export async function examineMailDelivery(
  db: Database,
  security: SmtpSecurity | null,
): Promise<readonly Check[]> {
  const check = 'mail delivery';
  if (security === null) return [];
  try {
    const { deferred, failed: givenUp, lastFailure } = await readMailBacklog(db.read);
    if (lastFailure === null) return [passed(check, 'the mail server has accepted all mail')];
    const words = [
      ...(givenUp > 0 ? [`${amountOf(givenUp, 'mail')} could not be sent`] : []),
      ...(deferred > 0 ? [`${amountOf(deferred, 'mail')} will be tried again`] : []),
    ].join(', ');
    return [noted(check, `${words}; the newest: ${lastFailure} Desk → Outbox lists them`)];
  } catch (error) {
    return [failed(check, explainFailure(error))];
  }
}

/** The embedded database has no connection to check. */
export const examineDatabaseLinks = ({
  database,
  standby,
}: Pick<Connections, 'database' | 'standby'>): readonly Check[] => [
  ...examineLink('database connection', 'DATABASE_URL', database),
  ...examineLink('standby connection', 'DATABASE_READ_URL', standby),
];

function examineLink(check: string, setting: string, link: DatabaseLink | null): readonly Check[] {
  switch (link) {
    case null:
      return [];
    case 'local':
      return [passed(check, 'stays on this machine')];
    case 'encrypted':
      return [passed(check, 'is encrypted (TLS)')];
    case 'disabled':
      return [passed(check, `is not encrypted, as sslmode=disable in ${setting} asks`)];
    case 'unstated':
      return [
        noted(
          check,
          `is not encrypted, and goes to another machine: add sslmode=verify-full to ${setting}, or sslmode=disable if the network between is yours alone`,
        ),
      ];
  }
}

const SHARED_LIMIT = 'until then all of its clients share one limit of sign-ins';

/** Behind a proxy that is not trusted, every client has the address of the proxy. */
export async function examineProxies(
  db: Database,
  { isHttps, isAnyProxyTrusted }: Connections,
): Promise<Check> {
  const check = 'proxies';
  try {
    const found = await untrustedProxy(db);
    if (found !== null) {
      return failed(
        check,
        `TRUSTED_PROXIES does not name ${found.address}, which sends forwarding headers: add it if it is your proxy and restart; ${SHARED_LIMIT}. Last seen at ${found.seenAt}`,
      );
    }
  } catch (error) {
    return failed(check, explainFailure(error));
  }
  if (isAnyProxyTrusted) return passed(check, 'forwarding headers of those in TRUSTED_PROXIES are believed');
  return isHttps
    ? noted(
        check,
        `BASE_URL is https, so a proxy is in front of the service, and TRUSTED_PROXIES is not set: set it to the address of the proxy; ${SHARED_LIMIT}`,
      )
    : passed(check, 'none in front of the service, by BASE_URL and TRUSTED_PROXIES');
}
