import { PLANS, planHasApiKeys } from '../../accounts/account.ts';
import { mayPublish } from '../../accounts/policy.ts';
import type { Account } from '../../accounts/queries.ts';
import { listRequests } from '../../accounts/request-queries.ts';
import { limitsOf } from '../../brand/plans.ts';
import { shownClaimState } from '../../claims/claim.ts';
import { readClaimsOf } from '../../claims/claimant-queries.ts';
import type { Context } from '../../context.ts';
import { listKeyViews } from '../../keys/view.ts';
import { listOwnListings } from '../../listings/counted-queries.ts';
import { publicStateOf } from '../../listings/listing.ts';
import { shortId } from '../../store/uuid.ts';
import { capital, isolated } from '../../text/text.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { RadioField } from '../../ui/field.tsx';
import { Form, FormActions, FormProblems } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { KeyName, keyTimes } from '../../ui/keys-page.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { type Saved, SavedNotice } from '../../ui/stale-form.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { NameCell, TableSection } from '../../ui/table.tsx';
import { Num, Time } from '../../ui/time.tsx';
import { EventTimeline } from '../audit/log-page.tsx';
import { nameEvents, readAuditLog } from '../audit/queries.ts';
import { ACCOUNTS_PATH, accountPath, deskClaimPath, deskListingPath, newListingOfPath } from '../paths.ts';
import { LookAlikes, Operator, PersonData, SignIn, SuspendedTogether, Suspension } from './account-forms.tsx';
import { AccountBadges } from './list-page.tsx';
import { findLookAlikes, findSuspended } from './queries.ts';
import { Publishing, type RequestForm, Requests } from './requests.tsx';

const EVENTS_SHOWN = 8;
const CLAIMS_SHOWN = 20;

/**
 * What the page of an account shows of it: the newest listings, claims and events. `suspendedIds`: accounts that were
 * just suspended together.
 */
export async function readAccountPage(
  context: Pick<Context, 'db' | 'now' | 'marketplace'>,
  account: Account,
  suspendedIds: readonly string[],
) {
  const db = context.db.read;
  const [{ listings, next }, keys, claims, { events }, lookAlikes, suspended, requests, isPublishing] =
    await Promise.all([
      listOwnListings(db, account.id),
      listKeyViews(context, account.id),
      readClaimsOf(db, account.id, { after: null, limit: CLAIMS_SHOWN + 1 }),
      readAuditLog(db, { filter: { accountId: account.id }, limit: EVENTS_SHOWN }),
      findLookAlikes(db, account),
      findSuspended(db, suspendedIds),
      listRequests(db, account.id),
      mayPublish(db, account),
    ]);
  return {
    account,
    listings,
    hasMoreListings: next !== null,
    claims: claims.slice(0, CLAIMS_SHOWN),
    hasMoreClaims: claims.length > CLAIMS_SHOWN,
    keys,
    lookAlikes,
    suspended,
    requests,
    mayPublish: isPublishing,
    plans: context.marketplace.plans,
    events,
    names: await nameEvents(db, events),
  };
}

/** `suspension` also shows the problems of all other forms. */
export type AccountForms = Readonly<Record<'plan' | 'suspension' | 'lookAlikes' | RequestForm, FormState>>;

type AccountPageProps = Awaited<ReturnType<typeof readAccountPage>> & {
  readonly forms: AccountForms;
  readonly saved: Saved | null;
  readonly isSelf: boolean;
};

export const AccountPage = (props: AccountPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Accounts', ACCOUNTS_PATH]]} />}
      title={props.account.name}
      badge={<AccountBadges account={props.account} />}
      lead={props.account.deleted_at === null ? props.account.email : 'Its person was deleted.'}
      actions={
        props.account.deleted_at === null && (
          <ButtonLink href={newListingOfPath(props.account.id)}>New listing</ButtonLink>
        )
      }
    />
    <div class="stack">
      {props.saved !== null && <SavedNotice saved={props.saved}>The plan applies now.</SavedNotice>}
      <Requests {...props} />
      <SuspendedTogether accounts={props.suspended} />
      <FormProblems form={props.forms.suspension} />
      <div class="columns">
        <div class="stack-loose">
          <Listings {...props} />
          <Claims {...props} />
          <Keys {...props} />
          <LookAlikes {...props} form={props.forms.lookAlikes} />
          <Events {...props} />
        </div>
        <aside class="stack" aria-label="Details, plan and suspension">
          <Details {...props} />
          {props.account.deleted_at === null && (
            <>
              <Plan {...props} />
              <Publishing {...props} />
              <SignIn {...props} />
              <Operator {...props} />
            </>
          )}
          <PersonData {...props} />
          <Suspension
            {...props}
            isOwner={props.listings.length + props.keys.length > 0}
            form={props.forms.suspension}
          />
        </aside>
      </div>
    </div>
  </>
);

const Listings = ({ account, listings, hasMoreListings }: AccountPageProps) => (
  <TableSection
    title="Listings"
    empty="No listings yet."
    rows={listings}
    columns={[
      {
        header: 'Listing',
        isName: true,
        cell: ({ id, name, slug }) => <NameCell href={deskListingPath(id)} name={name} sub={slug} />,
      },
      {
        header: 'State',
        cell: ({ state }) => <StateBadge state={publicStateOf(state, account.suspended_at !== null)} />,
      },
      { header: 'Offers', isNumeric: true, cell: ({ offers }) => <Num value={offers} /> },
      { header: 'Claims', isNumeric: true, cell: ({ claims }) => <Num value={claims} /> },
      { header: 'Redeemed', isNumeric: true, cell: ({ redeemed }) => <Num value={redeemed} /> },
    ]}
    pager={hasMoreListings && <p class="pager">The newest {listings.length} are shown.</p>}
  />
);

const Claims = ({ claims, hasMoreClaims }: AccountPageProps) => (
  <TableSection
    id="claims"
    title="Claims"
    empty="No claims yet."
    rows={claims}
    columns={[
      {
        header: 'Claim',
        isName: true,
        cell: ({ id, offer, listing_name: name }) => (
          <NameCell href={deskClaimPath(id)} name={offer} sub={`…${shortId(id)} · ${isolated(name)}`} />
        ),
      },
      {
        header: 'State',
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
      { header: 'Claimed', cell: ({ claimed_at }) => <Time at={claimed_at} />, isNowrap: true },
    ]}
    pager={hasMoreClaims && <p class="pager">{claims.length} are shown, unredeemed ones first.</p>}
  />
);

const Keys = ({ keys, account }: AccountPageProps) => (
  <TableSection
    title="API keys"
    empty={`None${planHasApiKeys(account.plan) ? ' yet' : ': the plan has no API keys'}.`}
    rows={keys}
    columns={[
      { header: 'Name', isName: true, cell: ({ name, start }) => <KeyName name={name} start={start} /> },
      {
        header: 'State',
        cell: ({ state, seen_in_browser_at }) => (
          <>
            <StateBadge state={state} />
            {seen_in_browser_at !== null && (
              <span class="sub bad-text">
                Seen in a browser on <Time at={seen_in_browser_at} precision="day" />
              </span>
            )}
          </>
        ),
      },
      ...keyTimes('day'),
    ]}
  />
);

const Events = ({ account, events, names }: AccountPageProps) => (
  <section class="card">
    <div class="spread">
      <h2>Events</h2>
      <a href={`/desk/events?type=all&account=${account.id}`}>All events</a>
    </div>
    {events.length === 0 ? (
      <p class="soft-text">No events yet.</p>
    ) : (
      <EventTimeline events={events} names={names} />
    )}
  </section>
);

const Details = ({ account, plans }: AccountPageProps) => (
  <section class="card">
    <h2>Details</h2>
    <DefinitionList
      facts={[
        ['Id', <Mono>{account.id}</Mono>],
        ['Plan', plans[account.plan].name],
        ['Created', <Time at={account.created_at} />],
        account.operator_since === null
          ? null
          : ['Operator since', <Time at={account.operator_since} precision="day" />],
        account.suspended_at === null ? null : ['Suspended', <Time at={account.suspended_at} />],
        account.deleted_at === null ? null : ['Deleted', <Time at={account.deleted_at} />],
      ]}
    />
  </section>
);

const Plan = ({ account, forms, plans }: AccountPageProps) => (
  <section class="card">
    <h2>Plan</h2>
    <Form form={forms.plan} action={`${accountPath(account.id)}/plan`} idPrefix="plan">
      <RadioField
        form={forms.plan}
        idPrefix="plan"
        name="plan"
        label="Applies immediately"
        choices={PLANS.map((plan) => ({
          value: plan,
          label: plans[plan].name,
          hint: [
            planHasApiKeys(plan)
              ? 'With API keys.'
              : 'No API keys. Existing keys are refused but not deleted.',
            ...limitsOf(plans[plan]).map((limit) => `${capital(limit)}.`),
          ].join(' '),
        }))}
      />
      <FormActions>
        <Button>Set plan</Button>
      </FormActions>
    </Form>
  </section>
);
