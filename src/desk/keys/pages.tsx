/** Operator keys at the desk. An operator makes keys in their own name alone, with a fresh proof of identity. */
import { isFreshProof } from '../../accounts/session.ts';
import type { Context } from '../../context.ts';
import { Refusal } from '../../errors.ts';
import {
  actorOf,
  missing,
  type PageApp,
  type PageContext,
  PROOF_MISSING,
  page,
  proveFirst,
  readForm,
  redirect,
  requireOperator,
} from '../../http/pages.ts';
import { KeyMadeBefore } from '../../keys/create.ts';
import { parseKeyExpiry } from '../../keys/key.ts';
import { createOperatorKey, type NewOperatorKey } from '../../operator-keys/create.ts';
import { parseOperatorKeyName, parseScopes, SCOPES } from '../../operator-keys/operator-key.ts';
import { replaceOperatorKey } from '../../operator-keys/replace.ts';
import { revokeOperatorKey } from '../../operator-keys/revoke.ts';
import { listOperatorKeyViews, type OperatorKeyView } from '../../operator-keys/view.ts';
import { uuidv7 } from '../../store/uuid.ts';
import { type FormState, newForm } from '../../ui/form-state.ts';
import type { KeyNotice } from '../../ui/key-parts.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { CreateOperatorKeyPage } from './create-page.tsx';
import { OperatorKeysPage } from './keys-page.tsx';
import { NewOperatorKeyPage } from './new-key-page.tsx';
import { NEW_OPERATOR_KEY_PATH, OPERATOR_KEYS_PATH } from './paths.ts';

export function operatorKeyPages(app: PageApp, context: Context): void {
  const isProven = (viewer: Viewer) => isFreshProof(viewer, context.now());

  app.get(OPERATOR_KEYS_PATH, (c) => showKeys(c, context, requireOperator(c), null));

  app.get(NEW_OPERATOR_KEY_PATH, (c) => {
    if (!isProven(requireOperator(c))) throw proveFirst(c, NEW_OPERATOR_KEY_PATH);
    return showForm(c, newForm({ form: uuidv7(context) }), true);
  });

  // Only this answer ever contains the secret.
  app.post(OPERATOR_KEYS_PATH, async (c) => {
    const viewer = requireOperator(c);
    const form = await readForm(c);
    if (!isProven(viewer)) {
      form.refuse(null, PROOF_MISSING);
      return showForm(c, form, false);
    }
    const input = form.read({
      name: parseOperatorKeyName,
      scopes: () => parseScopes(SCOPES.filter((scope) => form.has(scope))),
      expires: parseKeyExpiry,
    });
    if (input === null) return showForm(c, form, true);
    const { name, scopes, expires: expiresIn } = input;
    const actor = actorOf(viewer);
    const key = { account: viewer.accountId, name, scopes, expiresIn, formId: form.text('form'), actor };
    try {
      return await showNew(c, await createOperatorKey(context, key), name, undefined);
    } catch (error) {
      const notice = noticeOf(error, name);
      if (notice.what === 'made-before') return showKeys(c, context, viewer, notice);
      form.refuse(null, notice.sentence);
      return showForm(c, form, true);
    }
  });

  app.post(`${OPERATOR_KEYS_PATH}/:id/replace`, async (c) => {
    const viewer = requireOperator(c);
    const form = await readForm(c);
    const { id, name } = await findKeyView(c, context);
    if (!isProven(viewer)) throw proveFirst(c, OPERATOR_KEYS_PATH);
    const of = { keyId: id, accountId: viewer.accountId, formId: form.text('form'), actor: actorOf(viewer) };
    try {
      const made = await replaceOperatorKey(context, { ...of, keepOld: form.text('keep') });
      return await showNew(c, made, name, made.oldExpiresAt);
    } catch (error) {
      return showKeys(c, context, viewer, noticeOf(error, name));
    }
  });

  // Without a fresh proof: it must be quick where a key has leaked.
  app.post(`${OPERATOR_KEYS_PATH}/:id/revoke`, async (c) => {
    const viewer = requireOperator(c);
    const { id } = await findKeyView(c, context);
    await revokeOperatorKey(context, { keyId: id, actor: actorOf(viewer) });
    return redirect(c, OPERATOR_KEYS_PATH);
  });
}

/** Why no key was made. Throws every error that is not a refusal of the input. */
function noticeOf(error: unknown, name: string): KeyNotice {
  if (error instanceof KeyMadeBefore) return { what: 'made-before', name };
  if (!(error instanceof Refusal) || error.code !== 'invalid_request') throw error;
  return { what: 'refused', sentence: error.message };
}

const showForm = (c: PageContext, form: FormState, isProven: boolean) =>
  page(c, <CreateOperatorKeyPage form={form} isProven={isProven} />, {
    title: 'Create an operator key',
    status: form.status,
  });

const showNew = (
  c: PageContext,
  made: NewOperatorKey,
  name: string,
  oldExpiresAt: string | null | undefined,
) =>
  page(
    c,
    <NewOperatorKeyPage
      made={made}
      name={name}
      oldExpiresAt={oldExpiresAt}
      baseUrl={c.get('site').baseUrl}
    />,
    { title: 'Your new operator key', scripts: ['save'] },
  );

async function showKeys(
  c: PageContext,
  context: Context,
  viewer: Viewer,
  notice: KeyNotice | null,
): Promise<Response> {
  const keys = await listOperatorKeyViews(context);
  const newFormId = () => uuidv7(context);
  return page(c, <OperatorKeysPage {...{ keys, notice, newFormId }} accountId={viewer.accountId} />, {
    title: 'Operator keys',
    status: notice === null ? 200 : 409,
  });
}

async function findKeyView(c: PageContext, context: Context): Promise<OperatorKeyView> {
  const key = (await listOperatorKeyViews(context)).find(({ id }) => id === c.req.param('id'));
  if (key === undefined) throw missing();
  return key;
}
