/** Removes personal data from events. The catalogue of events says which members are personal. */
import { entryOf } from '../../base/events/catalogue.ts';
import type { MemberClass, Values } from '../../base/events/members.ts';
import { DELETED_TEXT } from '../../people/accounts/account.ts';

const ERASURES: Readonly<Record<MemberClass, 'keep' | 'replace' | 'remove'>> = {
  fact: 'keep',
  plan: 'keep',
  listing: 'keep',
  values: 'keep',
  person: 'replace',
  note: 'replace',
  trail: 'remove',
  network: 'remove',
};

/** Returns `null` if there is nothing to erase. A member that the catalogue doesn't declare is removed. */
export function withoutPerson(type: string, data: Values): Values | null {
  const members = entryOf({ type, data })?.data ?? {};
  const isErased = (value: unknown) => value === null || value === DELETED_TEXT;
  return changed(data, (name, value) => {
    const erasure = Object.hasOwn(members, name) ? ERASURES[members[name]!.is] : 'remove';
    if (erasure === 'keep' || isErased(value)) return value;
    return erasure === 'replace' ? DELETED_TEXT : undefined;
  });
}

/** Returns `null` if the event has no network address. */
export function withoutNetworks(type: string, data: Values): Values | null {
  const members = entryOf({ type, data })?.data ?? {};
  const isNetwork = (name: string) => Object.hasOwn(members, name) && members[name]!.is === 'network';
  return changed(data, (name, value) => (isNetwork(name) ? undefined : value));
}

/** For the person's own copy. */
export function withoutNotes(type: string, data: Values): Values {
  const members = entryOf({ type, data })?.data ?? {};
  return changed(data, (name, value) => (members[name]?.is === 'note' ? undefined : value)) ?? data;
}

/** `undefined` removes a member. Returns `null` if nothing changes. */
function changed(data: Values, replace: (name: string, value: unknown) => unknown): Values | null {
  const entries = Object.entries(data).map(([name, value]) => [name, replace(name, value)] as const);
  if (entries.every(([name, value]) => value === data[name])) return null;
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
