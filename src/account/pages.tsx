/** The viewer's own account. Changes that a stolen session must not make require a fresh proof of identity. */

import { parseAccountName, parseEmail } from '../accounts/account.ts';
import { requestEmailChange } from '../accounts/change-email.ts';
import { hasPassword } from '../accounts/credential-queries.ts';
import { plannedDeletion } from '../accounts/deletion.ts';
import { renameAccount } from '../accounts/edit.ts';
import { refuseGuessablePassword } from '../accounts/guessable-password.ts';
import { listIdentities } from '../accounts/oidc-queries.ts';
import { listPasskeys } from '../accounts/passkey-queries.ts';
import {
  addPasskey,
  beginPasskey,
  parsePasskeyName,
  passkeyHost,
  removePasskey,
} from '../accounts/passkeys.ts';
import {
  MIN_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH_WITH_SECOND_FACTOR,
  parsePassword,
} from '../accounts/password.ts';
import { findAccount } from '../accounts/queries.ts';
import type { SignInServices } from '../accounts/services.ts';
import { listSessions } from '../accounts/session-queries.ts';
import { endSession, revokeOtherSessions } from '../accounts/sessions.ts';
import { changePassword } from '../accounts/set-password.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewBackupCodes,
  turnSecondFactorOff,
} from '../accounts/two-factor.ts';
import { hasSecondFactor } from '../accounts/two-factor-queries.ts';
import type { Context } from '../context.ts';
import {
  missing,
  type PageApp,
  type PageContext,
  PROOF_MISSING,
  page,
  readForm,
  redirect,
  requireViewer,
} from '../http/pages/pages.ts';
import { readKinds, readMailSettings } from '../notices/queries.ts';
import { isUuid } from '../store/uuid.ts';
import { type FormState, newForm } from '../ui/form-state.ts';
import { mergeForm } from '../ui/stale-form.tsx';
import type { Viewer } from '../ui/viewer.ts';
import { AccountPage, type AccountPageProps, DONE } from './account-page.tsx';
import type { AccountForm } from './card.tsx';
import { dataPages } from './data-pages.tsx';
import { ACCOUNT_PATH, NEW_EMAIL_PATH } from './paths.ts';
import { hasFreshProof, isLocked, requireFreshProof, requireUnlocked } from './proof/fresh-proof.ts';
import { BeginSecondFactorPage, ConfirmSecondFactorPage, NewBackupCodesPage } from './second-factor-page.tsx';
import { callerOf, finished, passkeyRefusal, setCookies } from './sign-in/answers.ts';

type Done = keyof typeof DONE;

const isDone = (text: string | undefined): text is Done => text !== undefined && Object.hasOwn(DONE, text);

const done = (c: PageContext, what: Done) => redirect(c, `${ACCOUNT_PATH}?done=${what}`);

type Show = (
  c: PageContext,
  viewer: Viewer,
  props: Partial<Pick<AccountPageProps, 'refused' | 'done'>>,
) => Promise<Response>;

/** Shows the page again with a refused form. */
type ShowAgain = (c: PageContext, viewer: Viewer, which: AccountForm, form: FormState) => Promise<Response>;

/** `providerName`: name of the identity provider; `null` if none is configured. */
export function accountPages(app: PageApp, services: SignInServices, providerName: string | null): void {
  const show = createShow(services, providerName);
  const showAgain: ShowAgain = (c, viewer, which, form) => show(c, viewer, { refused: { which, form } });
  app.get(ACCOUNT_PATH, (c) => {
    const what = c.req.query('done');
    return show(c, requireViewer(c), { done: isDone(what) ? what : null });
  });
  addName(app, services, show);
  addEmail(app, services, showAgain);
  addPassword(app, services, showAgain);
  addSecondFactor(app, services, showAgain);
  addBackupCodes(app, services, showAgain);
  addPasskeys(app, services, showAgain);
  addSessions(app, services);
  dataPages(app, services);
}

const createShow =
  ({ context, baseUrl, mailer }: SignInServices, providerName: string | null): Show =>
  async (c, viewer, { refused = null, done = null }) => {
    const { accountId, name, email, sessionId } = viewer;
    const { read } = context.db;
    const [account, password, hasFactor, passkeys, identities, sessions, kinds, mail] = await Promise.all([
      findAccount(read, accountId),
      hasPassword(read, accountId),
      hasSecondFactor(read, accountId),
      listPasskeys(read, accountId),
      listIdentities(read, accountId),
      listSessions(read, accountId, context.now()),
      readKinds(read, viewer),
      readMailSettings(read, accountId),
    ]);
    const view = {
      name,
      email,
      sessionId,
      hasPassword: password,
      hasSecondFactor: hasFactor,
      minPasswordLength: hasFactor ? MIN_PASSWORD_LENGTH_WITH_SECOND_FACTOR : MIN_PASSWORD_LENGTH,
      passkeys,
      canHavePasskeys: passkeyHost(baseUrl) !== null,
      identities,
      providerName,
      mail: mailer.isReal ? { kinds, ...mail } : null,
      sessions,
      deleteAt: plannedDeletion(account),
      isOperator: viewer.isOperator,
      isProven: hasFreshProof(viewer, context.now()),
      isLocked: isLocked(viewer),
    };
    return page(c, <AccountPage account={view} refused={refused} done={done} />, {
      title: 'Account',
      status: refused?.conflicts ? 409 : (refused?.form.status ?? 200),
      scripts: ['passkey'],
    });
  };

function addName(app: PageApp, { context }: SignInServices, show: Show): void {
  app.post(`${ACCOUNT_PATH}/name`, async (c) => {
    const viewer = requireViewer(c);
    const { form, conflicts } = mergeForm(await readForm(c), { name: viewer.name });
    if (conflicts.length > 0) return show(c, viewer, { refused: { which: 'name', form, conflicts } });
    form.hasOnly('name');
    const values = form.read({ name: parseAccountName });
    if (values === null) return show(c, viewer, { refused: { which: 'name', form } });
    await renameAccount(context, { accountId: viewer.accountId, from: viewer.name, ...values });
    return done(c, 'name');
  });
}

function addEmail(app: PageApp, services: SignInServices, showAgain: ShowAgain): void {
  app.post(`${ACCOUNT_PATH}/email`, async (c) => {
    const viewer = requireViewer(c);
    const { accountId } = viewer;
    const form = await readForm(c);
    const isProven = hasFreshProof(viewer, services.context.now());
    form.hasOnly('email');
    if (!isProven) form.refuse(null, PROOF_MISSING);
    const values = isProven ? form.read({ email: parseEmail }) : null;
    const isSent =
      values &&
      (await finished(form, null, () =>
        requestEmailChange(services, { accountId, ...values, caller: callerOf(c) }),
      ));
    return isSent ? redirect(c, NEW_EMAIL_PATH) : showAgain(c, viewer, 'email', form);
  });
}

/** The viewer of a form that asks for the password if the account has one (`hasOwn`), and else for a fresh proof. */
async function requireOwner(
  c: PageContext,
  context: Context,
): Promise<{ readonly viewer: Viewer; readonly hasOwn: boolean }> {
  const hasOwn = await hasPassword(context.db.read, requireViewer(c).accountId);
  return { hasOwn, viewer: hasOwn ? requireUnlocked(c) : requireFreshProof(c, context.now()) };
}

function addPassword(app: PageApp, services: SignInServices, showAgain: ShowAgain): void {
  const { context, baseUrl } = services;
  app.post(`${ACCOUNT_PATH}/password`, async (c) => {
    const { viewer, hasOwn } = await requireOwner(c, context);
    const form = await readForm(c);
    const hasFactor = await hasSecondFactor(context.db.read, viewer.accountId);
    const values = form.read({ password: (text) => parsePassword(text, hasFactor) });
    const about = { person: [viewer.name, viewer.email], baseUrl, hasSecondFactor: hasFactor };
    const isGood =
      values && (await finished(form, 'password', () => refuseGuessablePassword(values.password, about)));
    const current = hasOwn ? form.text('current') : null;
    const changed =
      isGood &&
      (await form.attempt('current', () =>
        changePassword(services, { session: viewer, current, caller: callerOf(c), ...values }),
      ));
    if (!changed) return showAgain(c, viewer, 'password', form);
    setCookies(c, changed);
    return done(c, 'password');
  });
}

function addSecondFactor(app: PageApp, services: SignInServices, showAgain: ShowAgain): void {
  const { context } = services;
  const title = 'Turn on the second factor';
  // Only this response ever contains the secret and the backup codes.
  app.post(`${ACCOUNT_PATH}/two-factor`, async (c) => {
    const viewer = requireFreshProof(c, context.now());
    const form = await readForm(c);
    const made = await form.attempt(null, () => beginSecondFactor(services, viewer));
    if (made === null) return showAgain(c, viewer, 'factor', form);
    return page(c, <BeginSecondFactorPage made={made} form={newForm()} />, { title });
  });

  app.post(`${ACCOUNT_PATH}/two-factor/confirm`, async (c) => {
    const session = requireViewer(c);
    const form = await readForm(c);
    const code = form.text('code');
    form.hasOnly('code');
    const confirmed = await form.attempt('code', () =>
      confirmSecondFactor(services, { session, code, caller: callerOf(c) }),
    );
    if (confirmed === null) {
      return page(c, <ConfirmSecondFactorPage form={form} />, { title, status: form.status });
    }
    setCookies(c, confirmed);
    return done(c, 'factor-on');
  });

  app.post(`${ACCOUNT_PATH}/two-factor/off`, async (c) => {
    const { viewer } = await requireOwner(c, context);
    const form = await readForm(c);
    const password = form.text('current');
    const turnedOff = await form.attempt('current', () =>
      turnSecondFactorOff(services, { session: viewer, password, caller: callerOf(c) }),
    );
    if (turnedOff === null) return showAgain(c, viewer, 'factor', form);
    setCookies(c, turnedOff);
    return done(c, 'factor-off');
  });
}

function addBackupCodes(app: PageApp, services: SignInServices, showAgain: ShowAgain): void {
  app.post(`${ACCOUNT_PATH}/backup-codes`, async (c) => {
    const viewer = requireFreshProof(c, services.context.now());
    const form = await readForm(c);
    const codes = await form.attempt(null, () => renewBackupCodes(services, viewer.accountId));
    if (codes === null) return showAgain(c, viewer, 'factor', form);
    return page(c, <NewBackupCodesPage codes={codes} />, {
      title: 'Your new backup codes',
    });
  });
}

function addPasskeys(app: PageApp, services: SignInServices, showAgain: ShowAgain): void {
  const { context } = services;
  // Called by the page's script, which passes the options to the browser's WebAuthn API.
  app.post(`${ACCOUNT_PATH}/passkeys/options`, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    if (!hasFreshProof(viewer, context.now())) {
      return c.json({ problem: PROOF_MISSING, needsProof: true }, 403);
    }
    try {
      parsePasskeyName(form.text('name'));
      return c.json(await beginPasskey(services, viewer));
    } catch (error) {
      return passkeyRefusal(c, error);
    }
  });

  app.post(`${ACCOUNT_PATH}/passkeys`, async (c) => {
    const session = requireViewer(c);
    const form = await readForm(c);
    const values = form.read({ name: parsePasskeyName });
    const credential = form.text('credential');
    const added =
      values && (await form.attempt(null, () => addPasskey(services, { session, credential, ...values })));
    if (!added) return showAgain(c, session, 'passkey', form);
    setCookies(c, added);
    return done(c, 'passkey');
  });

  app.post(`${ACCOUNT_PATH}/passkeys/:id/remove`, async (c) => {
    const { accountId } = requireFreshProof(c, context.now());
    const passkeyId = c.req.param('id');
    if (!isUuid(passkeyId) || !(await removePasskey(services, { accountId, passkeyId }))) throw missing();
    return done(c, 'passkey-removed');
  });
}

function addSessions(app: PageApp, { context }: SignInServices): void {
  app.post(`${ACCOUNT_PATH}/sessions/end`, async (c) => {
    await revokeOtherSessions(context, requireFreshProof(c, context.now()));
    return done(c, 'sessions');
  });

  app.post(`${ACCOUNT_PATH}/sessions/:id/end`, async (c) => {
    const { accountId } = requireFreshProof(c, context.now());
    const sessionId = c.req.param('id');
    if (!isUuid(sessionId) || !(await endSession(context, { accountId, sessionId, as: 'session.revoked' }))) {
      throw missing();
    }
    return done(c, 'session');
  });
}
