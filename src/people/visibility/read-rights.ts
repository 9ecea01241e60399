import type { Context } from '../../base/context.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { readPolicy } from '../accounts/policy.ts';
import { findAccountsWith, readPersonFacts } from './queries.ts';
import { isForMembers, mayView, rightsOf, type ViewedListing, type ViewRights } from './visibility.ts';

/** Not cached, so that a lost membership takes effect with the next request. `null`: a person without a session. */
type ReadRights = (viewer: { readonly personId: string } | null) => Promise<ViewRights>;

export const createReadRights =
  ({ db }: Pick<Context, 'db'>, hasProvider: boolean): ReadRights =>
  async (viewer) => {
    const ids = viewer === null ? [] : [viewer.personId];
    const [policy, people] = await Promise.all([readPolicy(db.read), readPersonFacts(db.read, ids)]);
    return rightsOf(people.values().next().value ?? null, policy, hasProvider);
  };

/** Whether people without a session can't see the listing, so that it has no badge, preview or entry in the feed. */
export const readIsForMembers = async (
  db: Queryable,
  listing: Pick<ViewedListing, 'visibility'>,
): Promise<boolean> => isForMembers(listing, await readPolicy(db));

/** Which of the addresses belong to people who may see the listing. Without an account, a person is a stranger. */
export async function addressesThatMayView(
  db: Queryable,
  listing: ViewedListing,
  addresses: readonly string[],
  hasProvider: boolean,
): Promise<ReadonlySet<string>> {
  const policy = await readPolicy(db);
  if (!isForMembers(listing, policy)) return new Set(addresses);
  const people = await readPersonFacts(db, await findAccountsWith(db, addresses));
  const members = [...people.values()].filter((one) => mayView(rightsOf(one, policy, hasProvider), listing));
  return new Set(members.map(({ email }) => email));
}

/** The rights of people without a session, which other sites and search engines have, too. */
export const readStrangerRights = async (db: Queryable): Promise<ViewRights> =>
  rightsOf(null, await readPolicy(db), false);
