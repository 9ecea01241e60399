import type { IDToken } from 'openid-client';
import { describe, expect, test } from 'vitest';
import { claimsFrom, isComplete } from './claims.ts';

const TOKEN: IDToken = { iss: 'https://id.example', sub: 'ada', aud: 'claimcheck', iat: 1, exp: 2 };
const rules = (claim: string, value = 'ops') => ({ trustsEmail: false, operatorClaim: { claim, value } });
const isOperator = (claims: object, claim = 'groups', value?: string) =>
  claimsFrom(rules(claim, value), { ...TOKEN, ...claims } as IDToken, null).isOperator;

describe('the operators’ claim', () => {
  test.each([
    [{ groups: 'ops' }, 'groups'],
    [{ groups: ['staff', 'ops'] }, 'groups'],
    [{ realm_access: { roles: ['ops'] } }, 'realm_access.roles'],
    [{ 'https://acme.example/roles': ['ops'] }, 'https://acme.example/roles'],
    [{ 'a.b': 'ops', a: { b: 'staff' } }, 'a.b'],
  ])('is met by %j', (claims, claim) => {
    expect(isOperator(claims, claim)).toBe(true);
  });

  test.each([
    [{}, 'groups'],
    [{ groups: 'ops-2' }, 'groups'],
    [{ groups: 'staff ops' }, 'groups'],
    [{ groups: 'staff,ops' }, 'groups'],
    [{ groups: 'OPS' }, 'groups'],
    [{ groups: [['ops']] }, 'groups'],
    [{ groups: { ops: true } }, 'groups'],
    [{ groups: { name: 'ops' } }, 'groups'],
    [{ groups: ['ops '] }, 'groups'],
    [{ groups: true }, 'groups'],
    [{ groups: null }, 'groups.0'],
    [{ realm_access: ['roles', 'ops'] }, 'realm_access.roles'],
    [{ realm_access: { roles: { admin: 'ops' } } }, 'realm_access.roles'],
  ])('is not met by %j', (claims, claim) => {
    expect(isOperator(claims, claim)).toBe(false);
  });

  test('never reads what every object inherits', () => {
    expect(isOperator({}, 'constructor.name', 'Object')).toBe(false);
    expect(isOperator({}, '__proto__.constructor.name', 'Object')).toBe(false);
  });

  test('in the ID token decides over the userinfo response, which is asked only if the token lacks it', () => {
    const token = { ...TOKEN, email: 'ada@example.com' };
    const from = (idToken: IDToken, userInfo: object) =>
      claimsFrom(rules('groups'), idToken, userInfo as Record<string, unknown>).isOperator;
    expect(from({ ...token, groups: [] }, { groups: ['ops'] })).toBe(false);
    expect(from(token, { groups: ['ops'] })).toBe(true);
    expect(isComplete(rules('groups'), token)).toBe(false);
    expect(isComplete(rules('groups'), { ...token, groups: [] })).toBe(true);
    expect(isComplete({ trustsEmail: false, operatorClaim: null }, token)).toBe(true);
  });

  test('makes nobody an operator with an address that the provider hasn’t verified', () => {
    const boss = { email: 'boss@example.com' };
    expect(isOperator({ ...boss, email_verified: true }, 'email', boss.email)).toBe(true);
    expect(isOperator({ ...boss, email_verified: false }, 'email', boss.email)).toBe(false);
    expect(isOperator(boss, 'email', boss.email)).toBe(false);
  });

  test('is unknown if none is configured', () => {
    const without = { trustsEmail: false, operatorClaim: null };
    expect(claimsFrom(without, { ...TOKEN, groups: ['ops'] }, null).isOperator).toBeNull();
  });
});

test('email_verified counts only with the address of the same source', () => {
  const userInfo = { email: 'boss@example.com', email_verified: false };
  const claims = claimsFrom(rules('groups'), { ...TOKEN, email_verified: true }, userInfo);
  expect(claims).toMatchObject({ email: 'boss@example.com', isEmailVerified: false });
});
