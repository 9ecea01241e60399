/** Several identity providers: none of them can sign in to an account of another one. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES } from '../../../support/engines.ts';
import {
  type IdentityProvider,
  passThrough,
  startIdentityProvider,
} from '../../../support/identity-provider.ts';
import { eventsOf } from '../support.ts';
import { CALLBACK, expectRefused, NAME, type OidcSite, openOidcSite } from './support.ts';

const PARTNERS = 'Partners';

describe.each(ENGINES)('sign-in through one of several identity providers on %s', (engine) => {
  let partners: IdentityProvider;
  let oidc: OidcSite;
  beforeAll(async () => {
    partners = await startIdentityProvider();
    const numbered = Object.entries(partners.env).map(([name, value]) => [
      name.replace('OIDC_', 'OIDC_2_'),
      value,
    ]);
    oidc = await openOidcSite(engine, {
      ...Object.fromEntries(numbered),
      OIDC_2_NAME: PARTNERS,
      OIDC_OPERATOR_CLAIM: 'groups=operators',
    });
    await partners.serve(`${oidc.site.baseUrl}${CALLBACK}/2`);
  });
  afterAll(async () => {
    await oidc?.close();
    await partners?.close();
  });
  beforeEach(() => oidc.reset());

  function partner(sub: string, email: string, isVerified = true) {
    partners.people.set(sub, { email, email_verified: isVerified, name: 'Pat Partner' });
    partners.person = sub;
  }

  test('offers a button for each provider and creates an account at each', async () => {
    const { text } = await oidc.site.browser().get('/sign-in');
    expect(text).toContain('Sign in with Acme &amp; Sons');
    expect(text).toContain(`Sign in with ${PARTNERS}`);
    partner('pat-1', 'pat-1@partners.example');
    const pat = oidc.site.browser();
    expect((await oidc.signIn(pat, '/dashboard', 2)).location).toBe('/dashboard');
    expect(await oidc.identitiesOf('pat-1@partners.example')).toEqual(['pat-1']);
    const { text: account } = await pat.get('/account');
    expect(account).toContain(`You can sign in with ${PARTNERS}.`);
    expect(account).toContain('href="/sign-in/oidc/link?provider=1"');
    expect(account).not.toContain('href="/sign-in/oidc/link?provider=2"');
  });

  test('the same subject at another provider is another person', async () => {
    const { sub, email } = oidc.employee();
    await oidc.signIn(oidc.site.browser());
    partner(sub, `another-${email}`);
    const pat = oidc.site.browser();
    await oidc.signIn(pat, '/account', 2);
    const { text } = await pat.get('/account');
    expect(text).toContain(`another-${email}`);
    expect(text).not.toContain(`>${email}`);
    expect((await oidc.accountOf(email))!.id).not.toBe((await oidc.accountOf(`another-${email}`))!.id);
  });

  test.each([true, false])(
    'the address of another provider’s person opens no account (verified: %j)',
    async (isVerified) => {
      const { sub, email } = oidc.employee();
      await oidc.signIn(oidc.site.browser());
      const before = await eventsOf(oidc.site.context, email);
      for (const subject of [`stranger-${sub}`, sub]) {
        partner(subject, email, isVerified);
        const stranger = oidc.site.browser();
        expectRefused(
          await oidc.signIn(stranger, '/account', 2),
          isVerified ? /An account with your email address already exists/ : /hasn’t confirmed/,
        );
        expect(await stranger.isSignedIn()).toBe(false);
      }
      expect(await oidc.identitiesOf(email)).toEqual([sub]);
      expect(await eventsOf(oidc.site.context, email)).toEqual(before);
    },
  );

  test('a person connects a second provider to the account while signed in', async () => {
    const { sub, email } = oidc.employee();
    const ada = oidc.site.browser();
    await oidc.signIn(ada);
    partner(`partner-${sub}`, email);
    expectRefused(await oidc.signIn(ada, '/account', 2), /An account with your email address already exists/);
    // The second time, the provider confirms when the person signed in there.
    await oidc.signIn(ada);
    await oidc.signIn(ada, '/account', 2);
    expect((await oidc.identitiesOf(email)).toSorted()).toEqual([sub, `partner-${sub}`]);
    expect((await ada.get('/account')).text).toMatch(/You can sign in with .*(?:Sons|Partners) or /);
    expect((await oidc.signIn(oidc.site.browser(), '/dashboard', 2)).location).toBe('/dashboard');
  });

  test('an operator by the claim of one provider can’t sign in with another, which doesn’t know leavers', async () => {
    const { sub, email } = oidc.employee({ groups: 'operators' });
    const olga = oidc.site.browser();
    await oidc.signIn(olga);
    partner(`partner-${sub}`, email);
    partners.people.set(`partner-${sub}`, { email, email_verified: true, groups: 'operators' });
    await oidc.signIn(olga);
    expectRefused(await oidc.signIn(olga, '/account', 2), /sign in with it/);
    // The person isn't an operator while connecting it.
    oidc.idp.people.set(sub, { email, email_verified: true });
    await oidc.signIn(olga);
    await oidc.signIn(olga, '/account', 2);
    expect(await oidc.identitiesOf(email)).toHaveLength(2);
    oidc.idp.people.set(sub, { email, email_verified: true, groups: 'operators' });
    await oidc.signIn(olga);
    expect((await oidc.accountOf(email))!.operator_since).not.toBeNull();
    expectRefused(await oidc.signIn(oidc.site.browser(), '/desk', 2), /sign in with it/);
  });

  test('a response is accepted only at the path of the provider at which the sign-in started', async () => {
    const { email } = oidc.employee();
    const ada = oidc.site.browser();
    for (const [from, to] of [
      [1, `${CALLBACK}/2`],
      [2, CALLBACK],
    ] as const) {
      partner('mallory', email);
      const back = new URL(await passThrough(await oidc.leave(ada, '/', from)));
      expectRefused(await ada.get(to + back.search), /was started in another browser/);
      // The response is used up.
      expectRefused(await ada.get(back.pathname + back.search), /was started in another browser/);
    }
    expect(await oidc.accountOf(email)).toBeUndefined();
    expect((await ada.post('/sign-in/oidc', { provider: '3' })).status).toBe(404);
    expect((await ada.get(`${CALLBACK}/3?code=a&state=b`)).status).toBe(404);
  });

  test('the confirmation of one’s identity offers only providers that the account is connected to', async () => {
    oidc.employee();
    const ada = oidc.site.browser();
    await oidc.signIn(ada);
    const { text } = await ada.get('/account/prove?next=/account');
    expect(text).toContain(`Use ${NAME.replace('&', '&amp;')}`);
    expect(text).not.toContain(`Use ${PARTNERS}`);
  });
});
