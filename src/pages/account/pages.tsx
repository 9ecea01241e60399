/** Sensitive changes require a fresh proof of identity, because a stolen session must not be enough for them. */
import { ACCOUNT_PATH, NEW_EMAIL_PATH } from '../../base/paths.ts';
import { parseAccountName, parseEmail } from '../../people/accounts/account.ts';
import { renameAccount, withdrawName } from '../../people/accounts/rename.ts';
import {
  addPasskey,
  beginPasskey,
  parsePasskeyName,
  removePasskey,
} from '../../people/sign-in/credentials/passkeys.ts';
import { parsePassword } from '../../people/sign-in/credentials/password.ts';
import { hasPassword, hasSecondFactor } from '../../people/sign-in/credentials/queries.ts';
import { changePassword, hasUsablePassword } from '../../people/sign-in/credentials/set-password.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewBackupCodes,
  turnSecondFactorOff,
} from '../../people/sign-in/credentials/two-factor.ts';
import { requestEmailChange } from '../../people/sign-in/email/change.ts';
import type { ProviderChoice } from '../../people/sign-in/oidc/provider.ts';
import type { SignInServices } from '../../people/sign-in/services.ts';
import { endSession, type Renewed, revokeOtherSessions } from '../../people/sign-in/sessions/sessions.ts';
import { nothingThere } from '../../platform/errors.ts';
import { t } from '../../platform/languages/translate.ts';
import { isUuid } from '../../platform/store/uuid.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, PROOF_MISSING, page, readForm, redirect, requireViewer } from '../frame/pages.ts';
import type { FormInput } from '../ui/form-state.ts';
import { mergeForm } from '../ui/stale-form.tsx';
import type { Viewer } from '../ui/viewer.ts';
import { AccountPage, type AccountPageProps, DONE, shownName } from './account-page.tsx';
import { readAccountView, readNameProposal } from './account-view.ts';
import type { AccountForm } from './cards.tsx';
import { dataPages } from './data-pages.tsx';
import {
  hasFreshProof,
  requireFreshProof,
  requireRecentProof,
  requireUnlocked,
} from './proof/fresh-proof.ts';
import {
  BeginSecondFactorPage,
  ConfirmSecondFactorPage,
  NewBackupCodesPage,
  SECOND_FACTOR_TITLE,
} from './second-factor-page.tsx';
import { callerOf, isStrong, passkeyOptions, setCookies } from './sign-in/responses.ts';

type Done = keyof typeof DONE;

const isDone = (text: string | undefined): text is Done => text !== undefined && Object.hasOwn(DONE, text);

const done = (c: PageContext, what: Done) => redirect(c, `${ACCOUNT_PATH}?done=${what}`);

type Show = (
  c: PageContext,
  viewer: Viewer,
  props: Partial<Pick<AccountPageProps, 'refused' | 'done'>>,
) => Promise<Response>;

/** `submit` returns `null` to show the page again with the form's problems. */
type AddForm = (
  path: string,
  which: AccountForm,
  requirePerson: (c: PageContext) => Viewer | Promise<Viewer>,
  submit: (c: PageContext, form: FormInput, viewer: Viewer) => Promise<Response | null>,
) => void;

export function accountPages(
  app: PageRouter,
  services: SignInServices,
  providers: readonly ProviderChoice[],
): void {
  const show: Show = async (c, viewer, { refused = null, done = null }) => {
    const account = await readAccountView(services, viewer, providers);
    return page(c, <AccountPage account={account} refused={refused} done={done} />, {
      title: t('Account'),
      status: refused?.conflicts ? 409 : (refused?.form.status ?? 200),
      scripts: ['passkey'],
    });
  };
  const addForm: AddForm = (path, which, requirePerson, submit) =>
    app.post(`${ACCOUNT_PATH}/${path}`, { for: 'signed-in' }, async (c) => {
      const viewer = await requirePerson(c);
      const form = await readForm(c);
      return (await submit(c, form, viewer)) ?? show(c, viewer, { refused: { which, form } });
    });
  app.get(ACCOUNT_PATH, { for: 'signed-in' }, (c, viewer) => {
    const what = c.req.query('done');
    return show(c, viewer, { done: isDone(what) ? what : null });
  });
  addName(app, services, show);
  addEmail(addForm, services);
  if (!services.isOidcOnly) addPassword(addForm, services);
  addSecondFactor(app, addForm, services);
  addPasskeys(app, addForm, services);
  addSessions(app, services);
  dataPages(app, services);
}

/** After a change, sets the session's new cookie and returns a redirect. Returns `null` if the change was refused. */
function renewed(c: PageContext, result: Renewed | null, what: Done): Response | null {
  if (result === null) return null;
  setCookies(c, result);
  return done(c, what);
}

/** For forms that ask for the password; an account without one needs a fresh proof of identity. */
const owner =
  (services: SignInServices) =>
  async (c: PageContext): Promise<Viewer> => {
    const hasOwn = await hasUsablePassword(services, requireViewer(c).accountId);
    return hasOwn ? requireUnlocked(c) : requireFreshProof(c);
  };

function addName(app: PageRouter, { context }: SignInServices, show: Show): void {
  app.post(`${ACCOUNT_PATH}/name`, { for: 'signed-in' }, async (c, viewer) => {
    const { accountId, name } = viewer;
    const nameProposal = await readNameProposal(context, accountId);
    const stored = { name: shownName({ name, nameProposal }) };
    const { form, conflicts } = mergeForm(await readForm(c), stored);
    if (conflicts.length > 0) return show(c, viewer, { refused: { which: 'name', form, conflicts } });
    form.hasOnly('name');
    const values = form.read({ name: parseAccountName });
    if (values === null) return show(c, viewer, { refused: { which: 'name', form } });
    const renamed = await form.attempt('name', () => renameAccount(context, { accountId, ...values }));
    if (renamed === null) return show(c, viewer, { refused: { which: 'name', form } });
    return done(c, renamed === 'renamed' ? 'name' : 'name-proposed');
  });

  app.post(`${ACCOUNT_PATH}/name/withdraw`, { for: 'signed-in' }, async (c, { accountId }) => {
    await withdrawName(context, { accountId });
    return done(c, 'name-withdrawn');
  });
}

function addEmail(addForm: AddForm, services: SignInServices): void {
  addForm('email', 'email', requireFreshProof, async (c, form, { accountId }) => {
    form.hasOnly('email');
    const values = form.read({ email: parseEmail });
    if (values === null) return null;
    await form.attempt(null, () =>
      requestEmailChange(services, { accountId, ...values, caller: callerOf(c) }),
    );
    return form.isFine ? redirect(c, NEW_EMAIL_PATH) : null;
  });
}

function addPassword(addForm: AddForm, services: SignInServices): void {
  const { read } = services.context.db;
  addForm('password', 'password', owner(services), async (c, form, session) => {
    const { accountId, name, email } = session;
    const [hasOwn, hasFactor] = await Promise.all([
      hasPassword(read, accountId),
      hasSecondFactor(read, accountId),
    ]);
    const values = form.read({ password: (text) => parsePassword(text, hasFactor) });
    const about = { person: [name, email], hasSecondFactor: hasFactor };
    if (values === null || !(await isStrong(services, form, about))) return null;
    const current = hasOwn ? form.text('current') : null;
    const changed = await form.attempt('current', () =>
      changePassword(services, { session, current, caller: callerOf(c), ...values }),
    );
    return renewed(c, changed, 'password');
  });
}

function addSecondFactor(app: PageRouter, addForm: AddForm, services: SignInServices): void {
  // Responds with a page instead of a redirect, because the secret and the backup codes can be shown only once.
  addForm('two-factor', 'factor', requireFreshProof, async (c, form, viewer) => {
    const newFactor = await form.attempt(null, () => beginSecondFactor(services, viewer));
    return (
      newFactor && page(c, <BeginSecondFactorPage newFactor={newFactor} />, { title: t(SECOND_FACTOR_TITLE) })
    );
  });

  app.post(`${ACCOUNT_PATH}/two-factor/confirm`, { for: 'signed-in' }, async (c, session) => {
    const form = await readForm(c);
    const code = form.text('code');
    form.hasOnly('code');
    const confirmed = await form.attempt('code', () =>
      confirmSecondFactor(services, { session, code, caller: callerOf(c) }),
    );
    return (
      renewed(c, confirmed, 'factor-on') ??
      page(c, <ConfirmSecondFactorPage form={form} />, { title: t(SECOND_FACTOR_TITLE), status: form.status })
    );
  });

  addForm('two-factor/off', 'factor', owner(services), async (c, form, session) => {
    const password = form.text('current');
    const turnedOff = await form.attempt('current', () =>
      turnSecondFactorOff(services, { session, password, caller: callerOf(c) }),
    );
    return renewed(c, turnedOff, 'factor-off');
  });

  addForm('backup-codes', 'factor', requireFreshProof, async (c, form, { accountId }) => {
    const codes = await form.attempt(null, () => renewBackupCodes(services, accountId));
    return codes && page(c, <NewBackupCodesPage codes={codes} />, { title: t('Your new backup codes') });
  });
}

/** Runs `verb` with the path's `:id`. Responds with 404 if `verb` returns false or the id is malformed. */
async function requireDone(c: PageContext, verb: (id: string) => Promise<boolean>): Promise<void> {
  const id = c.req.param('id') ?? '';
  if (!isUuid(id) || !(await verb(id))) throw nothingThere();
}

function addPasskeys(app: PageRouter, addForm: AddForm, services: SignInServices): void {
  // Called by the page's script, which passes the options to the browser's WebAuthn API.
  app.post(`${ACCOUNT_PATH}/passkeys/options`, { for: 'signed-in' }, async (c, viewer) => {
    const form = await readForm(c);
    if (!hasFreshProof(viewer)) return c.json({ problem: t(PROOF_MISSING), needsProof: true }, 403);
    return passkeyOptions(c, () => {
      parsePasskeyName(form.text('name'));
      return beginPasskey(services, viewer);
    });
  });

  addForm('passkeys', 'passkey', requireViewer, async (c, form, session) => {
    const values = form.read({ name: parsePasskeyName });
    const credential = form.text('credential');
    const added =
      values && (await form.attempt(null, () => addPasskey(services, { session, credential, ...values })));
    return renewed(c, added, 'passkey');
  });

  app.post(`${ACCOUNT_PATH}/passkeys/:id/remove`, { for: 'signed-in' }, async (c) => {
    const { accountId } = await requireFreshProof(c);
    await requireDone(c, (passkeyId) => removePasskey(services, { accountId, passkeyId }));
    return done(c, 'passkey-removed');
  });
}

function addSessions(app: PageRouter, { context }: SignInServices): void {
  app.post(`${ACCOUNT_PATH}/sessions/end`, { for: 'signed-in', counts: false }, async (c) => {
    await revokeOtherSessions(context, await requireRecentProof(c));
    return done(c, 'sessions');
  });

  app.post(`${ACCOUNT_PATH}/sessions/:id/end`, { for: 'signed-in', counts: false }, async (c) => {
    const { accountId } = await requireRecentProof(c);
    await requireDone(c, (sessionId) => endSession(context, { accountId, sessionId, as: 'session.revoked' }));
    return done(c, 'session');
  });
}
