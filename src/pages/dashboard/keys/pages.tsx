import type { Context } from '../../../base/context.ts';
import { DASHBOARD_PATH, PLAN_PATH, requestPath } from '../../../base/paths.ts';
import { listFirstVerifications, listOutsideCalls } from '../../../claims/attempts/queries.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import { findRequest } from '../../../people/accounts/request-queries.ts';
import { askForPlan } from '../../../people/accounts/requests.ts';
import { changeKeyNetworks } from '../../../people/keys/change-networks.ts';
import { createKey, type NewKey } from '../../../people/keys/create.ts';
import { revokeKey, rollKey } from '../../../people/keys/end.ts';
import {
  type Mode,
  parseKeyExpiry,
  parseKeyMode,
  parseKeyName,
  parseNetworksText,
} from '../../../people/keys/key.ts';
import { countActiveKeys } from '../../../people/keys/queries.ts';
import { listKeyViews } from '../../../people/keys/view.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { isFreshlyProven, requireProof } from '../../frame/kept-forms.tsx';
import { addKeyPages } from '../../frame/key-pages.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  actorOf,
  changeBy,
  EarlyResponse,
  type PageContext,
  page,
  readForm,
  redirect,
} from '../../frame/pages.ts';
import { RadioField } from '../../ui/field.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { API_KEY_WORDS, ApiKeysPage, type KeyWithCalls } from './keys-page.tsx';
import { ASK_FOR_PLAN_PATH, PlanPage } from './plan-page.tsx';

export function keyPages(app: PageRouter, context: Context): void {
  const needsProof = ({ mode }: { readonly mode: Mode }) => mode === 'live';
  addKeyPages<KeyWithCalls, NewKey>(app, {
    for: 'owner',
    words: API_KEY_WORDS,
    list: ({ accountId }) => listKeysWithCalls(context, accountId),
    listPage: (keys, { plan, mode }, notice) => <ApiKeysPage {...{ keys, plan, mode, notice }} />,
    emptyForm: async (c, viewer) => {
      requireApiKeys(c, viewer);
      // If no key is active, default to a test key, unless the query asks for a live key.
      const active = await countActiveKeys(context.db.read, 'api_keys', viewer.accountId, context.at());
      const mode = c.req.query('mode') === 'live' ? 'live' : active === 0 ? 'test' : viewer.mode;
      return newForm({ mode, form: uuidv7(context) });
    },
    fields: (form) => <RadioField form={form} name="mode" label={t('Mode')} choices={MODES} boxed />,
    create: async (c, viewer, form) => {
      requireApiKeys(c, viewer);
      const input = form.read({
        name: parseKeyName,
        mode: parseKeyMode,
        networks: parseNetworksText,
        expires: parseKeyExpiry,
      });
      if (input === null) return null;
      const { expires: expiresIn, ...keyInput } = input;
      if (needsProof(keyInput)) await requireProof(c, isFreshlyProven);
      const { accountId: account } = viewer;
      const key = { account, ...keyInput, expiresIn, formId: form.text('form'), actor: actorOf(viewer) };
      const newKey = await form.attempt(null, () => createKey(context, key));
      if (newKey === null) return null;
      // Until a claim has been verified, the page with the new key links to the setup at `/dashboard`.
      const isVerified = (await listFirstVerifications(context.db.read, account)).length > 0;
      return { newKey, name: keyInput.name, ...(!isVerified && { next: DASHBOARD_PATH }) };
    },
    describe: ({ key, mode }) => ({
      about: t('{mode, select, test {test} other {live}} mode', { mode }),
      variables: `CLAIMCHECK_API_KEY=${key}\n`,
      whileBoth: t(
        'A retry with the same Idempotency-Key gets the same response, whether it uses the old or the new API key.',
      ),
    }),
    needsProof,
    roll: (viewer, keyId, keepOld) =>
      rollKey(context, { keyId, accountId: viewer.accountId, keepOld, actor: actorOf(viewer) }),
    changeNetworks: (viewer, keyId, networks) =>
      changeKeyNetworks(context, { keyId, accountId: viewer.accountId, networks, actor: actorOf(viewer) }),
    revoke: (viewer, keyId) =>
      revokeKey(context, { keyId, accountId: viewer.accountId, actor: actorOf(viewer) }),
  });

  planPages(app, context);
}

async function listKeysWithCalls(context: Context, accountId: string): Promise<readonly KeyWithCalls[]> {
  const keys = await listKeyViews(context, accountId);
  return await Promise.all(
    keys.map(async (key) => {
      // A call can come from outside only if the key has networks.
      const calls = key.networks.length === 0 ? [] : await listOutsideCalls(context.db.read, accountId, key);
      const outsideCalls = calls.map(({ at, ip, request_id }) => ({ at, ip, href: requestPath(request_id) }));
      return { ...key, outsideCalls };
    }),
  );
}

function planPages(app: PageRouter, context: Context): void {
  const show = async (c: PageContext, { accountId, plan }: Viewer, form: FormState) => {
    const request = (await findRequest(context.db.read, accountId, 'plan')) ?? null;
    const { plans } = context.marketplace;
    return page(c, <PlanPage {...{ plan, plans, request, form }} />, {
      title: t('Plan'),
      status: form.status,
    });
  };

  app.get(PLAN_PATH, { for: 'owner' }, (c, viewer) => show(c, viewer, newForm()));

  app.post(ASK_FOR_PLAN_PATH, { for: 'owner' }, async (c, viewer) => {
    const form = await readForm(c);
    const request = { ...changeBy(viewer), plan: form.text('plan'), message: form.text('message') };
    await form.attempt('message', () => askForPlan(context, request));
    return form.isFine ? redirect(c, PLAN_PATH) : show(c, viewer, form);
  });
}

function requireApiKeys(c: PageContext, { plan }: Viewer): void {
  if (!planHasApiKeys(plan)) throw new EarlyResponse(redirect(c, API_KEY_WORDS.path));
}

const MODES = [
  { value: 'live', label: message('Live'), hint: message('Verifies and redeems the claims of real people.') },
  { value: 'test', label: message('Test'), hint: message('Verifies and redeems test claims only.') },
];
