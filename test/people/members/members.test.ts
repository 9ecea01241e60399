/** Account members: invitations, roles, races, and the end of a membership. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseAgain } from '../../../src/background/personal-data/erase.ts';
import type { Context } from '../../../src/base/context.ts';
import { findRole } from '../../../src/people/accounts/membership-queries.ts';
import { findAccount } from '../../../src/people/accounts/queries.ts';
import { createKey } from '../../../src/people/keys/create.ts';
import { rollKey } from '../../../src/people/keys/end.ts';
import { leaveAccount, removeMember, setRole } from '../../../src/people/members/change-membership.ts';
import { withdrawInvitation } from '../../../src/people/members/invite.ts';
import { MAX_INVITATIONS, MAX_MEMBERS } from '../../../src/people/members/member.ts';
import { insertMembership, listInvitations, listMembers } from '../../../src/people/members/queries.ts';
import { suspendAccount } from '../../../src/people/members/suspend.ts';
import { takeOver } from '../../../src/people/sign-in/email/confirm.ts';
import { ENGINES } from '../../support/engines.ts';
import { refusalOf } from '../../support/events.ts';
import { accept, addMember, invite } from '../../support/members.ts';
import { type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { callVerify } from '../../support/verify.ts';

describe.each(ENGINES)('an account with members on %s', (engine) => {
  let site: OwnSite;
  let context: Context;
  let owner: SignedIn;
  let people = 0;

  beforeAll(async () => {
    site = await openSite(engine);
    context = site.context;
  });
  afterAll(() => site?.close());

  const newPerson = (name = 'Milo'): Promise<SignedIn> => {
    people += 1;
    return signedInAs(site, { email: `person-${people}@example.com`, name, plan: 'studio' });
  };
  beforeEach(async () => {
    owner = await newPerson('Acme');
  });

  const roleOf = ({ accountId }: SignedIn) => findRole(context.db.read, owner.accountId, accountId);
  const newMember = async (role: 'owner' | 'member' = 'member'): Promise<SignedIn> => {
    const person = await newPerson();
    await addMember(context, person, { accountId: owner.accountId, role });
    return person;
  };
  const remove = (member: SignedIn, by: SignedIn, keysEnd: 'now' | '24h' | '7d' = 'now') =>
    removeMember(context, {
      accountId: owner.accountId,
      memberId: member.accountId,
      actor: `account:${by.accountId}`,
      keysEnd,
    });
  const newKey = (by: SignedIn, name = 'Server') =>
    createKey(context, { account: owner.accountId, name, mode: 'live', actor: `account:${by.accountId}` });
  /** 404: the key works, but finds no such token. */
  const verify = async (key: string) =>
    (await callVerify(site.baseUrl, key, { token: 'an-unknown-token' })).status;
  const results = async (work: readonly Promise<unknown>[]): Promise<readonly string[]> =>
    (await Promise.allSettled(work)).map(({ status }) => status).sort();

  test('admits only one of two people who accept the same invitation concurrently', async () => {
    const code = await invite(context, { accountId: owner.accountId });
    const joins = [await newPerson(), await newPerson()].map((person) => accept(context, code, person));
    expect(await results(joins)).toEqual(['fulfilled', 'rejected']);
    expect(await listMembers(context.db.read, owner.accountId)).toHaveLength(1);
    expect(await refusalOf(accept(context, code, await newPerson()))).toContain('does not work');
  });

  test('rejects a withdrawn invitation, and an invitation for another email address', async () => {
    const code = await invite(context, { accountId: owner.accountId });
    const [open] = await listInvitations(context.db.read, owner.accountId);
    await withdrawInvitation(context, {
      accountId: owner.accountId,
      actor: `account:${owner.accountId}`,
      id: open!.id,
    });
    const person = await newPerson();
    expect(await refusalOf(accept(context, code, person))).toContain('does not work');
    const forOther = await invite(context, { accountId: owner.accountId, email: 'other@example.com' });
    expect(await refusalOf(accept(context, forOther, person))).toContain('is for other@example.com');
    // The rejected attempt did not use up the invitation.
    const other = await signedInAs(site, { email: 'Other@Example.com' });
    await accept(context, forOther, other);
    expect(await roleOf(other)).toBe('member');
  });

  test('keeps one of two owners who remove each other concurrently', async () => {
    const [one, other] = [await newMember('owner'), await newMember('owner')];
    const removals = await results([remove(one, other), remove(other, one)]);
    expect(removals).toEqual(['fulfilled', 'rejected']);
    expect([await roleOf(one), await roleOf(other)].filter((role) => role === 'owner')).toHaveLength(1);
  });

  test('always keeps its original owner, even while another owner joins', async () => {
    const other = await newMember('owner');
    const { accountId } = owner;
    const actor = `account:${other.accountId}` as const;
    const own = 'always stays an owner';
    expect(await refusalOf(remove(owner, other))).toContain(own);
    expect(
      await refusalOf(setRole(context, { accountId, memberId: accountId, actor, role: 'member' })),
    ).toContain(own);
    const code = await invite(context, { accountId, role: 'owner' });
    const person = await newPerson();
    const [left, joined] = await Promise.allSettled([
      leaveAccount(context, { accountId, personId: accountId, keysEnd: 'now' }),
      accept(context, code, person),
    ]);
    expect(String(left.status === 'rejected' && left.reason)).toContain(own);
    expect(joined.status).toBe('fulfilled');
    await leaveAccount(context, { accountId, personId: other.accountId, keysEnd: 'now' });
    expect(await roleOf(owner)).toBe('owner');
  });

  test('allows only owners to change keys, members and invitations', async () => {
    const member = await newMember();
    const by = `account:${member.accountId}` as const;
    const { accountId } = owner;
    const refused = 'Only owners of this account';
    expect(await refusalOf(newKey(member))).toContain(refused);
    expect(await refusalOf(invite(context, { accountId, by: member.accountId }))).toContain(refused);
    const role = { accountId, memberId: member.accountId, actor: by, role: 'owner' } as const;
    expect(await refusalOf(setRole(context, role))).toContain(refused);
    expect(await refusalOf(remove(await newMember(), member))).toContain(refused);
    const key = await newKey(owner);
    const roll = { keyId: key.id, accountId, actor: by };
    expect(await refusalOf(rollKey(context, roll))).toContain(refused);
  });

  test('disables only the keys that a removed owner created or rolled, at the chosen time', async () => {
    const leaver = await newMember('owner');
    const kept = await newKey(owner);
    const theirs = await newKey(leaver);
    const rolled = await rollKey(context, {
      keyId: (await newKey(owner, 'Rolled by the leaver')).id,
      actor: `account:${leaver.accountId}`,
    });
    expect(await verify(theirs.key)).toBe(404);
    await remove(leaver, owner);
    expect(await verify(theirs.key)).toBe(401);
    expect(await verify(rolled.key)).toBe(401);
    expect(await verify(kept.key)).toBe(404);

    const other = await newMember('owner');
    const later = await newKey(other);
    await remove(other, owner, '24h');
    expect(await verify(later.key)).toBe(404);
    const row = await context.db.read
      .selectFrom('api_keys')
      .select(['expires_at', 'revoked_at'])
      .where('id', '=', later.id)
      .executeTakeFirstOrThrow();
    expect(row.revoked_at).toBeNull();
    expect(Date.parse(row.expires_at!) - context.now()).toBeLessThanOrEqual(86_400_000);
  });

  test('rejects a key that an owner created while being removed', async () => {
    let created = 0;
    for (let round = 0; round < 5; round += 1) {
      const leaver = await newMember('owner');
      const [made] = await Promise.allSettled([
        newKey(leaver),
        sleep(round).then(() => remove(leaver, owner)),
      ]);
      if (made.status === 'rejected') continue;
      created += 1;
      expect(await verify(made.value.key)).toBe(401);
    }
    expect(created).toBeGreaterThan(0);
  });

  test('denies a removed member access at the next request, and revokes the invitations that the member sent', async () => {
    const leaver = await newMember('owner');
    const code = await invite(context, { accountId: owner.accountId, by: leaver.accountId });
    const shown = async () => (await leaver.person.get('/dashboard/settings/members')).text;
    expect(await shown()).toContain('Acme');
    await remove(leaver, owner);
    // The page now shows the removed member's personal account.
    expect(await shown()).not.toContain('Acme');
    expect(await refusalOf(accept(context, code, await newPerson()))).toContain('does not work');
    const form = { shown_to: `${leaver.accountId}.${owner.accountId}`, slug: 'late', name: 'Late' };
    const sent = await leaver.person.post('/dashboard/listings/new', {
      ...form,
      url: 'https://late.example/',
    });
    expect(sent.status).toBe(409);
    expect(sent.text).toContain('Nothing has been changed');
  });

  test('is hidden from its members while suspended, and inaccessible to suspended members', async () => {
    const member = await newMember();
    expect((await member.person.get('/account/accounts')).text).toContain('Acme');
    await suspendAccount(context, { account: owner.accountId, actor: 'operator' });
    expect((await member.person.get('/account/accounts')).text).not.toContain('Acme');
    await suspendAccount(context, { account: member.accountId, actor: 'operator' });
    expect((await member.person.get('/account/accounts')).status).toBe(303);
  });

  test('removes a deleted member, lets the member’s keys expire, and revokes the member’s invitations', async () => {
    const member = await newMember('owner');
    const key = await newKey(member);
    const code = await invite(context, { accountId: owner.accountId, by: member.accountId });
    await eraseAgain(context, [member.accountId]);
    expect(await roleOf(member)).toBeNull();
    expect(await refusalOf(accept(context, code, await newPerson()))).toContain('does not work');
    const row = await context.db.read
      .selectFrom('api_keys')
      .select('expires_at')
      .where('id', '=', key.id)
      .executeTakeFirstOrThrow();
    expect(row.expires_at).not.toBeNull();
    await eraseAgain(context, [owner.accountId]);
    expect(await listMembers(context.db.read, owner.accountId)).toEqual([]);
  });

  test('loses all members and invitations when the owner of its email address takes over the account', async () => {
    const member = await newMember('owner');
    const code = await invite(context, { accountId: owner.accountId });
    const account = await findAccount(context.db.read, owner.accountId);
    await context.db.transaction((tx) => takeOver(context, tx, account));
    expect(await listMembers(context.db.read, owner.accountId)).toEqual([]);
    expect(await roleOf(member)).toBeNull();
    expect(await refusalOf(accept(context, code, await newPerson()))).toContain('does not work');
  });

  test('limits the number of members and open invitations', async () => {
    for (let made = 0; made < MAX_INVITATIONS; made += 1)
      await invite(context, { accountId: owner.accountId });
    expect(await refusalOf(invite(context, { accountId: owner.accountId }))).toContain('open invitations');
    const other = await newPerson('Other');
    const code = await invite(context, { accountId: other.accountId });
    for (let made = 0; made < MAX_MEMBERS; made += 1) {
      const { accountId } = await newPerson();
      await context.db.transaction((tx) =>
        insertMembership(tx, {
          account_id: other.accountId,
          member_id: accountId,
          role: 'member',
          created_at: context.at(),
          invited_by_id: null,
        }),
      );
    }
    expect(await refusalOf(accept(context, code, owner))).toContain(`at most ${MAX_MEMBERS} members`);
  });
});
