/** Operators create keys only for themselves, after confirming their identity. */

import type { Context } from '../../../base/context.ts';
import { deskAccountPath, guidePath, OPERATOR_KEYS_PATH } from '../../../base/paths.ts';
import { createOperatorKey } from '../../../people/keys/create.ts';
import { replaceOperatorKey, revokeOperatorKey } from '../../../people/keys/end.ts';
import {
  parseKeyExpiry,
  parseOperatorKeyName,
  parseScopes,
  SCOPES,
  type Scope,
  splitScopes,
} from '../../../people/keys/key.ts';
import { listOperatorKeyViews } from '../../../people/keys/view.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { isFreshlyProven, requireProof } from '../../frame/kept-forms.tsx';
import { addKeyPages } from '../../frame/key-pages.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, proveFirst } from '../../frame/pages.ts';
import { CheckboxesField } from '../../ui/field.tsx';
import { newForm } from '../../ui/form-state.ts';
import { KeysPage, type KeyWords } from '../../ui/keys-page.tsx';

const OPERATOR_KEY_WORDS: KeyWords = {
  path: OPERATOR_KEYS_PATH,
  title: 'Operator keys',
  noun: 'operator key',
  roll: 'Replace',
  keptProperties: 'name, scopes and lifetime',
  lost: 'cannot call the operator’s API',
  nameHint: 'The program that uses the key, such as “market server”.',
  createLead:
    'The key acts as you. It is shown only once, on the next page, so have a safe place ready to store it.',
  file: 'claimcheck-operator.env',
  listCommand: 'claimcheck operator-keys list',
};

export function operatorKeyPages(app: PageRouter, context: Context): void {
  addKeyPages(app, {
    for: 'operator',
    words: OPERATOR_KEY_WORDS,
    list: () => listOperatorKeyViews(context),
    listPage: (keys, { accountId }, notice) => (
      <KeysPage
        words={OPERATOR_KEY_WORDS}
        keys={keys}
        notice={notice}
        lead={
          <>
            With an operator key, the server of your own marketplace or website can call{' '}
            <a href={guidePath('operator-api')}>the operator’s API</a>. Each key acts as the operator who
            created it.
          </>
        }
        canCreate
        canRoll={({ account_id }) => account_id === accountId}
        holder={({ account_id: id, operator }) => <a href={deskAccountPath(id)}>{operator}</a>}
        column={{ header: 'Scopes', cell: ({ scopes }) => scopesText(splitScopes(scopes)) }}
        empty="No operator keys yet. If you already run a marketplace elsewhere, its server needs an operator key to issue claims here."
        example="cko_4hT9"
        noneActive="No server can call the operator’s API until you create a key."
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
        label="Scopes"
        hint="Choose only what the program needs."
        boxed
        choices={SCOPES.map((scope) => ({ value: scope, label: scope, hint: SCOPE_HINTS[scope] }))}
      />
    ),
    create: async (c, viewer, form) => {
      await requireProof(c, isFreshlyProven);
      const input = form.read({
        name: parseOperatorKeyName,
        scopes: () => parseScopes(SCOPES.filter((scope) => form.has(scope))),
        expires: parseKeyExpiry,
      });
      if (input === null) return null;
      const { name, scopes, expires: expiresIn } = input;
      const { accountId: account } = viewer;
      const key = { account, name, scopes, expiresIn, formId: form.text('form'), actor: actorOf(viewer) };
      const newKey = await form.attempt(null, () => createOperatorKey(context, key));
      return newKey && { newKey, name };
    },
    describe: ({ key, scopes }, baseUrl) => ({
      about: `for ${splitScopes(scopes).join(', ')}`,
      variables: `CLAIMCHECK_URL=${baseUrl}\nCLAIMCHECK_KEY=${key}\n`,
      below: (
        <p class="soft-text">
          The <a href={guidePath('operator-api')}>command line</a> reads the same two variables.
        </p>
      ),
    }),
    needsProof: () => true,
    roll: (viewer, keyId, keepOld) =>
      replaceOperatorKey(context, { keyId, accountId: viewer.accountId, keepOld, actor: actorOf(viewer) }),
    revoke: (viewer, keyId) => revokeOperatorKey(context, { keyId, actor: actorOf(viewer) }),
  });
}

const SCOPE_HINTS: Readonly<Record<Scope, string>> = {
  'accounts:read': 'List and read accounts.',
  'accounts:write':
    'Create, suspend, restore and delete accounts, set their plans, and export their personal data.',
  'listings:read': 'List and read listings.',
  'listings:write':
    'Create, change, review and feature listings. Reviewing includes approving and suspending.',
  'offers:read': 'List offers.',
  'offers:write':
    'Create, change, pause and resume offers, and add and withdraw codes. New redemption links go live without a review.',
  'keys:read': 'List the API keys of owners.',
  'keys:write': 'Create, roll and revoke API keys, which can redeem claims.',
  'claims:read': 'Look up claims, and count them by campaign label.',
  'claims:write': 'Issue and replace claims.',
};

/** Names each resource once: `claims` for `claims:read` and `claims:write`, `claims (read)` for `claims:read` alone. */
function scopesText(scopes: readonly string[]): string {
  if (scopes.length === SCOPES.length) return 'everything';
  const byThing = Map.groupBy(scopes, (scope) => scope.split(':', 1)[0]!);
  return [...byThing]
    .map(([thing, [scope, ...others]]) =>
      others.length > 0 ? thing : `${thing} (${scope!.slice(thing.length + 1)})`,
    )
    .join(', ');
}
