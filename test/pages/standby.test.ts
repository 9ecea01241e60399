/** Pages with a standby: its lag is said, what a person has just done is shown at once, and exports and doctor say the same. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../src/app.ts';
import { CHROMIUM, createVisitor, openLooker, pageFindings } from '../support/browser.ts';
import { TEST_SECRET_KEY, type TestPlace } from '../support/engines.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { claimsOf, createOwner, issueTokens, type Owner } from '../support/marketplace.ts';
import { type Person, type SignedIn, signedInAs } from '../support/person.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { startSite } from '../support/site.ts';
import { HELD_UP_SETTINGS, holdUp, letGo, untilLevel } from '../support/standby.ts';

/** A lag that pages show is longer than three seconds. */
const SHOWN_LAG_MS = 4_000;
/** After this time a standby catches up before the next test, so that it never lags too far on a busy machine. */
const HELD_FOR_MS = 8_000;
const AS_OF = /As of <time datetime="[^"]+" data-precision="second">[^<]+<\/time>\. What happened since/;
/** Each of the pages that may be stale, with who looks at it. */
const OWNER_LISTS = [
  '/dashboard',
  '/dashboard/claims',
  '/dashboard/claims?state=redeemed',
  '/dashboard/campaigns',
  '/dashboard/requests',
  '/dashboard/requests/failures',
];
const DESK_LISTS = ['/desk/events?type=all', '/desk/listings', '/desk/accounts'];

let primary: PostgresServer;
let standby: PostgresServer;
let place: TestPlace;
let site: Service;
let owner: Owner;
let ownerPerson: Person;
let operator: SignedIn;

beforeAll(async () => {
  primary = await startPostgres({ isFast: true });
  standby = await startPostgres({ isFast: true, standbyOf: primary, settings: HELD_UP_SETTINGS });
  const dataDir = makeTemporaryFolder('claimcheck-test-');
  const env = {
    DATA_DIR: dataDir,
    SECRET_KEY: TEST_SECRET_KEY,
    DATABASE_URL: primary.url,
    DATABASE_READ_URL: standby.url,
  };
  place = { engine: 'postgres', dataDir, databaseUrl: primary.url, env, remove: async () => {} };
  site = await startSite(place);
  operator = await signedInAs(site, { email: 'olga@example.com', name: 'Olga', operator: true });
  const signedIn = await signedInAs(site, { email: 'adele@acme.example', plan: 'studio' });
  ownerPerson = signedIn.person;
  owner = await createOwner(site.context);
  await site.context.db.transaction((tx) =>
    tx
      .updateTable('sessions')
      .set({ account_id: owner.accountId })
      .where('account_id', '=', signedIn.accountId)
      .execute(),
  );
  await issueTokens(site.context, owner, 3, { via: 'spring' });
  await untilLevel(primary, standby);
});
afterAll(async () => {
  await site?.stop();
  await standby?.remove();
  await primary?.remove();
});

const amountOf = async (person: Person) =>
  /(\d+) claims?, the newest first/.exec((await person.get('/dashboard/claims?mode=live')).text)?.[1];

test('without a lag no page says anything', async () => {
  expect(await amountOf(ownerPerson)).toBe('3');
  for (const path of OWNER_LISTS) {
    const { status, text } = await ownerPerson.get(path);
    expect([path, status, AS_OF.test(text)]).toEqual([path, 200, false]);
  }
});

describe('while the standby lags by seconds', () => {
  let heldMs = Number.NEGATIVE_INFINITY;
  /** Claims that the standby has. */
  let held = 0;
  beforeEach(async () => {
    if (performance.now() < heldMs + HELD_FOR_MS) return;
    await letGo(standby);
    await holdUp(primary, standby);
    heldMs = performance.now();
    held = (await claimsOf(site.context, owner)).length;
    await new Promise((resolve) => setTimeout(resolve, SHOWN_LAG_MS));
    await issueTokens(site.context, owner, 1, { via: 'spring' });
  });
  afterAll(() => letGo(standby));

  test('each list says as of when it is, and lacks what came since', async () => {
    expect(await amountOf(ownerPerson)).toBe(String(held));
    for (const [person, paths] of [
      [ownerPerson, OWNER_LISTS],
      [operator.person, DESK_LISTS],
    ] as const) {
      for (const path of paths) {
        const { status, text } = await person.get(path);
        expect([path, status, AS_OF.test(text)]).toEqual([path, 200, true]);
      }
    }
  });

  test('exports say it in a header', async () => {
    for (const [person, path, lines] of [
      [ownerPerson, '/dashboard/claims/export.csv', held + 1],
      [ownerPerson, '/dashboard/campaigns/export.csv?listing=LISTING', 3],
      [operator.person, '/desk/events/export.ndjson?type=claim.created', held],
    ] as const) {
      const { status, headers, text } = await person.get(path.replace('LISTING', owner.listingId));
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get('claimcheck-as-of')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect([path, text.trim().split('\n').length]).toEqual([path, lines]);
    }
  });

  test('who sends a form sees what they did on the next page, and everybody else a little later', async () => {
    const other = operator.person.thief();
    const changed = await operator.person.post(`/desk/accounts/${owner.accountId}/plan`, {
      plan: 'everything',
    });
    expect(changed.status).toBe(303);
    const log = '/desk/events?type=account.plan_changed';
    const own = await operator.person.get(log);
    const ofOwner = `href="/desk/accounts/${owner.accountId}"`;
    expect(own.text).toContain(ofOwner);
    expect(own.text).not.toMatch(AS_OF);
    const others = await other.get(log);
    expect(others.text).not.toContain(ofOwner);
    expect(others.text).toMatch(AS_OF);
    expect(operator.person.received.at(-1)).toMatch(
      /^claimcheck\.seen=\d+; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('the system page names the standby with its lag', async () => {
    const { text } = await operator.person.get('/desk/system');
    expect(text).toMatch(
      /The standby 127\.0\.0\.1:\d+ serves lists, counts and exports; it is \d+\.\d s behind/,
    );
  });

  describe.skipIf(CHROMIUM === null)('in Chromium', () => {
    test.each(['/dashboard', '/dashboard/claims', '/dashboard/campaigns', '/dashboard/requests'])(
      '%s looks right in every width, light and dark',
      async (path) => {
        const visitor = createVisitor(await openLooker(), site.baseUrl);
        const cookies = ownerPerson.profileCookies(site.baseUrl);
        const findings = await visitor.visit(
          path,
          (page) => pageFindings(page, `standby${path}`),
          true,
          cookies,
        );
        expect(findings).toEqual([]);
        await visitor.close();
      },
    );
  });
});

test('a service does not start beside a server that is no standby of its primary', async () => {
  const stranger = await startPostgres({ isFast: true });
  try {
    const url = stranger.url.replace('//postgres@', '//postgres:hunter2@');
    const refusal = await startSite(place, { DATABASE_READ_URL: url }).catch((error: Error) => error.message);
    expect(refusal).toMatch(/^DATABASE_READ_URL names a server that is no standby of the primary/);
    expect(refusal).not.toContain('hunter2');
  } finally {
    await stranger.remove();
  }
});

test('a service starts while its standby is away', async () => {
  await standby.stop('fast');
  const second = await startSite(place);
  try {
    const { person } = await signedInAs(second, { email: 'late@example.com', operator: true });
    expect((await person.get('/desk/accounts')).text).toContain('late@example.com');
    expect((await person.get('/desk/system')).text).toMatch(/cannot be read from: nothing listens there/);
  } finally {
    await second.stop();
    await standby.start();
  }
});
