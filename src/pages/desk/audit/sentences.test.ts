import { expect, test } from 'vitest';
import { EVENT_KINDS } from '../../../base/events/catalogue.ts';
import { inLanguage } from '../../../platform/languages/language.ts';
import { t } from '../../../platform/languages/translate.ts';
import { describeEvent, EVENT_TYPE_NAMES } from './sentences.ts';

function describe(type: string, data: Record<string, unknown>, actor = 'account:2') {
  const event = { type, data, actor, at: '2026-11-20T10:00:00.000Z', subjectId: '1' };
  const { sentence, details } = describeEvent(event, {
    zone: 'Europe/Berlin',
    planName: (plan) =>
      new Map([
        ['starter', 'Starter'],
        ['studio', 'Pro'],
      ]).get(plan) ?? plan,
  });
  return {
    sentence: t(sentence, { who: 'Olga' }),
    details: details.map((one) => (typeof one === 'string' ? one : t(one[0], { time: one[1] }))),
  };
}

test.each([
  [
    'account.created',
    { email: 'a@b.example', plan: 'studio', operator: true },
    'Olga created the operator account a@b.example on the Pro plan.',
    null,
  ],
  [
    'account.plan_changed',
    { from: 'starter', to: 'studio' },
    'Olga moved the account from Starter to Pro.',
    null,
  ],
  ['account.asked', { wish: 'plan', plan: 'studio' }, 'Olga asked for the Pro plan.', null],
  [
    'account.request_declined',
    { wish: 'publish', reason: 'Not yet.' },
    'Olga declined the request for permission to publish.',
    'Not yet.',
  ],
  [
    'listing.approved',
    { slug: 'notes', from: 'pending', origin: 'https://n.example' },
    'Olga approved the listing notes.',
    'Its site is n.example.',
  ],
  [
    'listing.approved',
    { slug: 'notes', from: 'suspended' },
    'Olga lifted the suspension of the listing notes.',
    null,
  ],
  ['listing.rejected', { slug: 'notes', reason: 'No app.' }, 'Olga rejected the listing notes.', 'No app.'],
  [
    'listing.changed',
    { slug: 'notes', change: 'decision_undone', decision: 'request_changes' },
    'Olga undid the decision to ask for changes to the listing notes.',
    null,
  ],
  [
    'listing.changed',
    {
      slug: 'notes',
      change: 'edited',
      from: { url: 'a', summary: null },
      to: { url: 'b', summary: 'x'.repeat(90) },
    },
    'Olga edited the listing notes.',
    `Website: “a” → “b”; summary: none → “${'x'.repeat(80)}…”`,
  ],
  [
    'offer.changed',
    { change: 'created', offer: 'Half', listing: 'notes', origin: 'https://n.example', waits: true },
    'Olga created the offer “Half” of the listing notes.',
    'Its redemption link leads to n.example and needs approval.',
  ],
  [
    'key.rolled',
    { name: 'shop', mode: 'live', start: 'aB3d', expires_at: '2026-11-20T10:00:00.000Z' },
    'Olga rolled the live API key “shop” (aB3d…).',
    'The old key works until 2026-11-20T10:00:00.000Z.',
  ],
  [
    'offer.changed',
    {
      change: 'edited',
      offer: 'Half',
      from: { ends_at: null },
      to: { ends_at: '2026-11-30T22:59:59.999Z' },
    },
    'Olga edited the offer “Half”.',
    'End date: none → 30 Nov 2026, 23:59 CET',
  ],
  [
    'claim.created',
    { via: 'spring', replaces: 'x' },
    'Olga issued a claim with the label spring in place of a redeemed one.',
    null,
  ],
  [
    'settings.changed',
    {
      changes: [
        { name: 'Name', from: 'A', to: 'B' },
        { name: 'price', of: 'Studio', from: null, to: '€9' },
        {
          name: 'Email domains of members',
          from: { items: [], others: 0 },
          to: { items: ['a.example'], others: 3 },
        },
        { name: 'Logo', picture: 'removed' },
      ],
    },
    'Olga changed the settings.',
    'Name: B (was A); Studio: price: €9 (was not set); Email domains of members: a.example and 3 more (was none); Logo: removed.',
  ],
  [
    'account.suspended',
    { with_account: 'ada' },
    'Olga suspended the account.',
    'Suspended together with the account ada.',
  ],
  ['something.new_here', {}, 'Olga: something new here.', null],
  ['__proto__', {}, 'Olga:   proto  .', null],
])('describes %s with the data %j', (type, data, sentence, detail) => {
  expect(describe(type, data)).toEqual({ sentence, details: detail === null ? [] : [detail] });
});

test('details are stored as facts, and written in the language of the reader', () => {
  const changes = [{ name: 'Who may see the marketplace', from: false, to: null }];
  const { details } = inLanguage('de', () => describe('settings.changed', { changes }));
  expect(details).toEqual(['Wer den Marktplatz sehen darf: nicht gesetzt (vorher: aus).']);
  const texts = { slug: 'notes', change: 'edited', from: { summary: 'a' }, to: { summary: 'b' } };
  expect(inLanguage('de', () => describe('listing.changed', texts)).details).toEqual([
    'Kurzbeschreibung: „a“ → „b“',
  ]);
  expect(
    inLanguage('de', () => describe('system.check_failed', { check: 'mail delivery' })).sentence,
  ).toContain('Mail-Zustellung');
});

test('describeEvent says “signed up” if the actor created their own account', () => {
  expect(describe('account.created', { email: 'a@b.example' }, 'account:1').sentence).toBe(
    'Olga signed up as a@b.example.',
  );
});

test('describeEvent returns a sentence for every event type and change, even without data', () => {
  const changes = Object.entries(EVENT_KINDS).flatMap(([type, kind]) =>
    [undefined, 'invented', ...Object.keys(kind.changes ?? {})].map((change) => ({ type, change })),
  );
  expect(changes.length).toBeGreaterThan(Object.keys(EVENT_TYPE_NAMES).length);
  for (const { type, change } of changes) {
    const { sentence } = describe(type, { change });
    expect(sentence).toMatch(/^Olga .*\.$/);
    expect(sentence).not.toMatch(/undefined|null|\[object/);
  }
});

test('describeEvent accepts members of any type, because another version may have written the event', () => {
  for (const [type, { data, changes = {} }] of Object.entries(EVENT_KINDS)) {
    for (const [change, members] of [
      ['', data],
      ...Object.entries(changes).map(([name, one]) => [name, one.data]),
    ]) {
      for (const odd of [null, 5, true, 'constructor', ['x'], { x: { y: 1 } }]) {
        const all = Object.fromEntries(Object.keys(members!).map((name) => [name, odd]));
        const { sentence } = describe(type, { ...all, change });

        expect(sentence).toMatch(/^Olga .*\.$/s);
      }
    }
  }
});
