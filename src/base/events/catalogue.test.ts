/** The compiler checks the events of verbs. `tsc` fails if one of the lines below no longer has the expected error. */
import { expect, expectTypeOf, test } from 'vitest';
import { message } from '../../platform/languages/translate.ts';
import {
  causes,
  EVENT_KINDS,
  type EventData,
  type EventType,
  type Exactly,
  impersonalData,
  isDecision,
  operatorsSentence,
  sharedWebhookOf,
  WEBHOOK_EVENT_TYPES,
  webhookOf,
} from './catalogue.ts';
import { event } from './event-kind.ts';
import { fact, type Member, optional, person } from './members.ts';
import type { EventRecord } from './queries.ts';

const check = <T extends EventType, const D extends EventData<T>>(_type: T, _data: Exactly<T, D>): void => {};
const isSet = Math.random() < 2;

test('the data of a new event must have the members of its type', () => {
  check('account.suspended', { ...(isSet && { reason: 'Spam.' }), sessions: 2 });
  // @ts-expect-error: misspelt.
  check('account.suspended', { resaon: 'Spam.' });
  // @ts-expect-error: misspelt in a spread, where TypeScript doesn't look for unknown members.
  check('account.suspended', { ...(isSet && { resaon: 'Spam.' }) });
  // @ts-expect-error: `to` is missing.
  check('account.renamed', { from: 'Ada' });
  // @ts-expect-error: a number.
  check('account.renamed', { from: 'Ada', to: 5 });
});

test('the data of a change must have the members of this change', () => {
  check('listing.changed', { change: 'featured', slug: 'notes', place: 1 });
  // @ts-expect-error: an offer’s change.
  check('listing.changed', { change: 'paused', slug: 'notes' });
  // @ts-expect-error: `place` is missing.
  check('listing.changed', { change: 'featured', slug: 'notes' });
  // @ts-expect-error: another change has this member.
  check('listing.changed', { change: 'deleted', slug: 'notes', place: 1 });
});

test('an event must say of each member whether it is about a person', () => {
  const { title } = EVENT_KINDS['account.created'];
  event({
    title,
    data: { email: person(), sessions: optional(fact<number>()) },
    audit: ({ email }) => message('{who} tested {email}.', { email }),
  });
  // @ts-expect-error: no sentence.
  event({ title, data: { email: person() } });
  // @ts-expect-error: no class.
  event({ title, data: { email: 'text' }, audit: () => message('{who} tested.') });
  // @ts-expect-error: misspelt.
  event({ title, data: { email: person() }, audit: ({ emial }) => message('{who} {emial}.', { emial }) });
});

test('data from the database may lack every member', () => {
  type Renamed = EventRecord<'account.renamed'>['data'];
  expectTypeOf<Renamed['to']>().toEqualTypeOf<string | null | undefined>();
});

const entries = Object.entries(EVENT_KINDS).flatMap(([type, kind]) => [
  [type, null, kind] as const,
  ...Object.entries(kind.changes ?? {}).map(([change, entry]) => [type, change, entry] as const),
]);

test('no event about a person has an email address, a name, a network or a note that erasure keeps', () => {
  const aboutPerson = entries.filter(([type]) => !/^(?:listing|offer|claim|endpoint|settings)\./.test(type));
  const undeclared = aboutPerson.flatMap(([type, , { data }]) =>
    Object.entries(data).flatMap(([name, { is }]) =>
      is === 'fact' && /^(?:.*e?mail|name|reason|message|ip|network|address)$/.test(name)
        ? [`${type} ${name}`]
        : [],
    ),
  );
  // A constant (`asked` or `unused`).
  expect(undeclared).toEqual(['account.deletion_planned reason']);
  expect(aboutPerson.length).toBeGreaterThan(40);
});

test('what operators get of an event has no member that is about a person', () => {
  const marked = (is: string) => `<${is}>`;
  for (const [type, change, { data: members }] of entries) {
    const data = {
      ...Object.fromEntries(Object.entries(members).map(([name, { is }]) => [name, marked(is)])),
      ...(change !== null && { change }),
    };
    const sent = JSON.stringify(impersonalData({ type, data }));
    for (const is of ['person', 'note', 'trail', 'network', 'values']) expect(sent).not.toContain(marked(is));
    const shared = sharedWebhookOf(type as EventType);
    const personal = Object.values(members).filter(({ is }) => /person|note|trail|network/.test(is));
    // The members of a change are not in the data of the type.
    if (personal.length > 0) expect([type, change, shared]).toEqual([type, change, undefined]);
  }
});

const ODD = [undefined, null, 5, true, 'constructor', ['x'], { x: 1 }];
const oddData = (
  members: Readonly<Record<string, Member<unknown>>>,
  change: string | null,
  odd: unknown,
) => ({
  ...Object.fromEntries(Object.keys(members).map((name) => [name, odd])),
  ...(change !== null && { change }),
});

test('the data of a webhook has exactly the members that its description has', () => {
  const subjects = { claims: new Map(), offers: new Map(), listings: new Map() };
  const id = '019a9f6c-7d1e-7c3a-9b52-4f0d8e6a1c37';
  for (const type of WEBHOOK_EVENT_TYPES) {
    const { data, body } = webhookOf(type);
    // The subject is unknown, and another version has written the event.
    const sent = body({ subjectId: id, at: '2026-11-20T10:00:00.000Z', data: { offer_id: id } }, subjects);
    expect([type, Object.keys(data.parse(sent)).sort()]).toEqual([type, Object.keys(sent).sort()]);
  }
});

test('readers accept data that another version has written', () => {
  const subjects = { claims: new Map(), offers: new Map(), listings: new Map() };
  for (const [type, change, { data: members }] of entries) {
    for (const odd of ODD) {
      const data = oddData(members, change, odd);
      expect(typeof isDecision({ type, data })).toBe('boolean');
      expect(typeof causes({ type, data }, 'review')).toBe('boolean');
      const impersonal = impersonalData({ type, data });
      expect(
        String(operatorsSentence(type as EventType, (member) => String(impersonal[member] ?? ''))),
      ).not.toBe('');
      if (!WEBHOOK_EVENT_TYPES.some((known) => known === type)) continue;
      const { body, chat } = webhookOf(type as (typeof WEBHOOK_EVENT_TYPES)[number]);
      const sent = body({ subjectId: '1', at: '2026-11-20T10:00:00.000Z', data }, subjects);
      expect(String(chat((member) => String(sent[member])))).not.toBe('');
    }
  }
});
