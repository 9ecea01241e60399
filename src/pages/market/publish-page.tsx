import type { Plans } from '../../base/brand/plans.ts';
import { NEW_LISTING_PATH } from '../../base/paths.ts';
import { DEFAULT_PLAN } from '../../people/accounts/account.ts';
import { t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { PlanCard, shownPlans } from '../editor/plan-card.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Section } from '../ui/card.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ContactButton, strong, toOperator } from '../ui/site.tsx';
import { Steps } from '../ui/steps.tsx';

interface PublishPageProps {
  readonly plans: Plans;
  /** Whether the operator must allow an account to publish. */
  readonly needsPermission: boolean;
  /** Without a mail server, owners get no notices. */
  readonly hasMail: boolean;
}

/** For owners of apps, before they sign up: what publishing brings and costs. */
export function PublishPage({ plans, needsPermission, hasMail }: PublishPageProps) {
  const visiblePlans = shownPlans({ plans, own: null });
  const hasPrices = visiblePlans.some((plan) => plans[plan].price !== null);
  return (
    <>
      <PageHeader
        title={t('Publish your app')}
        lead={t('Give people a reason to try it, and see which of your links brings them.')}
        actions={
          <>
            <ButtonLink href={NEW_LISTING_PATH} tone="primary">
              {t('Create a listing')}
            </ButtonLink>
            <ContactButton />
          </>
        }
      />
      <div class="stack-loose">
        <section class="section narrow" aria-labelledby="benefits">
          <h2 id="benefits">{t('What you get')}</h2>
          <div class="prose">
            <ul class="apart">
              <li>
                {t('<strong>A page for your app</strong> with offers that people claim in seconds.', {
                  strong,
                })}
              </li>
              <li>
                {t(
                  '<strong>A link for each campaign.</strong> You see how many people visit, claim and redeem through each one.',
                  { strong },
                )}
              </li>
              <li>
                {t(
                  '<strong>No offer is redeemed twice.</strong> Your server verifies each claim with one call. Without a server, give each claim a code.',
                  { strong },
                )}
              </li>
              <li>
                {t('<strong>No lock-in.</strong> You can download your claims and counts at any time.', {
                  strong,
                })}
              </li>
            </ul>
          </div>
        </section>
        <section class="section narrow" aria-labelledby="steps">
          <h2 id="steps">{t('How it works')}</h2>
          <Steps
            steps={[
              {
                state: 'open',
                title: t('Describe your app and an offer'),
                body: needsPermission
                  ? t(
                      'First, <operator>the operator of this marketplace</operator> allows your account to publish.',
                      {
                        operator: toOperator,
                      },
                    )
                  : t('This takes about five minutes. Nothing is public yet.'),
              },
              {
                state: 'open',
                title: t('The operator reviews it'),
                body: hasMail
                  ? t('You get an email when it is live, or if something should change.')
                  : t('Your dashboard shows when it is live, or if something should change.'),
              },
              {
                state: 'open',
                title: t('Share your link'),
                body: t('People claim the offer and arrive on your page. You see each claim and redemption.'),
              },
            ]}
          />
        </section>
        <Section title={hasPrices ? t('What it costs') : t('Plans')} id="plans">
          <p class="soft-text end-space">
            {t('New accounts start with {name}. You can ask for another plan later.', {
              name: isolated(plans[DEFAULT_PLAN].name),
            })}
          </p>
          <div class="tiles">
            {visiblePlans.map((plan) => (
              <PlanCard plans={plans} plan={plan} own={null} />
            ))}
          </div>
        </Section>
      </div>
    </>
  );
}
