/** Checks what people enter to confirm their identity, on the page of any form. */

import { BACK_TO_FORM_PATH, PASSKEY_OPTIONS_PATH } from '../../../base/paths.ts';
import { passkeyHost } from '../../../people/sign-in/credentials/passkeys.ts';
import { hasSecondFactor, listPasskeys } from '../../../people/sign-in/credentials/queries.ts';
import { hasUsablePassword } from '../../../people/sign-in/credentials/set-password.ts';
import { requestProofMail } from '../../../people/sign-in/email/proof.ts';
import { isSameIssuer, type ProviderChoice } from '../../../people/sign-in/oidc/provider.ts';
import { listIdentities } from '../../../people/sign-in/oidc/queries.ts';
import { PROOFS } from '../../../people/sign-in/proof.ts';
import type { SignInServices } from '../../../people/sign-in/services.ts';
import { t } from '../../../platform/languages/translate.ts';
import {
  type ConfirmIdentity,
  isLoadedAhead,
  isProofField,
  type PageContext,
  proofField,
  provePath,
} from '../../frame/pages.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form.tsx';
import { FormInput, type FormState } from '../../ui/form-state.ts';
import { strong } from '../../ui/site.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { CodeField, FACTOR_HINT, MailedCodeField, Or, PasskeyProblem, PasswordField } from '../forms.tsx';
import { callerOf, setCookies } from '../sign-in/responses.ts';
import { isLocked } from './fresh-proof.ts';

type Way = keyof typeof PROOFS;

export interface ProofWays extends Readonly<Record<Way, boolean>> {
  /** The providers that the account is connected to. */
  readonly providers: readonly ProviderChoice[];
}

const CODE = proofField('code');
const PASSWORD = proofField('password');
const CREDENTIAL = proofField('credential');
/** Name of the button that requests another mail. */
const AGAIN = proofField('again');

/** In the order in which sent fields are read. */
const FIELD_OF_WAY: Readonly<Record<Way, string>> = {
  passkey: CREDENTIAL,
  code: CODE,
  mail: CODE,
  password: PASSWORD,
};
const WAYS = Object.keys(FIELD_OF_WAY) as readonly Way[];

export interface OpenCheck {
  readonly ways: ProofWays;
  readonly form: FormState;
  /** Whether a code was mailed, now or a moment ago. */
  readonly isMailed: boolean;
}

export function createIdentityCheck(services: SignInServices, providers: readonly ProviderChoice[]) {
  return async (
    c: PageContext,
    viewer: Viewer,
    sent: FormInput,
  ): Promise<{ readonly viewer: Viewer } | OpenCheck> => {
    // On the pages of another person's account, `accountId` is the id of that account.
    const session = { ...viewer, accountId: viewer.personId };
    const caller = callerOf(c);
    const ways = await findWays(services, session, providers);
    const form = new FormInput(
      new URLSearchParams(
        sent.fields.flatMap(([name, value]) => (isProofField(name) ? [[name, value]] : [])),
      ),
      c.get('fieldLengths'),
    );
    const isAgain = form.has(AGAIN);
    const way = isAgain ? null : sentWay(form, ways);
    if (way !== null) {
      const text = form.text(FIELD_OF_WAY[way]);
      if (!(ways.code && ways.password)) form.hasOnly(FIELD_OF_WAY[way]);
      const renewed = await form.attempt(way === 'passkey' ? null : FIELD_OF_WAY[way], () =>
        PROOFS[way](services, { session, caller, text }),
      );
      if (renewed !== null) {
        setCookies(c, renewed);
        const isSecondFactor = way === 'code' || way === 'passkey';
        const deskLock = isSecondFactor ? null : viewer.deskLock;
        return { viewer: { ...viewer, isRecentlyProven: true, isFreshlyProven: true, deskLock } };
      }
    }
    const sendsMail = ways.mail && way === null && (isAgain || isOwnNavigation(c));
    if (sendsMail) await form.attempt(null, () => requestProofMail(services, { session, caller, isAgain }));
    return { ways, form, isMailed: sendsMail || way === 'mail' };
  };
}

/** For the page of a kept form. */
export function createConfirmIdentity(
  services: SignInServices,
  providers: readonly ProviderChoice[],
): ConfirmIdentity {
  const check = createIdentityCheck(services, providers);
  return async (c, viewer, sent) => {
    const checked = await check(c, viewer, sent);
    if ('viewer' in checked) return checked;
    const { form, ways } = checked;
    const fields = hasField(ways) ? (
      <>
        <ProofFields {...checked} email={viewer.email} />
        {ways.providers.map(({ name }) => (
          <p>
            <a href={provePath(BACK_TO_FORM_PATH)} target="_blank" rel="noopener">
              {t('Use {provider} in a new tab', { provider: name })}
            </a>
          </p>
        ))}
      </>
    ) : null;
    return { form, fields };
  };
}

async function findWays(
  services: SignInServices,
  viewer: Viewer,
  providers: readonly ProviderChoice[],
): Promise<ProofWays> {
  const { context, baseUrl, mailer } = services;
  const { accountId } = viewer;
  const { read } = context.db;
  const [password, code, passkeys, identities] = await Promise.all([
    hasUsablePassword(services, accountId),
    hasSecondFactor(read, accountId),
    listPasskeys(read, accountId),
    listIdentities(read, accountId),
  ]);
  const connected = providers.filter((one) =>
    identities.some(({ issuer }) => isSameIssuer(issuer, one.issuer)),
  );
  const ways = {
    password: password && !isLocked(viewer),
    code,
    passkey: passkeyHost(baseUrl) !== null && passkeys.length > 0,
  };
  // A mailbox replaces no other way: a person who set up a second factor must use it.
  const hasOther = connected.length > 0 || Object.values(ways).some(Boolean);
  return { ...ways, providers: connected, mail: mailer.isReal && !isLocked(viewer) && !hasOther };
}

export const hasField = (ways: ProofWays): boolean => WAYS.some((way) => ways[way]);

/** The way whose field is filled in, else the first way whose field was sent; `null`: the form has no such field. */
function sentWay(form: FormInput, ways: ProofWays): Way | null {
  const possible = WAYS.filter((way) => ways[way]);
  const isTyped = (way: Way) => way !== 'passkey' && form.has(FIELD_OF_WAY[way]);
  return possible.find((way) => form.typed(FIELD_OF_WAY[way]) !== '') ?? possible.find(isTyped) ?? null;
}

/** False if another site opened the page or the browser loads it in advance: that must not send mail. */
function isOwnNavigation(c: PageContext): boolean {
  if (c.req.method === 'POST') return true;
  const site = c.req.header('sec-fetch-site') ?? 'none';
  return c.req.method === 'GET' && ['same-origin', 'none'].includes(site) && !isLoadedAhead(c);
}

/** The fields and buttons of a form that confirms the person's identity. */
export function ProofFields({ ways, form, isMailed, email }: OpenCheck & { readonly email: string }) {
  if (ways.mail && !isMailed) {
    return (
      <FormActions>
        <Button name={AGAIN} value="yes" tone="primary">
          {t('Email me a code')}
        </Button>
      </FormActions>
    );
  }
  const isTyped = ways.code || ways.mail || ways.password;
  const optional = ways.code && ways.password ? 'depends' : false;
  return (
    <>
      {ways.mail && (
        <p>{t('Enter the code that we’ve emailed to <strong>{email}</strong>.', { email, strong })}</p>
      )}
      {ways.mail && <MailedCodeField form={form} name={CODE} />}
      {ways.code && <CodeField form={form} name={CODE} hint={t(FACTOR_HINT)} optional={optional} autofocus />}
      {ways.code && ways.password && <Or />}
      {ways.password && (
        <PasswordField form={form} name={PASSWORD} optional={optional} autofocus={!ways.code} />
      )}
      {isTyped && (
        <FormActions>
          <Button tone="primary">{t('Confirm')}</Button>
          {ways.mail && (
            <Button name={AGAIN} value="yes" tone="quiet">
              {t('Send it again')}
            </Button>
          )}
        </FormActions>
      )}
      {ways.passkey && (
        <>
          {isTyped && <Or />}
          <PasskeyPart isOnlyWay={!isTyped} />
          {!isTyped && ways.providers.length === 0 && (
            <p class="soft-text" data-without-passkeys>
              {t('Your passkey needs JavaScript and a browser that supports passkeys.')}
            </p>
          )}
        </>
      )}
    </>
  );
}

/** A script shows this if the browser supports passkeys. */
const PasskeyPart = ({ isOnlyWay }: { isOnlyWay: boolean }) => (
  <div class="stack" data-passkey="use" data-options={PASSKEY_OPTIONS_PATH} hidden>
    <HiddenField name={CREDENTIAL} value="" />
    <PasskeyProblem sentence="" />
    <FormActions>
      <Button tone={isOnlyWay ? 'primary' : 'plain'}>{t('Use a passkey')}</Button>
    </FormActions>
  </div>
);
