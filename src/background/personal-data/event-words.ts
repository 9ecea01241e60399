/** Removes personal data from events: email addresses, names, network addresses, and reasons given by operators. */
import { DELETED_TEXT } from '../../people/accounts/account.ts';

type Data = Readonly<Record<string, unknown>>;

/** Types of events about a person, as opposed to listings, offers and claims. */
const ABOUT_PERSON = /^(?:account|session|key|operator_key)\./;
/** Fields that are removed. */
const NETWORKS: ReadonlySet<string> = new Set(['ip', 'network']);
/** Fields whose values are replaced with `DELETED_TEXT`. */
const MEMBERS: ReadonlySet<string> = new Set(['email', 'name', 'reason']);
/** Types whose `FORMER` fields contain email addresses or names. */
const WITH_FORMER: ReadonlySet<string> = new Set(['account.renamed', 'session.email_changed']);
/** Fields with the old value, the new value, and the intermediate values of merged edits. */
const FORMER: ReadonlySet<string> = new Set(['from', 'to', 'through']);
/** The only type whose `reason` is kept, because it is a constant (`asked`, `unused`), not an operator's text. */
const PLANNED = 'account.deletion_planned';

export function withoutPerson(type: string, data: Data): Data | null {
  if (!ABOUT_PERSON.test(type)) return null;
  const isOfPerson = (name: string) =>
    NETWORKS.has(name) ||
    (MEMBERS.has(name) && !(name === 'reason' && type === PLANNED)) ||
    (WITH_FORMER.has(type) && FORMER.has(name));
  const isKept = (name: string, value: unknown) =>
    !isOfPerson(name) || value === null || value === DELETED_TEXT;
  const entries = Object.entries(data);
  if (entries.every(([name, value]) => isKept(name, value))) return null;
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      if (isKept(name, value)) return [[name, value]];
      return NETWORKS.has(name) || name === 'through' ? [] : [[name, DELETED_TEXT]];
    }),
  );
}

export function withoutNetworks(type: string, data: Data): Data | null {
  const entries = Object.entries(data);
  if (!type.startsWith('session.') || !entries.some(([name]) => NETWORKS.has(name))) return null;
  return Object.fromEntries(entries.filter(([name]) => !NETWORKS.has(name)));
}
