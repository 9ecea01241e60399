/** `claimcheck demo`: sample data, one-time sign-in links and the demo banner. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BACKUP_JOB } from '../../../src/background/system/back-up.ts';
import { outcomeOf, statusOf } from '../../../src/claims/attempts/cause.ts';
import { createDbLocation, type DbLocation } from '../../support/engines.ts';
import { startSite } from '../../support/site.ts';
import { record, run, type Serving, serving } from './support.ts';

interface Announced {
  readonly url: string;
  readonly sign_in: Readonly<Record<'operator' | 'owner' | 'claimant', string>>;
  readonly emails: string;
  readonly key: string;
  readonly tokens: readonly string[];
}

const BANNER = 'Demo data.';
/** Settings of a real service, in the environment in which somebody tries the demo. */
const OF_REAL_SERVICE = { SMTP_URL_FILE: '/run/secrets/smtp-url', BACKUP_DIR: '/var/backups/claimcheck' };
const DAY_MS = 86_400_000;

describe('claimcheck demo', () => {
  let dbLocation: DbLocation;
  let env: { readonly DATA_DIR: string };
  let server: Serving;
  let demo: Announced;
  const count = (sql: string): unknown => {
    const database = new DatabaseSync(join(env.DATA_DIR, 'claimcheck.db'), { readOnly: true });
    try {
      return Object.values(database.prepare(sql).get()!)[0];
    } finally {
      database.close();
    }
  };

  beforeAll(async () => {
    dbLocation = await createDbLocation('sqlite');
    env = { DATA_DIR: dbLocation.dataDir };
    server = await serving(['demo'], { ...env, ...OF_REAL_SERVICE });
    demo = JSON.parse(server.stdout()) as Announced;
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await dbLocation?.remove();
  });

  /** Posts the code in the link's fragment as a form, like the button of the page that the link opens. */
  const follow = (link: string): Promise<Response> => {
    const { hash, searchParams } = new URL(link);
    return fetch(`${demo.url}/sign-in/link`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: demo.url },
      body: new URLSearchParams({
        code: hash.slice(1),
        next: searchParams.get('next')!,
        choice: 'sign-in',
      }),
    });
  };

  test.each([
    ['operator', '/desk', 'Lumen Notes'],
    ['owner', '/dashboard', 'Lumen Sketch'],
    ['claimant', '/claims', 'Three months of sync, free to try'],
  ] as const)('prints a link that signs in the %s once', async (role, path, words) => {
    const first = await follow(demo.sign_in[role]);
    // /sign-in/check detects browsers that do not store cookies.
    const check = `/sign-in/check?next=${encodeURIComponent(path)}`;
    expect([first.status, first.headers.get('location')]).toEqual([303, check]);
    const cookie = first.headers.getSetCookie().map((each) => each.split(';')[0]!);
    const page = await fetch(`${demo.url}${path}`, { headers: { cookie: cookie.join('; ') } });
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain(words);
    expect(text).toContain(BANNER);
    const second = await follow(demo.sign_in[role]);
    expect([second.status, second.headers.getSetCookie().join()]).toEqual([
      422,
      expect.stringMatching(/^claimcheck\.check=1;[^,]*$/),
    ]);
  });

  test('shows the demo banner on public pages', async () => {
    for (const path of ['/', '/l/lumen-notes', '/sign-in', '/nothing-here']) {
      expect(await (await fetch(`${demo.url}${path}`)).text()).toContain(BANNER);
    }
  });

  test('uses neither the mail server nor the backup folder of a real service', async () => {
    const metrics = await (await fetch(`${demo.url}/metrics`)).text();
    expect(metrics).toContain('job="Send mail"');
    expect(metrics).not.toContain(`job="${BACKUP_JOB}"`);
  });

  test('creates ninety days of sample data', () => {
    const now = new Date().toISOString();
    for (const [rows, expected] of [
      ['accounts where operator_since is not null', 1],
      ["listings where state = 'approved'", 15],
      ["listings where visibility = 'members'", 1],
      ['access_grants', 1],
      ['waiting_people', 24],
      ["listings where state = 'changes_requested'", 1],
      ["listings where state = 'pending'", 1],
      ["offers join listings on listings.id = listing_id where state = 'approved'", 22],
      ['offers where paused_at is not null', 1],
      [`offers where starts_at > '${now}'`, 1],
      [`offers where ends_at < '${now}'`, 1],
      ['offers where proposed_link is not null', 1],
      ['api_keys where seen_in_browser_at is not null', 1],
      ['api_keys where rolled_to_id is not null', 1],
      ['memberships', 1],
      [`invitations where account_id is not null and expires_at > '${now}'`, 1],
      [`invitations where account_id is null and expires_at > '${now}'`, 1],
      ['invitations', 4],
      ['offer_codes', 250],
      ['webhook_endpoints', 1],
      ['deliveries where attempts = 2', 1],
      // The service must never call the webhook endpoint of the demo.
      ['webhook_endpoints where disabled_at is null', 0],
      ['deliveries where delivered_at is null', 0],
    ] as const) {
      expect([rows, count(`select count(*) from ${rows}`)]).toEqual([rows, expected]);
    }
    expect(count(`select count(distinct account_id) from listings`)).toBe(5);
    expect(count(`select count(distinct account_id) from first_verifications`)).toBe(5);
    expect(count(`select count(distinct via) from claims`)).toBe(5);
    expect(count('select count(*) from claim_references')).toBeGreaterThan(100);
    expect(count(`select count(*) from claims`)).toBeGreaterThan(1_500);
    expect(count(`select count(distinct substr(claimed_at, 1, 10)) from claims`)).toBeGreaterThanOrEqual(85);
    const oldest = Date.parse(String(count(`select min(claimed_at) from claims`)));
    expect((Date.now() - oldest) / DAY_MS).toSatisfy((days: number) => days > 87 && days < 91);
    const causes = String(count(`select group_concat(distinct cause) from attempts`)).split(',');
    const failed = causes.filter((cause) => statusOf(cause) >= 400);
    expect(new Set(failed.map(outcomeOf)).size).toBeGreaterThanOrEqual(6);
  });

  test('has label counts that match the claims, and no times in the future', () => {
    const counted = `select listing_id, coalesce(via, '') as via, count(*) as claims, count(redeemed_at) as redeemed
      from claims where mode = 'live' group by 1, 2`;
    const shown = `select listing_id, via, claims, redeemed from label_counts where claims > 0 or redeemed > 0`;
    expect(count(`select count(*) from (${counted})`)).toBeGreaterThan(5);
    expect(count(`select count(*) from (${counted} except ${shown})`)).toBe(0);
    expect(count(`select count(*) from (${shown} except ${counted})`)).toBe(0);
    const now = new Date().toISOString();
    expect(count(`select count(*) from claims where claimed_at > '${now}' or redeemed_at > '${now}'`)).toBe(
      0,
    );
    expect(count(`select count(*) from claims where redeemed_at < claimed_at`)).toBe(0);
    expect(count(`select count(*) from events where at > '${now}'`)).toBe(0);
  });

  test('has redeemed, unredeemed and replaced claims for its claimant', () => {
    const nora = `claimant_id = (select id from accounts where email = 'nora@demo.example')`;
    const states = `select count(*) || ' ' || count(redeemed_at) || ' ' || count(replaced_at) from claims`;
    expect(count(`${states} where ${nora}`)).toBe('6 3 1');
  });

  test('shows the emails that it would send, but only on its own machine', async () => {
    const readMails = async () => (await fetch(demo.emails)).text();
    const offer = String(count(`select id from offers where starts_at > '${new Date().toISOString()}'`));
    const answer = await fetch(`${demo.url}/l/lumen-photos/offers/${offer}/waiting-list`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: demo.url },
      body: new URLSearchParams({ email: 'milo@people.example' }),
    });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringMatching(/\?sent$/)]);
    await expect.poll(readMails).toContain('milo@people.example');
    const link = /href="([^"]+\/waiting-list\/confirm\/[^"]+)"[^>]*>Open the link</.exec(
      await readMails(),
    )![1]!;
    const confirm = { method: 'POST', redirect: 'manual', body: new URLSearchParams() } as const;
    expect((await fetch(link, { ...confirm, headers: { Origin: demo.url } })).status).toBe(303);
    expect(count('select count(*) from waiting_people where confirmed_at is not null')).toBe(25);
    const elsewhere = await fetch(demo.emails, { headers: { 'X-Forwarded-For': '203.0.113.7' } });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([403, expect.not.stringContaining('milo@')]);
  });

  test('lets people switch between English and German', async () => {
    const language = async (headers: Record<string, string>) =>
      /<html lang="(\w+)"/.exec(await (await fetch(demo.url, { headers })).text())![1];
    const german = await language({ Cookie: 'claimcheck-language=de' });
    expect([german, await language({})]).toEqual(['de', 'en']);
  });

  test('prints an API key and tokens that the key can redeem', async () => {
    const verify = ['verify', demo.tokens[0]!, '--redeem', '--url', demo.url];
    const answer = await record(verify, { ...env, CLAIMCHECK_API_KEY: demo.key });
    expect(answer).toMatchObject({ status: 'redeemed', listing: 'lumen-notes' });
  });

  test('prints new links and keeps its data after a restart', async () => {
    const claims = count(`select count(*) from claims where mode = 'live'`);
    await server.stop('SIGKILL');
    const again = await serving(['demo'], env);
    const next = JSON.parse(again.stdout()) as Announced;
    await again.stop('SIGKILL');
    expect(next.sign_in.owner).not.toBe(demo.sign_in.owner);
    expect(count(`select count(*) from claims where mode = 'live'`)).toBe(claims);
  });
});

test('claimcheck demo rejects a database that is not a demo, and does not mark it as a demo', async () => {
  const dbLocation = await createDbLocation('sqlite');
  await record(['accounts', 'create', '--email', 'ada@example.com', '--name', 'Ada'], dbLocation.env);
  const { code, stderr } = await run(['demo'], dbLocation.env);
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not a complete demo')]);
  const site = await startSite(dbLocation);
  expect(await (await fetch(site.baseUrl)).text()).not.toContain(BANNER);
  await site.stop();
  await dbLocation.remove();
});
