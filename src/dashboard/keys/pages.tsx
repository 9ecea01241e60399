/** Settings → API keys and Settings → Plan. */
import { planHasApiKeys } from '../../accounts/account.ts';
import { isFreshProof } from '../../accounts/session.ts';
import type { Context } from '../../context.ts';
import {
  actorOf,
  missing,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireViewer,
} from '../../http/pages.ts';
import { proofFirst } from '../../http/sign-in-first.tsx';
import { createKey, KeyMadeBefore, TooManyKeys } from '../../keys/create.ts';
import { type Mode, parseKeyExpiry, parseKeyMode, parseKeyName } from '../../keys/key.ts';
import { countActiveKeys } from '../../keys/queries.ts';
import { revokeKey } from '../../keys/revoke.ts';
import { rollKey } from '../../keys/roll.ts';
import { type KeyView, listKeyViews } from '../../keys/view.ts';
import { uuidv7 } from '../../store/uuid.ts';
import { toIso } from '../../time-text.ts';
import { newForm } from '../../ui/form-state.ts';
import type { KeyNotice } from '../../ui/key-parts.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { listFirstVerifications } from '../start/set-up-queries.ts';
import { CreateKeyPage, KEYS_PATH, KeysPage } from './keys-page.tsx';
import { NewKeyPage } from './new-key-page.tsx';
import { PlanPage } from './plan-page.tsx';

const CREATE_TITLE = 'Create an API key';

/** `contact`: URL by which the operator is reached, if one is configured. */
export function keyPages(app: PageApp, context: Context, contact: string | null): void {
  app.get(KEYS_PATH, (c) => keysPage(c, context, requireViewer(c), null));

  app.get(`${KEYS_PATH}/new`, async (c) => {
    const { plan, mode: listed, accountId } = requireViewer(c);
    if (!planHasApiKeys(plan)) return redirect(c, KEYS_PATH);
    // The first key is for trying things out, unless a page leads here for a live one.
    const isFirst = (await countActiveKeys(context.db.read, accountId, toIso(context.now()))) === 0;
    const mode = c.req.query('mode') === 'live' ? 'live' : isFirst ? 'test' : listed;
    const form = newForm({ mode, form: uuidv7(context) });
    return page(c, <CreateKeyPage form={form} />, { title: CREATE_TITLE });
  });

  // Only this answer ever contains the secret.
  app.post(KEYS_PATH, async (c) => {
    const viewer = requireViewer(c);
    if (!planHasApiKeys(viewer.plan)) return redirect(c, KEYS_PATH);
    const form = await readForm(c);
    const input = form.read({ name: parseKeyName, mode: parseKeyMode, expires: parseKeyExpiry });
    if (input === null)
      return page(c, <CreateKeyPage form={form} />, { title: CREATE_TITLE, status: form.status });
    const { name, mode, expires } = input;
    await requireProof(c, context, viewer, mode);
    try {
      const made = await createKey(context, {
        account: viewer.accountId,
        name,
        mode,
        expiresIn: expires,
        formId: form.text('form'),
        actor: actorOf(viewer),
      });
      const isVerified = (await listFirstVerifications(context.db.read, viewer.accountId)).length > 0;
      return newKeyPage(
        c,
        <NewKeyPage
          made={made}
          name={name}
          baseUrl={c.get('site').baseUrl}
          next={isVerified ? KEYS_PATH : '/dashboard'}
        />,
      );
    } catch (error) {
      if (error instanceof TooManyKeys) {
        form.refuse(null, error.message);
        return page(c, <CreateKeyPage form={form} />, { title: CREATE_TITLE, status: form.status });
      }
      if (!(error instanceof KeyMadeBefore)) throw error;
      return keysPage(c, context, viewer, { what: 'made-before', name });
    }
  });

  app.post(`${KEYS_PATH}/:id/roll`, async (c) => {
    const viewer = requireViewer(c);
    const key = await findKeyView(context, viewer, c.req.param('id'));
    const form = await readForm(c);
    await requireProof(c, context, viewer, key.mode);
    const rolled = await form.attempt(null, () =>
      rollKey(context, {
        keyId: key.id,
        accountId: viewer.accountId,
        keepOld: form.text('keep'),
        actor: actorOf(viewer),
      }),
    );
    if (rolled === null) {
      // Read again: a form that was sent twice finds the key already rolled.
      const { rolledToId } = await findKeyView(context, viewer, key.id);
      const notice: KeyNotice =
        rolledToId === null
          ? { what: 'refused', sentence: form.problems[0]!.sentence }
          : { what: 'made-before', name: key.name };
      return keysPage(c, context, viewer, notice);
    }
    const { baseUrl } = c.get('site');
    return newKeyPage(
      c,
      <NewKeyPage made={rolled} name={key.name} baseUrl={baseUrl} old={rolled.old} next={KEYS_PATH} />,
    );
  });

  app.post(`${KEYS_PATH}/:id/revoke`, async (c) => {
    const viewer = requireViewer(c);
    const key = await findKeyView(context, viewer, c.req.param('id'));
    await revokeKey(context, {
      keyId: key.id,
      accountId: viewer.accountId,
      actor: actorOf(viewer),
    });
    return redirect(c, KEYS_PATH);
  });

  app.get('/dashboard/settings/plan', (c) => {
    const { plan, isOperator } = requireViewer(c);
    return page(c, <PlanPage plan={plan} isOperator={isOperator} contact={contact} />, { title: 'Plan' });
  });
}

const newKeyPage = (c: PageContext, content: ReturnType<typeof NewKeyPage>) =>
  page(c, content, { title: 'Your new API key', scripts: ['save'] });

async function keysPage(c: PageContext, context: Context, viewer: Viewer, notice: KeyNotice | null) {
  const keys = await listKeyViews(context, viewer.accountId);
  return page(c, <KeysPage keys={keys} plan={viewer.plan} mode={viewer.mode} notice={notice} />, {
    title: 'API keys',
    status: notice === null ? 200 : 409,
  });
}

/** A stolen session must not get a key that redeems claims. */
async function requireProof(c: PageContext, context: Context, viewer: Viewer, mode: Mode): Promise<void> {
  if (mode === 'live' && !isFreshProof(viewer, context.now())) throw await proofFirst(c);
}

/** A key of the viewer; another account's is answered like a missing one. */
async function findKeyView(context: Context, viewer: Viewer, id: string): Promise<KeyView> {
  const key = (await listKeyViews(context, viewer.accountId)).find((own) => own.id === id);
  if (key === undefined) throw missing();
  return key;
}
