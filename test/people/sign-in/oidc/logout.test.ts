/** The identity provider ends sessions (OpenID Connect Back-Channel Logout 1.0). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { counterOf, OIDC_LOGOUT_BY_NETWORK } from '../../../../src/people/sign-in/limits/limits.ts';
import { ENGINES } from '../../../support/engines.ts';
import type { Person } from '../../../support/person.ts';
import { type AccountSite, appCode, turnOnSecondFactor } from '../support.ts';
import { type OidcSite, openOidcSite } from './support.ts';

const PATH = '/sign-in/oidc/logout';

describe.each(ENGINES)('a logout at the identity provider on %s', (engine) => {
  let oidc: OidcSite;
  let site: AccountSite;
  beforeAll(async () => {
    oidc = await openOidcSite(engine);
    ({ site } = oidc);
  });
  afterAll(() => oidc?.close());
  beforeEach(() => oidc.reset());

  const send = async (logout_token: string) => (await site.browser().post(PATH, { logout_token })).status;
  const areSignedIn = (...people: readonly Person[]) =>
    Promise.all(people.map((person) => person.isSignedIn()));

  async function signedIn() {
    const person = site.browser();
    await oidc.signIn(person);
    return { person, sid: oidc.idp.sid! };
  }

  test('ends the session that it names, in a token of the real library', async () => {
    const { sub, email } = oidc.employee();
    const [laptop, phone] = [await signedIn(), await signedIn()];
    expect(laptop.sid).not.toBe(phone.sid);
    await oidc.idp.logOut({ sub, sid: laptop.sid });
    expect(await areSignedIn(laptop.person, phone.person)).toEqual([false, true]);
    const { id } = (await oidc.accountOf(email))!;
    const event = await site.context.db.read
      .selectFrom('events')
      .select(['actor', 'data'])
      .where('type', '=', 'session.revoked')
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    expect([event.actor, JSON.parse(event.data)]).toEqual(['service', { by_provider: true }]);
    // It has ended already.
    await oidc.idp.logOut({ sub, sid: laptop.sid });
    expect(await areSignedIn(phone.person)).toEqual([true]);
  });

  test('ends all sessions of a person, but not those that start later, if the token is sent again', async () => {
    const { sub } = oidc.employee();
    const [one, two] = [await signedIn(), await signedIn()];
    const other = oidc.employee();
    const bob = await signedIn();
    const token = await oidc.idp.logoutToken({ sub });
    expect(await send(token)).toBe(200);
    expect(await areSignedIn(one.person, two.person, bob.person)).toEqual([false, false, true]);
    expect(other.sub).not.toBe(sub);
    oidc.idp.person = sub;
    oidc.shiftMs = 90_000;
    const later = await signedIn();
    expect(await send(token)).toBe(200);
    expect(await areSignedIn(later.person)).toEqual([true]);
  });

  test('ends a sign-in that waits for the second factor', async () => {
    const { sub } = oidc.employee();
    const { person } = await signedIn();
    // The provider confirms when the person signed in there.
    await oidc.signIn(person);
    const { secret } = await turnOnSecondFactor(person, site.context.now);
    for (const named of [(sid: string) => ({ sub, sid }), () => ({ sub })]) {
      const waiting = site.browser();
      expect((await oidc.signIn(waiting)).location).toContain('/sign-in/second-factor');
      expect(await send(await oidc.idp.logoutToken(named(oidc.idp.sid!)))).toBe(200);
      await waiting.post('/sign-in/second-factor', { code: appCode(secret, 0, site.context.now()) });
      expect(await waiting.isSignedIn()).toBe(false);
    }
  });

  test('is refused if the token isn’t from a provider of this service', async () => {
    const { sub } = oidc.employee();
    const { person } = await signedIn();
    const token = await oidc.idp.logoutToken({ sub });
    const [header, payload, signature] = token.split('.');
    const other = Buffer.from(payload!, 'base64url').toString().replace(sub, `${sub}0`);
    for (const sent of [
      [header, Buffer.from(other).toString('base64url'), signature].join('.'),
      await oidc.idp.logoutToken({ sub, iss: 'https://login.example.com' }),
      // An ID token.
      await oidc.idp.tokenForAnotherService('n'),
      '',
      `${token}${'a'.repeat(9_000)}`,
    ]) {
      expect(await send(sent)).toBe(400);
    }
    expect(await areSignedIn(person)).toEqual([true]);
    expect((await site.browser().get(PATH)).status).toBe(404);
    const foreign = site.browser({ Origin: 'https://evil.example' });
    expect((await foreign.post(PATH, { logout_token: token })).status).toBe(403);
    expect(await send(token)).toBe(200);
    expect(await areSignedIn(person)).toEqual([false]);
  });

  test('counts only invalid tokens of a network', async () => {
    oidc.employee();
    const { sid } = await signedIn();
    const [network, tokens] = ['203.0.113.77', [await oidc.idp.logoutToken({ sid }), 'x', 'x']];
    const { key, attempts } = counterOf(site.context.secretBox, [OIDC_LOGOUT_BY_NETWORK, network]);
    const points = { key, points: attempts - 1, expires_ms: Date.now() + 60_000 };
    await site.context.db.transaction((tx) => tx.insertInto('throttles').values(points).execute());
    const provider = site.browser({ 'X-Forwarded-For': network });
    const statuses = [];
    for (const logout_token of [tokens[0]!, ...tokens]) {
      statuses.push((await provider.post(PATH, { logout_token })).status);
    }
    expect(statuses).toEqual([200, 200, 400, 429]);
  });
});
