import { describe, expect, test } from 'vitest';
import { defaultPolicy, type Policy, policySettings } from '../accounts/policy.ts';
import { isForMembers, mayBrowse, mayView, type PersonFacts, rightsOf } from './visibility.ts';

const ADA: PersonFacts = {
  id: 'ada',
  email: 'ada@example.com',
  isConfirmed: true,
  isOperator: false,
  hasIdentity: false,
  grants: [],
  workAccounts: [],
};
const LISTING = { id: 'notes', account_id: 'owner', visibility: null } as const;
const LIMITED = { ...LISTING, visibility: 'members' } as const;
const OPEN = defaultPolicy(false);
const CLOSED: Policy = { ...OPEN, visibility: 'members' };

const domains = policySettings({ hasMail: true, hasProvider: false }).memberDomains!;
const isMemberAt = (email: string, list: string, isConfirmed = true): boolean => {
  const policy = { ...OPEN, memberDomains: domains.parse(list, () => '') };
  return rightsOf({ ...ADA, email, isConfirmed }, policy, false).all;
};

describe('who may see a listing', () => {
  const views = (person: Partial<PersonFacts> | null, policy = OPEN, hasProvider = false) => {
    const rights = rightsOf(person === null ? null : { ...ADA, ...person }, policy, hasProvider);
    return [mayView(rights, LISTING), mayView(rights, LIMITED), mayBrowse(rights)];
  };

  test.each([
    ['a stranger', null, [true, false, true], [false, false, false]],
    ['a person who is not a member', {}, [true, false, true], [false, false, false]],
    ['an operator', { isOperator: true }, [true, true, true], [true, true, true]],
    ['the owner', { id: 'owner' }, [true, true, true], [true, true, false]],
    [
      'somebody who works for the owner',
      { workAccounts: ['owner'] },
      [true, true, true],
      [true, true, false],
    ],
    ['a guest of the marketplace', { grants: [null] }, [true, true, true], [true, true, true]],
    ['a guest of the listing', { grants: ['notes'] }, [true, true, true], [true, true, true]],
    ['a guest of another listing', { grants: ['maps'] }, [true, false, true], [false, false, true]],
  ] as const)('%s', (_, person, onOpenMarket, onClosedMarket) => {
    expect(views(person)).toEqual(onOpenMarket);
    expect(views(person, CLOSED)).toEqual(onClosedMarket);
  });

  test('an identity counts only if the operator wants it and there is a provider', () => {
    const policy = { ...OPEN, memberIdentities: true };
    expect(views({ hasIdentity: true }, policy, true)[1]).toBe(true);
    expect(views({ hasIdentity: true }, policy, false)[1]).toBe(false);
    expect(views({ hasIdentity: true }, OPEN, true)[1]).toBe(false);
    expect(views({}, policy, true)[1]).toBe(false);
  });

  test('a claim is checked only if something is for members', () => {
    expect([isForMembers(LISTING, OPEN), isForMembers(LIMITED, OPEN), isForMembers(LISTING, CLOSED)]).toEqual(
      [false, true, true],
    );
  });
});

describe('the email domains of members', () => {
  test.each([
    ['ada@example.com', 'Example.COM.'],
    ['ada@example.com', '@example.com'],
    ['ada@xn--bcher-kva.example', 'bücher.example'],
    ['ada@mail.example.com', '*.example.com'],
    ['ada@a.b.example.com', '*.EXAMPLE.com'],
  ])('%s is a member with %s', (email, list) => {
    expect(isMemberAt(email, list)).toBe(true);
    expect(isMemberAt(email, list, false)).toBe(false);
  });

  test.each([
    ['ada@mail.example.com', 'example.com'],
    ['ada@example.com', '*.example.com'],
    ['ada@notexample.com', 'example.com'],
    ['ada@evil-example.com', '*.example.com'],
    ['ada@example.com.evil.test', 'example.com'],
    // With a Cyrillic a.
    ['ada@xn--exmple-4nf.com', 'example.com'],
  ])('%s is not a member with %s', (email, list) => {
    expect(isMemberAt(email, list)).toBe(false);
  });

  test.each([
    '*',
    '*.',
    '*.com',
    '*example.com',
    'a.*.example.com',
    '**.example.com',
    'ada@example.com',
    'com',
  ])('refuses %j', (list) => {
    expect(() => domains.parse(list, () => '')).toThrow('must look like example.com');
  });
});
