/** A listing at the desk: what changed, its links, its offers, what happened to it, and the decision. */
import { planHasApiKeys } from '../accounts/account.ts';
import { type ActorNames, actorName } from '../events/actor-queries.ts';
import { EventDetail } from '../events/event-detail.tsx';
import { tellEvent } from '../events/sentences.ts';
import { kindName } from '../offers/offer.ts';
import { Breadcrumb } from '../ui/breadcrumb.tsx';
import { Breakable } from '../ui/breakable.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { ExternalLink, Mono, More } from '../ui/code.tsx';
import { Changed } from '../ui/difference.tsx';
import { DefinitionList, Timeline } from '../ui/facts.tsx';
import type { Markup } from '../ui/markup.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ShortcutHelp } from '../ui/shortcut-help.tsx';
import { Badge, StateBadge } from '../ui/state-badge.tsx';
import { Table } from '../ui/table.tsx';
import { Num, Time } from '../ui/time.tsx';
import { DecideAddress, DecideListing, type SentForm, Suspension } from './desk-decide.tsx';
import type { Undoable } from './desk-pages.tsx';
import type { DeskListing, ListingEvent, Neighbours } from './desk-queries.ts';
import { UndoNotice } from './desk-undo.tsx';
import { publicStateOf } from './listing.ts';
import { shownState } from './owner-offers.tsx';
import { type Difference, type LinkCheck, linkDifference, urlDifference } from './review.ts';

export interface DeskListingPageProps extends DeskListing {
  readonly neighbours: Neighbours;
  readonly names: ActorNames;
  readonly undoable: Undoable | null;
  readonly sent: SentForm;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Events shown at once; the rest is folded away. */
const HISTORY_SHOWN = 8;

export function DeskListingPage(props: DeskListingPageProps): Markup {
  const { listing, owner, undoable } = props;
  const isPending = listing.state === 'pending';
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[['Queue', '/desk']]} />}
        title={listing.name}
        badge={<StateBadge state={publicStateOf(listing.state, owner.isSuspended)} />}
        lead={
          <>
            Of <a href={`/desk/accounts/${owner.id}`}>{owner.name}</a>
            {isPending && listing.submitted_at !== null && (
              <>
                , submitted <Time at={listing.submitted_at} />
              </>
            )}
          </>
        }
        actions={<Around {...props} />}
      />
      <div class="stack">
        <Conflict {...props} />
        {undoable !== null && <UndoNotice undoable={undoable} />}
        {owner.isSuspended && <OwnerSuspended {...props} />}
        <div class="columns">
          <div class="stack-loose">
            {isPending ? <Submitted {...props} /> : <Proposals {...props} />}
            <Links {...props} />
            <Offers {...props} />
          </div>
          <aside class="stack" aria-label="Decision and facts">
            {isPending && (
              <section class="card">
                <h2>Decide</h2>
                <DecideListing {...props} />
              </section>
            )}
            <Facts {...props} />
          </aside>
        </div>
        <History {...props} />
      </div>
    </>
  );
}

const Around = ({ neighbours }: DeskListingPageProps): Markup => (
  <>
    <ShortcutHelp
      keys={[
        ['a', 'Approve'],
        ['c', 'Ask for changes'],
        ['r', 'Reject or decline'],
        ['u', 'Take the decision back, within 30 seconds'],
        ['j', 'Next in the queue'],
        ['k', 'The one before'],
      ]}
    />
    {neighbours.previous !== null && (
      <ButtonLink href={`/desk/listings/${neighbours.previous}`} shortcut="k" label="Previous in the queue">
        Previous
      </ButtonLink>
    )}
    {neighbours.next !== null && (
      <ButtonLink href={`/desk/listings/${neighbours.next}`} shortcut="j" label="Next in the queue">
        Next
      </ButtonLink>
    )}
  </>
);

const OwnerSuspended = ({ owner }: DeskListingPageProps): Markup => (
  <Notice
    tone="warn"
    title={`The account of ${owner.name} is suspended`}
    actions={<ButtonLink href={`/desk/accounts/${owner.id}`}>Account of {owner.name}</ButtonLink>}
  >
    Until that ends its listings are closed, whatever is decided here.
  </Notice>
);

/** Why a decision was not carried out, and what happened meanwhile. */
function Conflict({ sent, history, names }: DeskListingPageProps): Markup | null {
  const sentence = sent.form.problems.find(({ field }) => field === null)?.sentence;
  if (sentence === undefined) return null;
  const latest = history[0];
  return (
    <Notice tone="warn" title="Not decided">
      {sentence}
      {latest !== undefined && (
        <p>
          What happened last: {tellEvent(latest, actorName(names, latest.actor)).sentence}{' '}
          <Time at={latest.at} precision="second" />
        </p>
      )}
    </Notice>
  );
}

/** A whole listing that waits, against what was live before. */
function Submitted({ listing, differences }: DeskListingPageProps): Markup {
  if (listing.last_live === null) {
    return (
      <section class="card">
        <h2>What is submitted</h2>
        <DefinitionList
          facts={[
            ['Name', listing.name],
            ['Summary', listing.summary ?? <None />],
            [
              'Description',
              listing.description ? <span class="lines">{listing.description}</span> : <None />,
            ],
            ['Address', <ExternalLink href={listing.url} />],
          ]}
        />
      </section>
    );
  }
  return (
    <section class="section">
      <h2>What changed since it was live</h2>
      {differences.length === 0 ? (
        <p class="soft-text">Nothing: it is as it was when it was live.</p>
      ) : (
        <DifferenceTable differences={differences} proposedHeader="Submitted" />
      )}
    </section>
  );
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

const None = (): Markup => <span class="quiet-text">none</span>;

/** Addresses that wait beside their live versions, each with its decision. */
function Proposals(props: DeskListingPageProps): Markup | null {
  const { listing, offers } = props;
  const waiting = [
    ...(listing.proposed_url === null || listing.declined_reason !== null
      ? []
      : [{ path: 'url', title: 'New address', difference: urlDifference(listing), what: 'the new address' }]),
    ...offers
      .filter((offer) => offer.proposed_link !== null && offer.declined_reason === null)
      .map((offer) => ({
        path: `offers/${offer.id}`,
        title: `New link of “${offer.offer}”`,
        difference: linkDifference(offer),
        what: `the new link of ${offer.offer}`,
      })),
  ];
  if (waiting.length === 0 || (listing.state !== 'approved' && listing.state !== 'suspended')) return null;
  return (
    <>
      {waiting.map(({ path, title, difference, what }, index) => (
        <section class="section">
          <h2>{title}</h2>
          <div class="stack">
            <DifferenceTable differences={[difference]} proposedHeader="Waits" />
            <DecideAddress {...props} path={path} what={what} hasShortcuts={index === 0} />
          </div>
        </section>
      ))}
    </>
  );
}

const DifferenceTable = (props: { differences: readonly Difference[]; proposedHeader: string }): Markup => (
  <Table
    caption="Differences"
    rows={props.differences}
    columns={[
      { header: 'Field', isName: true, cell: ({ field }) => capital(field === 'url' ? 'address' : field) },
      { header: 'Live', cell: (difference) => <Side difference={difference} side="before" /> },
      {
        header: props.proposedHeader,
        cell: (difference) => <Side difference={difference} side="after" />,
      },
    ]}
  />
);

function Side({ difference, side }: { difference: Difference; side: 'before' | 'after' }): Markup {
  const { approved, proposed } = difference;
  const own = side === 'before' ? approved : proposed;
  if (own === null) return <None />;
  if (approved === null || proposed === null) {
    return (
      <span class="lines">
        <Breakable text={own} />
      </span>
    );
  }
  return <Changed before={approved} after={proposed} side={side} />;
}

/** The plan is the operator's to set, and nobody else tells them that this owner waits for one. */
const PlanNeeded = ({ owner }: DeskListingPageProps): Markup => (
  <Notice
    tone="warn"
    title={`${owner.name} is on the Starter plan`}
    actions={<ButtonLink href={`/desk/accounts/${owner.id}`}>Plan of {owner.name}</ButtonLink>}
  >
    It has no API keys, so the owner cannot check the tokens that come through these links.
  </Notice>
);

/** What the link tester says of every address that an approval would make live. */
const Links = (props: DeskListingPageProps): Markup => (
  <section class="section">
    <h2>Links</h2>
    <div class="stack">
      {!planHasApiKeys(props.owner.plan) && props.links.some(({ parameter }) => parameter !== null) && (
        <PlanNeeded {...props} />
      )}
      <LinkTable {...props} />
    </div>
  </section>
);

const LinkTable = ({ links, offers, listing }: DeskListingPageProps): Markup => (
  <Table
    caption="Links, each checked"
    rows={links}
    columns={[
      {
        header: 'Of',
        isName: true,
        cell: ({ offerId, link }) =>
          offerId === null
            ? link === listing.url
              ? 'The app'
              : 'The app, new address'
            : (offers.find(({ id }) => id === offerId)?.offer ?? 'An offer'),
      },
      {
        header: 'Address',
        cell: (check) => (
          <>
            <Mono>
              <Breakable text={check.link} />
            </Mono>
            {check.parameter !== null && <span class="sub">The token travels in {check.parameter}.</span>}
            {check.problems.map((problem) => (
              <span class="sub bad-text">{problem}</span>
            ))}
          </>
        ),
      },
      {
        header: 'Check',
        cell: (check) => <LinkBadge check={check} state={listing.state} />,
        isNowrap: true,
      },
    ]}
  />
);

function LinkBadge({ check, state }: { check: LinkCheck; state: string }): Markup {
  if (check.problems.length > 0) return <Badge tone="bad">Problem</Badge>;
  if (!check.isPinned) {
    return (
      <Badge tone="warn">{state === 'pending' ? 'Another site than the app' : 'Not the pinned site'}</Badge>
    );
  }
  return <Badge tone="good">Fine</Badge>;
}

const Offers = ({ listing, owner, offers, now }: DeskListingPageProps): Markup => (
  <section class="section">
    <h2>Offers</h2>
    {offers.length === 0 ? (
      <p class="soft-text">It has no offer yet, so there is nothing to claim.</p>
    ) : (
      <Table
        caption="Offers"
        rows={offers}
        columns={[
          {
            header: 'Offer',
            isName: true,
            cell: ({ offer, kind }) => (
              <>
                {offer}
                <span class="sub">{kindName(kind)}</span>
              </>
            ),
          },
          {
            header: 'State',
            cell: (offer) => (
              <StateBadge
                state={shownState({
                  listing: { state: publicStateOf(listing.state, owner.isSuspended) },
                  offer,
                  now,
                })}
              />
            ),
          },
          {
            header: 'Shared code',
            cell: ({ code }) => (code === null ? <None /> : <Mono>{code}</Mono>),
          },
          {
            header: 'Claims',
            isNumeric: true,
            cell: ({ claims, claim_limit }) => (
              <>
                <Num value={claims} />
                {claim_limit !== null && (
                  <>
                    {' '}
                    of <Num value={claim_limit} />
                  </>
                )}
              </>
            ),
          },
        ]}
      />
    )}
  </section>
);

function Facts(props: DeskListingPageProps): Markup {
  const { listing, owner } = props;
  return (
    <section class="card">
      <h2>Facts</h2>
      <DefinitionList
        facts={[
          [
            'Page',
            listing.state === 'approved' ? (
              <a href={`/l/${listing.slug}`}>/l/{listing.slug}</a>
            ) : (
              `/l/${listing.slug}`
            ),
          ],
          [
            'App',
            <ExternalLink href={listing.url}>
              <Breakable text={hostOf(listing.url)} />
            </ExternalLink>,
          ],
          listing.origin === null ? null : ['Pinned site', <Breakable text={hostOf(listing.origin)} />],
          [
            'Owner',
            <>
              <a href={`/desk/accounts/${owner.id}`}>{owner.name}</a>
              <br />
              <span class="quiet-text">
                <Breakable text={owner.email} />
              </span>
            </>,
          ],
          ['Claims', <Num value={listing.claims} />],
          ['Redeemed', <Num value={listing.redeemed} />],
          ['Created', <Time at={listing.created_at} precision="day" />],
          listing.decided_at === null ? null : ['Decided', <Time at={listing.decided_at} />],
          listing.reason === null ? null : ['Reason', <span class="lines">{listing.reason}</span>],
        ]}
      />
      {(listing.state === 'approved' || listing.state === 'suspended') && (
        <div class="top-space">
          <Suspension {...props} />
        </div>
      )}
    </section>
  );
}

function History({ history: events, names }: DeskListingPageProps): Markup {
  return (
    <section class="card">
      <h2>History</h2>
      <Events events={events.slice(0, HISTORY_SHOWN)} names={names} />
      {events.length > HISTORY_SHOWN && (
        <More summary={`${events.length - HISTORY_SHOWN} earlier`}>
          <Events events={events.slice(HISTORY_SHOWN)} names={names} />
        </More>
      )}
    </section>
  );
}

const BAD_EVENTS = new Set(['listing.rejected', 'listing.suspended']);

const Events = ({ events, names }: { events: readonly ListingEvent[]; names: ActorNames }): Markup => (
  <Timeline
    entries={events.map((event) => {
      const words = tellEvent(event, actorName(names, event.actor));
      return {
        what: words.sentence,
        when: <Time at={event.at} />,
        detail: words.detail !== null && <EventDetail words={words} />,
        state: BAD_EVENTS.has(event.type) ? ('bad' as const) : ('done' as const),
      };
    })}
  />
);

const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
