import type { Child } from 'hono/jsx';
import { HOME_PATH, INVITATION_PATH, SIGN_IN_PATH, SIGN_OUT_PATH, SIGN_UP_PATH } from '../../base/paths.ts';
import { DEFAULT_PLAN } from '../../people/accounts/account.ts';
import type { AccessInvitation, Invitation } from '../../people/invitations/accept.ts';
import { forAnotherAddress } from '../../people/members/join.ts';
import { listText, t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { withNext } from '../frame/pages.ts';
import { Button, ButtonLink, type ButtonTone, PostButton } from '../ui/button.tsx';
import { ChallengeField } from '../ui/challenge.tsx';
import { Consent } from '../ui/consent.tsx';
import { HiddenField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { FormState } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { usePlanName, useSignUp } from '../ui/site.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../ui/viewer.ts';
import { NewPasswordField } from './forms.tsx';

export const ACCEPT_PATH = `${INVITATION_PATH}/accept`;
export const INVITED_PATH = `${INVITATION_PATH}/open`;
/** The field that says who accepts; without it, the person who is signed in. */
export const AS = 'as';
export const INVITED = 'invited';

interface InvitationPageProps {
  readonly invitation: Invitation;
  readonly marketplace: string;
  /** Names of listings that the operator has prepared for the person. */
  readonly prepared: readonly string[];
  readonly form: FormState;
  readonly viewer: Viewer | null;
  /** Whether the invitation is enough to sign in (`signsIn`). */
  readonly isEnough: boolean;
  readonly needsPassword: boolean;
  readonly challenge: string | null;
}

export function InvitationPage(props: InvitationPageProps) {
  const { invitation, form, viewer, isEnough } = props;
  const refusal = viewer === null ? null : forAnotherAddress(invitation, viewer.email);
  const { title, lead, about, button } = useTexts(props);
  return (
    <>
      <PageHeader title={title} lead={lead} />
      <div class="stack">
        {about}
        <p>{t('Invited on {time}.', { time: <Time at={invitation.created_at} hasZone /> })}</p>
        {viewer !== null && refusal !== null ? (
          <>
            <Notice tone="warn">
              {isEnough
                ? t('You are signed in as {other}. This link signs you in as {email} instead.', {
                    other: viewer.email,
                    email: invitation.email!,
                  })
                : t(refusal)}
            </Notice>
            <FormActions>
              <ButtonLink href={HOME_PATH} tone="primary">
                {t('Stay signed in as {email}', { email: viewer.email })}
              </ButtonLink>
              {!isEnough && <PostButton action={SIGN_OUT_PATH}>{t('Sign out')}</PostButton>}
            </FormActions>
            {isEnough && (
              <AcceptForm
                {...props}
                button={t('Switch to {email}', { email: invitation.email! })}
                tone="plain"
              />
            )}
          </>
        ) : viewer !== null ? (
          <>
            <p>{t('You are signed in as {email}.', { email: viewer.email })}</p>
            <Form form={form} action={ACCEPT_PATH}>
              <FormActions>
                <Button tone="primary">{button}</Button>
              </FormActions>
            </Form>
          </>
        ) : isEnough ? (
          <>
            <p>{t('Your address here is {email}.', { email: invitation.email! })}</p>
            <AcceptForm {...props} button={button} />
          </>
        ) : (
          <>
            <p>
              <SignInFirst email={invitation.email} />
            </p>
            <FormActions>
              <ButtonLink href={withNext(SIGN_IN_PATH, INVITED_PATH)} tone="primary">
                {t('Sign in')}
              </ButtonLink>
              <SignUpLink />
            </FormActions>
          </>
        )}
      </div>
    </>
  );
}

function SignInFirst({ email }: { email: string | null }) {
  if (useSignUp()) {
    return (
      <>
        {email === null
          ? t('First sign in or sign up.')
          : t('First sign in or sign up with {email}.', { email })}
      </>
    );
  }
  return <>{email === null ? t('First sign in.') : t('First sign in with {email}.', { email })}</>;
}

const SignUpLink = () =>
  useSignUp() ? <ButtonLink href={withNext(SIGN_UP_PATH, INVITED_PATH)}>{t('Sign up')}</ButtonLink> : null;

/** Signs up and accepts with one click. */
const AcceptForm = ({
  form,
  needsPassword,
  challenge,
  button,
  tone = 'primary',
}: InvitationPageProps & { readonly button: string; readonly tone?: ButtonTone }) => (
  <Form form={form} action={ACCEPT_PATH}>
    <HiddenField name={AS} value={INVITED} />
    {needsPassword && <NewPasswordField form={form} />}
    <Consent form={form} />
    {challenge !== null && <ChallengeField challenge={challenge} form={form} />}
    <FormActions>
      <Button tone={tone}>{button}</Button>
    </FormActions>
  </Form>
);

interface Texts {
  readonly title: string;
  readonly lead: string;
  readonly about: Child;
  readonly button: string;
}

function useTexts({ invitation, marketplace: name, prepared }: InvitationPageProps): Texts {
  const planName = usePlanName();
  if (invitation.account_id !== null) return textsOfAccount(invitation);
  if (invitation.role === 'guest') return textsOfLink(invitation, name);
  const { role, plan, invited_by } = invitation;
  const isOperator = role === 'operator';
  const listings = listText(prepared.map(isolated));
  const publishTitle =
    prepared.length > 0
      ? t('Take over {listings} on {name}', { listings, name })
      : t('Publish your app on {name}', { name });
  return {
    title: isOperator ? t('Run {name} with us', { name }) : publishTitle,
    lead:
      invited_by === null ? t('You are invited.') : t('{by} has invited you.', { by: isolated(invited_by) }),
    about: (
      <>
        <p>
          {isOperator
            ? t('You can then approve listings, set plans and see all accounts.')
            : prepared.length > 0
              ? t('You get an account that contains {listings}. You can change everything in it.', {
                  listings,
                })
              : t(
                  'You get an account in which you describe your app and create offers that people can claim.',
                )}
        </p>
        {plan !== null && plan !== DEFAULT_PLAN && (
          <p>{t('Your account will be on the plan {plan}.', { plan: planName(plan) })}</p>
        )}
      </>
    ),
    button: t('Accept invitation'),
  };
}

function textsOfLink({ listing }: AccessInvitation, name: string): Texts {
  return {
    title: t('You are invited'),
    lead:
      listing === null
        ? t('{name} is for members only. This invitation makes you a member.', { name: isolated(name) })
        : t('{owner} has invited you to see an app on {name} that is for members only.', {
            owner: isolated(listing.owner),
            name: isolated(name),
          }),
    about: <p>{t('The operator can see which invitation you used. The invitation can be revoked later.')}</p>,
    button: t('Accept invitation'),
  };
}

function textsOfAccount({
  role,
  account,
  invited_by,
}: Extract<Invitation, { readonly account_id: string }>): Texts {
  const by = isolated(invited_by);
  return {
    title: t('Join {account}', { account: isolated(account) }),
    lead:
      role === 'owner'
        ? t('{by} has invited you to join as an owner.', { by })
        : t('{by} has invited you to join as a member.', { by }),
    about: (
      <p>
        {role === 'owner'
          ? t(
              'You can then manage everything in this account, including its API keys and members. You keep your own login.',
            )
          : t(
              'You can then work on this account’s listings, offers, claims, campaigns and webhooks. You keep your own login.',
            )}
      </p>
    ),
    button: t('Join'),
  };
}
