/** The hosts of a database: which one takes writes, and whether a failover could lose a redemption. */
import type { DatabaseReport } from '../store/database.ts';
import { type Check, failed, passed } from './check.ts';

/** PostgreSQL: the standbys that a commit waits for. */
export const STANDBY_SETTING = 'synchronous_standby_names';

/** Of several hosts: which one takes writes, and whether another can take over without losing a redemption. */
export function examineHosts({
  hosts,
  settings,
}: Pick<DatabaseReport, 'hosts' | 'settings'>): readonly Check[] {
  if (hosts.length === 0) return [];
  const words = hosts.map(({ host, role }) => `${host} is ${ROLES[role]}`).join(', ');
  const remedy = FAULTS.find(([role]) => hosts.some((host) => host.role === role))?.[1] ?? null;
  return [
    remedy === null ? passed('hosts', words) : failed('hosts', `${words}. ${remedy}`),
    examineFailover(settings),
  ];
}

/** Roles that are wrong, with what to do; the worst first. */
const FAULTS: readonly (readonly [DatabaseReport['hosts'][number]['role'], string])[] = [
  ['former primary', 'Stop the former primary and make it a standby again: it lacks redemptions.'],
  [
    'other cluster',
    'Take the server of another cluster out of DATABASE_URL, or make it a standby of the primary.',
  ],
  ['away', 'Bring back the host that is away, so that another can fail.'],
];

/** Of the nodes among which tables are distributed: whether each can be used. A connection refuses unsafe settings. */
export function examineNodes({ nodes }: Pick<DatabaseReport, 'nodes'>): readonly Check[] {
  if (nodes.length === 0) return [];
  const words = nodes.map(
    ({ host, isCoordinator }) => `${host} is ${isCoordinator ? 'the coordinator' : 'a worker'}`,
  );
  const away = nodes.filter(({ failure }) => failure !== null);
  if (away.length === 0) return [passed('nodes', `${words.join(', ')}; each takes writes and keeps them`)];
  return [
    failed(
      'nodes',
      `${away.map(({ host, failure }) => `${host} cannot be used (${failure})`).join(', ')}. Bring it back: a worker has the claims of its owners, who get 503 meanwhile, and pages over all owners need every worker.`,
    ),
  ];
}

const ROLES: Readonly<Record<DatabaseReport['hosts'][number]['role'], string>> = {
  primary: 'the primary',
  standby: 'a standby',
  'former primary': 'a former primary that takes writes',
  'other cluster': 'a server of another cluster',
  away: 'away',
};

function examineFailover(settings: DatabaseReport['settings']): Check {
  const standbys = settings[STANDBY_SETTING] ?? '';
  const commit = settings['synchronous_commit'];
  if (standbys === '') {
    return failed(
      'failover',
      `${STANDBY_SETTING} is empty, so a failover may lose acknowledged redemptions; name the standbys there.`,
    );
  }
  return commit === 'local'
    ? failed(
        'failover',
        'synchronous_commit = local does not wait for the standby, so a failover may lose acknowledged redemptions; set it to on.',
      )
    : passed('failover', `a commit waits for a standby (${STANDBY_SETTING} = ${standbys})`);
}
