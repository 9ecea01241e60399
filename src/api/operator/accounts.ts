import { z } from '@hono/zod-openapi';
import { DATA_PARTS, MAX_CURSOR_LENGTH, readPersonData } from '../../background/personal-data/data.ts';
import {
  DEFAULT_PLAN,
  KEYS_KEPT_DAYS,
  MAX_ACCOUNT_NAME_LENGTH,
  MAX_EMAIL_LENGTH,
  PLANS,
  plannedDeletion,
  UNDO_DAYS,
} from '../../people/accounts/account.ts';
import { createAccount } from '../../people/accounts/create.ts';
import { planDeletion, setPlan, undoDeletion } from '../../people/accounts/edit.ts';
import { type Account, findAccount, listAccounts } from '../../people/accounts/queries.ts';
import { inviteToAccount } from '../../people/invitations/invite.ts';
import { restoreAccount, suspendAccount } from '../../people/members/suspend.ts';
import { time } from '../owner/schemas.ts';
import {
  accountReference,
  bodyOf,
  choice,
  operatorRoute,
  outputsOf,
  pageOf,
  pageOutputs,
  pageQuery,
  text,
} from './definitions.ts';

const plan = (description: string) => choice(description, PLANS);

const accountRecord = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  plan: z.enum(PLANS),
  operator: z.boolean().meta({ description: 'Whether the account belongs to an operator of this service.' }),
  suspended_at: time.nullable(),
  delete_at: time
    .nullable()
    .meta({ description: 'When the account will be deleted; `null`: no deletion is planned.' }),
  deleted_at: time.nullable().meta({
    description:
      'When the account was deleted. Its name and email address are gone; its id remains, because other records refer to it.',
  }),
  created_at: time,
});
const account = accountRecord.openapi('Account');
const newAccount = z
  .object({
    ...accountRecord.shape,
    invitation_link: z.string().nullable().meta({
      description:
        'The link with which the person signs in for the first time; `null`: the service mails it to the person. The link is a secret, works only once, within 7 days, and only until somebody signs in to the account. The secret code is in the URL fragment, which browsers do not send to the server.',
    }),
  })
  .openapi('NewAccount');

const ACCOUNT_EXAMPLE = {
  id: '019a9f6c-1111-7c3a-9b52-4f0d8e6a1c37',
  email: 'ada@example.com',
  name: 'Ada',
  plan: 'studio',
  operator: false,
  suspended_at: null,
  delete_at: null,
  deleted_at: null,
  created_at: '2026-11-20T10:00:00.000Z',
} as const;

export const accountPath = z.object({ account: accountReference });
export const oneAccount = (description: string, changed: object = {}) =>
  outputsOf(description, account, { ...ACCOUNT_EXAMPLE, ...changed });

const change = {
  method: 'post',
  scope: 'accounts:write',
  input: { path: accountPath },
  errors: { unknown_account: {} },
} as const;

export const toAccount = (row: Account) => ({
  ...row,
  operator: row.operator_since !== null,
  delete_at: plannedDeletion(row),
});

const personData = z
  .strictObject({
    records: z.array(
      z.strictObject({
        part: z.enum(DATA_PARTS).meta({ description: 'What kind of record it is.' }),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
    next: z.string().nullable().meta({
      description: 'Send it as `after` to get the next page; `null` on the last page. A page may be empty.',
    }),
  })
  .openapi('PersonDataPage');

export const ACCOUNT_ROUTES = [
  operatorRoute(
    {
      id: 'createAccount',
      command: { name: 'accounts create', shows: ['id', 'email', 'plan', 'invitation_link'] },
      method: 'post',
      path: '/api/v1/operator/accounts',
      scope: 'accounts:write',
      summary: 'Create an account',
      description:
        'Creates an account for an owner and invites the person: by mail if the service has a mail server, otherwise with the link in the response. At most 500 invitations a day are mailed; above, the response has the link. Email addresses are unique. To limit the damage of a leaked key, operator keys cannot create operators. To create an operator, use `claimcheck accounts create --operator` on the server.',
      input: {
        body: bodyOf('AccountToCreate', {
          email: text('Email address, unique among accounts.', MAX_EMAIL_LENGTH, 'ada@example.com'),
          name: text('Name of the person or company.', MAX_ACCOUNT_NAME_LENGTH, 'Ada'),
          plan: plan(`Default: \`${DEFAULT_PLAN}\`.`).optional(),
        }),
      },
      outputs: outputsOf(
        'The account.',
        newAccount,
        {
          ...ACCOUNT_EXAMPLE,
          invitation_link: 'https://claims.example.com/invitation#EXAMPLE',
        },
        201,
      ),
      errors: {},
    },
    async ({ caller, body }, context) => {
      const row = await createAccount(context, { ...body, ...caller });
      const { baseUrl, mailer } = context;
      const link = await inviteToAccount({ context, baseUrl, mailer }, row, caller.actor);
      return { ...toAccount(row), invitation_link: link };
    },
  ),
  operatorRoute(
    {
      id: 'listAccounts',
      command: {
        name: 'accounts list',
        shows: ['id', 'email', 'name', 'plan', 'operator', 'suspended_at', 'deleted_at', 'created_at'],
      },
      method: 'get',
      path: '/api/v1/operator/accounts',
      scope: 'accounts:read',
      summary: 'List accounts',
      description: 'All accounts in order of creation.',
      input: { query: z.object(pageQuery) },
      outputs: pageOutputs('AccountPage', 'accounts', account, ACCOUNT_EXAMPLE),
      errors: {},
    },
    async ({ query }, { db }) => {
      const { rows, next } = await pageOf(query, (page) => listAccounts(db.read, page));
      return { accounts: rows.map(toAccount), next };
    },
  ),
  operatorRoute(
    {
      id: 'readAccount',
      method: 'get',
      path: '/api/v1/operator/accounts/{account}',
      scope: 'accounts:read',
      summary: 'Read an account',
      description: 'An account by its id or email address.',
      input: { path: accountPath },
      outputs: oneAccount('The account.'),
      errors: { unknown_account: {} },
    },
    async ({ path: { account } }, { db }) => toAccount(await findAccount(db.read, account)),
  ),
  operatorRoute(
    {
      id: 'findAccount',
      method: 'post',
      path: '/api/v1/operator/accounts/find',
      scope: 'accounts:read',
      summary: 'Find an account by its email address',
      description:
        'The email address is sent in the body, because URLs end up in logs. In other operations, use the id of the account.',
      input: {
        body: bodyOf('AccountToFind', {
          email: text('Email address of the account.', MAX_EMAIL_LENGTH, 'ada@example.com'),
        }),
      },
      outputs: oneAccount('The account.'),
      errors: { unknown_account: {} },
    },
    async ({ body }, { db }) => toAccount(await findAccount(db.read, body.email)),
  ),
  operatorRoute(
    {
      id: 'setPlan',
      command: { name: 'accounts set-plan', takes: ['account', 'plan'], shows: ['id', 'email', 'plan'] },
      method: 'put',
      path: '/api/v1/operator/accounts/{account}/plan',
      scope: 'accounts:write',
      summary: 'Set the plan of an account',
      description:
        'Moves an account to a plan. On a plan without API keys, the keys of the account are refused but not deleted: they work again when the account moves to a plan with API keys.',
      input: {
        path: accountPath,
        body: bodyOf('PlanToSet', { plan: plan('The plan.') }),
      },
      outputs: oneAccount('The account.'),
      errors: { unknown_account: {} },
    },
    async ({ caller: { actor }, path, body }, context) =>
      toAccount(await setPlan(context, { ...path, ...body, actor })),
  ),
  operatorRoute(
    {
      ...change,
      id: 'suspendAccount',
      command: { name: 'accounts suspend', shows: ['id', 'email', 'suspended_at'] },
      path: '/api/v1/operator/accounts/{account}/suspend',
      stopsAbuse: true,
      summary: 'Suspend an account',
      description:
        'Takes effect immediately: the API keys of the account are refused, its sessions and invitations are revoked, and its listings take no new claims. In other accounts where the person is a member, the API keys that they created are revoked, their invitations end, and the webhook endpoints that they set up are paused. Does nothing if the account is already suspended. An operator key cannot suspend operators, so a leaked key cannot lock them out.',
      outputs: oneAccount('The suspended account.', { suspended_at: '2026-11-21T09:30:00.000Z' }),
    },
    async ({ caller: { actor }, path }, context) =>
      toAccount(await suspendAccount(context, { ...path, actor })),
  ),
  operatorRoute(
    {
      ...change,
      id: 'restoreAccount',
      command: { name: 'accounts restore', shows: ['id', 'email', 'suspended_at'] },
      path: '/api/v1/operator/accounts/{account}/restore',
      summary: 'Restore an account',
      description: 'Ends the suspension of an account. Does nothing if the account is not suspended.',
      outputs: oneAccount('The account.'),
    },
    async ({ caller: { actor }, path }, context) =>
      toAccount(await restoreAccount(context, { ...path, actor })),
  ),
  operatorRoute(
    {
      id: 'exportAccount',
      command: { name: 'accounts export' },
      method: 'get',
      path: '/api/v1/operator/accounts/{account}/data',
      scope: 'accounts:write',
      summary: 'Export what is stored about a person',
      description:
        'Returns everything that is stored about a person, so that you can answer a request for personal data: profile, claims with their codes, sign-ins, sessions and mail. For owners, it also includes listings, offers, keys and webhooks. The response never contains a password or the secret of a key. The call needs the write scope because the response contains codes.',
      input: {
        path: accountPath,
        query: z.object({
          after: z.string().max(MAX_CURSOR_LENGTH).optional().meta({
            description: 'The `next` of the previous page.',
          }),
        }),
      },
      outputs: outputsOf('A page of records, ordered by part.', personData, {
        records: [
          { part: 'profile', data: { id: ACCOUNT_EXAMPLE.id, email: 'ada@example.com', name: 'Ada' } },
        ],
        next: 'identities.',
      }),
      errors: { unknown_account: {} },
    },
    async ({ path: { account }, query: { after = null } }, context) => {
      const { id } = await findAccount(context.db.read, account);
      const { records, next } = await readPersonData(context, id, after);
      return { records: records.map(({ part, data }) => ({ part, data: { ...data } })), next };
    },
  ),
  operatorRoute(
    {
      ...change,
      id: 'deleteAccount',
      command: { name: 'accounts delete', shows: ['id', 'email', 'delete_at'] },
      path: '/api/v1/operator/accounts/{account}/delete',
      summary: 'Delete an account',
      description: `Deletes an account and its personal data after ${UNDO_DAYS} days. Until then, you or the person can undo the deletion. The person's claims are kept but no longer identify the person, and the claim tokens keep working. The account's listings close when the account is deleted. The account's API keys stop working ${KEYS_KEPT_DAYS} days later. The person gets no email, so tell them. Does nothing if a deletion is already planned. Accounts of operators cannot be deleted.`,
      outputs: oneAccount('The account, with the time of its deletion.', {
        delete_at: '2026-11-28T09:30:00.000Z',
      }),
    },
    async ({ caller: { actor }, path }, context) =>
      toAccount(await planDeletion(context, { ...path, actor, notice: null })),
  ),
  operatorRoute(
    {
      ...change,
      id: 'keepAccount',
      command: { name: 'accounts keep', shows: ['id', 'email', 'delete_at'] },
      path: '/api/v1/operator/accounts/{account}/keep',
      summary: 'Undo the deletion of an account',
      description: 'Cancels the planned deletion of an account. Does nothing if no deletion is planned.',
      outputs: oneAccount('The account.'),
    },
    async ({ caller: { actor }, path }, context) =>
      toAccount(await undoDeletion(context, { ...path, actor })),
  ),
] as const;
