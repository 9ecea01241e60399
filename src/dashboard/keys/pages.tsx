/** Settings → API keys and Settings → Plan. */
import { planHasApiKeys } from '../../accounts/account.ts';
import { isFreshProof } from '../../accounts/session.ts';
import { listFirstVerifications } from '../../attempts/queries.ts';
import type { Context } from '../../context.ts';
import { proofFirst } from '../../http/pages/kept-forms.tsx';
import {
  actorOf,
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireFound,
  requireViewer,
} from '../../http/pages/pages.ts';
import { createKey, KeyMadeBefore, type NewKey } from '../../keys/create.ts';
import { type Mode, parseKeyExpiry, parseKeyMode, parseKeyName } from '../../keys/key.ts';
import { countActiveKeys } from '../../keys/queries.ts';
import { revokeKey } from '../../keys/revoke.ts';
import { type RolledKey, rollKey } from '../../keys/roll.ts';
import { type KeyView, listKeyViews } from '../../keys/view.ts';
import { uuidv7 } from '../../store/uuid.ts';
import { RadioField } from '../../ui/field.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import { type KeyNotice, noticeOfRoll } from '../../ui/keys-page.tsx';
import { CreateKeyPage, createTitle, NewKeyPage, newTitle } from '../../ui/new-key-page.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { API_KEY_WORDS, ApiKeysPage } from './keys-page.tsx';
import { PlanPage } from './plan-page.tsx';

const KEYS_PATH = API_KEY_WORDS.path;

export function keyPages(app: PageApp, context: Context, contact: string | null): void {
  app.get(KEYS_PATH, (c) => showKeys(c, context, requireViewer(c), null));

  app.get(`${KEYS_PATH}/new`, async (c) => {
    const { plan, mode: listed, accountId } = requireViewer(c);
    if (!planHasApiKeys(plan)) return redirect(c, KEYS_PATH);
    // The first key is a test key by default, unless a page asks for a live one.
    const isFirst = (await countActiveKeys(context.db.read, 'api_keys', accountId, context.at())) === 0;
    const mode = c.req.query('mode') === 'live' ? 'live' : isFirst ? 'test' : listed;
    return showForm(c, newForm({ mode, form: uuidv7(context) }));
  });

  app.post(KEYS_PATH, async (c) => {
    const viewer = requireViewer(c);
    const { accountId: account } = viewer;
    if (!planHasApiKeys(viewer.plan)) return redirect(c, KEYS_PATH);
    const form = await readForm(c);
    const input = form.read({ name: parseKeyName, mode: parseKeyMode, expires: parseKeyExpiry });
    if (input === null) return showForm(c, form);
    const { name, mode, expires: expiresIn } = input;
    await requireProof(c, context, viewer, mode);
    const key = { account, name, mode, expiresIn, formId: form.text('form'), actor: actorOf(viewer) };
    try {
      const made = await form.attempt(null, () => createKey(context, key));
      if (made === null) return showForm(c, form);
      // Owners who have not verified a claim yet continue with setup.
      const isVerified = (await listFirstVerifications(context.db.read, account)).length > 0;
      return showNew(c, made, name, isVerified ? KEYS_PATH : '/dashboard');
    } catch (error) {
      if (!(error instanceof KeyMadeBefore)) throw error;
      return showKeys(c, context, viewer, { what: 'made-before', name });
    }
  });

  app.post(`${KEYS_PATH}/:id/roll`, async (c) => {
    const viewer = requireViewer(c);
    const { id, name, mode } = await findKeyView(c, context, viewer);
    const form = await readForm(c);
    await requireProof(c, context, viewer, mode);
    const roll = {
      keyId: id,
      accountId: viewer.accountId,
      keepOld: form.text('keep'),
      actor: actorOf(viewer),
    };
    const rolled = await form.attempt(null, () => rollKey(context, roll));
    if (rolled !== null) return showNew(c, rolled, name, KEYS_PATH);
    return showKeys(c, context, viewer, noticeOfRoll(form, await findKeyView(c, context, viewer)));
  });

  app.post(`${KEYS_PATH}/:id/revoke`, async (c) => {
    const viewer = requireViewer(c);
    const { id } = await findKeyView(c, context, viewer);
    await revokeKey(context, { keyId: id, accountId: viewer.accountId, actor: actorOf(viewer) });
    return redirect(c, KEYS_PATH);
  });

  app.get('/dashboard/settings/plan', (c) => {
    const { plan, isOperator } = requireViewer(c);
    return page(c, <PlanPage plan={plan} isOperator={isOperator} contact={contact} />, { title: 'Plan' });
  });
}

const MODES = [
  { value: 'live', label: 'Live', hint: 'Verifies and redeems the claims of real people.' },
  { value: 'test', label: 'Test', hint: 'Test claims only; it cannot redeem a real one.' },
];

const showForm = (c: PageContext, form: FormState): Promise<Response> =>
  page(
    c,
    <CreateKeyPage words={API_KEY_WORDS} form={form}>
      <RadioField form={form} name="mode" label="Mode" choices={MODES} boxed />
    </CreateKeyPage>,
    { title: createTitle(API_KEY_WORDS), status: form.status },
  );

const showNew = (
  c: PageContext,
  made: NewKey & Partial<RolledKey>,
  name: string,
  next: string,
): Promise<Response> =>
  page(
    c,
    <NewKeyPage
      words={API_KEY_WORDS}
      {...{ made, name, next }}
      about={`${made.mode} mode`}
      baseUrl={c.get('site').baseUrl}
      variables={`CLAIMCHECK_API_KEY=${made.key}\n`}
      whileBoth="; an Idempotency-Key means the same with either"
    />,
    { title: newTitle(API_KEY_WORDS) },
  );

async function showKeys(
  c: PageContext,
  context: Context,
  viewer: Viewer,
  notice: KeyNotice | null,
): Promise<Response> {
  const { accountId, plan, mode } = viewer;
  const keys = await listKeyViews(context, accountId);
  return page(c, <ApiKeysPage {...{ keys, plan, mode, notice }} />, {
    title: API_KEY_WORDS.title,
    status: notice === null ? 200 : 409,
  });
}

/** A stolen session must not get a key that redeems claims. */
async function requireProof(c: PageContext, context: Context, viewer: Viewer, mode: Mode): Promise<void> {
  if (mode === 'live' && !isFreshProof(viewer, context.now())) throw await proofFirst(c);
}

/** The key in the path. Another account's key gets the same response as a missing one. */
async function findKeyView(c: PageContext, context: Context, viewer: Viewer): Promise<KeyView> {
  const keys = await listKeyViews(context, viewer.accountId);
  return requireFound(keys.find(({ id }) => id === c.req.param('id')));
}
