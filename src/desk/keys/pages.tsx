/** Operator keys at the desk. Operators create keys for themselves only, and confirm first that it is them. */
import { isFreshProof } from '../../accounts/session.ts';
import type { Context } from '../../context.ts';
import { proofFirst } from '../../http/pages/kept-forms.tsx';
import {
  actorOf,
  type DeskApp,
  missing,
  type PageContext,
  page,
  proveFirst,
  readForm,
  redirect,
} from '../../http/pages/pages.ts';
import { createOperatorKey, KeyMadeBefore, type NewOperatorKey } from '../../keys/create.ts';
import {
  parseKeyExpiry,
  parseOperatorKeyName,
  parseScopes,
  SCOPES,
  type Scope,
  splitScopes,
} from '../../keys/key.ts';
import { revokeOperatorKey } from '../../keys/revoke.ts';
import { type RolledKey, replaceOperatorKey } from '../../keys/roll.ts';
import { listOperatorKeyViews, type OperatorKeyView } from '../../keys/view.ts';
import { uuidv7 } from '../../store/uuid.ts';
import { CheckboxesField } from '../../ui/field.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { type KeyNotice, KeysPage, type KeyWords, noticeOfRoll } from '../../ui/keys-page.tsx';
import { CreateKeyPage, createTitle, NewKeyPage, newTitle } from '../../ui/new-key-page.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { accountPath } from '../paths.ts';

const OPERATOR_KEY_WORDS: KeyWords = {
  path: '/desk/keys',
  title: 'Operator keys',
  noun: 'operator key',
  roll: 'Replace',
  rolled: 'replaced',
  kept: 'name, scopes and lifetime',
  lost: 'cannot call the operator’s API',
  nameHint: 'The program that uses it, such as “market server”.',
  createLead:
    'It acts as you. The key is shown only once, on the next page, so have a safe place ready to store it.',
  file: 'claimcheck-operator.env',
};

const KEYS_PATH = OPERATOR_KEY_WORDS.path;

export function operatorKeyPages(app: DeskApp, context: Context): void {
  const isProven = (viewer: Viewer) => isFreshProof(viewer, context.now());

  app.get(KEYS_PATH, (c, viewer) => showKeys(c, context, viewer, null));

  app.get(`${KEYS_PATH}/new`, (c, viewer) => {
    if (!isProven(viewer)) throw proveFirst(c, `${KEYS_PATH}/new`);
    return showForm(c, newForm({ form: uuidv7(context) }));
  });

  app.post(KEYS_PATH, async (c, viewer) => {
    const form = await readForm(c);
    if (!isProven(viewer)) throw await proofFirst(c);
    const input = form.read({
      name: parseOperatorKeyName,
      scopes: () => parseScopes(SCOPES.filter((scope) => form.has(scope))),
      expires: parseKeyExpiry,
    });
    if (input === null) return showForm(c, form);
    const { name, scopes, expires: expiresIn } = input;
    const { accountId: account } = viewer;
    const key = { account, name, scopes, expiresIn, formId: form.text('form'), actor: actorOf(viewer) };
    try {
      const made = await form.attempt(null, () => createOperatorKey(context, key));
      return made === null ? showForm(c, form) : showNew(c, made, name);
    } catch (error) {
      if (!(error instanceof KeyMadeBefore)) throw error;
      return showKeys(c, context, viewer, { what: 'made-before', name });
    }
  });

  app.post(`${KEYS_PATH}/:id/replace`, async (c, viewer) => {
    const { accountId } = viewer;
    const form = await readForm(c);
    const { id, name } = await findKeyView(c, context);
    if (!isProven(viewer)) throw await proofFirst(c);
    const roll = { keyId: id, accountId, keepOld: form.text('keep'), actor: actorOf(viewer) };
    const made = await form.attempt(null, () => replaceOperatorKey(context, roll));
    if (made !== null) return showNew(c, made, name);
    return showKeys(c, context, viewer, noticeOfRoll(form, await findKeyView(c, context)));
  });

  // Needs no confirmation, so that a leaked key can be revoked quickly.
  app.post(`${KEYS_PATH}/:id/revoke`, async (c, viewer) => {
    const { id } = await findKeyView(c, context);
    await revokeOperatorKey(context, { keyId: id, actor: actorOf(viewer) });
    return redirect(c, KEYS_PATH);
  });
}

const SCOPE_HINTS: Readonly<Record<Scope, string>> = {
  'accounts:read': 'List and read accounts.',
  'accounts:write': 'Create, suspend and restore accounts, and set their plans.',
  'listings:read': 'List and read listings.',
  'listings:write': 'Create listings and review them, which includes approving.',
  'offers:read': 'List offers.',
  'offers:write': 'Create, pause and resume offers. Their links go live immediately.',
  'keys:read': 'List the API keys of owners.',
  'keys:write': 'Create, roll and revoke API keys, which can redeem claims.',
  'claims:read': 'Look up claims, and count them by campaign label.',
  'claims:write': 'Issue and replace claims.',
};

const showForm = (c: PageContext, form: FormState): Promise<Response> =>
  page(
    c,
    <CreateKeyPage words={OPERATOR_KEY_WORDS} form={form}>
      <CheckboxesField
        form={form}
        name="scopes"
        label="Scopes"
        hint="Choose only what the program needs."
        choices={SCOPES.map((scope) => ({ value: scope, label: scope, hint: SCOPE_HINTS[scope] }))}
      />
    </CreateKeyPage>,
    { title: createTitle(OPERATOR_KEY_WORDS), status: form.status },
  );

const showNew = (
  c: PageContext,
  made: NewOperatorKey & Partial<RolledKey>,
  name: string,
): Promise<Response> => {
  const { baseUrl } = c.get('site');
  return page(
    c,
    <NewKeyPage
      words={OPERATOR_KEY_WORDS}
      {...{ made, name, baseUrl }}
      about={`for ${splitScopes(made.scopes).join(', ')}`}
      variables={`CLAIMCHECK_URL=${baseUrl}\nCLAIMCHECK_KEY=${made.key}\n`}
      next={KEYS_PATH}
    >
      <p class="soft-text">
        The <a href="/docs/operator-api">command line</a> reads the same two variables.
      </p>
    </NewKeyPage>,
    { title: newTitle(OPERATOR_KEY_WORDS) },
  );
};

async function showKeys(
  c: PageContext,
  context: Context,
  { accountId }: Viewer,
  notice: KeyNotice | null,
): Promise<Response> {
  const keys = await listOperatorKeyViews(context);
  const content = (
    <KeysPage
      words={OPERATOR_KEY_WORDS}
      keys={keys}
      notice={notice}
      lead={
        <>
          A marketplace’s server calls <a href="/docs/operator-api">the operator’s API</a> with an operator
          key, which acts as the operator who created it.
        </>
      }
      canCreate
      // Operators can replace their own keys only.
      canRoll={({ account_id }) => account_id === accountId}
      holder={({ account_id: id, operator }) => <a href={accountPath(id)}>{operator}</a>}
      column={{ header: 'Scopes', cell: ({ scopes }) => scopesText(splitScopes(scopes)) }}
      empty="No operator keys yet. An existing marketplace uses one to issue claims."
      example="cko_4hT9"
      noneActive="No server can call the operator’s API until you create one."
    />
  );
  return page(c, content, { title: OPERATOR_KEY_WORDS.title, status: notice === null ? 200 : 409 });
}

async function findKeyView(c: PageContext, context: Context): Promise<OperatorKeyView> {
  const key = (await listOperatorKeyViews(context)).find(({ id }) => id === c.req.param('id'));
  if (key === undefined) throw missing();
  return key;
}

/** Each resource once: `claims` for reading and writing, `claims (read)` for one of them. */
function scopesText(scopes: readonly string[]): string {
  if (scopes.length === SCOPES.length) return 'everything';
  const things = [...new Set(scopes.map((scope) => scope.split(':', 1)[0]!))];
  return things
    .map((thing) => {
      const rights = scopes.filter((scope) => scope.startsWith(`${thing}:`));
      return rights.length === 1 ? `${thing} (${rights[0]!.slice(thing.length + 1)})` : thing;
    })
    .join(', ');
}
