import type { Child } from 'hono/jsx';
import {
  ACCOUNT_PATH,
  FORGOT_PASSWORD_PATH,
  MY_CLAIMS_PATH,
  PRIVACY_PATH,
  SIGN_IN_PATH,
} from '../../base/paths.ts';
import { t } from '../../platform/languages/translate.ts';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/card.tsx';
import { EmailField, HiddenField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { newForm } from '../ui/form-state.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ContactButton, linkTo, strong, toOperator, useSignUp } from '../ui/site.tsx';

const Question = ({ id, question, children }: { id: string; question: string; children: Child }) => (
  <Section title={question} id={id} isStack>
    {children}
  </Section>
);

const WITH_MARKETPLACE = { a: linkTo('/'), strong };

/** `isByMail`: whether people can sign in with an emailed code. */
export function HelpPage({ hasMail, isByMail }: { hasMail: boolean; isByMail: boolean }) {
  const hasSignUp = useSignUp();
  return (
    <>
      <PageHeader title={t('Help')} lead={t('For people who claim offers.')} actions={<ContactButton />} />
      <div class="columns">
        <div class="stack-loose narrow">
          <Question id="claim" question={t('How do I claim an offer?')}>
            <p>
              {isByMail
                ? t(
                    'Open the app’s page on the <a>marketplace</a> and choose <strong>Claim offer</strong>. Enter your email address, then the code from the email. You don’t need a password. The offer is then yours: open the app from your claim’s page, or enter the code at checkout.',
                    WITH_MARKETPLACE,
                  )
                : !hasSignUp
                  ? t(
                      'Open the app’s page on the <a>marketplace</a>, choose <strong>Claim offer</strong> and sign in. The offer is then yours: open the app from your claim’s page, or enter the code at checkout.',
                      WITH_MARKETPLACE,
                    )
                  : t(
                      'Open the app’s page on the <a>marketplace</a> and choose <strong>Claim offer</strong>. Sign up with your email address and a password, or sign in. The offer is then yours: open the app from your claim’s page, or enter the code at checkout.',
                      WITH_MARKETPLACE,
                    )}
            </p>
          </Question>
          {isByMail && (
            <Question id="mail" question={t('I didn’t get the code')}>
              <p>
                {t(
                  'The email can take up to a minute. Check your spam folder and the spelling of your address, then choose <strong>Send it again</strong>. The code works for 10 minutes in the browser where you asked for it; the link in the email works in any browser.',
                  { strong },
                )}
              </p>
            </Question>
          )}
          <Question id="find" question={t('Where is my claim, my code or my link?')}>
            <p>
              {t(
                'Under <a>My claims</a>, on every device where you sign in with the same email address. Claims don’t move between accounts. If the list is empty, you may have claimed with another address.',
                { a: linkTo(MY_CLAIMS_PATH) },
              )}
            </p>
            {isByMail && (
              <Form form={newForm()} action={SIGN_IN_PATH} isLine>
                <HiddenField name="next" value={MY_CLAIMS_PATH} />
                <EmailField
                  form={newForm()}
                  label={t('Email address that you claimed with')}
                  autocomplete="email"
                />
                <FormActions>
                  <Button>{t('Email me my claims')}</Button>
                </FormActions>
              </Form>
            )}
          </Question>
          {!isByMail && hasSignUp && (
            <Question id="sign-in" question={t('I can’t sign in')}>
              <p>
                {t(
                  'Sign in with the address you signed up with. If you’ve forgotten your password, <a>request a new one</a>, then write to <operator>the operator</operator>, who will send you a link to set it.',
                  {
                    a: linkTo(FORGOT_PASSWORD_PATH),
                    operator: toOperator,
                  },
                )}
              </p>
            </Question>
          )}
          <Question id="redeemed" question={t('Why does it say “Redeemed”?')}>
            <p>
              {t(
                'The app has applied your offer. Each claim works once, so opening it again changes nothing. If you didn’t get what the offer promises, ask the people who make the app. Their website is on your claim’s page, and they can see when the claim was redeemed.',
              )}
            </p>
          </Question>
          <Question id="over" question={t('Why can’t I claim?')}>
            <p>
              {t(
                'The app’s page says why: for example, the offer has ended or is paused, or all claims or codes have been given out. Each person can claim an offer only once, so a claim is also refused if you already claimed the offer with another spelling of your address, or with an account that you have deleted.',
              )}
            </p>
          </Question>
          {hasMail && (
            <Question id="waiting-list" question={t('Can you tell me when an offer opens?')}>
              <p>
                {t(
                  'Yes. If an offer is full, has ended, is paused or hasn’t opened yet, choose <strong>Tell me when it opens</strong> next to it. You’ll get one email as soon as you can claim it. Then your address is deleted from the list, and nothing else is sent to it. The offer isn’t reserved for you, so be quick.',
                  { strong },
                )}
              </p>
            </Question>
          )}
          <Question id="data" question={t('What do you know about me?')}>
            <p>
              {t(
                'Your name and email address, your claims, and when you signed in. On your <a>account page</a>, you can download all of it or delete your account. <privacy>Privacy</privacy> says what is stored, why and for how long.',
                { a: linkTo(ACCOUNT_PATH), privacy: linkTo(PRIVACY_PATH) },
              )}
            </p>
          </Question>
        </div>
        <section class="card narrow" aria-labelledby="ask">
          <h2 id="ask">{t('Who can help me?')}</h2>
          <div class="stack">
            <p>
              {t(
                '<strong>The app</strong> can help with its offer, a code that isn’t accepted, or a refund. Its website is on your claim’s page.',
                { strong },
              )}
            </p>
            <p>
              {t(
                '<operator>The operator of this marketplace</operator> can help with signing in, your account, or a listing that isn’t what it claims to be.',
                { operator: (words: Child) => strong(toOperator(words)) },
              )}
            </p>
          </div>
        </section>
      </div>
    </>
  );
}
