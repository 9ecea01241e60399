import { z } from '@hono/zod-openapi';
import { findAccount } from '../../people/accounts/queries.ts';
import { changeKeyNetworks } from '../../people/keys/change-networks.ts';
import { createKey } from '../../people/keys/create.ts';
import { ROLL_OVERLAPS, revokeKey, rollKey } from '../../people/keys/end.ts';
import { MAX_KEY_NAME_LENGTH, MAX_KEY_NETWORKS, splitNetworks } from '../../people/keys/key.ts';
import { type ListedKey, listKeys } from '../../people/keys/queries.ts';
import { time, uuid } from '../owner/schemas.ts';
import {
  accountReference,
  bodyOf,
  callKeyOf,
  choice,
  creationHeaders,
  operatorRoute,
  outputsOf,
  pageOf,
  pageOutputs,
  pageQuery,
  text,
} from './definitions.ts';

const KEY_ID = '019a9f6c-3333-7c3a-9b52-4f0d8e6a1c37';
/** Length of the longest text that `parseHoursOrDays` accepts: six digits and a unit. */
const MAX_DURATION_LENGTH = 7;

const newKeyMembers = {
  id: z.uuid().meta({ description: 'Id of the key. Not a secret.' }),
  key: z.string().meta({ description: 'The key: a secret that is returned only in this response.' }),
  mode: z.enum(['live', 'test']),
  expires_at: time.nullable(),
};
const newKey = z.strictObject(newKeyMembers).openapi('NewApiKey');
const rolledKey = z
  .strictObject({
    ...newKeyMembers,
    old_id: z.uuid(),
    old_expires_at: time
      .nullable()
      .meta({ description: 'When the old key stops working; `null` if it has already stopped working.' }),
  })
  .openapi('RolledApiKey');

const NEW_KEY_EXAMPLE = { id: KEY_ID, key: 'cck_live_EXAMPLE', mode: 'live', expires_at: null } as const;

const networks = z.array(z.string()).meta({
  description: `The addresses and networks in CIDR notation from which the key may be used, at most ${MAX_KEY_NETWORKS}. If empty, the key may be used from everywhere.`,
  maxItems: MAX_KEY_NETWORKS,
  example: ['203.0.113.0/24'],
});

const path = z.object({ id: uuid.meta({ description: 'Id of an API key.', example: KEY_ID }) });

const PLAN_WITHOUT_API_KEYS = {
  plan_without_api_keys: {
    meaning: 'The account is on a plan without API keys.',
    fix: 'Move the account to a plan with API keys, then send the request again.',
  },
} as const;

const listedKey = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    mode: z.enum(['live', 'test']),
    start: z.string().meta({ description: 'The first characters after the prefix.' }),
    networks,
    created_at: time,
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
    last_used_at: time
      .nullable()
      .meta({ description: 'When the key was last used. May be up to a minute out of date.' }),
    seen_in_browser_at: time.nullable(),
    rolled_to_id: z.uuid().nullable(),
  })
  .openapi('ApiKey');

const revokedKey = z
  .strictObject({ id: z.uuid(), name: z.string(), revoked_at: time })
  .openapi('RevokedApiKey');

const editedKey = z
  .strictObject({ id: z.uuid(), name: z.string(), networks: z.array(z.string()) })
  .openapi('EditedApiKey');

const listed = ({ account_id: _, networks, ...row }: ListedKey) => ({
  ...row,
  networks: [...splitNetworks(networks)],
});

export const KEY_ROUTES = [
  operatorRoute(
    {
      id: 'createKey',
      command: { name: 'keys create', shows: ['id', 'key'] },
      method: 'post',
      path: '/api/v1/operator/keys',
      scope: 'keys:write',
      summary: 'Create an API key',
      description:
        "Creates an API key, which an owner's server uses to verify claims. Fails if the account is on a plan without API keys. With an `Idempotency-Key`, a repeated call creates no second key and fails, because a key is shown only once: revoke the key that the error names, and create another one.",
      input: {
        headers: creationHeaders,
        body: bodyOf('ApiKeyToCreate', {
          account: accountReference,
          name: text('Where the key is used.', MAX_KEY_NAME_LENGTH, 'web shop'),
          mode: choice('Default: `live`. A test key finds only test claims.', ['live', 'test']).optional(),
          expires_in: text(
            'Lifetime, such as 24h or 90d. Default: unlimited.',
            MAX_DURATION_LENGTH,
            '90d',
          ).optional(),
          networks: networks.optional(),
        }),
      },
      outputs: outputsOf('The key.', newKey, NEW_KEY_EXAMPLE, 201),
      errors: {
        unknown_account: {},
        ...PLAN_WITHOUT_API_KEYS,
        idempotency_key_reused: {
          meaning: 'A call with this Idempotency-Key has created a key already, so no key was created.',
          cause: 'The call was repeated after its response was lost, or two calls share the Idempotency-Key.',
          fix: 'Revoke the key that `detail` names, if its secret was lost, and create a key with a new Idempotency-Key.',
        },
      },
    },
    async ({ caller: { actor }, headers, body }, context) => {
      const { expires_in: expiresIn, networks, ...input } = body;
      const call = callKeyOf({ headers, body });
      return await createKey(context, { ...input, expiresIn, networks: networks?.join(' '), call, actor });
    },
  ),
  operatorRoute(
    {
      id: 'listKeys',
      command: {
        name: 'keys list',
        shows: [
          'id',
          'name',
          'mode',
          'start',
          'networks',
          'created_at',
          'expires_at',
          'revoked_at',
          'last_used_at',
          'seen_in_browser_at',
        ],
      },
      method: 'get',
      path: '/api/v1/operator/keys',
      scope: 'keys:read',
      summary: 'List API keys',
      description: 'The API keys of an account in order of creation, without their secrets.',
      input: { query: z.object({ account: accountReference, ...pageQuery }) },
      outputs: pageOutputs('ApiKeyPage', 'keys', listedKey, {
        id: KEY_ID,
        name: 'web shop',
        mode: 'live',
        start: '4hT9',
        networks: [],
        created_at: '2026-11-20T10:00:00.000Z',
        expires_at: null,
        revoked_at: null,
        last_used_at: '2026-11-21T09:30:00.000Z',
        seen_in_browser_at: null,
        rolled_to_id: null,
      }),
      errors: { unknown_account: {} },
    },
    async ({ query }, { db }) => {
      const account = await findAccount(db.read, query.account);
      const { rows, next } = await pageOf(query, (page) => listKeys(db.read, account.id, page));
      return { keys: rows.map(listed), next };
    },
  ),
  operatorRoute(
    {
      id: 'rollKey',
      command: { name: 'keys roll', shows: ['id', 'key'] },
      method: 'post',
      path: '/api/v1/operator/keys/{id}/roll',
      scope: 'keys:write',
      summary: 'Roll an API key',
      description:
        'Creates a key with the same name, mode, networks and lifetime. The old key stops working immediately, or after the time in `keep_old`.',
      input: {
        path,
        body: bodyOf('ApiKeyRoll', {
          keep_old: choice('How long the old key keeps working. Default: `now`.', ROLL_OVERLAPS).optional(),
        }),
      },
      outputs: outputsOf('The new key.', rolledKey, {
        ...NEW_KEY_EXAMPLE,
        old_id: '019a9f6c-4444-7c3a-9b52-4f0d8e6a1c37',
        old_expires_at: '2026-11-22T09:30:00.000Z',
      }),
      errors: { unknown_key: {}, ...PLAN_WITHOUT_API_KEYS },
    },
    async ({ caller: { actor }, path: { id }, body }, context) =>
      rollKey(context, { keyId: id, keepOld: body.keep_old, actor }),
  ),
  operatorRoute(
    {
      id: 'editKey',
      command: { name: 'keys edit', shows: ['id', 'name', 'networks'] },
      method: 'patch',
      path: '/api/v1/operator/keys/{id}',
      scope: 'keys:write',
      summary: 'Change the networks of an API key',
      description:
        'From the next call on, calls with the key from other addresses get the same response as calls with an unknown key. Fails if the key is expired or revoked.',
      input: { path, body: bodyOf('ApiKeyToEdit', { networks }) },
      outputs: outputsOf('The key.', editedKey, {
        id: KEY_ID,
        name: 'web shop',
        networks: ['203.0.113.0/24'],
      }),
      errors: { unknown_key: {} },
    },
    async ({ caller: { actor }, path: { id }, body }, context) =>
      changeKeyNetworks(context, { keyId: id, networks: body.networks.join(' '), actor }),
  ),
  operatorRoute(
    {
      id: 'revokeKey',
      command: { name: 'keys revoke', shows: ['id', 'name', 'revoked_at'] },
      method: 'post',
      path: '/api/v1/operator/keys/{id}/revoke',
      stopsAbuse: true,
      scope: 'keys:write',
      summary: 'Revoke an API key',
      description:
        'Revokes a key: the next call with the key is refused. Does nothing if the key is already revoked.',
      input: { path },
      outputs: outputsOf('The revoked key.', revokedKey, {
        id: KEY_ID,
        name: 'web shop',
        revoked_at: '2026-11-21T09:30:00.000Z',
      }),
      errors: { unknown_key: {} },
    },
    async ({ caller: { actor }, path: { id } }, context) => revokeKey(context, { keyId: id, actor }),
  ),
] as const;
