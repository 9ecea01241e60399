/** The standby that lists, counts and exports are read from. */
import { explainFailure } from '../failure.ts';
import { DatabaseUnfit, type StandbyFault, type StandbyReport } from '../store/database.ts';
import { type Check, failed, passed } from './check.ts';

const REMEDIES: Readonly<Record<StandbyFault['kind'], string>> = {
  away: 'Bring it back, or unset DATABASE_READ_URL.',
  behind: 'Find out what holds it up.',
  'not a standby': 'Name a standby in DATABASE_READ_URL.',
  'other timeline':
    'This ends with its next restart point, within some minutes, where it follows the primary; otherwise make it a standby of the primary.',
  foreign: 'Name a standby of the primary in DATABASE_READ_URL, with the same database.',
  distributed: 'Unset DATABASE_READ_URL.',
};

/**
 * Throws `DatabaseUnfit` for a server that is no copy of the primary, and where Citus distributes the tables, so that
 * no single server is a copy. A server that is away is not refused.
 */
export async function refuseForeignStandby(report: () => Promise<StandbyReport | null>): Promise<void> {
  const standby = await report();
  if (standby === null || standby.fault === null) return;
  const { kind, words } = standby.fault;
  if (kind !== 'foreign' && kind !== 'distributed') return;
  const what =
    kind === 'foreign'
      ? 'DATABASE_READ_URL names a server that is no standby of the primary'
      : 'DATABASE_READ_URL cannot be used';
  throw new DatabaseUnfit(`${what}: ${standby.host} ${words}. ${REMEDIES[kind]}`);
}

/** `report`: see `StaleReads.report`. */
export async function examineReads(report: () => Promise<StandbyReport | null>): Promise<readonly Check[]> {
  const check = 'reads';
  try {
    const standby = await report();
    if (standby === null) return [];
    const { host, lagMs, fault } = standby;
    if (fault === null) {
      const lag = `${((lagMs ?? 0) / 1_000).toFixed(1)} s behind`;
      return [passed(check, `the standby ${host} serves lists, counts and exports; it is ${lag}`)];
    }
    const words = `${host} ${fault.words}. Until then lists, counts and exports are read from the primary.`;
    return [failed(check, `${words} ${REMEDIES[fault.kind]}`)];
  } catch (error) {
    return [failed(check, explainFailure(error))];
  }
}
