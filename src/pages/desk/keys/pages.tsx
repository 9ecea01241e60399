/** Operators create keys only for themselves, after confirming their identity. */

import type { Context } from '../../../base/context.ts';
import { deskAccountPath, guidePath, OPERATOR_KEYS_PATH } from '../../../base/paths.ts';
import { changeOperatorKeyNetworks } from '../../../people/keys/change-networks.ts';
import { createOperatorKey } from '../../../people/keys/create.ts';
import { replaceOperatorKey, revokeOperatorKey } from '../../../people/keys/end.ts';
import {
  MAX_KEY_NETWORKS,
  parseKeyExpiry,
  parseNetworksText,
  parseOperatorKeyName,
  parseScopes,
  SCOPES,
  type Scope,
  splitScopes,
} from '../../../people/keys/key.ts';
import { listOperatorKeyViews, type OperatorKeyView } from '../../../people/keys/view.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { isFreshlyProven, requireProof } from '../../frame/kept-forms.tsx';
import { addKeyPages } from '../../frame/key-pages.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, proveFirst } from '../../frame/pages.ts';
import { Mono } from '../../ui/code.tsx';
import { CheckboxesField } from '../../ui/field.tsx';
import { newForm } from '../../ui/form-state.ts';
import { KeysPage, type KeyWords } from '../../ui/keys-page.tsx';
import { linkTo } from '../../ui/site.tsx';

const OPERATOR_KEY_WORDS: KeyWords = {
  path: OPERATOR_KEYS_PATH,
  title: message('Operator keys'),
  noun: message('operator key'),
  roll: 'Replace',
  keptProperties: message('name, scopes, networks and lifetime'),
  lost: message('cannot call the operator’s API'),
  nameHint: message('The program that uses the key, such as “market server”.'),
  createLead: message(
    'The key acts as you. It is shown only once, on the next page, so have a safe place ready to store it.',
  ),
  maxNetworks: MAX_KEY_NETWORKS,
  file: 'claimcheck-operator.env',
  listCommand: 'claimcheck operator-keys list',
};

export function operatorKeyPages(app: PageRouter, context: Context): void {
  addKeyPages(app, {
    for: 'operator',
    words: OPERATOR_KEY_WORDS,
    list: async () => (await listOperatorKeyViews(context)).map(withOutsideCalls),
    listPage: (keys, { accountId }, notice) => (
      <KeysPage
        words={OPERATOR_KEY_WORDS}
        keys={keys}
        notice={notice}
        lead={t(
          'With an operator key, the server of your own marketplace or website can call <a>the operator’s API</a>. Each key acts as the operator who created it.',
          { a: linkTo(guidePath('operator-api')) },
        )}
        canCreate
        canRoll={({ account_id }) => account_id === accountId}
        holder={({ account_id: id, operator }) => <a href={deskAccountPath(id)}>{operator}</a>}
        column={{ header: t('Scopes'), cell: ({ scopes }) => scopesText(splitScopes(scopes)) }}
        empty={t(
          'No operator keys yet. If you already run a marketplace elsewhere, its server needs an operator key to issue claims here.',
        )}
        example="cko_4hT9"
        noneActive={t('No server can call the operator’s API until you create a key.')}
      />
    ),
    emptyForm: (c, viewer) => {
      const { path } = OPERATOR_KEY_WORDS;
      if (!viewer.isFreshlyProven) throw proveFirst(c, `${path}/new`);
      return newForm({ form: uuidv7(context) });
    },
    fields: (form) => (
      <CheckboxesField
        form={form}
        name="scopes"
        label={t('Scopes')}
        hint={t('Choose only what the program needs.')}
        boxed
        choices={SCOPES.map((scope) => ({
          value: scope,
          label: <Mono>{scope}</Mono>,
          hint: t(SCOPE_HINTS[scope]),
        }))}
      />
    ),
    create: async (c, viewer, form) => {
      await requireProof(c, isFreshlyProven);
      const input = form.read({
        name: parseOperatorKeyName,
        scopes: () => parseScopes(SCOPES.filter((scope) => form.has(scope))),
        networks: parseNetworksText,
        expires: parseKeyExpiry,
      });
      if (input === null) return null;
      const { expires: expiresIn, ...keyInput } = input;
      const { accountId: account } = viewer;
      const key = { account, ...keyInput, expiresIn, formId: form.text('form'), actor: actorOf(viewer) };
      const newKey = await form.attempt(null, () => createOperatorKey(context, key));
      return newKey && { newKey, name: keyInput.name };
    },
    describe: ({ key, scopes }, baseUrl) => ({
      about: t('for {scopes}', { scopes: splitScopes(scopes).join(', ') }),
      variables: `CLAIMCHECK_URL=${baseUrl}\nCLAIMCHECK_KEY=${key}\n`,
      below: (
        <p class="soft-text">
          {t('The <a>command line</a> reads the same two variables.', {
            a: linkTo(guidePath('operator-api')),
          })}
        </p>
      ),
    }),
    needsProof: () => true,
    roll: (viewer, keyId, keepOld) =>
      replaceOperatorKey(context, { keyId, accountId: viewer.accountId, keepOld, actor: actorOf(viewer) }),
    changeNetworks: (viewer, keyId, networks) =>
      changeOperatorKeyNetworks(context, { keyId, networks, actor: actorOf(viewer) }),
    revoke: (viewer, keyId) => revokeOperatorKey(context, { keyId, actor: actorOf(viewer) }),
  });
}

/** Only the last call is stored. */
const withOutsideCalls = (key: OperatorKeyView) => ({
  ...key,
  outsideCalls: key.refused_at === null ? [] : [{ at: key.refused_at, ip: key.refused_ip }],
});

const SCOPE_HINTS: Readonly<Record<Scope, Message>> = {
  'accounts:read': message('List and read accounts.'),
  'accounts:write': message(
    'Create, suspend, restore and delete accounts, set their plans, and export their personal data.',
  ),
  'listings:read': message('List and read listings.'),
  'listings:write': message(
    'Create, change, review and feature listings. Reviewing includes approving and suspending.',
  ),
  'offers:read': message('List offers.'),
  'offers:write': message(
    'Create, change, pause and resume offers, and add and withdraw codes. New redemption links go live without a review.',
  ),
  'keys:read': message('List the API keys of owners.'),
  'keys:write': message('Create, roll and revoke API keys, which can redeem claims.'),
  'claims:read': message('Look up claims, and count them by campaign label.'),
  'claims:write': message('Issue and replace claims.'),
};

/** Such as `claims:write, listings:read`. */
const scopesText = (scopes: readonly string[]) =>
  scopes.length === SCOPES.length ? t('everything') : <Mono>{scopes.join(', ')}</Mono>;
