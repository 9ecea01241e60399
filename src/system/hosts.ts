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
