import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPlace, ENGINES, type TestPlace } from '../support/engines.ts';
import { runCommand } from '../support/program.ts';
import { record, records, run } from './support.ts';

const LINK = 'https://notes.example.com/welcome?claim={claim}';

describe.each(ENGINES)('the commands that set up a claim, on %s', (engine) => {
  let place: TestPlace;
  beforeAll(async () => {
    place = await createTestPlace(engine);
  });
  afterAll(() => place?.remove());

  const one = (...args: string[]) => record(args, place.env);
  const fails = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, place.env);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]+\n$/);
    return { code, sentence: stderr.trimEnd() };
  };

  it('answer with the members that scripts rely on', async () => {
    const account = await one(
      'accounts',
      'create',
      '--email',
      'Ada@example.com',
      '--name',
      'Ada',
      '--plan',
      'studio',
    );
    expect(Object.keys(account)).toEqual(['id', 'email', 'plan', 'set_password_link']);
    expect(account).toMatchObject({ email: 'ada@example.com', plan: 'studio' });

    const common = ['--account', 'ada@example.com', '--url', 'https://notes.example.com'];
    const listing = await one(
      'listings',
      'create',
      ...common,
      '--slug',
      'notes',
      '--name',
      'Notes',
      '--approve',
    );
    expect(listing).toEqual({ id: expect.any(String), slug: 'notes', state: 'approved' });
    const waiting = await one('listings', 'create', ...common, '--slug', 'waits', '--name', 'Waits');
    expect(waiting['state']).toBe('pending');
    expect(await one('listings', 'approve', 'waits')).toEqual({ ...waiting, state: 'approved' });
    expect(await one('listings', 'suspend', 'waits')).toEqual({ ...waiting, state: 'suspended' });

    const offer = await one(
      ...['offers', 'create', '--listing', 'notes', '--offer', '-20 % off', '--kind', 'discount'],
      ...['--redemption-link', LINK, '--code', 'NOTES20'],
    );
    expect(offer).toEqual({ id: expect.any(String), offer: '-20 % off', kind: 'discount' });

    expect(await records(['offers', 'list', 'notes'], place.env)).toMatchObject([
      {
        id: offer['id'],
        offer: '-20 % off',
        state: 'open',
        claims: 0,
        redemption_link: LINK,
        code: 'NOTES20',
      },
    ]);

    const key = await one('keys', 'create', '--account', String(account['id']), '--name', 'web');
    expect(Object.keys(key)).toEqual(['id', 'key']);
    expect(key['key']).toMatch(/^cck_live_/);
    const rolled = await one('keys', 'roll', String(key['id']), '--keep-old', '24h');
    expect(Object.keys(rolled)).toEqual(['id', 'key']);
    expect(rolled['key']).not.toBe(key['key']);
    expect(await one('keys', 'revoke', String(rolled['id']))).toMatchObject({
      id: rolled['id'],
      name: 'web',
    });

    const listed = await records(['keys', 'list', '--account', 'ada@example.com'], place.env);
    expect(listed.map(({ id }) => id)).toEqual([key['id'], rolled['id']]);
    expect(Object.keys(listed[0]!)).toEqual([
      'id',
      'name',
      'mode',
      'start',
      'created_at',
      'expires_at',
      'revoked_at',
      'last_used_at',
      'seen_in_browser_at',
      'rolled_to_id',
    ]);
    expect(JSON.stringify(listed)).not.toContain(String(key['key']).slice(9, 30));
  });

  it('refuse with exit code 1 and one sentence on stderr, with and without --json', async () => {
    const twin = ['accounts', 'create', '--email', 'ada@example.com', '--name', 'Other'];
    const sentence = 'There is an account with the e-mail address "ada@example.com" already.';
    expect(await fails(...twin)).toEqual({ code: 1, sentence });
    expect(await fails(...twin, '--json')).toEqual({ code: 1, sentence });
    expect(await fails('listings', 'approve', 'notes')).toMatchObject({ code: 1 });
    expect(await fails('keys', 'revoke', 'nonsense')).toMatchObject({ code: 1 });
    await one('accounts', 'create', '--email', 'bob@example.com', '--name', 'Bob');
    const { code, sentence: plans } = await fails(
      'keys',
      'create',
      '--account',
      'bob@example.com',
      '--name',
      'k',
    );
    expect(code).toBe(1);
    expect(plans).toContain('studio and everything');
  });

  it('give an address or a slug to one of several processes, and refuse the others', async () => {
    const outcomes = await Promise.all(
      [1, 2, 3].map(() =>
        runCommand(place, ['accounts', 'create', '--email', 'twin@example.com', '--name', 'T']),
      ),
    );
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    for (const { code, stderr } of outcomes) {
      if (code === 1)
        expect(stderr).toBe('There is an account with the e-mail address "twin@example.com" already.\n');
    }
  });

  it('take an account by id or address, and show what they did', async () => {
    const [ada] = await records(['accounts', 'list'], place.env);
    expect(ada).toMatchObject({
      email: 'ada@example.com',
      plan: 'studio',
      operator: false,
      suspended_at: null,
    });
    const id = String(ada!['id']);
    expect(await one('accounts', 'set-plan', 'ADA@example.com', 'everything')).toMatchObject({
      id,
      plan: 'everything',
    });
    expect((await one('accounts', 'suspend', id))['suspended_at']).toEqual(expect.any(String));
    expect((await one('accounts', 'restore', id))['suspended_at']).toBeNull();
    expect(await one('accounts', 'end-sessions', id)).toMatchObject({ id, sessions_ended: 0 });
    expect(await one('accounts', 'reset-two-factor', id)).toMatchObject({ id, passkeys_removed: 0 });
  });

  it('lay data out for people, and keep words off stdout', async () => {
    const { stdout, stderr } = await run(['listings', 'list'], place.env);
    expect(stdout).toMatch(/^SLUG +NAME +STATE +ACCOUNT/);
    expect(stdout).toMatch(/^notes +Notes +approved +ada@example\.com/m);
    expect(stderr).toBe('');
    const made = await run(['keys', 'create', '--account', 'ada@example.com', '--name', 'k'], place.env);
    expect(made.stdout).toMatch(/^id {3}\S+\nkey {2}cck_live_\S+\n$/);
    expect(made.stderr).toBe('The key is shown this once; keep it on your server, never in a browser.\n');
  });
});
