import { limitsOf } from '../../../base/brand/plans.ts';
import {
  DESK_ACCOUNTS_PATH,
  deskAccountPath,
  deskClaimPath,
  deskListingPath,
  newListingOfPath,
} from '../../../base/paths.ts';
import { shownClaimState } from '../../../claims/claim.ts';
import { shortClaimId } from '../../../claims/short-id.ts';
import { publicStateOf } from '../../../marketplace/listings/listing.ts';
import { PLANS, planHasApiKeys } from '../../../people/accounts/account.ts';
import { t } from '../../../platform/languages/translate.ts';
import { capital, isolated } from '../../../platform/text/text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Mono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { RadioField } from '../../ui/field.tsx';
import { Form, FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { KeyName, keyTimes } from '../../ui/keys-page.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { type Saved, SavedNotice } from '../../ui/stale-form.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { NameCell, Pager, TableSection } from '../../ui/table.tsx';
import { Num, Time } from '../../ui/time.tsx';
import { EventTimeline, HistoryCard } from '../audit/log-page.tsx';
import { InviteOwner } from '../invitations/invitations-page.tsx';
import { Access, LookAlikes, PersonData, SuspendedTogether } from './account-forms.tsx';
import { Mails, Memberships } from './account-sections.tsx';
import { AccountBadges } from './list-page.tsx';
import type { ReadAccount } from './read-account.ts';
import { Publishing, type RequestForm, Requests } from './requests.tsx';

/** `suspension` also holds the problems of forms without a property in this type. */
export type AccountForms = Readonly<Record<'plan' | 'suspension' | 'lookAlikes' | RequestForm, FormState>>;

type AccountPageProps = ReadAccount & {
  readonly forms: AccountForms;
  readonly saved: Saved | null;
  readonly isSelf: boolean;
};

export function AccountPage(props: AccountPageProps) {
  const { account } = props;
  const isDeleted = account.deleted_at !== null;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[[t('Accounts'), DESK_ACCOUNTS_PATH]]} />}
        title={account.name}
        badge={<AccountBadges account={account} isOwner={props.listings.length > 0} />}
        lead={
          isDeleted
            ? t('This account was deleted.')
            : t('{email} · {plan} plan', {
                email: account.email,
                plan: isolated(props.plans[account.plan].name),
              })
        }
        actions={
          !isDeleted && <ButtonLink href={newListingOfPath(account.id)}>{t('New listing')}</ButtonLink>
        }
      />
      <div class="stack-loose">
        {props.saved !== null && <SavedNotice saved={props.saved}>{t('The plan applies now.')}</SavedNotice>}
        <InviteOwner owner={account} isInUse={props.isInUse} />
        <Requests {...props} />
        <SuspendedTogether accounts={props.suspended} />
        <FormProblems form={props.forms.suspension} />
        <div class="columns">
          <div class="stack-loose">
            {mayOwn(props) && <Listings {...props} />}
            {(props.claims.length > 0 || !mayOwn(props)) && <Claims {...props} />}
            {mayOwn(props) && <Keys {...props} />}
            <Memberships {...props} />
            <LookAlikes {...props} form={props.forms.lookAlikes} />
            <Events {...props} />
            <Mails {...props} />
          </div>
          <aside class="stack" aria-label={t('Details, plan and access')}>
            <div class="stack">
              <Details {...props} />
              {!isDeleted && <Plan {...props} />}
            </div>
            <div class="stack">
              {!isDeleted && <Publishing {...props} />}
              <Access {...props} isOwner={isOwner(props)} form={props.forms.suspension} />
              <PersonData {...props} />
            </div>
          </aside>
        </div>
      </div>
    </>
  );
}

const isOwner = ({ listings, keys }: AccountPageProps): boolean => listings.length + keys.length > 0;

/** Most accounts only claim offers, so their pages omit listings and API keys. */
const mayOwn = (props: AccountPageProps): boolean => isOwner(props) || planHasApiKeys(props.account.plan);

const Listings = ({ account, listings, hasMoreListings }: AccountPageProps) => (
  <TableSection
    title={t('Listings')}
    empty={t('No listings yet.')}
    rows={listings}
    columns={[
      {
        header: t('Listing'),
        isName: true,
        isHalf: true,
        cell: ({ id, name, slug }) => <NameCell href={deskListingPath(id)} name={name} sub={slug} />,
      },
      {
        header: t('State'),
        isFar: true,
        isPlain: true,
        cell: ({ state }) => <StateBadge state={publicStateOf(state, account.suspended_at !== null)} />,
      },
      {
        header: t('Offers'),
        isNumeric: true,
        cell: ({ offers }) => (
          <span class="wide-only">
            <Num value={offers} />
          </span>
        ),
      },
      { header: t('Claims'), isNumeric: true, isHalf: true, cell: ({ claims }) => <Num value={claims} /> },
      {
        header: t('Redeemed'),
        isNumeric: true,
        isFar: true,
        cell: ({ redeemed }) => <Num value={redeemed} />,
      },
    ]}
    pager={
      hasMoreListings && (
        <p class="pager">{t('The newest {count, number} are shown.', { count: listings.length })}</p>
      )
    }
  />
);

const Claims = ({ account, claims, nextClaims, isFirstClaims }: AccountPageProps) => (
  <TableSection
    id="claims"
    title={t('Claims')}
    empty={t('No claims yet.')}
    rows={claims}
    columns={[
      {
        header: t('Claim'),
        isName: true,
        isHalf: true,
        cell: ({ id, offer, listing_name: name }) => (
          <NameCell href={deskClaimPath(id)} name={offer} sub={`${shortClaimId(id)} · ${isolated(name)}`} />
        ),
      },
      {
        header: t('State'),
        isFar: true,
        isPlain: true,
        cell: ({ redeemed_at, replaced_at, redemption_link }) => (
          <StateBadge
            state={
              replaced_at !== null
                ? 'replaced'
                : shownClaimState({ redeemed_at, code_only: redemption_link === null ? 1 : 0 })
            }
          />
        ),
      },
      {
        header: t('Claimed'),
        isPlain: true,
        cell: ({ claimed_at }) => <Time at={claimed_at} />,
        isNowrap: true,
      },
    ]}
    pager={
      <Pager
        previous={null}
        next={nextClaims === null ? null : `${deskAccountPath(account.id)}?claims=${nextClaims}#claims`}
        summary={
          isFirstClaims ? undefined : (
            <a href={`${deskAccountPath(account.id)}#claims`}>{t('Back to the newest')}</a>
          )
        }
      />
    }
  />
);

const Keys = ({ keys, account }: AccountPageProps) => (
  <TableSection
    id="keys"
    title={t('API keys')}
    empty={planHasApiKeys(account.plan) ? t('No API keys yet.') : t('The plan has no API keys.')}
    rows={keys}
    columns={[
      {
        header: t('Name'),
        isName: true,
        isHalf: true,
        cell: ({ name, start }) => <KeyName name={name} start={start} />,
      },
      {
        header: t('State'),
        isFar: true,
        isPlain: true,
        cell: ({ state, seen_in_browser_at }) => (
          <>
            <StateBadge state={state} />
            {seen_in_browser_at !== null && (
              <span class="sub bad-text">
                {t('Seen in a browser on {time}', {
                  time: <Time at={seen_in_browser_at} precision="day" />,
                })}
              </span>
            )}
          </>
        ),
      },
      ...keyTimes('day').map((column, index) => ({ ...column, isHalf: index === 0, isFar: index === 1 })),
    ]}
  />
);

const Events = ({ account, events, names }: AccountPageProps) => (
  <HistoryCard accountId={account.id}>
    {events.length === 0 ? (
      <p class="soft-text">{t('No events yet.')}</p>
    ) : (
      <EventTimeline events={events} names={names} />
    )}
  </HistoryCard>
);

const Details = ({ account, plans }: AccountPageProps) => (
  <Card title={t('Details')}>
    <DefinitionList
      facts={[
        account.deleted_at === null ? null : [t('Plan'), plans[account.plan].name],
        [t('Created'), <Time at={account.created_at} />],
        account.operator_since !== null && [
          t('Operator since'),
          <Time at={account.operator_since} precision="day" />,
        ],
        account.suspended_at !== null && [t('Suspended'), <Time at={account.suspended_at} />],
        account.deleted_at !== null && [t('Deleted'), <Time at={account.deleted_at} />],
        [t('ID'), <Mono>{account.id}</Mono>],
      ]}
    />
  </Card>
);

const Plan = ({ account, forms, plans }: AccountPageProps) => (
  <Card title={t('Plan')}>
    <Form form={forms.plan} action={`${deskAccountPath(account.id)}/plan`} idPrefix="plan">
      <RadioField
        form={forms.plan}
        idPrefix="plan"
        name="plan"
        label={<span class="visually-hidden">{t('Account plan')}</span>}
        hint={t('A change applies immediately.')}
        choices={PLANS.map((plan) => ({
          value: plan,
          label: plans[plan].name,
          hint: [
            planHasApiKeys(plan)
              ? t('With API keys.')
              : t('No API keys. Existing keys are refused but not deleted.'),
            ...limitsOf(plans[plan]).map((limit) => `${capital(t(limit))}.`),
          ].join(' '),
        }))}
      />
      <FormActions>
        <Button small>{t('Set plan')}</Button>
      </FormActions>
    </Form>
  </Card>
);
