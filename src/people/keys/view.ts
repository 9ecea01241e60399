import type { Context } from '../../base/context.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import { KEY_PREFIXES, type KeyState, keyState, type Mode, splitNetworks } from './key.ts';
import {
  type ListedKey,
  type ListedOperatorKey,
  listActiveKeyModes,
  listNewestKeys,
  listNewestOperatorKeys,
} from './queries.ts';

/** An active key that expires within this time is shown as expiring. */
const SOON_MS = 7 * DAY_MS;
/** One more than a page shows (`MAX_KEYS_SHOWN`). The command line lists all keys. */
const KEYS_READ = 301;

type View<K> = Omit<K, 'networks'> & {
  readonly networks: readonly string[];
  readonly start: string;
  /** `suspended`: an operator key that is refused because its operator is suspended. */
  readonly state: KeyState | 'suspended';
  readonly endsSoon: boolean;
};
export type KeyView = View<ListedKey>;
export type OperatorKeyView = View<ListedOperatorKey>;

type Reader = Pick<Context, 'db' | 'now'>;

export async function listKeyViews({ db, now }: Reader, accountId: string): Promise<readonly KeyView[]> {
  const at = now();
  const keys = await listNewestKeys(db.read, accountId, toIso(at), KEYS_READ);
  return keys.map((key) => viewOf(key, KEY_PREFIXES[key.mode], keyState(key, at), at));
}

export async function listOperatorKeyViews({ db, now }: Reader): Promise<readonly OperatorKeyView[]> {
  const at = now();
  const keys = await listNewestOperatorKeys(db.read, toIso(at), KEYS_READ);
  return keys.map((key) => {
    const own = keyState(key, at);
    const state = own === 'active' && key.suspended_at !== null ? 'suspended' : own;
    return viewOf(key, KEY_PREFIXES.operator, state, at);
  });
}

const viewOf = <K extends ListedKey | ListedOperatorKey>(
  key: K,
  prefix: string,
  state: View<K>['state'],
  at: number,
): View<K> => ({
  ...key,
  state,
  start: prefix + key.start,
  networks: splitNetworks(key.networks),
  endsSoon: state === 'active' && key.expires_at !== null && Date.parse(key.expires_at) - at <= SOON_MS,
});

/** The dashboard's default mode: `test` if there are active keys and all of them are test keys; otherwise `live`. */
export async function usualMode({ db, now }: Reader, accountId: string): Promise<Mode> {
  const modes = await listActiveKeyModes(db.read, accountId, toIso(now()));
  return modes.length > 0 && !modes.includes('live') ? 'test' : 'live';
}
