import type { Child } from 'hono/jsx';
import type { Retention } from '../../background/personal-data/retention.ts';
import { ACCOUNT_PATH, DELETE_PATH, PRIVACY_GUIDE_PATH } from '../../base/paths.ts';
import { t } from '../../platform/languages/translate.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Section } from '../ui/card.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { linkTo, strong, toOperator, useBrand } from '../ui/site.tsx';

const Part = ({ id, title, children }: { id: string; title: string; children: Child }) => (
  <Section title={title} id={id}>
    <div class="prose">
      <ul class="apart">{children}</ul>
    </div>
  </Section>
);

interface PrivacyPageProps {
  readonly retention: Retention;
  readonly hasMail: boolean;
}

/** For claimants, in their language: what `docs/guide/privacy.md` says about them, on one page. */
export function PrivacyPage({ retention, hasMail }: PrivacyPageProps) {
  const { privacy } = useBrand();
  return (
    <>
      <PageHeader
        title={t('Your data')}
        lead={t('What this marketplace stores about you, why and for how long.')}
        actions={<ButtonLink href={ACCOUNT_PATH}>{t('Download or delete your data')}</ButtonLink>}
      />
      <div class="stack-loose narrow">
        <Part id="stored" title={t('What is stored')}>
          <li>
            {t(
              '<strong>Your email address and name,</strong> to sign you in and to send the mail you ask for: until you delete your account.',
              { strong },
            )}
          </li>
          <li>
            {t(
              '<strong>Your claims:</strong> which offer, when, through which link, the code if there is one, and when the claim was redeemed. They are your right to the offer, so they stay until you delete your account.',
              { strong },
            )}
          </li>
          <li>
            {retention.signInDays === null
              ? t(
                  '<strong>Your sign-ins</strong> with time, IP address and browser, so that you and the operator notice if somebody else signs in. Sessions end after 30 days at most; IP addresses stay in the log, because the operator hasn’t set a limit.',
                  { strong },
                )
              : t(
                  '<strong>Your sign-ins</strong> with time, IP address and browser, so that you and the operator notice if somebody else signs in. Sessions end after 30 days at most; IP addresses in the log are deleted after {days, plural, one {# day} other {# days}}.',
                  { strong, days: retention.signInDays },
                )}
          </li>
          {hasMail && (
            <li>
              {t(
                '<strong>Mail to you,</strong> encrypted, until your mail server accepts it: usually for a few seconds, and for {days, plural, one {# day} other {# days}} at most.',
                { strong, days: retention.mailDays },
              )}
            </li>
          )}
          <li>
            {t(
              '<strong>What you write yourself,</strong> such as a report about a listing, until the operator has dealt with it, or a waiting list that you join, until you get its email.',
              { strong },
            )}
          </li>
          {retention.unusedMonths !== null && (
            <li>
              {t(
                'If you don’t sign in for {months, plural, one {# month} other {# months}}, your account is deleted. You get an email a week before.',
                { months: retention.unusedMonths },
              )}
            </li>
          )}
        </Part>
        <Part id="visits" title={t('When you just look around')}>
          <li>
            {t(
              'Visits are counted without cookies, and your IP address is not stored. Pages load nothing from other sites and contain no trackers.',
            )}
          </li>
          <li>
            {t(
              'Cookies are used only to keep you signed in, and to remember what you were about to do or a theme that you chose.',
            )}
          </li>
        </Part>
        <Part id="seen" title={t('Who sees it')}>
          <li>
            {t(
              '<strong>The people who make the app</strong> see that the offer was claimed, when, through which link, and when it was redeemed. They see neither your name nor your email address.',
              { strong },
            )}
          </li>
          <li>
            {privacy === null
              ? t(
                  '<operator>The operator of this marketplace</operator> is responsible for the data and can see it.',
                  { operator: toOperator },
                )
              : t(
                  '<operator>The operator of this marketplace</operator> is responsible for the data and can see it. The <privacy>privacy policy</privacy> says who that is, and who else works with the data.',
                  { operator: toOperator, privacy: linkTo(privacy) },
                )}
          </li>
        </Part>
        <Part id="choice" title={t('What you can do')}>
          <li>
            {t(
              '<a>Download everything</a> that is stored about you, as one file, or choose which mail you want.',
              { a: linkTo(ACCOUNT_PATH) },
            )}
          </li>
          <li>
            {t(
              '<a>Delete your account.</a> After seven days, in which you can change your mind, your name, address, sign-ins and mail are gone. Your claims stay without you, so that their links and codes still work, and a mark that can’t be turned back into your address keeps the same offer from being claimed twice.',
              { a: linkTo(DELETE_PATH) },
            )}
          </li>
        </Part>
        <p class="soft-text">
          {t('The <a>complete list</a> names every table and column. It is in English.', {
            a: linkTo(PRIVACY_GUIDE_PATH),
          })}
        </p>
      </div>
    </>
  );
}
