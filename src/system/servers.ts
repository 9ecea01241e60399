/** Where a database is on several servers: which can be used, and whether a failover could lose a redemption. */
import type { DatabaseReport } from '../store/database.ts';
import { type Check, failed, passed } from './check.ts';

/** PostgreSQL: the standbys that a commit waits for. */
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
