/** What a person could do in an account ends with their role, whichever way the role ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createIsStillAllowed } from '../../../src/app/find-viewer.ts';
import { eraseAgain } from '../../../src/background/personal-data/erase.ts';
import { findEndpoint } from '../../../src/background/webhooks/endpoint-queries.ts';
import { createEndpoint, editEndpoint, enableEndpoint } from '../../../src/background/webhooks/endpoints.ts';
import type { Context } from '../../../src/base/context.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { findRole } from '../../../src/people/accounts/membership-queries.ts';
import { findAccount, lockAccount, setSince } from '../../../src/people/accounts/queries.ts';
import { authorizeOperatorKey } from '../../../src/people/keys/authorize.ts';
import { createKey, createOperatorKey } from '../../../src/people/keys/create.ts';
import { hashKey } from '../../../src/people/keys/key.ts';
import { leaveAccount, removeMember, setRole } from '../../../src/people/members/change-membership.ts';
import { listInvitations, updateRole } from '../../../src/people/members/queries.ts';
import type { RoleEnd } from '../../../src/people/members/role-end.ts';
import { restoreAccount, suspendAccount } from '../../../src/people/members/suspend.ts';
import { setOperator } from '../../../src/people/sign-in/access.ts';
import { codeUntilMs, issueCode } from '../../../src/people/sign-in/codes/queries.ts';
import { takeOver } from '../../../src/people/sign-in/email/confirm.ts';
import { findHolder } from '../../../src/people/sign-in/sessions/queries.ts';
import { acceptAccessLink, createAccessLink } from '../../../src/people/visibility/access-link.ts';
import { createReadRights } from '../../../src/people/visibility/read-rights.ts';
import { ENGINES } from '../../support/engines.ts';
import { refusalOf, typesOf } from '../../support/events.ts';
import { accept, addMember, invite } from '../../support/members.ts';
import { type SignedIn, signedInAs } from '../../support/person.ts';
import { localOutgoing } from '../../support/receiver.ts';
import { type OwnSite, openSite } from '../../support/site.ts';
import { callVerify } from '../../support/verify.ts';

const ENDS = ['demoted', 'left', 'removed', 'suspended', 'deleted'] as const satisfies readonly RoleEnd[];

const outgoing = localOutgoing();

describe.each(ENGINES)('a role that ends on %s', (engine) => {
  let site: OwnSite;
  let context: Context;
  let owner: SignedIn;
  let coOwner: SignedIn;
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
    [owner, coOwner] = [await newPerson('Acme'), await newPerson('Cora')];
    await addMember(context, coOwner, { accountId: owner.accountId, role: 'owner' });
  });

  const actorOf = ({ accountId }: SignedIn) => `account:${accountId}` as const;
  const inAccount = () => ({ accountId: owner.accountId, memberId: coOwner.accountId });
  /** Ends the co-owner's role. */
  const end = async (how: RoleEnd, keysEnd: 'now' | '24h' | 'never' = 'now'): Promise<unknown> => {
    const by = { ...inAccount(), actor: actorOf(owner) };
    switch (how) {
      case 'demoted':
        return await setRole(context, { ...by, role: 'member', keysEnd });
      case 'removed':
        return await removeMember(context, { ...by, keysEnd });
      case 'left':
        return await leaveAccount(context, { ...inAccount(), personId: coOwner.accountId, keysEnd });
      case 'suspended':
        return await suspendAccount(context, { account: coOwner.accountId, actor: 'operator', keysEnd });
      case 'deleted':
        return await eraseAgain(context, [coOwner.accountId]);
    }
  };
  const invitation = () =>
    invite(context, { accountId: owner.accountId, by: coOwner.accountId, role: 'owner' });
  const newEndpoint = (by: SignedIn, url = 'http://127.0.0.1:4001/hook') =>
    createEndpoint(context, outgoing, {
      accountId: owner.accountId,
      actor: actorOf(by),
      url,
      eventTypes: ['claim.created'],
    });
  const createListingOf = async ({ accountId }: SignedIn) => {
    people += 1;
    const slug = `app-${people}`;
    const listing = { account: accountId, slug, name: 'App', url: 'https://app.example/' };
    return { listingId: (await createListing(context, { ...listing, actor: `account:${accountId}` })).id };
  };
  const endpointOf = (id: string) => findEndpoint(context.db.read, owner.accountId, id);
  const newKey = () =>
    createKey(context, {
      account: owner.accountId,
      name: 'Server',
      mode: 'live',
      actor: actorOf(coOwner),
    });
  /** 404: the key works, but finds no such token. */
  const verify = async (key: string) =>
    (await callVerify(site.baseUrl, key, { token: 'an-unknown-token' })).status;
  const lastEvent = async (type: string) => {
    const row = await context.db.read
      .selectFrom('events')
      .select('data')
      .where('account_id', '=', owner.accountId)
      .where('type', '=', type)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return typeof row.data === 'string' ? JSON.parse(row.data) : row.data;
  };

  test.each(ENDS)('stops a download in progress (%s)', async (how) => {
    const isStillAllowed = createIsStillAllowed(context);
    const viewer = { ...coOwner, personId: coOwner.accountId, accountId: owner.accountId };
    const mayRead = () =>
      isStillAllowed({ ...viewer, role: 'owner', isOperator: false } as unknown as Viewer);
    expect(await mayRead()).toBe(true);
    await end(how);
    expect(await mayRead()).toBe(false);
  });

  test('a suspension ends the invitations to the suspended account, also by other owners', async () => {
    const codes = [await invitation(), await invite(context, { accountId: owner.accountId })];
    await suspendAccount(context, { account: owner.accountId, actor: 'operator' });
    await restoreAccount(context, { account: owner.accountId, actor: 'operator' });
    expect(await listInvitations(context.db.read, owner.accountId)).toEqual([]);
    for (const code of codes)
      expect(await refusalOf(accept(context, code, await newPerson()))).toMatch(/does not work/);
  });

  test.each(ENDS)('ends the invitations of a person (%s), even when a suspension ends', async (how) => {
    const code = await invitation();
    await end(how);
    expect(await listInvitations(context.db.read, owner.accountId)).toEqual([]);
    if (how === 'suspended') {
      await restoreAccount(context, { account: coOwner.accountId, actor: 'operator' });
    }
    const second = await newPerson();
    expect(await refusalOf(accept(context, code, second))).toContain('does not work');
    expect(await findRole(context.db.read, owner.accountId, second.accountId)).toBeNull();
  });

  test.each(ENDS)('ends the keys that a person knows (%s)', async (how) => {
    const { key, id } = await newKey();
    expect(await verify(key)).toBe(404);
    await end(how);
    if (how === 'suspended') {
      await restoreAccount(context, { account: coOwner.accountId, actor: 'operator' });
    }
    if (how !== 'deleted') {
      expect(await verify(key)).toBe(401);
      return;
    }
    // The keys of a deleted person expire within a week, because no owner has seen which servers use them.
    const row = await context.db.read
      .selectFrom('api_keys')
      .select('expires_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(Date.parse(row.expires_at!) - context.now()).toBeLessThanOrEqual(7 * 86_400_000);
  });

  test.each(['left', 'removed', 'suspended', 'deleted'] as const)(
    'pauses the endpoints whose URL or secret a person set (%s)',
    async (how) => {
      const [created, edited, own] = [
        await newEndpoint(coOwner),
        await newEndpoint(owner),
        await newEndpoint(owner),
      ];
      const change = { accountId: owner.accountId, endpointId: edited.id, actor: actorOf(coOwner) };
      const url = 'http://127.0.0.1:4002/elsewhere';
      await editEndpoint(context, outgoing, { ...change, url, eventTypes: ['claim.created'] });
      await end(how);
      for (const { id } of [created, edited]) {
        expect((await endpointOf(id)).disabled_reason).toBe('member_gone');
      }
      expect((await endpointOf(own.id)).disabled_at).toBeNull();
      // Nothing can be added or changed by a request that was already on its way.
      expect(await refusalOf(newEndpoint(coOwner))).not.toBe('');
      expect(
        await refusalOf(editEndpoint(context, outgoing, { ...change, url, eventTypes: ['key.created'] })),
      ).not.toBe('');
    },
  );

  test('hands endpoints over if the owner chooses so, and an enabled endpoint belongs to whoever enabled it', async () => {
    const [kept, paused] = [await newEndpoint(coOwner), await newEndpoint(owner)];
    const by = { ...inAccount(), actor: actorOf(owner), keysEnd: 'now' } as const;
    await removeMember(context, { ...by, keepsEndpoints: true });
    expect(await endpointOf(kept.id)).toMatchObject({ disabled_at: null, url_set_by_id: owner.accountId });
    await addMember(context, coOwner, { accountId: owner.accountId });
    const own = { accountId: owner.accountId, endpointId: paused.id };
    const url = 'http://127.0.0.1:4002/elsewhere';
    const edit = { ...own, actor: actorOf(coOwner), url, eventTypes: ['claim.created'] } as const;
    await editEndpoint(context, outgoing, edit);
    await removeMember(context, by);
    await enableEndpoint(context, { ...own, actor: actorOf(owner), sendsMissed: true });
    expect(await endpointOf(paused.id)).toMatchObject({ disabled_at: null, url_set_by_id: owner.accountId });
  });

  test('ends too if the owner of the person’s email address takes their account over', async () => {
    const code = await invitation();
    const { key } = await newKey();
    const { id } = await newEndpoint(coOwner);
    const account = await findAccount(context.db.read, coOwner.accountId);
    await context.db.transaction((tx) => takeOver(context, tx, account));
    expect(await refusalOf(accept(context, code, await newPerson()))).toContain('does not work');
    expect(await verify(key)).toBe(401);
    expect((await endpointOf(id)).disabled_reason).toBe('member_gone');
  });

  test.each(['left', 'removed', 'suspended', 'deleted', 'taken over'] as const)(
    'ends the invitation links to listings that a person created, but not what they gave others (%s)',
    async (how) => {
      const { listingId } = await createListingOf(owner);
      const scope = { listingId, accountId: owner.accountId };
      const link = { ...scope, name: 'Friends', people: 9, days: 30 };
      const { code } = await createAccessLink(context, { ...link, actor: actorOf(coOwner) });
      const { code: kept } = await createAccessLink(context, { ...link, actor: actorOf(owner) });
      const { accountId: guest } = await newPerson();
      await acceptAccessLink(context, { code, personId: guest });
      if (how === 'taken over') {
        const account = await findAccount(context.db.read, coOwner.accountId);
        await context.db.transaction((tx) => takeOver(context, tx, account));
      } else await end(how);
      const { accountId: personId } = await newPerson();
      expect(await refusalOf(acceptAccessLink(context, { code, personId }))).toContain('does not work');
      await acceptAccessLink(context, { code: kept, personId });
      const rights = await createReadRights(context, false)({ personId: guest });
      expect(rights.listings).toEqual([listingId]);
      // A request that was already on its way creates no other link.
      expect(await refusalOf(createAccessLink(context, { ...link, actor: actorOf(coOwner) }))).not.toBe('');
    },
  );

  test.each(['demotion', 'suspension'] as const)(
    'of an operator ends the invitation links to the marketplace that they created (%s)',
    async (how) => {
      const [operator, other] = [await newPerson('Olga'), await newPerson('Otto')];
      for (const { accountId } of [operator, other]) {
        await setOperator(context, { account: accountId, actor: 'operator', operator: true, hasMail: false });
      }
      const { accountId } = operator;
      const link = { listingId: null, accountId, name: 'All', people: 9, days: 30, actor: actorOf(operator) };
      const { code } = await createAccessLink(context, link);
      const change = { account: accountId, actor: 'operator' } as const;
      if (how === 'suspension') await suspendAccount(context, change);
      else await setOperator(context, { ...change, operator: false, hasMail: false });
      const { accountId: personId } = await newPerson();
      expect(await refusalOf(acceptAccessLink(context, { code, personId }))).toContain('does not work');
      expect(await refusalOf(createAccessLink(context, link))).not.toBe('');
    },
  );

  test('keeps endpoints if an owner becomes a member, because members may also manage them', async () => {
    const { id } = await newEndpoint(coOwner);
    await end('demoted');
    expect((await endpointOf(id)).disabled_at).toBeNull();
  });

  test('keeps keys only of a person who remains a member, and only if an owner chooses so', async () => {
    const { key } = await newKey();
    await end('demoted', 'never');
    expect(await verify(key)).toBe(404);
    expect(await lastEvent('member.role_changed')).toMatchObject({ keys_kept: 1 });
  });

  test('is recorded with everything that ended', async () => {
    await invitation();
    await newKey();
    await newEndpoint(coOwner);
    await end('suspended', '24h');
    expect(await lastEvent('member.suspended')).toMatchObject({ invitations: 1, keys: 1, endpoints: 1 });
  });

  test('is recorded once if the suspension is repeated', async () => {
    await newKey();
    await end('suspended', '24h');
    await end('suspended', '24h');
    const types = await typesOf(context.db, coOwner.accountId);
    expect(types.filter((type) => type === 'member.suspended')).toHaveLength(1);
  });

  test('requires a new confirmation of the person’s identity', async () => {
    const proven = async () =>
      (
        await context.db.read
          .selectFrom('sessions')
          .select('proven_at')
          .where('id', '=', coOwner.sessionId)
          .executeTakeFirstOrThrow()
      ).proven_at;
    expect(Date.parse(await proven())).toBeGreaterThan(0);
    await end('demoted');
    expect(Date.parse(await proven())).toBe(0);
  });

  test.each(ENDS)('ends the person’s unused links (%s)', async (how) => {
    const links = ['set-password', 'change-email'] as const;
    const subjects = links.map((purpose) => ({ purpose, accountId: coOwner.accountId }));
    const untilMs = () =>
      Promise.all(subjects.map((subject) => codeUntilMs(context.db.read, context, subject)));
    await context.db.transaction(async (tx) => {
      for (const subject of subjects) await issueCode(tx, context, subject);
    });
    expect(await untilMs()).not.toContain(null);
    await end(how);
    expect(await untilMs()).toEqual([null, null]);
  });

  test('of an operator revokes their operator keys and links, even if they become an operator again', async () => {
    const [operator, other] = [await newPerson('Olga'), await newPerson('Otto')];
    for (const { accountId } of [operator, other]) {
      await setOperator(context, { account: accountId, actor: 'operator', operator: true, hasMail: false });
    }
    const { key } = await createOperatorKey(context, {
      account: operator.accountId,
      name: 'Market',
      scopes: ['claims:read'],
      actor: actorOf(operator),
    });
    const authorization = async () => (await authorizeOperatorKey(context, hashKey(key), 'claims:read')).kind;
    expect(await authorization()).toBe('authorized');
    const link = { purpose: 'set-password', accountId: operator.accountId } as const;
    await context.db.transaction((tx) => issueCode(tx, context, link));
    for (const isOperator of [false, true]) {
      const change = { account: operator.accountId, actor: 'operator', operator: isOperator } as const;
      await setOperator(context, { ...change, hasMail: false });
      expect(await authorization()).toBe('refused');
      expect(await codeUntilMs(context.db.read, context, link)).toBeNull();
    }
  });

  test('refuses an operator key that is created while its operator is removed', async () => {
    const [operator, other] = [await newPerson('Olga'), await newPerson('Otto')];
    for (const { accountId } of [operator, other]) {
      await setOperator(context, { account: accountId, actor: 'operator', operator: true, hasMail: false });
    }
    const { accountId } = operator;
    const lock = Promise.withResolvers<void>();
    const removal = context.db.transaction(async (tx) => {
      await lockAccount(tx, context.db.engine, accountId);
      lock.resolve();
      await sleep(60);
      await setSince(tx, accountId, 'operator_since', null);
    });
    await lock.promise;
    const key = { account: accountId, name: 'Market', scopes: ['claims:read'], actor: actorOf(operator) };
    const [refused] = await Promise.all([refusalOf(createOperatorKey(context, key)), removal]);
    expect(refused).toContain('is not an operator');
  });

  test('ends the session and the rights of a download in progress', async () => {
    const holder = () => findHolder(context.db.read, coOwner.sessionId, context.at());
    expect(await holder()).toBeDefined();
    await end('suspended');
    expect(await holder()).toBeUndefined();
  });

  // The invitation is still stored when it is accepted, so only the check of the author's role refuses it.
  test.each([
    [
      'demotion',
      async (changed: () => void) => {
        const { accountId, memberId } = inAccount();
        await context.db.transaction(async (tx) => {
          await lockAccount(tx, context.db.engine, accountId);
          await updateRole(tx, { accountId, memberId, role: 'member' });
          changed();
          await sleep(60);
        });
      },
    ],
    [
      'suspension',
      async (changed: () => void) =>
        await context.db.transaction(async (tx) => {
          await lockAccount(tx, context.db.engine, coOwner.accountId);
          await setSince(tx, coOwner.accountId, 'suspended_at', context.at());
          changed();
          await sleep(60);
        }),
    ],
  ])('refuses an invitation that is accepted during the %s of its author', async (_, fall) => {
    const code = await invitation();
    const second = await newPerson();
    const change = Promise.withResolvers<void>();
    const falling = fall(change.resolve);
    await change.promise;
    const [refused] = await Promise.all([refusalOf(accept(context, code, second)), falling]);
    expect(refused).toContain('does not work');
    expect(await findRole(context.db.read, owner.accountId, second.accountId)).toBeNull();
  });

  test('control: the same invitation is accepted while its author keeps the role', async () => {
    const second = await newPerson();
    await accept(context, await invitation(), second);
    expect(await findRole(context.db.read, owner.accountId, second.accountId)).toBe('owner');
  });

  test('never lets an invitation win against a demotion that came first, in parallel attempts', async () => {
    for (let round = 0; round < 6; round += 1) {
      const code = await invitation();
      const second = await newPerson();
      const [accepted] = await Promise.allSettled([accept(context, code, second), end('demoted')]);
      const rows = await context.db.read
        .selectFrom('events')
        .select('type')
        .where('account_id', '=', owner.accountId)
        .where('type', 'in', ['member.joined', 'member.role_changed'])
        .orderBy('seq', 'desc')
        .limit(2)
        .execute();
      const isFirst = rows.map(({ type }) => type).join() === 'member.role_changed,member.joined';
      if (accepted.status === 'fulfilled') expect(isFirst).toBe(true);
      const back = { ...inAccount(), actor: actorOf(owner), role: 'owner' } as const;
      await setRole(context, back);
    }
  });
});
