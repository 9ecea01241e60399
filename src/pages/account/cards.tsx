import type { Child } from 'hono/jsx';
import { ACCOUNT_PATH, BACK_TO_FORM_PATH, SECOND_FACTOR_CARD_PATH } from '../../base/paths.ts';
import { t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { provePath } from '../frame/pages.ts';
import { Button, PostButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { HiddenField, TextField } from '../ui/field.tsx';
import { FormActions } from '../ui/form.tsx';
import type { FormState } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { linkTo } from '../ui/site.tsx';
import { Badge } from '../ui/state-badge.tsx';
import { Time } from '../ui/time.tsx';
import type { AccountView } from './account-view.ts';
import { NewPasswordField, PasskeyProblem, PasswordField, ShortForm } from './forms.tsx';

/** The forms of the account page. Each name is also the prefix of the form's field ids. */
export type AccountForm = 'name' | 'email' | 'password' | 'factor' | 'passkey';

export interface FormCardProps {
  readonly account: AccountView;
  readonly form: FormState;
  readonly isRefused: boolean;
}

export const AccountCard = (props: { id?: string; title: string; badge?: Child; children: Child }) => (
  <section class="card" id={props.id}>
    <div class="spread">
      <h2>{props.title}</h2>
      {props.badge}
    </div>
    <div class="stack">{props.children}</div>
  </section>
);

interface FoldedProps {
  readonly summary: string;
  readonly isOpen: boolean;
  readonly isUrgent?: boolean;
  readonly children: Child;
}

export const Folded = ({ summary, isOpen, isUrgent = false, children }: FoldedProps) => (
  <details class="more" open={isOpen}>
    <summary class={isUrgent ? 'button primary' : 'button'}>{summary}</summary>
    {children}
  </details>
);

/**
 * For forms that can't be kept while the person confirms their identity. Without a fresh proof of identity, shows a link
 * to the proof page instead of the form. A rejected form stays visible, so that its input is preserved.
 */
const FoldedForProof = ({ isProven, children, ...folded }: FoldedProps & { readonly isProven: boolean }) => (
  <Folded {...folded}>
    {isProven || folded.isOpen ? (
      children
    ) : (
      <p>{t('First <a>confirm it’s you</a>.', { a: linkTo(provePath(ACCOUNT_PATH)) })}</p>
    )}
  </Folded>
);

/** Shown when the proof of identity has expired. The link opens a new tab to preserve the form's input. */
const ProofInNewTab = ({ hidden }: { hidden: boolean }) => (
  <p data-proof-link hidden={hidden}>
    {t('<a>Confirm it’s you in a new tab</a>, then submit this form again.', {
      a: (words: Child) => (
        <a href={provePath(BACK_TO_FORM_PATH)} target="_blank" rel="noopener">
          {words}
        </a>
      ),
    })}
  </p>
);

export const Password = ({ account, form, isRefused }: FormCardProps) => {
  const { hasPassword, isOwner } = account;
  const hasOtherWay = account.mail !== null || account.passkeys.length + account.identities.length > 0;
  const mustAdd = !hasPassword && !hasOtherWay;
  const verb = hasPassword ? t('Change password') : t('Add a password');
  return (
    <AccountCard title={t('Password')}>
      {mustAdd ? (
        <Notice tone="warn">
          {t('You have no password. Without a password, you can’t sign in again after you sign out.')}
        </Notice>
      ) : (
        <p class="soft-text">
          {hasPassword
            ? t('Changing your password signs you out everywhere else.')
            : t('You have no password. You don’t need one, but it gives you another way to sign in.')}
        </p>
      )}
      <FoldedForProof isProven={isOwner} summary={verb} isOpen={isRefused} isUrgent={mustAdd}>
        <ShortForm
          form={form}
          action={`${ACCOUNT_PATH}/password`}
          idPrefix="password"
          button={verb}
          tone="plain"
        >
          {hasPassword && <OwnPasswordField form={form} idPrefix="password" />}
          <NewPasswordField
            form={form}
            idPrefix="password"
            label={t('New password')}
            hasSecondFactor={account.hasSecondFactor}
          />
        </ShortForm>
      </FoldedForProof>
    </AccountCard>
  );
};

const OwnPasswordField = ({ form, idPrefix }: { form: FormState; idPrefix: AccountForm }) => (
  <PasswordField form={form} idPrefix={idPrefix} name="current" label={t('Your password')} />
);

const SECOND_FACTOR_CARD = SECOND_FACTOR_CARD_PATH.split('#')[1]!;

export const SecondFactor = ({ account, form, isRefused }: FormCardProps) =>
  account.hasSecondFactor ? (
    <AccountCard
      id={SECOND_FACTOR_CARD}
      title={t('Two-factor sign-in')}
      badge={<Badge tone="good">{t('On')}</Badge>}
    >
      <p class="soft-text">
        {t('To sign in, you also need a code from your authenticator app, or a backup code.')}
      </p>
      <div>
        <PostButton action={`${ACCOUNT_PATH}/backup-codes`}>{t('Create new backup codes')}</PostButton>
      </div>
      <FoldedForProof isProven={account.isOwner} summary={t('Turn it off')} isOpen={isRefused}>
        <ShortForm
          form={form}
          action={`${ACCOUNT_PATH}/two-factor/off`}
          idPrefix="factor"
          button={t('Turn it off')}
          tone="danger"
        >
          {account.hasPassword && <OwnPasswordField form={form} idPrefix="factor" />}
        </ShortForm>
      </FoldedForProof>
    </AccountCard>
  ) : (
    <AccountCard
      id={SECOND_FACTOR_CARD}
      title={t('Two-factor sign-in')}
      badge={
        <Badge tone="plain" hollow>
          {t('Off')}
        </Badge>
      }
    >
      <p class="soft-text">
        {t('When it is on, signing in also takes a code from an authenticator app on your phone.')}
      </p>
      <ShortForm
        form={form}
        action={`${ACCOUNT_PATH}/two-factor`}
        idPrefix="factor"
        button={t('Turn it on')}
        tone="plain"
      />
    </AccountCard>
  );

/** Without a host name for passkeys, only for operators, who can change BASE_URL, and people who have passkeys. */
export function Passkeys({ account, form, isRefused }: FormCardProps) {
  const { passkeys, canHavePasskeys } = account;
  if (!canHavePasskeys && !account.isOperator && passkeys.length === 0) return null;
  return (
    <AccountCard title={t('Passkeys')}>
      <p class="soft-text">
        {account.isOidcOnly
          ? t('Confirm with your fingerprint, face or device PIN that it’s you.')
          : t('Sign in with your fingerprint, face or device PIN instead of a password and code.')}
      </p>
      {passkeys.length > 0 && (
        <ul class="ordered">
          {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
            <li>
              <div class="ordered-name">
                <p>
                  <strong>{name}</strong>
                </p>
                <p class="small-text soft-text">
                  {t('Added {time}', { time: <Time at={createdAt} precision="day" /> })}
                  <br />
                  {lastUsedAt === null
                    ? t('Never used')
                    : t('Last used {time}', { time: <Time at={lastUsedAt} /> })}
                </p>
              </div>
              <Confirm
                id={`remove-${id}`}
                action={`${ACCOUNT_PATH}/passkeys/${id}/remove`}
                opener={t('Remove…')}
                openerLabel={t('Remove… {name}', { name })}
                small
                title={t('Remove “{name}”?', { name: isolated(name) })}
                confirm={t('Remove passkey')}
              >
                <p>{t('You’ll no longer be able to use it. Delete it on your device too.')}</p>
              </Confirm>
            </li>
          ))}
        </ul>
      )}
      {canHavePasskeys ? (
        <>
          <p class="soft-text" data-without-passkeys>
            {t('Adding a passkey requires JavaScript and a browser that supports passkeys.')}
          </p>
          <AddPasskey {...{ account, form, isRefused }} />
        </>
      ) : (
        <p class="soft-text">
          {t(
            'Passkeys need a host name, but this service is reached at an IP address. Set BASE_URL to a URL with a host name.',
          )}
        </p>
      )}
    </AccountCard>
  );
}

const AddPasskey = ({ account, form, isRefused }: FormCardProps) => (
  <FoldedForProof isProven={account.isFreshlyProven} summary={t('Add a passkey')} isOpen={isRefused}>
    <form
      class="form"
      method="post"
      action={`${ACCOUNT_PATH}/passkeys`}
      novalidate
      data-passkey="add"
      data-options={`${ACCOUNT_PATH}/passkeys/options`}
      hidden
    >
      <HiddenField name="credential" value="" />
      <TextField
        form={form}
        idPrefix="passkey"
        name="name"
        label={t('Name')}
        hint={t('Choose a name that helps you recognise the passkey, such as the name of its device.')}
      />
      <PasskeyProblem sentence={form.refusal ?? ''} />
      <ProofInNewTab hidden />
      <FormActions>
        <Button>{t('Add passkey')}</Button>
      </FormActions>
    </form>
  </FoldedForProof>
);
