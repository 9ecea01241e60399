import type { MailServer } from '../../people/mail/check-server.ts';
import { examineIssuer, type IdentityProviderSettings } from '../../people/sign-in/oidc/provider.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { isLoopbackHost } from '../../platform/network/network.ts';
import type { ConnectionLimit, Database, DatabaseReport } from '../../platform/store/database.ts';
import type { DatabaseLink } from '../../platform/store/postgres/connection-options.ts';
import { type ProxyFinding, proxyFindings } from '../../platform/store/settings.ts';
import { quote } from '../../platform/text/text.ts';
import { type Check, examined, failed, noted, passed } from './check.ts';

export interface Connections {
  /** `null`: mail stays in the Outbox. */
  readonly mail: MailServer | null;
  readonly providers: readonly IdentityProviderSettings[];
  /** `null`: the embedded database. */
  readonly database: DatabaseLink | null;
  /** BASE_URL. An https URL implies a proxy, because the service itself speaks only http. */
  readonly reachedAt: string;
  readonly isAnyProxyTrusted: boolean;
}

export const examineIdentityProviders = (
  providers: readonly IdentityProviderSettings[],
): Promise<readonly Check[]> =>
  Promise.all(
    providers.map(async (settings) => {
      const check = 'identity provider';
      const { issuer, operatorClaim } = settings;
      const problem = await examineIssuer(settings);
      if (problem !== null) return failed(check, problem);
      return operatorClaim?.claim === 'preferred_username'
        ? noted(
            check,
            message(
              '{issuer} makes operators by their user name: check that people can’t change it there, or anyone could become an operator. A group or a role is safer',
              { issuer },
            ),
          )
        : passed(check, message('{issuer} responds', { issuer }));
    }),
  );

const LINK = 'database connection';
const LINKS: Readonly<Record<DatabaseLink, Check>> = {
  local: passed(LINK, message('local')),
  encrypted: passed(LINK, message('encrypted (TLS)')),
  disabled: passed(LINK, message('not encrypted, because of sslmode=disable in DATABASE_URL')),
  unstated: noted(
    LINK,
    message(
      'not encrypted, although the server is on another machine: add sslmode=verify-full to DATABASE_URL, or sslmode=disable if the network is private',
    ),
  ),
};

export const examineDatabaseLink = (link: DatabaseLink | null): readonly Check[] =>
  link === null ? [] : [LINKS[link]];

/** Messages for faults found by `src/platform/http/server/watch-proxies.ts`. A fault without a message is not shown. */
const FAULTS: Readonly<Record<string, (finding: ProxyFinding, reachedAt: string) => Message>> = {
  untrusted: ({ address, seenAt: at }) =>
    message(
      '{address} sends forwarding headers but is not in TRUSTED_PROXIES: if it is your proxy, add it and restart; until then, all people behind the proxy share one rate limit for sign-ins. Last seen at {at}',
      { address, at },
    ),
  unreadable: ({ address, found: header, count, seenAt: at }) =>
    message(
      "The proxy {address} sends {header} as the client's address, which is not an IP address (in {count, plural, one {# request} other {# requests}} since the service started): make it send the client's IP address in X-Forwarded-For; until then, all people behind the proxy share one rate limit for sign-ins. Last seen at {at}",
      { address, header: quote(header ?? ''), count, at },
    ),
  unnamed: ({ address, count, seenAt: at }) =>
    message(
      "The proxy {address} sends no X-Forwarded-For (in {count, plural, one {# request} other {# requests}} since the service started): make it send the client's IP address there; until then, all people behind the proxy share one rate limit for sign-ins. Last seen at {at}",
      { address, count, at },
    ),
  'other address': ({ address, found: host, seenAt: at }, reachedAt) =>
    message(
      'People reach the service at {host} through {address}, but share links, QR codes and mail use BASE_URL, which is {reachedAt}: set BASE_URL to the URL that people use, or make the proxy redirect to BASE_URL. Last seen at {at}',
      { host: quote(host ?? ''), address, reachedAt, at },
    ),
};

export const examineProxies = (db: Database, { reachedAt, isAnyProxyTrusted }: Connections) =>
  examined('proxies', async () => {
    const findings = await proxyFindings(db);
    const checks = findings.flatMap((finding) => {
      const words = FAULTS[finding.fault]?.(finding, reachedAt);
      return words === undefined ? [] : [severityOf(finding, reachedAt)('proxies', words)];
    });
    if (checks.length > 0) return checks;
    return examineTrust(reachedAt.startsWith('https:'), isAnyProxyTrusted);
  });

/**
 * Returns `failed` for most faults. A host that differs from BASE_URL is only noted, because clients choose the Host
 * header. If BASE_URL is a loopback address, the check still fails, because links in mail don't work.
 */
const severityOf = ({ fault }: ProxyFinding, reachedAt: string): typeof noted =>
  fault === 'other address' && !isLoopbackHost(new URL(reachedAt).hostname) ? noted : failed;

function examineTrust(isHttps: boolean, isAnyProxyTrusted: boolean): Check {
  const check = 'proxies';
  if (isAnyProxyTrusted)
    return passed(check, message('forwarding headers from the proxies in TRUSTED_PROXIES are trusted'));
  return isHttps
    ? noted(
        check,
        message(
          "BASE_URL is https, so there is a proxy in front of the service, but TRUSTED_PROXIES is not set: set it to the proxy's IP address; until then, all people behind the proxy share one rate limit for sign-ins",
        ),
      )
    : passed(check, message('none, according to BASE_URL and TRUSTED_PROXIES'));
}

export const STANDBY_SETTING = 'synchronous_standby_names';

export function examineServers({
  servers,
  hasFailover,
  settings,
}: Pick<DatabaseReport, 'servers' | 'hasFailover' | 'settings'>): readonly Check[] {
  if (servers.length === 0) return [];
  const words = servers.map(({ host, role }) => `${host} (${role})`).join(', ');
  const failures = new Set(servers.flatMap(({ failure }) => failure ?? []));
  return [
    failures.size === 0
      ? passed('servers', words)
      : failed('servers', `${words}. ${[...failures].join(' ')}`),
    ...(hasFailover ? [examineFailover(settings)] : []),
  ];
}

const LIMITED_BY: Readonly<Record<ConnectionLimit['of'], Message>> = {
  role: message('the role in DATABASE_URL'),
  database: message('the database'),
  server: message('the server (max_connections)'),
};

export function examineConnectionLimit({
  connectionLimit: limit,
}: Pick<DatabaseReport, 'connectionLimit'>): readonly Check[] {
  if (limit === null) return [];
  const check = 'connection limit';
  const { connections, perProcess } = limit;
  const of = () => t(LIMITED_BY[limit.of]);
  return connections < perProcess
    ? [
        failed(
          check,
          message(
            '{of} allows {connections, plural, one {# connection} other {# connections}}, but each process opens up to {perProcess}: under load, pages, sign-ins and background work fail; raise the limit.',
            { of, connections, perProcess },
          ),
        ),
      ]
    : [
        passed(
          check,
          message('{of} allows {connections} connections; each process opens up to {perProcess}', {
            of,
            connections,
            perProcess,
          }),
        ),
      ];
}

function examineFailover(settings: DatabaseReport['settings']): Check {
  const standbys = settings[STANDBY_SETTING] ?? '';
  const commit = settings['synchronous_commit'];
  if (standbys === '') {
    return failed(
      'failover',
      message(
        '{setting} is empty, so a failover may lose acknowledged redemptions; name the standbys there.',
        {
          setting: STANDBY_SETTING,
        },
      ),
    );
  }
  return commit === 'local'
    ? failed(
        'failover',
        message(
          'synchronous_commit = local does not wait for the standby, so a failover may lose acknowledged redemptions; set it to on.',
        ),
      )
    : passed(
        'failover',
        message('a commit waits for a standby ({setting} = {standbys})', {
          setting: STANDBY_SETTING,
          standbys,
        }),
      );
}
