import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../src/base/events/queries.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { setPlan } from '../../../src/people/accounts/edit.ts';
import { findAccount, listAccounts, setSince } from '../../../src/people/accounts/queries.ts';
import { restoreAccount, suspendAccount } from '../../../src/people/members/suspend.ts';
import { setOperator } from '../../../src/people/sign-in/access.ts';
import type { Transaction } from '../../../src/platform/store/database.ts';
import { ENGINES } from '../../support/engines.ts';
import { eventsOf, expectOneOf, refusalOf, typesOf } from '../../support/events.ts';
import { shareDatabase } from '../../support/shared.ts';

const actor = 'operator' as const;

describe.each(ENGINES)('accounts on %s', (engine) => {
  const database = shareDatabase(engine);
  const { context } = database;

  test('creation stores a lower-cased email address and the starter plan, and logs an event', async () => {
    const account = await createAccount(context, { email: ' Ada@Example.com', name: 'Ada', actor });
    expect(account).toMatchObject({ email: 'ada@example.com', name: 'Ada', plan: 'starter' });
    expect(account).toMatchObject({ operator_since: null, suspended_at: null });
    expect(await findAccount(database.db.read, account.id)).toEqual(account);
    expect(await findAccount(database.db.read, 'ADA@example.com')).toEqual(account);
    expect(await eventsOf(database.db, account.id)).toEqual([
      {
        type: 'account.created',
        account_id: account.id,
        at: account.created_at,
        actor,
        data: { email: 'ada@example.com', plan: 'starter', operator: false },
      },
    ]);
  });

  test('the operator role can be granted and revoked, but the last active operator keeps it', async () => {
    const make = (email: string, operator = false) =>
      createAccount(context, { email, name: 'O', operator, actor });
    const [olga, bo] = [await make('olga@example.com', true), await make('bo@example.com')];
    const set = (account: string, operator: boolean, by: Actor = actor) =>
      setOperator(context, { account, operator, actor: by, hasMail: false });
    await expect(set(olga.id, false)).rejects.toThrow('This is the only operator who isn’t suspended.');
    await expect(set(bo.id, true, 'operator-key:k')).rejects.toThrow('Operator keys cannot');
    expect((await set('bo@example.com', true)).operator_since).not.toBeNull();
    await set(bo.id, true);
    await suspendAccount(context, { account: bo.id, actor });
    await expect(set(olga.id, false)).rejects.toThrow('This is the only operator who isn’t suspended.');
    await restoreAccount(context, { account: bo.id, actor });
    // Concurrent revocations must leave one operator.
    const tries = await Promise.allSettled([set(olga.id, false), set(bo.id, false)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const types = await typesOf(database.db, bo.id);
    expect(types.filter((type) => type === 'account.operator_made')).toHaveLength(1);
  });

  test('with a mail server, only an account with a confirmed address becomes an operator’s', async () => {
    const { id } = await createAccount(context, { email: 'unconfirmed@example.com', name: 'U', actor });
    const make = () => setOperator(context, { account: id, operator: true, actor, hasMail: true });
    const update = (tx: Transaction) =>
      tx.updateTable('accounts').set({ email_verified_at: null }).where('id', '=', id).execute();
    await context.db.transaction(update);
    expect(await refusalOf(make())).toContain('The address of this account is not confirmed yet.');
    await context.db.transaction((tx) => setSince(tx, id, 'email_verified_at', context.at()));
    expect((await make()).operator_since).not.toBeNull();
  });

  test('operator keys cannot change the plan of an operator', async () => {
    const { id } = await createAccount(context, {
      email: 'plan-of-operator@example.com',
      name: 'O',
      operator: true,
      actor,
    });
    const change = { account: id, plan: 'everything', actor: 'operator-key:k' } as const;
    await expect(setPlan(context, change)).rejects.toThrow(
      'An operator key cannot change the plan of an operator.',
    );
    expect((await setPlan(context, { ...change, actor })).plan).toBe('everything');
  });

  test('equivalent spellings of an email address refer to the same account', async () => {
    const { id } = await createAccount(context, { email: 'jo@bücher.example', name: 'Jo', actor });
    for (const text of ['jo@xn--bcher-kva.example', 'JO@BÜCHER.example', 'jo@bu\u0308cher.example']) {
      expect((await findAccount(database.db.read, text)).id).toBe(id);
      await expect(createAccount(context, { email: text, name: 'Jo', actor })).rejects.toThrow('already');
    }
  });

  test('only one of several concurrent creations with the same email address succeeds', async () => {
    const twin = { email: 'twin@example.com', name: 'T', actor };
    await expectOneOf(
      Array.from({ length: 10 }, () => createAccount(context, twin)),
      'An account with the email address "twin@example.com" already exists.',
    );
    const twins = (await listAccounts(database.db.read)).filter(({ email }) => email === 'twin@example.com');
    expect(twins).toHaveLength(1);
    expect(await eventsOf(database.db, twins[0]!.id)).toHaveLength(1);
  });

  test('a change logs one event, even if several callers make the change concurrently', async () => {
    const { id } = await createAccount(context, { email: 'race@example.com', name: 'R', actor });
    await Promise.allSettled(
      Array.from({ length: 8 }, () => setPlan(context, { account: id, plan: 'everything', actor })),
    );
    const suspended = await Promise.all(
      Array.from({ length: 8 }, () => suspendAccount(context, { account: id, actor })),
    );
    const { suspended_at } = await findAccount(database.db.read, id);
    expect(suspended_at).not.toBeNull();
    expect(new Set(suspended.map((account) => account.suspended_at))).toEqual(new Set([suspended_at]));
    expect(await suspendAccount(context, { account: id, actor })).toMatchObject({ suspended_at });
    await Promise.all(Array.from({ length: 8 }, () => restoreAccount(context, { account: id, actor })));
    const events = await eventsOf(database.db, id);
    const types = ['created', 'plan_changed', 'suspended', 'restored'];
    expect(events.map(({ type }) => type)).toEqual(types.map((type) => `account.${type}`));
    expect(events[1]!.data).toEqual({ from: 'starter', to: 'everything' });
    expect(await findAccount(database.db.read, id)).toMatchObject({ plan: 'everything', suspended_at: null });
  });

  test('the error for an unknown account repeats the given id or email address', async () => {
    for (const account of [
      'unknown@example.com',
      '01934e2d-5678-7abc-8def-0123456789ab',
      "' or 1=1 --",
      '',
    ]) {
      expect(await refusalOf(suspendAccount(context, { account, actor }))).toBe(
        `There is no account with the id or email address ${JSON.stringify(account)}.`,
      );
    }
  });
});
