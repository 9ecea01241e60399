/**
 * Finds the server that takes writes among several hosts, and follows when another one is promoted. Each promotion begins
 * a new timeline (postgresql.org/docs/current/continuous-archiving, "Timelines"), so of two servers that both take writes
 * the one with the lower number is a former primary: it lacks redemptions, and is refused. Numbers of different clusters
 * say nothing of each other, so the identifier of the cluster is compared first.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hostUrls } from '../../network/database-hosts.ts';
import { DatabaseUnavailable, DatabaseUnfit, monotonicMs } from '../database.ts';
import { type ConnectionOptions, connectionOptions } from './connection-options.ts';
import { withRemedy } from './start-failure.ts';

/** A host that does not answer within this is away. */
const HOST_TIMEOUT_MS = 1_000;
/** Between two looks at all hosts while the primary answers. */
const WATCH_MS = 2_000;
/** The same while none takes writes. */
const SEARCH_MS = 100;
/** How long a caller waits for a primary: the time of a connection. */
const FIND_WITHIN_MS = 2_000;

export interface Host {
  readonly url: string;
  /**
   * `former primary`: it takes writes, but another server was promoted in its place. `other cluster`: it is neither the
   * primary nor a copy of it.
   */
  readonly role: 'primary' | 'standby' | 'former primary' | 'other cluster' | 'away';
}

export interface PrimaryWatch {
  /**
   * URL of the server that takes writes. Throws `DatabaseUnavailable` where none is found within two seconds, and
   * `DatabaseUnfit` where the first look finds servers of different clusters.
   */
  primary(): Promise<string>;
  /** A connection to this primary failed: the hosts are looked at before it is named again. */
  suspect(url: string): void;
  /** All hosts as they are now. */
  look(): Promise<readonly Host[]>;
  /** `listener` is called when another server than before is the primary. */
  onMove(listener: () => void): void;
  close(): void;
}

/**
 * `cluster`: its system identifier, which a standby shares with its primary. `timeline`: `null` where it takes no writes.
 * `failure`: why it could not be asked.
 */
type Found = { readonly cluster: string; readonly timeline: number | null } | { readonly failure: string };

interface Primary {
  readonly url: string;
  readonly cluster: string;
  readonly timeline: number;
}

/** The hosts of a DATABASE_URL: one URL where it names one, and otherwise a watch over them all. */
export function watchHosts(databaseUrl: string): {
  readonly url: string;
  readonly watch: PrimaryWatch | null;
} {
  const urls = hostUrls(databaseUrl);
  return { url: urls[0]!, watch: urls.length === 1 ? null : createPrimaryWatch(urls) };
}

/**
 * `urls`: one of each host. The watch looks when it is first asked, and then every two seconds until it is closed.
 * Throws `DatabaseUnfit` for a URL that cannot be used.
 */
export function createPrimaryWatch(urls: readonly string[]): PrimaryWatch {
  const hosts = urls.map((url) => ({ url, options: connectionOptions(url) }));
  let known: Primary | null = null;
  /** Whether the known primary may no longer be the primary. A look that cannot connect to it does not change this. */
  let isDoubted = true;
  let suspicions = 0;
  let looking: Promise<readonly Host[]> | undefined;
  /** Why no host is the primary. */
  let reasons = '';
  /** While no primary is known: the sentence for hosts of several clusters. Otherwise `null`. */
  let mixture: string | null = null;
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const lookNow = async (): Promise<readonly Host[]> => {
    const suspicionsBefore = suspicions;
    const found = await Promise.all(
      hosts.map(async ({ url, options }) => ({ url, host: await lookAt(options) })),
    );
    const cluster = known?.cluster ?? onlyClusterOf(found);
    mixture = cluster === null ? mixtureOf(found) : null;
    const next = nextPrimary(found, cluster, known);
    if (next !== undefined) {
      const hasMoved = known !== null && known.url !== next.url;
      known = next;
      isDoubted = suspicions !== suspicionsBefore;
      if (hasMoved) for (const listener of listeners) listener();
    } else if (found.some(({ url, host }) => url === known?.url && !('failure' in host))) {
      isDoubted = true;
    }
    const seen = found.map(({ url, host }) => ({
      url,
      host,
      role: roleOf(host, cluster, url === next?.url),
    }));
    reasons = seen.map(reasonOf).join('; ');
    return seen.map(({ url, role }) => ({ url, role }));
  };
  const look = () => {
    if (!isClosed) timer ??= setInterval(look, WATCH_MS).unref();
    looking ??= lookNow().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    primary: async () => {
      const endMs = monotonicMs() + FIND_WITHIN_MS;
      while (!isClosed) {
        if (known !== null && !isDoubted) return known.url;
        await look();
        if (known !== null && !isDoubted) return known.url;
        if (mixture !== null) throw new DatabaseUnfit(mixture);
        if (monotonicMs() + SEARCH_MS >= endMs) {
          throw new DatabaseUnavailable(
            `PostgreSQL: none of the hosts of DATABASE_URL can take writes (${reasons}).`,
          );
        }
        await sleep(SEARCH_MS);
      }
      throw new DatabaseUnavailable('PostgreSQL: the service is stopping.');
    },
    suspect: (url) => {
      if (url !== known?.url) return;
      suspicions += 1;
      isDoubted = true;
    },
    look,
    onMove: (listener) => void listeners.add(listener),
    close: () => {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

/** The server to follow, if it is known which one. */
function nextPrimary(found: Looked, cluster: string | null, known: Primary | null): Primary | undefined {
  const primaries = found.flatMap(({ url, host }) =>
    'failure' in host || host.timeline === null || host.cluster !== cluster
      ? []
      : [{ url, cluster, timeline: host.timeline }],
  );
  const newest = Math.max(known?.timeline ?? 0, ...primaries.map(({ timeline }) => timeline));
  const current = primaries.filter(({ timeline }) => timeline === newest);
  // Two servers that were promoted separately may have the same number: it is not known which one to follow.
  return current.find(({ url }) => url === known?.url) ?? (current.length === 1 ? current[0] : undefined);
}

const reasonOf = ({ url, host, role }: Host & { readonly host: Found }): string =>
  `${new URL(url).host}: ${'failure' in host ? host.failure : (REASONS[role] ?? role)}`;

/** What the message says of a role that does not explain itself. */
const REASONS: Partial<Record<Host['role'], string>> = {
  'other cluster':
    'a server of another cluster than the primary before; take it out, or restart the service if the cluster was upgraded or restored',
};

type Looked = readonly { readonly url: string; readonly host: Found }[];

const clustersOf = (found: Looked): readonly { readonly host: string; readonly cluster: string }[] =>
  found.flatMap(({ url, host }) =>
    'failure' in host ? [] : [{ host: new URL(url).host, cluster: host.cluster }],
  );

/** The cluster of the hosts that answer; `null` where none answers, or they are of several. */
function onlyClusterOf(found: Looked): string | null {
  const [cluster = null, ...others] = new Set(clustersOf(found).map((each) => each.cluster));
  return others.length === 0 ? cluster : null;
}

/** The sentence for hosts of several clusters; `null` where none answers. */
function mixtureOf(found: Looked): string | null {
  const clusters = clustersOf(found);
  if (clusters.length === 0) return null;
  const words = clusters.map(({ host, cluster }) => `${host} has the system identifier ${cluster}`);
  return `DATABASE_URL names servers of different clusters: ${words.join(', ')}. Name one primary and its standbys.`;
}

function roleOf(host: Found, cluster: string | null, isPrimary: boolean): Host['role'] {
  if ('failure' in host) return 'away';
  if (host.cluster !== cluster) return 'other cluster';
  if (host.timeline === null) return 'standby';
  return isPrimary ? 'primary' : 'former primary';
}

/** The first eight digits of the name of a log file are the timeline. */
const LOOK = `select (select system_identifier::text from pg_control_system()) as cluster, case when not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'
  then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`;

async function lookAt(options: ConnectionOptions): Promise<Found> {
  const client = new pg.Client({
    ...options,
    connectionTimeoutMillis: HOST_TIMEOUT_MS,
    query_timeout: HOST_TIMEOUT_MS,
    application_name: 'claimcheck watch',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ cluster: string; timeline: string | null }>(LOOK);
    const { cluster, timeline } = rows[0]!;
    return { cluster, timeline: timeline === null ? null : Number.parseInt(timeline, 16) };
  } catch (error) {
    return { failure: error instanceof Error ? withRemedy(error) : String(error) };
  } finally {
    // Not awaited: a frozen server does not answer.
    void client.end().catch(() => {});
  }
}
