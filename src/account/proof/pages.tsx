/** Pages for a fresh proof of identity in an open session. */
import { hasPassword } from '../../accounts/credential-queries.ts';
import { requestEmailSignIn } from '../../accounts/email-sign-in.ts';
import { hasIdentity } from '../../accounts/oidc-queries.ts';
import { listPasskeys } from '../../accounts/passkey-queries.ts';
import { passkeyHost } from '../../accounts/passkeys.ts';
import { proveByCode, proveByPasskey, proveByPassword } from '../../accounts/prove.ts';
import type { SignInServices } from '../../accounts/services.ts';
import type { Renewed } from '../../accounts/sessions.ts';
import { hasSecondFactor } from '../../accounts/two-factor-queries.ts';
import {
  audienceOf,
  nextPath,
  type PageApp,
  type PageContext,
  PROVE_PATH,
  page,
  readForm,
  redirect,
  requireViewer,
} from '../../http/pages/pages.ts';
import type { FormInput } from '../../ui/form-state.ts';
import type { Viewer } from '../../ui/viewer.ts';
import { ACCOUNT_PATH } from '../paths.ts';
import { callerOf, setCookies } from '../sign-in/answers.ts';
import { CODE_PATH, withNext } from '../sign-in/sign-in-page.tsx';
import { isLocked } from './fresh-proof.ts';
import { EnrollPage, type ProofForm, ProofPage, type ProofPageProps, type ProofWays } from './proof-page.tsx';

/** `providerName`: of the company's identity provider; `null`: there is none. */
export function proofPages(app: PageApp, services: SignInServices, providerName: string | null): void {
  const { context, baseUrl } = services;
  const hasPasskeys = passkeyHost(baseUrl) !== null;

  async function waysOf(viewer: Viewer): Promise<ProofWays> {
    const { accountId } = viewer;
    const { read } = context.db;
    const [password, code, passkeys, isLinked] = await Promise.all([
      hasPassword(read, accountId),
      hasSecondFactor(read, accountId),
      listPasskeys(read, accountId),
      hasIdentity(read, accountId),
    ]);
    const ways = {
      password: password && !isLocked(viewer),
      code,
      passkey: hasPasskeys && passkeys.length > 0,
      provider: isLinked ? providerName : null,
    };
    const hasOther = ways.password || ways.code || ways.passkey || ways.provider !== null;
    return { ...ways, mail: !hasOther && services.mailer.isReal };
  }

  async function show(c: PageContext, viewer: Viewer, props: Omit<ProofPageProps, 'ways'>) {
    return page(c, <ProofPage ways={await waysOf(viewer)} {...props} />, {
      title: 'Confirm it’s you',
      audience: 'bare',
      status: props.refused?.form.status ?? 200,
      scripts: hasPasskeys ? ['passkey'] : [],
    });
  }

  app.get(PROVE_PATH, (c) => {
    const viewer = requireViewer(c);
    const next = nextPath(c.req.query('next'), ACCOUNT_PATH);
    // Everything but the desk stays accessible.
    if (viewer.deskLock === 'enroll' && audienceOf(next.split('?', 1)[0]!) === 'desk') {
      return page(c, <EnrollPage canHavePasskeys={hasPasskeys} />, {
        title: 'Second factor',
        audience: 'bare',
      });
    }
    return show(c, viewer, { refused: null, next });
  });

  /** `prove`: the verb for one kind of proof. */
  const add = (
    way: ProofForm,
    prove: (c: PageContext, session: Viewer, form: FormInput) => Promise<Renewed>,
  ) =>
    app.post(`${PROVE_PATH}/${way}`, async (c) => {
      const viewer = requireViewer(c);
      const form = await readForm(c);
      const next = nextPath(form.text('next'), ACCOUNT_PATH);
      form.hasOnly(way);
      const renewed = await form.attempt(way === 'passkey' ? null : way, () => prove(c, viewer, form));
      if (renewed === null) return show(c, viewer, { refused: { way, form }, next });
      setCookies(c, renewed);
      return redirect(c, next);
    });

  // The code of the mail starts a session in place of this one.
  app.post(`${PROVE_PATH}/mail`, async (c) => {
    const { email } = requireViewer(c);
    const form = await readForm(c);
    const next = nextPath(form.text('next'), ACCOUNT_PATH);
    const sent = await requestEmailSignIn(services, { email, next, isIntended: false, caller: callerOf(c) });
    setCookies(c, sent);
    return redirect(c, withNext(CODE_PATH, next));
  });

  add('password', (c, session, form) =>
    proveByPassword(services, {
      session,
      caller: callerOf(c),
      password: form.text('password'),
    }),
  );
  add('code', (c, session, form) =>
    proveByCode(services, { session, caller: callerOf(c), code: form.text('code') }),
  );
  add('passkey', (_c, session, form) =>
    proveByPasskey(services, { session, credential: form.text('credential') }),
  );
}
