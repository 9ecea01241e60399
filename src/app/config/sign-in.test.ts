import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemsOf } from '../../../test/support/config-problems.ts';
import { parseConfig } from './config.ts';

describe('identity provider', () => {
  const ALL = {
    OIDC_ISSUER: 'https://login.example.com/tenant/',
    OIDC_CLIENT_ID: 'claimcheck',
    OIDC_CLIENT_SECRET_FILE: 'client-secret',
  };

  test('is configured by three settings and an optional name', () => {
    const [provider, ...others] = parseConfig(ALL).oidc.providers;
    expect([String(provider?.name), others]).toEqual(['your company’s account', []]);
    expect(provider).toMatchObject({
      number: 1,
      issuer: ALL.OIDC_ISSUER,
      clientId: ALL.OIDC_CLIENT_ID,
      clientSecret: { name: 'OIDC_CLIENT_SECRET_FILE', path: resolve('client-secret') },
      trustsEmail: false,
    });
    expect(parseConfig({ ...ALL, OIDC_NAME: 'Acme' }).oidc.providers).toMatchObject([{ name: 'Acme' }]);
  });

  test.each(Object.keys(ALL))('is rejected without %s', (name) => {
    const sentence = `${name.replace('_FILE', '')} is not set`;
    expect(problemsOf({ ...ALL, [name]: '' })).toEqual([expect.stringContaining(sentence)]);
  });

  test('is rejected if only its name is set or its name is too long', () => {
    expect(problemsOf({ OIDC_NAME: 'Acme' })).toHaveLength(3);
    expect(problemsOf({ ...ALL, OIDC_NAME: 'x'.repeat(61) })).toHaveLength(1);
  });

  test.each(['http://login.example.com', 'login.example.com', 'https://login.example.com/?a=b'])(
    'is rejected with the issuer %s',
    (issuer) => {
      expect(problemsOf({ ...ALL, OIDC_ISSUER: issuer })).toEqual([
        expect.stringContaining('OIDC_ISSUER must be an https URL'),
      ]);
    },
  );

  test.each(['common', 'Organizations', 'consumers'])(
    'trusts nothing that foreign tenants say (%s)',
    (tenant) => {
      const open = { ...ALL, OIDC_ISSUER: `https://login.microsoftonline.com/${tenant}/v2.0` };
      expect(problemsOf(open)).toEqual([]);
      for (const setting of [{ OIDC_TRUST_EMAIL: 'true' }, { OIDC_OPERATOR_CLAIM: 'roles=operator' }]) {
        const [problem = '', ...others] = problemsOf({ ...open, ...setting });
        expect([problem, others]).toEqual([expect.stringContaining(Object.keys(setting)[0]!), []]);
        expect(problem).toContain('people of every organization');
        const issuer = 'https://login.microsoftonline.com/7c1d4e0a-3b52-4f8e-9a60-2f1c5d7e8b90/v2.0';
        expect(problemsOf({ ...open, ...setting, OIDC_ISSUER: issuer })).toEqual([]);
      }
    },
  );

  test('may use http on localhost', () => {
    expect(parseConfig({ ...ALL, OIDC_ISSUER: 'http://localhost:9000' }).oidc.providers).toHaveLength(1);
  });

  const SECOND = {
    OIDC_3_ISSUER: 'https://partners.example.com',
    OIDC_3_CLIENT_ID: 'claimcheck-partners',
    OIDC_3_CLIENT_SECRET: 'hunter2',
    OIDC_3_NAME: 'Partners',
    OIDC_3_TRUST_EMAIL: 'true',
  };

  test('may be one of several, each with a number in the names of its settings', () => {
    expect(parseConfig({ ...ALL, ...SECOND }).oidc.providers).toMatchObject([
      { number: 1, clientId: 'claimcheck', trustsEmail: false },
      {
        number: 3,
        issuer: 'https://partners.example.com',
        clientId: 'claimcheck-partners',
        clientSecret: { name: 'OIDC_3_CLIENT_SECRET', value: 'hunter2' },
        name: 'Partners',
        trustsEmail: true,
      },
    ]);
    expect(problemsOf({ ...ALL, ...SECOND, OIDC_3_CLIENT_SECRET: '' })).toEqual([
      expect.stringMatching(/^OIDC_3_CLIENT_SECRET is not set/),
    ]);
  });

  test('may name the claim that makes operators', () => {
    const claimOf = (text: string) =>
      parseConfig({ ...ALL, OIDC_OPERATOR_CLAIM: text }).oidc.providers[0]!.operatorClaim;
    expect(parseConfig(ALL).oidc.providers).toMatchObject([{ operatorClaim: null }]);
    expect(claimOf('groups=ops')).toEqual({ claim: 'groups', value: 'ops' });
    const group = { claim: 'https://acme.example/groups', value: 'cn=ops,dc=acme' };
    expect(claimOf('https://acme.example/groups = cn=ops,dc=acme')).toEqual(group);
    for (const text of ['groups', '=ops', 'groups=', ' = ']) {
      expect(problemsOf({ ...ALL, OIDC_OPERATOR_CLAIM: text })).toEqual([
        expect.stringMatching(/^OIDC_OPERATOR_CLAIM must be the name of a claim and its value/),
      ]);
    }
    expect(problemsOf({ OIDC_2_OPERATOR_CLAIM: 'groups=ops' })).toHaveLength(3);
    for (const text of ['nickname=ada', 'name = Ada Lovelace', 'address.country=DE']) {
      expect(problemsOf({ ...ALL, OIDC_OPERATOR_CLAIM: text })).toEqual([
        expect.stringMatching(
          /^OIDC_OPERATOR_CLAIM can’t be the claim .* people choose its value themselves/,
        ),
      ]);
    }
    expect(claimOf('preferred_username=ada')).toEqual({ claim: 'preferred_username', value: 'ada' });
  });

  test('can be the only way to sign in', () => {
    expect(parseConfig(ALL).oidc.isOnly).toBe(false);
    expect(parseConfig({ ...ALL, OIDC_ONLY: 'true' }).oidc.isOnly).toBe(true);
    expect(problemsOf({ OIDC_ONLY: 'true' })).toEqual(['OIDC_ONLY is true, but OIDC_ISSUER is not set.']);
    expect(problemsOf({ ...ALL, OIDC_ONLY: 'yes' })).toHaveLength(1);
  });

  test('must differ from the others in its issuer and its name', () => {
    expect(problemsOf({ ...ALL, ...SECOND, OIDC_3_ISSUER: 'https://login.example.com/tenant' })).toEqual([
      'OIDC_3_ISSUER is the same provider as OIDC_ISSUER.',
    ]);
    for (const names of [{ OIDC_3_NAME: '' }, { OIDC_NAME: 'Partners' }]) {
      expect(problemsOf({ ...ALL, ...SECOND, ...names })).toEqual([
        'OIDC_3_NAME must differ from the names of the other identity providers.',
      ]);
    }
  });
});
