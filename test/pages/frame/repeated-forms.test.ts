/**
 * A form that is sent twice, because a response was lost or a button was pressed twice, creates one thing and gets the
 * same response.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../../src/app/service.ts';
import { isUuid } from '../../../src/platform/store/uuid.ts';
import { ENGINES } from '../../support/engines.ts';
import { Person } from '../../support/person.ts';
import { startSite } from '../../support/site.ts';
import type { PersonName } from '../sample-data.ts';
import { pathWith, routesOf } from '../site-routes.ts';
import { dumpRows, openWholeSite, type WholeSite } from '../whole-site.ts';

interface Creating {
  /** Where the form is sent. */
  readonly route: string;
  /** The page that shows the form; default: `route`. `null`: the form is shown only under another policy. */
  readonly page?: string | null;
  readonly person: PersonName | null;
  readonly fields: Readonly<Record<string, string>>;
  /** The table that gets a row. */
  readonly table: string;
  /** If the first response shows a secret, repeats get another one. */
  readonly repeat?: { readonly status: number; readonly says: string };
}

const LINK = 'https://notes.example/welcome?claim={claim}';

/** Forms that create something which has no natural key, so that only the id of the form tells a repeat. */
const WITH_FORM_ID: readonly Creating[] = [
  {
    route: '/dashboard/listings/new',
    person: 'owner',
    fields: { name: 'Twice', slug: 'twice', url: 'https://twice.example/' },
    table: 'listings',
  },
  {
    route: '/dashboard/listings/:id/offers/new',
    person: 'owner',
    fields: { offer: 'Twice', kind: 'discount', redemption_link: LINK },
    table: 'offers',
  },
  {
    route: '/dashboard/listings/:id/duplicate',
    page: '/dashboard/listings/:id',
    person: 'owner',
    fields: {},
    table: 'listings',
  },
  {
    route: '/desk/listings/:id/duplicate',
    page: '/desk/listings/:id',
    person: 'operator',
    fields: {},
    table: 'listings',
  },
  {
    route: '/dashboard/settings/keys',
    page: '/dashboard/settings/keys/new',
    person: 'owner',
    fields: { name: 'Twice', mode: 'live', expires: '' },
    table: 'api_keys',
    repeat: { status: 409, says: 'Twice' },
  },
  {
    route: '/dashboard/settings/members',
    person: 'owner',
    fields: { email: 'twice@people.example', role: 'member' },
    table: 'invitations',
    repeat: { status: 422, says: 'already submitted' },
  },
  {
    route: '/dashboard/listings/:id/access',
    person: 'owner',
    fields: { name: 'Twice', people: '10', days: '7' },
    table: 'access_links',
    repeat: { status: 422, says: 'already submitted' },
  },
  {
    route: '/desk/settings/people/access',
    person: 'operator',
    fields: { name: 'Twice', people: '10', days: '7' },
    table: 'access_links',
    repeat: { status: 422, says: 'already submitted' },
  },
  {
    route: '/desk/keys',
    page: '/desk/keys/new',
    person: 'operator',
    fields: { name: 'Twice', 'claims:read': 'yes', expires: '' },
    table: 'operator_keys',
    repeat: { status: 409, says: 'Twice' },
  },
  {
    route: '/desk/accounts/:id/listings/new',
    person: 'operator',
    fields: { name: 'Twice', slug: 'twice-by-operator', url: 'https://twice.example/' },
    table: 'listings',
  },
  {
    route: '/desk/listings/:id/offers/new',
    person: 'operator',
    fields: { offer: 'Twice', kind: 'discount', redemption_link: LINK },
    table: 'offers',
  },
  {
    route: '/l/:slug/report',
    person: null,
    fields: { cause: 'broken', words: '' },
    table: 'reports',
  },
  // Last, and for an event that no other test causes, because nothing may be sent to the address.
  {
    route: '/dashboard/webhooks',
    page: '/dashboard/webhooks/new',
    person: 'owner',
    fields: { url: 'https://93.184.216.34/twice', format: 'standard', 'listing.rejected': 'yes' },
    table: 'webhook_endpoints',
    repeat: { status: 422, says: 'already submitted' },
  },
  {
    route: '/desk/webhooks',
    page: '/desk/webhooks/new',
    person: 'operator',
    fields: { url: 'https://93.184.216.34/twice', format: 'standard', 'listing.rejected': 'yes' },
    table: 'webhook_endpoints',
    repeat: { status: 422, says: 'already submitted' },
  },
];

/** Forms that create something which exists once anyway, such as one request of an account for a plan. */
const WITH_NATURAL_KEY: readonly Creating[] = [
  {
    route: '/dashboard/ask-to-publish',
    page: null,
    person: 'claimant',
    fields: { message: 'Twice' },
    table: 'account_requests',
  },
  {
    route: '/dashboard/settings/plan/ask',
    page: '/dashboard/settings/plan',
    person: 'stranger',
    fields: { plan: 'everything', message: 'Twice' },
    table: 'account_requests',
  },
  {
    route: '/l/:slug/offers/:offer/claim',
    page: '/l/:slug',
    person: 'stranger',
    fields: {},
    table: 'claim_rows',
  },
  {
    route: '/desk/settings/front-page/categories',
    page: '/desk/settings/front-page',
    person: 'operator',
    fields: { added: 'Twice' },
    table: 'settings',
  },
  {
    route: '/dashboard/campaigns',
    person: 'owner',
    fields: { listing: 'notes', share: 'twice' },
    table: 'label_counts',
  },
  {
    route: '/desk/accounts/invitations',
    page: null,
    person: 'operator',
    fields: { people: 'twice@elsewhere.example', role: 'owner', plan: 'starter' },
    table: 'invitations',
  },
  {
    route: '/desk/listings/new',
    page: null,
    person: 'operator',
    fields: { email: 'twice@owners.example' },
    table: 'accounts',
  },
  {
    route: '/desk/listings/:id/ask',
    page: '/desk/listings/:id',
    person: 'operator',
    fields: { reason: 'Twice?' },
    table: 'listing_questions',
    repeat: { status: 409, says: 'Twice?' },
  },
];

/**
 * Last segments of routes that create nothing, change what exists, or repeat their work on purpose, such as sending a
 * test event. Accounts and passkeys exist once per address and challenge, codes once per offer, and a person is on the
 * waiting list of an offer once. Add a new form that creates something to the lists above, not here.
 */
const CREATES_NOTHING: ReadonlySet<string> = new Set([
  ':code',
  ':id',
  'accept',
  'accept-terms',
  'again',
  'announcement',
  'approve',
  'approve-name',
  'back-up',
  'backup-codes',
  'brand',
  'check',
  'clear',
  'clear-refusal',
  'code',
  'codes',
  'confirm',
  'cover',
  'decide',
  'decline',
  'decline-name',
  'decline-plan',
  'decline-publish',
  'delete',
  'disable',
  'discard-texts',
  'dismiss-reports',
  'edit',
  'email',
  'enable',
  'end',
  'end-sessions',
  'feature',
  'featured',
  'find',
  'forgot-password',
  'general',
  'hide',
  'icon',
  'icon-dark',
  'invitation',
  'keep',
  'language',
  'leave',
  'lift',
  'link',
  'logo',
  'logo-dark',
  'mail',
  'mode',
  'name',
  'off',
  'offer',
  'open',
  'open-test',
  'operator',
  'options',
  'networks',
  'passkey',
  'passkeys',
  'password',
  'pause',
  'people',
  'plan',
  'plans',
  'preview',
  'prove',
  'publisher',
  'question',
  'recover',
  'reject',
  'release',
  'release-codes',
  'remove',
  'replace',
  'request-changes',
  'resend',
  'reset-password',
  'reset-two-factor',
  'restore',
  'resume',
  'retention',
  'revoke',
  'role',
  'roll',
  'search',
  'second-factor',
  'setup',
  'sign-in',
  'sign-out',
  'sign-up',
  'start',
  'submit',
  'suspend',
  'suspend-look-alikes',
  'switch',
  'take-back',
  'test',
  'theme',
  'transfer',
  'two-factor',
  'undo',
  'undo-name',
  'waiting-list',
  'withdraw',
]);

const lastSegment = (path: string): string => path.split('/').at(-1)!;

/** The fields of the form on the page, as a browser without scripts sends them. */
function fieldsOf(html: string, action: string): Readonly<Record<string, string>> {
  const form = html
    .split('<form ')
    .slice(1)
    .map((text) => text.split('</form>', 1)[0]!)
    .find((text) => text.includes(`action="${action}"`));
  if (form === undefined) throw new Error(`The page has no form for ${action}.`);
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(hidden.map(([, name, value]) => [name!, value!]));
}

const countRows = (rows: readonly string[], table: string): number =>
  rows.filter((row) => row.startsWith(`${table} `)).length;

test('every form that creates something is tested here', async () => {
  const site = await openWholeSite('sqlite', { isFilled: false });
  const tested = new Set([...WITH_FORM_ID, ...WITH_NATURAL_KEY].map(({ route }) => route));
  const routes = routesOf(site.service).filter(({ method }) => method === 'POST');
  const unknown = routes.filter(({ path }) => !tested.has(path) && !CREATES_NOTHING.has(lastSegment(path)));
  await site.close();
  expect(unknown.map(({ path }) => path)).toEqual([]);
});

describe.each(ENGINES)('a form that is sent twice on %s', (engine) => {
  let site: WholeSite;
  /** A second process on the same database. SQLite has only one process. */
  let second: Service;
  beforeAll(async () => {
    site = await openWholeSite(engine);
    second = engine === 'sqlite' ? site.service : await startSite(site.dbLocation);
    // Like the jobs of the first process, they would change rows between two dumps.
    await second.jobs.close();
  });
  afterAll(async () => {
    if (second !== site?.service) await second?.stop();
    await site?.close();
  });

  const pathOf = (path: string): string => {
    const route = routesOf(site.service).find((each) => each.path === path)!;
    return pathWith(route, { ...site.ids, draftSlug: site.slug });
  };
  const personAt = (service: Service, name: PersonName | null): Person => {
    const person = new Person(service.baseUrl);
    if (name !== null) {
      for (const [key, value] of site.people[name].person.cookies) person.cookies.set(key, value);
    }
    return person;
  };

  test.each([
    ...WITH_NATURAL_KEY.map((form) => ({ ...form, hasId: false })),
    ...WITH_FORM_ID.map((form) => ({ ...form, hasId: true })),
  ])('$route', async ({ route, page = route, person, fields, table, repeat, hasId }) => {
    const action = pathOf(route);
    const [first, other] = [personAt(site.service, person), personAt(second, person)];
    const shown = page === null ? {} : fieldsOf((await first.get(pathOf(page))).text, action);
    expect(isUuid(shown['form'] ?? ''), 'the form carries an id').toBe(hasId);
    const form = { ...shown, ...fields };
    const before = countRows(await dumpRows(site), table);
    const answers = await Promise.all([first.post(action, form), other.post(action, form)]);
    const after = await dumpRows(site);
    expect(countRows(after, table)).toBe(before + 1);
    const again = await first.post(action, form);
    const created = answers.filter(({ status }) => status < 400);
    expect(created.length).toBe(repeat === undefined ? 2 : 1);
    if (repeat === undefined) {
      expect([...answers, again].map(({ location }) => location)).toEqual(
        Array(3).fill(created[0]!.location),
      );
    } else {
      for (const refused of [again, ...answers.filter(({ status }) => status >= 400)]) {
        expect([refused.status, refused.text]).toEqual([repeat.status, expect.stringContaining(repeat.says)]);
      }
    }
    expect(await dumpRows(site)).toEqual(after);
  });
});
