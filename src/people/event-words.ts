/** Removes personal data from events: addresses, names, networks, and what operators wrote about the person. */
import { DELETED_TEXT } from '../accounts/account.ts';

type Data = Readonly<Record<string, unknown>>;

/** Types of events about the person. Events about listings, offers and claims are about the marketplace. */
const ABOUT_PERSON = /^(?:account|session|key|operator_key)\./;
/** Fields of an event's data that are removed. */
const NETWORKS: ReadonlySet<string> = new Set(['ip', 'network']);
/** Fields whose values are replaced. */
const MEMBERS: ReadonlySet<string> = new Set(['email', 'name', 'reason']);
/** Types in which the `FORMER` fields are addresses or names. */
const WITH_FORMER: ReadonlySet<string> = new Set(['account.renamed', 'session.email_changed']);
/** The old value, the new one, and the values of merged edits in between. */
const FORMER: ReadonlySet<string> = new Set(['from', 'to', 'through']);
/** In this type, `reason` is a fixed word (`asked`, `unused`) instead of an operator's text, so `reason` is kept. */
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
