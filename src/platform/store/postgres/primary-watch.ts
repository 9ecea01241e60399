/**
 * Finds the primary among several hosts and follows promotions. Each promotion starts a new timeline
 * (postgresql.org/docs/current/continuous-archiving, "Timelines"). If two servers accept writes, the server with the
 * lower timeline is a former primary. It may lack redemptions, so it is not used. Only timelines of the same cluster
 * can be compared, so the servers' system identifiers are compared first.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hostUrls } from '../../network/database-url.ts';
import { singleFlight } from '../../process/background.ts';
import { DatabaseUnavailable, DatabaseUnusable, monotonicMs } from '../database.ts';
import { type ConnectionOptions, connectionOptions } from './connection-options.ts';
import { askServer } from './silent-server.ts';
import { withRemedy } from './start-failure.ts';

const HOST_TIMEOUT_MS = 1_000;
/** Time between checks of all hosts while the primary responds. */
const WATCH_MS = 2_000;
const SEARCH_MS = 100;
/** How long a caller waits for a primary. Equals `CONNECT_TIMEOUT_MS` in `pool.ts`. */
const FIND_WITHIN_MS = 2_000;

export interface Host {
  readonly url: string;
  /** `former primary`: accepts writes, although another server was promoted. */
  readonly role: 'primary' | 'standby' | 'former primary' | 'other cluster' | 'down';
}

export interface PrimaryWatch {
  /**
   * URL of the primary. Throws `DatabaseUnavailable` if no primary is found within two seconds, and `DatabaseUnusable`
   * if servers of different clusters respond before the first primary is found.
   */
  primary(): Promise<string>;
  /** Reports that a connection to `url` failed. `primary()` then checks all hosts before it returns this URL again. */
  suspect(url: string): void;
  check(): Promise<readonly Host[]>;
  onMove(listener: () => void): void;
  close(): void;
}

interface HostState {
  readonly url: string;
  /** The system identifier, which standbys share with their primary; `null`: the host is down. */
  readonly cluster: string | null;
  /** `null` if the server rejects writes or is down. */
  readonly timeline: number | null;
  readonly failure: string | null;
}

interface Primary {
  readonly url: string;
  readonly cluster: string;
  readonly timeline: number;
}

export function watchHosts(databaseUrl: string): {
  readonly url: string;
  readonly watch: PrimaryWatch | null;
} {
  const urls = hostUrls(databaseUrl);
  return { url: urls[0]!, watch: urls.length === 1 ? null : createPrimaryWatch(urls) };
}

/**
 * `urls`: one per host. The first call of `primary` or `check` checks the hosts. After that, they are checked every two
 * seconds until `close` is called. Throws `DatabaseUnusable` if the TLS parameters of a URL cannot be used.
 */
export function createPrimaryWatch(urls: readonly string[]): PrimaryWatch {
  const hosts = urls.map((url) => ({ url, options: connectionOptions(url) }));
  let lastPrimary: Primary | null = null;
  /** Whether the known primary may have been replaced. */
  let isDoubted = true;
  let suspicions = 0;
  let reasons = '';
  /** Error message if hosts of several clusters respond and no primary is known yet. */
  let mixture: string | null = null;
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const checkHosts = singleFlight(async (): Promise<readonly Host[]> => {
    const suspicionsBefore = suspicions;
    const states = await Promise.all(hosts.map(checkHost));
    const cluster = lastPrimary?.cluster ?? onlyClusterOf(states);
    mixture = cluster === null ? mixtureOf(states) : null;
    const next = nextPrimary(states, cluster, lastPrimary);
    if (next !== undefined) {
      const hasMoved = lastPrimary !== null && lastPrimary.url !== next.url;
      lastPrimary = next;
      isDoubted = suspicions !== suspicionsBefore;
      if (hasMoved) for (const listener of listeners) listener();
    } else if (states.some(({ url, failure }) => url === lastPrimary?.url && failure === null)) {
      isDoubted = true;
    }
    const hostsWithRoles = states.map((host) => ({
      ...host,
      role: roleOf(host, cluster, host.url === next?.url),
    }));
    reasons = hostsWithRoles.map(reasonOf).join('; ');
    return hostsWithRoles;
  });
  const check = () => {
    if (!isClosed) timer ??= setInterval(check, WATCH_MS).unref();
    return checkHosts();
  };

  return {
    primary: async () => {
      const endMs = monotonicMs() + FIND_WITHIN_MS;
      while (!isClosed) {
        if (lastPrimary !== null && !isDoubted) return lastPrimary.url;
        await check();
        if (lastPrimary !== null && !isDoubted) return lastPrimary.url;
        if (mixture !== null) throw new DatabaseUnusable(mixture);
        if (monotonicMs() + SEARCH_MS >= endMs) {
          throw new DatabaseUnavailable(
            `PostgreSQL: none of the hosts in DATABASE_URL accepts writes (${reasons}).`,
          );
        }
        await sleep(SEARCH_MS);
      }
      throw new DatabaseUnavailable('PostgreSQL: the service is stopping.');
    },
    suspect: (url) => {
      if (url !== lastPrimary?.url) return;
      suspicions += 1;
      isDoubted = true;
    },
    check,
    onMove: (listener) => void listeners.add(listener),
    close: () => {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

/** Returns `undefined` if no host can be the primary, or if several can and none of them is the known primary. */
function nextPrimary(
  states: readonly HostState[],
  cluster: string | null,
  previous: Primary | null,
): Primary | undefined {
  const primaries = states.filter(
    (host): host is HostState & Primary => host.cluster === cluster && host.timeline !== null,
  );
  const newest = Math.max(previous?.timeline ?? 0, ...primaries.map(({ timeline }) => timeline));
  const current = primaries.filter(({ timeline }) => timeline === newest);
  // Independently promoted standbys may have the same timeline. If one of them is the known primary, keep it.
  return current.find(({ url }) => url === previous?.url) ?? (current.length === 1 ? current[0] : undefined);
}

const reasonOf = ({ url, role, failure }: HostState & Host): string =>
  `${new URL(url).host}: ${failure ?? REASONS[role] ?? role}`;

const REASONS: Partial<Record<Host['role'], string>> = {
  'other cluster':
    'not in the cluster of the previous primary; remove it, or restart the service if the cluster was upgraded or restored',
};

/** The cluster of the responding hosts. `null` if no host responds or the hosts belong to several clusters. */
function onlyClusterOf(states: readonly HostState[]): string | null {
  const [cluster = null, ...others] = new Set(states.flatMap((host) => host.cluster ?? []));
  return others.length === 0 ? cluster : null;
}

function mixtureOf(states: readonly HostState[]): string | null {
  const responding = states.filter(({ cluster }) => cluster !== null);
  if (responding.length === 0) return null;
  const words = responding.map(
    ({ url, cluster }) => `${new URL(url).host} has the system identifier ${cluster}`,
  );
  return `DATABASE_URL names servers of different clusters: ${words.join(', ')}. Name one primary and its standbys.`;
}

function roleOf(host: HostState, cluster: string | null, isPrimary: boolean): Host['role'] {
  if (host.cluster === null) return 'down';
  if (host.cluster !== cluster) return 'other cluster';
  if (host.timeline === null) return 'standby';
  return isPrimary ? 'primary' : 'former primary';
}

/** The first eight digits of a WAL file name are the timeline. */
const READ_STATE = `select (select system_identifier::text from pg_control_system()) as cluster, case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
  then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`;

const checkHost = ({ url, options }: { url: string; options: ConnectionOptions }): Promise<HostState> =>
  askServer(options, HOST_TIMEOUT_MS, async (client) => {
    const { rows } = await client.query<{ cluster: string; timeline: string | null }>(READ_STATE);
    const { cluster, timeline } = rows[0]!;
    return {
      url,
      cluster,
      timeline: timeline === null ? null : Number.parseInt(timeline, 16),
      failure: null,
    };
  }).catch((error) => {
    const failure = error instanceof Error ? withRemedy(error) : String(error);
    return { url, cluster: null, timeline: null, failure };
  });
