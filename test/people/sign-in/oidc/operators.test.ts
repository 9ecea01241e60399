/** A claim of the identity provider makes operators, and ends that. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { hasOperator } from '../../../../src/people/accounts/queries.ts';
import { createOperatorKey } from '../../../../src/people/keys/create.ts';
import { setOperator } from '../../../../src/people/sign-in/access.ts';
import { hashPassword } from '../../../../src/people/sign-in/credentials/password.ts';
import { putPassword } from '../../../../src/people/sign-in/credentials/queries.ts';
import { issueSignInLink } from '../../../../src/people/sign-in/sign-in.ts';
import { ENGINES } from '../../../support/engines.ts';
import { PASSWORD } from '../../../support/person.ts';
import { type AccountSite, eventsOf } from '../support.ts';
import { type OidcSite, openOidcSite } from './support.ts';

const OPERATORS = ['staff', 'claimcheck-operators'];

describe.each(ENGINES)('operators by a claim on %s', (engine) => {
  let oidc: OidcSite;
  let site: AccountSite;
  let context: Context;
  beforeAll(async () => {
    oidc = await openOidcSite(engine, { OIDC_OPERATOR_CLAIM: 'groups = claimcheck-operators' });
    ({ site } = oidc);
    context = site.context;
  });
  afterAll(() => oidc?.close());
  beforeEach(() => {
    oidc.reset();
    oidc.idp.amr = ['pwd', 'mfa'];
  });

  const setGroups = (sub: string, groups: unknown) =>
    oidc.idp.people.set(sub, { ...oidc.idp.people.get(sub), groups });
  const isOperator = async (email: string) => (await oidc.accountOf(email))!.operator_since !== null;

  test('the claim makes an operator at a sign-in, and the role ends at the first sign-in without it', async () => {
    const { sub, email } = oidc.employee({ groups: ['staff'] });
    const early = site.browser();
    await oidc.signIn(early);
    expect([await isOperator(email), (await early.get('/desk/accounts')).status]).toEqual([false, 404]);

    setGroups(sub, OPERATORS);
    const olga = site.browser();
    await oidc.signIn(olga);
    expect((await olga.get('/desk/accounts')).status).toBe(200);
    // An operator's sessions are shorter, so earlier ones end.
    expect(await early.isSignedIn()).toBe(false);
    const { id } = (await oidc.accountOf(email))!;
    const key = { account: id, name: 'cli', scopes: ['accounts:read'], actor: `account:${id}` } as const;
    await createOperatorKey(context, key);

    setGroups(sub, undefined);
    await oidc.signIn(site.browser());
    expect([await isOperator(email), await hasOperator(context.db.read)]).toEqual([false, false]);
    expect((await olga.get('/desk/accounts')).status).toBe(404);
    const keys = context.db.read
      .selectFrom('operator_keys')
      .select('revoked_at')
      .where('account_id', '=', id);
    expect(await keys.execute()).toEqual([{ revoked_at: expect.any(String) }]);
    const events = (await eventsOf(context, email)).filter((type) => type.includes('operator'));
    expect(events).toEqual(expect.arrayContaining(['account.operator_made', 'account.operator_removed']));

    setGroups(sub, OPERATORS);
    await oidc.signIn(site.browser());
    expect(await isOperator(email)).toBe(true);
  });

  test('an operator who became one by hand stays one without the claim', async () => {
    const { sub, email } = oidc.employee();
    await oidc.signIn(site.browser());
    await setOperator(context, { account: email, operator: true, actor: 'operator', hasMail: false });
    for (const groups of [[], OPERATORS, []]) {
      setGroups(sub, groups);
      await oidc.signIn(site.browser());
      expect(await isOperator(email)).toBe(true);
    }
  });

  test('an operator by the claim signs in only with the provider or a link from the terminal', async () => {
    const { email } = oidc.employee({ groups: OPERATORS });
    await oidc.signIn(site.browser());
    const { id } = (await oidc.accountOf(email))!;
    const hash = await hashPassword(PASSWORD, context.random);
    await context.db.transaction((tx) => putPassword(tx, id, hash, context.at()));
    const leaver = site.browser();
    expect((await leaver.signIn(email)).text).toContain('operator through your company’s identity provider');
    expect(await leaver.isSignedIn()).toBe(false);
    const link = await issueSignInLink(context, { account: email, baseUrl: site.baseUrl, next: '/desk' });
    await leaver.post('/sign-in/link', { code: link.split('#')[1]!, choice: 'sign-in' });
    expect(await leaver.isSignedIn()).toBe(true);
  });

  test('a person whose operator rights were removed by hand gets them again only by the claim', async () => {
    const { sub, email } = oidc.employee({ groups: OPERATORS });
    await oidc.signIn(site.browser());
    await site.signedIn({ operator: true });
    await setOperator(context, { account: email, operator: false, actor: 'operator', hasMail: false });
    await setOperator(context, { account: email, operator: true, actor: 'operator', hasMail: false });
    setGroups(sub, []);
    await oidc.signIn(site.browser());
    expect(await isOperator(email)).toBe(true);
  });
});
