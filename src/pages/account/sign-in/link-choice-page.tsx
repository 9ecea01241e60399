/** What a mailed link would do, and the buttons that do it. Nothing happens before the person chooses. */
import { SIGN_IN_LINK_PATH } from '../../../base/paths.ts';
import type { LinkedSignIn } from '../../../people/sign-in/email/sign-in.ts';
import { t } from '../../../platform/languages/translate.ts';
import { Button, type ButtonTone } from '../../ui/button.tsx';
import { ChallengeField } from '../../ui/challenge.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';

export const CHOICE = 'choice';
export type Choice = 'stay' | 'claim' | 'sign-in';

interface LinkChoiceProps {
  readonly form: FormState;
  readonly linked: LinkedSignIn;
  /** Address of the person who is signed in here with another account; `null`: nobody. */
  readonly other: string | null;
  readonly code: string;
  readonly next: string;
  readonly challenge: string | null;
}

/**
 * The order of the buttons: the first one is the default. If somebody else is signed in, they stay signed in. A claim is
 * the default only in the browser where the person clicked “Claim”.
 */
function choicesOf({ intended, requestedIn }: LinkedSignIn, other: string | null): readonly Choice[] {
  if (intended === null) return other === null ? ['sign-in'] : ['stay', 'sign-in'];
  if (other !== null) return ['stay', 'sign-in', 'claim'];
  return requestedIn === 'this-browser' ? ['claim', 'sign-in'] : ['sign-in', 'claim'];
}

export const LinkChoicePage = ({ form, linked, other, code, next, challenge }: LinkChoiceProps) => {
  const { email, intended } = linked;
  const labels: Readonly<Record<Choice, string>> = {
    stay: t('Stay signed in as {email}', { email: other ?? '' }),
    claim: other === null ? t('Sign in and claim') : t('Switch account and claim'),
    'sign-in':
      other !== null
        ? t('Switch to {email}', { email })
        : intended === null
          ? t('Sign in')
          : t('Sign in without claiming'),
  };
  return (
    <>
      <PageHeader
        title={titleOf(linked, other)}
        lead={
          other === null
            ? t('This link signs you in as {email}.', { email })
            : t('You are signed in as {other}. This link signs you in as {email} instead.', { other, email })
        }
      />
      <DefinitionList facts={factsOf(linked)} />
      {linked.requestedIn === 'other-browser' && (
        <p>
          {intended === null
            ? t('If you didn’t ask for this link, close this page. Nothing has been changed.')
            : t('If you didn’t ask for this link, close this page. Nothing has been claimed.')}
        </p>
      )}
      <Form form={form} action={SIGN_IN_LINK_PATH}>
        <HiddenField name="code" value={code} />
        <HiddenField name="next" value={next} />
        {challenge !== null && <ChallengeField challenge={challenge} form={form} />}
        <FormActions>
          {choicesOf(linked, other).map((choice, index) => (
            <Button name={CHOICE} value={choice} tone={toneOf(index)} autofocus={index === 0}>
              {labels[choice]}
            </Button>
          ))}
        </FormActions>
      </Form>
    </>
  );
};

const toneOf = (index: number): ButtonTone => (index === 0 ? 'primary' : 'plain');

function titleOf({ requestedIn }: LinkedSignIn, other: string | null): string {
  if (other !== null) return t('Switch to another account?');
  return requestedIn === 'other-browser' ? t('Did you ask for this link?') : t('One more click');
}

const factsOf = ({ email, requestedAt, requestedIn, intended }: LinkedSignIn) =>
  [
    [t('Request'), intended === null ? t('Sign in') : t('Claim “{offer}” from {listing}', { ...intended })],
    [t('Account'), email],
    [t('Time'), <Time at={requestedAt} hasZone />],
    [
      t('Requested'),
      {
        'this-browser': t('In this browser'),
        'other-browser': t('In another browser or on another device'),
        server: t('By the operator of this marketplace'),
      }[requestedIn],
    ],
  ] as const;
