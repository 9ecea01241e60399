import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../../src/app/service.ts';
import { SCOPES } from '../../../src/people/keys/key.ts';
import { createDbLocation, type DbLocation } from '../../support/engines.ts';
import { createOwner } from '../../support/marketplace.ts';
import type { Env, Place } from '../../support/program.ts';
import { shareSite } from '../../support/shared.ts';
import { startSite } from '../../support/site.ts';
import { record, records, run } from './support.ts';

const LINK = 'https://notes.example.com/welcome?claim={claim}';

/** Environment for commands that call the service, with an operator key that has all scopes. */
async function remoteEnv(site: Service, dbLocation: Place): Promise<Env> {
  const operator = ['--email', 'olga@example.com', '--name', 'Olga', '--operator'];
  await record(['accounts', 'create', ...operator], dbLocation.env);
  const key = ['--account', 'olga@example.com', '--name', 'cli', '--scopes', ...SCOPES];
  const made = await record(['operator-keys', 'create', ...key], dbLocation.env);
  return { CLAIMCHECK_URL: site.baseUrl, CLAIMCHECK_KEY: String(made['key']) };
}

// SQLite is enough here: other tests run the same operations on both engines.
describe.each(['local', 'remote'])('%s setup commands', (way) => {
  let dbLocation: DbLocation;
  let site: Service | undefined;
  /** Environment that makes the commands use the local database or the service. */
  let env: Env;
  beforeAll(async () => {
    dbLocation = await createDbLocation('sqlite');
    if (way === 'remote') site = await startSite(dbLocation);
    env = site === undefined ? dbLocation.env : await remoteEnv(site, dbLocation);
  });
  afterAll(async () => {
    await site?.stop();
    await dbLocation?.remove();
  });

  const one = (...args: string[]) => record(args, env);
  const fails = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args, env);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]+\n$/);
    return { code, sentence: stderr.trimEnd() };
  };

  test('print the JSON fields that scripts rely on', async () => {
    const person = ['--email', 'Ada@example.com', '--name', 'Ada', '--plan', 'studio'];
    const account = await one('accounts', 'create', ...person);
    expect(Object.keys(account)).toEqual(['id', 'email', 'plan', 'invitation_link']);
    expect(account).toMatchObject({ email: 'ada@example.com', plan: 'studio' });

    const common = ['--account', 'ada@example.com', '--url', 'https://notes.example.com'];
    const notes = ['--slug', 'notes', '--name', 'Notes', '--approve'];
    const listing = await one('listings', 'create', ...common, ...notes);
    expect(listing).toEqual({ id: expect.any(String), slug: 'notes', state: 'approved' });
    const waits = ['--slug', 'waits', '--name', 'Waits'];
    const texts = ['--summary', 'It waits.', '--description', 'For approval.'];
    const waiting = await one('listings', 'create', ...common, ...waits, ...texts);
    expect(waiting['state']).toBe('pending');
    expect(await one('listings', 'approve', 'waits')).toEqual({ ...waiting, state: 'approved' });
    expect(await one('listings', 'suspend', 'waits')).toEqual({ ...waiting, state: 'suspended' });

    const offer = await one(
      ...['offers', 'create', '--listing', 'notes', '--offer', '-20 % off', '--kind', 'discount'],
      ...['--redemption-link', LINK, '--code', 'NOTES20', '--ends-at', '2126-11-20', '--claim-limit', '500'],
    );
    expect(offer).toEqual({ id: expect.any(String), offer: '-20 % off', kind: 'discount' });

    expect(await records(['offers', 'list', 'notes'], env)).toMatchObject([
      {
        id: offer['id'],
        offer: '-20 % off',
        state: 'open',
        claims: 0,
        redemption_link: LINK,
        code: 'NOTES20',
        claim_limit: 500,
        ends_at: '2126-11-20T23:59:59.999Z',
      },
    ]);
    expect(await records(['offers', 'list', '--listing', 'notes'], env)).toHaveLength(1);

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

    const listed = await records(['keys', 'list', '--account', 'ada@example.com'], env);
    expect(listed.map(({ id }) => id)).toEqual([key['id'], rolled['id']]);
    expect(Object.keys(listed[0]!)).toEqual([
      'id',
      'name',
      'mode',
      'start',
      'networks',
      'created_at',
      'expires_at',
      'revoked_at',
      'last_used_at',
      'seen_in_browser_at',
      'rolled_to_id',
    ]);
    expect(JSON.stringify(listed)).not.toContain(String(key['key']).slice(9, 30));
  });

  test('fail with exit code 1 and a one-line message on stderr, with or without --json', async () => {
    const twin = ['accounts', 'create', '--email', 'ada@example.com', '--name', 'Other'];
    const sentence = 'An account with the email address "ada@example.com" already exists.';
    expect(await fails(...twin)).toEqual({ code: 1, sentence });
    expect(await fails(...twin, '--json')).toEqual({ code: 1, sentence });
    expect(await fails('listings', 'approve', 'notes')).toMatchObject({ code: 1 });
    expect(await fails('keys', 'revoke', 'nonsense')).toMatchObject({ code: 1 });
    await one('accounts', 'create', '--email', 'bob@example.com', '--name', 'Bob');
    const key = ['--account', 'bob@example.com', '--name', 'k'];
    const { code, sentence: plans } = await fails('keys', 'create', ...key);
    expect(code).toBe(1);
    expect(plans).toContain('“studio” and “everything”');
  });

  test('accept the id or email address of an account, and print the result', async () => {
    const accounts = await records(['accounts', 'list'], env);
    const ada = accounts.find(({ email }) => email === 'ada@example.com');
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
    expect((await one('accounts', 'delete', id))['delete_at']).toEqual(expect.any(String));
    expect((await one('accounts', 'keep', 'ada@example.com'))['delete_at']).toBeNull();
    const { stdout: document } = await run(['accounts', 'export', 'ada@example.com'], env);
    expect(JSON.parse(document).profile).toMatchObject([{ id, email: 'ada@example.com' }]);
    const table = await run(['accounts', 'export', id, '--format', 'csv'], env);
    expect(table.stdout).toContain(`profile,1,id,${id}`);
    expect(await records(['accounts', 'export', id], env)).toContainEqual(
      expect.objectContaining({ part: 'profile', data: expect.objectContaining({ id }) }),
    );
    const here = (verb: string) => record(['accounts', verb, id], dbLocation.env);
    expect(await here('end-sessions')).toMatchObject({ id, sessions_ended: 0 });
    const { sign_in_link: link } = await here('sign-in-link');
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\/link\?next=%2Fhome#\w{10}$/);
    expect(await here('reset-two-factor')).toMatchObject({ id, passkeys_removed: 0 });
  });

  test('review listings, pause offers and issue a claim to a claimant', async () => {
    const listing = ['--account', 'ada@example.com', '--name', 'L', '--url', 'https://notes.example.com'];
    for (const [slug, verb, state] of [
      ['returned', 'request-changes', 'changes_requested'],
      ['refused', 'reject', 'rejected'],
    ] as const) {
      await one('listings', 'create', ...listing, '--slug', slug);
      expect(await records(['listings', 'list', '--state', 'pending'], env)).toMatchObject([{ slug }]);
      expect((await one('listings', verb, slug, '--reason', 'No.'))['state']).toBe(state);
    }
    expect((await one('listings', 'suspend', 'notes'))['state']).toBe('suspended');
    expect((await one('listings', 'restore', 'notes'))['state']).toBe('approved');

    const [offer] = await records(['offers', 'list', 'notes'], env);
    const id = String(offer!['id']);
    const issue = ['claims', 'issue', '--offer', id, '--claimant', 'customer-1'];
    expect((await one('offers', 'pause', id))['paused_at']).toEqual(expect.any(String));
    expect((await fails(...issue)).sentence).toContain('paused');
    expect((await one('offers', 'resume', id))['paused_at']).toBeNull();
    const claim = await one(...issue, '--via', 'spring');
    expect(claim).toEqual({
      token: expect.any(String),
      link: LINK.replace('{claim}', String(claim['token'])),
      code: offer!['code'],
    });
    expect(await one(...issue)).toEqual(claim);
    expect((await fails(...issue, '--replace')).sentence).toContain('not redeemed yet');
    expect(await records(['campaigns', 'notes'], env)).toEqual([
      expect.objectContaining({ via: 'spring', visits: 0, claims: 1, redeemed: 0, rate: 0 }),
    ]);
    const found = await one('claims', 'find', String(claim['token']));
    expect(found).toMatchObject({ listing: 'notes', claimant: 'customer-1', via: 'spring' });
    expect(JSON.stringify(found)).not.toContain(claim['token']);
    expect(await fails('claims', 'find', 'clm_nothing')).toEqual({
      code: 1,
      sentence: 'This claim does not exist.',
    });
  });

  test('suggest the command that creates the first listing', async () => {
    const empty = await createDbLocation('sqlite');
    await record(['accounts', 'create', '--email', 'ada@example.com', '--name', 'Ada'], empty.env);
    const { stderr } = await run(['listings', 'list'], empty.env);
    expect(stderr).toBe('No listings found. Create one with: claimcheck listings create\n');
    const changed = await run(['listings', 'changed-texts'], empty.env);
    expect(changed.stderr).toBe('There are no changed texts.\n');
    await empty.remove();
  });

  test('print aligned data to stdout and messages to stderr', async () => {
    const { stdout, stderr } = await run(['listings', 'list'], env);
    expect(stdout).toMatch(/^SLUG +NAME +STATE +ACCOUNT/);
    expect(stdout).toMatch(/^notes +Notes +approved +ada@example\.com/m);
    expect(stderr).toBe('');
    const empty = await run(['listings', 'list', '--state', 'withdrawn'], env);
    expect(empty).toMatchObject({ code: 0, stdout: '', stderr: 'No listings match.\n' });
    const made = await run(['keys', 'create', '--account', 'ada@example.com', '--name', 'k'], env);
    expect(made.stdout).toMatch(/^id {3}\S+\nkey {2}cck_live_\S+\n$/);
    expect(made.stderr).toBe('The key is shown only once. Keep it on your server, never in a browser.\n');
  });
});

describe('remote commands', () => {
  const site = shareSite('sqlite');
  let env: Env;
  beforeAll(async () => {
    env = await remoteEnv(site, site);
  });
  const url = () => String(env['CLAIMCHECK_URL']);
  const key = () => String(env['CLAIMCHECK_KEY']);

  test('accept --url and --key before the command', async () => {
    const { code, stdout } = await run(
      ['--url', `${url()}/`, '--key', key(), 'accounts', 'list', '--json'],
      {},
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('olga@example.com')]);
  });

  test.each([
    [['serve'], 'claimcheck serve works only on the local database'],
    [['backup', 'x'], 'claimcheck backup works only on the local database'],
    [['operator-keys', 'list'], 'claimcheck operator-keys list works only on the local database'],
    [['accounts', 'end-sessions', 'a'], 'claimcheck accounts end-sessions works only on the local database'],
    [['accounts', 'sign-in-link', 'a'], 'claimcheck accounts sign-in-link works only on the local database'],
    [
      ['accounts', 'create', '--email', 'a@b.c', '--name', 'A', '--operator'],
      'claimcheck accounts create --operator works on',
    ],
    [
      ['claims', 'issue', '--offer', 'x'],
      'claimcheck claims issue without --claimant works only on the local database',
    ],
  ] as const)('reject %j, which works only on the local database', async (args, words) => {
    const { code, stdout, stderr } = await run(args, { ...site.env, ...env });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.toLowerCase()).toContain(words.toLowerCase());
  });

  test('do not use the local database if only the URL or only the key is set', async () => {
    const list = ['accounts', 'list'];
    const alone = await run(list, { ...site.env, CLAIMCHECK_URL: url() });
    expect([alone.code, alone.stdout]).toEqual([2, '']);
    expect(alone.stderr).toContain('set CLAIMCHECK_KEY');
    const homeless = await run(list, { ...site.env, CLAIMCHECK_KEY: key() });
    expect([homeless.code, homeless.stdout]).toEqual([2, '']);
    expect(homeless.stderr).toContain('CLAIMCHECK_URL');
  });

  /** Runs a command that must fail, and returns its message: one line without the key. */
  const sentence = async (args: readonly string[], more: Env = {}, expected = 1) => {
    const { code, stdout, stderr } = await run(args, { ...env, ...more });
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).not.toContain(key().slice(4, 12));
    return stderr.trimEnd();
  };
  const LIST = ['accounts', 'list'];

  test('report why the service rejected the key', async () => {
    expect(await sentence(LIST, { CLAIMCHECK_KEY: `${key()}x` })).toMatch(/^This API key is not valid\./);
    const scopes = ['--account', 'olga@example.com', '--name', 'k', '--scopes', 'claims:read'];
    const made = await record(['operator-keys', 'create', ...scopes], site.env);
    expect(await sentence(LIST, { CLAIMCHECK_KEY: String(made['key']) })).toBe(
      'This operator key doesn’t have the scope accounts:read.',
    );
  });

  test.each([
    [['keys', 'revoke', 'KEY'], 1, 'It was not sent'],
    [['listings', 'approve', '..'], 1, '".." is not an id, email address or slug.'],
    [['accounts', 'suspend', ''], 1, '"" is not an id'],
    [['accounts', 'list', 'KEY'], 2, 'Too many arguments'],
    [['--keyy=KEY', 'accounts', 'list'], 2, 'Unknown option'],
    [['accounts', 'list', '--key', 'KEY'], 2, 'Put --url and --key before the command'],
    [['--url', 'KEY', 'accounts', 'list'], 1, 'must begin with http'],
  ] as const)('reject %j without sending a request or printing the key', async (args, code, words) => {
    const typed = args.map((arg) => arg.replace('KEY', key()));
    expect(await sentence(typed, { CLAIMCHECK_URL: 'http://127.0.0.1:1' }, code)).toContain(words);
  });

  test('do not print a claim token in an error message', async () => {
    for (const token of ['clm_4hT9abcdEFGH', 'clm_test_4hT9abcdEFGH']) {
      expect(await sentence([token], {}, 2)).not.toContain('4hT9abcdEFGH');
    }
  });

  test.each([
    ['ftp://x', 'must begin with http'],
    ['http://olga:pass-word@127.0.0.1:1', 'must not have a user name'],
    ['http://127.0.0.1:1/?a=b', 'query or fragment'],
    ['http://127.0.0.1:1/#a', 'query or fragment'],
  ])('reject the URL %s', async (address, words) => {
    const found = await sentence(LIST, { CLAIMCHECK_URL: address });
    expect(found).toContain(words);
    expect(found).not.toContain('pass-word');
  });

  describe('unexpected responses', () => {
    let answers: Server;
    let answer: RequestListener;
    beforeAll(async () => {
      answers = createServer((request, response) => answer(request, response));
      answers.listen(0, '127.0.0.1');
      await once(answers, 'listening');
    });
    afterAll(() => answers.close());
    const origin = () => `http://127.0.0.1:${(answers.address() as AddressInfo).port}`;
    const json = (value: object): RequestListener => {
      return (_, response) => response.end(JSON.stringify(value));
    };
    const redirect = (to: (path: string) => string): RequestListener => {
      return ({ url: path }, response) => response.writeHead(307, { location: to(path!) }).end();
    };

    const endlessly = (response: ServerResponse): void => {
      const more = () => {
        while (response.write(Buffer.alloc(2 ** 20)));
      };
      response.on('drain', more);
      more();
    };

    const HTML = 'responded with 200, but the response is not from Claimcheck; check --url.';
    const NEXT = { accounts: [], next: '019a9f6c-0000-7000-8000-000000000000' };
    test.each<[string, RequestListener, string]>([
      ['an HTML page', (_, response) => response.end('<html></html>'), HTML],
      ['unrelated JSON', json({ accounts: [{ id: 1 }], next: null }), HTML],
      ['the same page of a list again', json(NEXT), 'the same page of the list twice.'],
      [
        'a redirect to the same path under another URL',
        redirect((path) => `https://claims.example/base${path}`),
        'redirects to https://claims.example/base; use that URL with --url.',
      ],
      ['an endless response', (_, response) => endlessly(response), 'is larger than 64 MiB.'],
      ['a redirect to the sign-in page', redirect(() => '/sign-in?back=x'), '/sign-in; check --url.'],
    ])('make the command fail: %s', async (_, listener, words) => {
      answer = listener;
      expect(await sentence(LIST, { CLAIMCHECK_URL: origin() })).toContain(words);
    });

    test('leave the effect of a change unknown; a retry returns the original result', async () => {
      const doubt = 'It is unknown whether the command took effect.';
      answer = (_, response) => response.writeHead(502).end('<html></html>');
      const suspend = ['accounts', 'suspend', 'olga@example.com'];
      expect(await sentence(suspend, { CLAIMCHECK_URL: origin() })).toContain(doubt);
      expect(await sentence(LIST, { CLAIMCHECK_URL: origin() })).not.toContain(doubt);

      const owner = await createOwner(site.context);
      const issue = ['claims', 'issue', '--offer', owner.offerId, '--claimant', 'customer-1'];
      let lost = '';
      // Forwards the call to the service and drops the response.
      answer = async (request) => {
        const headers = { authorization: request.headers.authorization!, 'content-type': 'application/json' };
        const body = await text(request);
        lost = await (await fetch(url() + request.url, { method: 'POST', headers, body })).text();
        request.socket.destroy();
      };
      expect(await sentence(issue, { CLAIMCHECK_URL: origin() })).toContain(doubt);
      expect(await record(issue, env)).toEqual({
        token: JSON.parse(lost).token,
        link: expect.any(String),
        code: null,
      });
    });

    test('may have unknown members, which the command ignores', async () => {
      answer = json({ accounts: [], next: null, total: 0 });
      expect(await run(LIST, { ...env, CLAIMCHECK_URL: origin() })).toMatchObject({ code: 0, stdout: '' });
    });
  });
});
