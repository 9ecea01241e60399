/** Removes a person from the data of their events: addresses, names, networks and what operators wrote about them. */
import { DELETED_TEXT } from '../accounts/deletion.ts';

type Data = Readonly<Record<string, unknown>>;

/** Kinds of events that are about the person; those of listings, offers and claims are about the marketplace. */
const ABOUT_PERSON = /^(?:account|session|key|operator_key)\./;
const MEMBERS: ReadonlySet<string> = new Set(['email', 'ip', 'network', 'name', 'reason']);
/** Here `from` and `to` are addresses or names; elsewhere plans. */
const WITH_FORMER: ReadonlySet<string> = new Set(['account.renamed', 'session.email_changed']);
const FORMER: ReadonlySet<string> = new Set(['from', 'to', 'through']);
/** Here the reason is one of the service. */
const PLANNED = 'account.deletion_planned';

/** `null`: nothing in it is the person's. */
export function withoutPerson(type: string, data: Data): Data | null {
  if (!ABOUT_PERSON.test(type)) return null;
  const isOfPerson = (name: string, value: unknown) =>
    value !== null &&
    value !== DELETED_TEXT &&
    ((MEMBERS.has(name) && !(name === 'reason' && type === PLANNED)) ||
      (WITH_FORMER.has(type) && FORMER.has(name)));
  const entries = Object.entries(data);
  if (!entries.some(([name, value]) => isOfPerson(name, value))) return null;
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      !isOfPerson(name, value) ? [[name, value]] : name === 'through' ? [] : [[name, DELETED_TEXT]],
    ),
  );
}
