import type { LoggedEvent } from '../../../base/events/queries.ts';
import {
  DESK_LISTINGS_PATH,
  deskAccountPath,
  deskListingPath,
  editListingPath,
  FRONT_PAGE_PATH,
  listingPath,
} from '../../../base/paths.ts';
import { publicStateOf } from '../../../marketplace/listings/listing.ts';
import {
  asSubmitted,
  differencesSinceRequest,
  readChangeRequest,
} from '../../../marketplace/listings/review.ts';
import { t, wordsOf as tell } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { Breakable, Lines } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Section } from '../../ui/card.tsx';
import { More } from '../../ui/code.tsx';
import { ShortcutHelp } from '../../ui/dialog.tsx';
import { DifferenceTable } from '../../ui/difference.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Num, Time } from '../../ui/time.tsx';
import { EventTimeline, HistoryCard, wordsOf } from '../audit/log-page.tsx';
import { actorName, type EventNames } from '../audit/queries.ts';
import { InviteOwner } from '../invitations/invitations-page.tsx';
import { Duplicate, Feature, Transfer } from './actions.tsx';
import { DecideListing, type SentForm, Suspension, type Undoable, UndoNotice } from './decide.tsx';
import { Links, Offers } from './offers.tsx';
import { SubmittedPictures } from './pictures.tsx';
import { Preview } from './preview.tsx';
import { hasProposal, Proposals } from './proposals.tsx';
import type { DeskListing, Neighbours } from './queries.ts';
import { Reports } from './reports.tsx';

interface DeskListingPageProps extends DeskListing {
  readonly neighbours: Neighbours;
  /** Newest first. */
  readonly history: readonly LoggedEvent[];
  readonly names: EventNames;
  readonly category: string | null;
  readonly undoable: Undoable | null;
  readonly sent: SentForm;
  readonly now: EpochMs;
  /** The id of the form that duplicates the listing. */
  readonly copyFormId: string;
}

const HISTORY_SHOWN = 8;

export function DeskListingPage(props: DeskListingPageProps) {
  const { listing, owner, undoable } = props;
  const isPending = listing.state === 'pending';
  const hasReview = isPending || hasProposal(props);
  const isSuspended = owner.suspended_at !== null;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[[t('Listings'), DESK_LISTINGS_PATH]]} />}
        title={listing.name}
        badge={<StateBadge state={publicStateOf(listing.state, isSuspended)} />}
        lead={
          isPending && listing.submitted_at !== null
            ? t('By {owner}, submitted {time}', {
                owner: <OwnerLink owner={owner} />,
                time: <Time at={listing.submitted_at} />,
              })
            : t('By {owner}', { owner: <OwnerLink owner={owner} /> })
        }
        actions={<Around {...props} />}
      />
      <div class="stack-loose">
        <Conflict {...props} />
        {undoable !== null && <UndoNotice undoable={undoable} />}
        {isSuspended && <OwnerSuspended {...props} />}
        <InviteOwner owner={owner} isInUse={props.isOwnerInUse} />
        <div class="columns">
          {!hasReview && <Aside {...props} />}
          <div class="stack-loose">
            <Reports {...props} />
            {isPending && <RequestedChanges {...props} />}
            {isPending ? <Submitted {...props} /> : <Proposals {...props} />}
            {isPending && <SubmittedPictures {...props} />}
            {isPending && <Preview {...props} />}
            <Links {...props} />
            <Offers {...props} />
            {!isPending && <Preview {...props} />}
            {!isPending && <History {...props} />}
          </div>
          {hasReview && <Aside {...props} />}
        </div>
        {isPending && <History {...props} />}
      </div>
    </>
  );
}

const OwnerLink = ({ owner }: Pick<DeskListing, 'owner'>) => (
  <a href={deskAccountPath(owner.id)}>{isolated(owner.name)}</a>
);

/** In a narrow window, the aside is below what the operator has to review. */
const Aside = (props: DeskListingPageProps) => (
  <aside class="stack" aria-label={t('Decision and details')}>
    {props.listing.state === 'pending' && (
      <Card title={t('Decide')}>
        <DecideListing {...props} />
      </Card>
    )}
    <Details {...props} />
  </aside>
);

const Around = ({ neighbours }: DeskListingPageProps) => (
  <>
    <ShortcutHelp
      keys={[
        ['a', t('Approve')],
        ['c', t('Ask for changes')],
        ['r', t('Reject or decline')],
        ['u', t('Undo the decision (within 30 seconds)')],
        ['j', t('Next in the queue')],
        ['k', t('Previous in the queue')],
      ]}
    />
    {neighbours.previous !== null && (
      <ButtonLink href={deskListingPath(neighbours.previous)} shortcut="k">
        {t('Previous in the queue')}
      </ButtonLink>
    )}
    {neighbours.next !== null && (
      <ButtonLink href={deskListingPath(neighbours.next)} shortcut="j">
        {t('Next in the queue')}
      </ButtonLink>
    )}
  </>
);

const OwnerSuspended = ({ owner }: DeskListingPageProps) => (
  <Notice
    tone="warn"
    title={t('The account of {name} is suspended', { name: isolated(owner.name) })}
    actions={
      <ButtonLink href={deskAccountPath(owner.id)}>
        {t('Account of {name}', { name: isolated(owner.name) })}
      </ButtonLink>
    }
  >
    {t('Its listings stay closed until the suspension ends, whatever you decide here.')}
  </Notice>
);

/** Repeats the typed reason, because the page may no longer have the form that the reason was typed into. */
function Conflict({ sent, history, names }: DeskListingPageProps) {
  const sentence = sent.form.problems.find(({ field }) => field === null)?.sentence;
  if (sentence === undefined) return null;
  const latest = history[0];
  const reason = sent.form.typed('reason').trim();
  return (
    <Notice tone="warn" title={t('No decision was made')}>
      {tell(sentence)}
      {latest !== undefined && (
        <p>
          {t('Last change: {sentence} {time}', {
            sentence: t(wordsOf(names, latest).sentence, { who: actorName(names, latest.actor) }),
            time: <Time at={latest.at} precision="second" />,
          })}
        </p>
      )}
      {reason !== '' && <p>{t('Your reason was: {reason}', { reason: <Lines>{reason}</Lines> })}</p>}
    </Notice>
  );
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

function Details(props: DeskListingPageProps) {
  const { listing, owner } = props;
  return (
    <Card title={t('Details')}>
      <DefinitionList
        facts={[
          [
            t('Page'),
            listing.state === 'approved' ? (
              <a href={listingPath(listing.slug)}>{listingPath(listing.slug)}</a>
            ) : (
              listingPath(listing.slug)
            ),
          ],
          listing.origin !== null &&
            hostOf(listing.origin) !== hostOf(listing.url) && [
              t('Approved site'),
              <Breakable text={hostOf(listing.origin)} />,
            ],
          [
            t('publisher|Owner'),
            <>
              <OwnerLink owner={owner} />
              <br />
              <span class="quiet-text">
                <Breakable text={owner.email} />
              </span>
            </>,
          ],
          props.category !== null && [t('Category'), props.category],
          listing.visibility !== null && [t('Visible to'), t('Members only')],
          listing.featured !== null && [
            t('Front page'),
            t('<a>Featured</a>, no. {rank}', { a: linkTo(FRONT_PAGE_PATH), rank: listing.featured }),
          ],
          [t('Claims'), <Num value={listing.claims} />],
          [t('Redeemed'), <Num value={listing.redeemed} />],
          [t('Created'), <Time at={listing.created_at} precision="day" />],
          listing.decided_at !== null && [t('Decided'), <Time at={listing.decided_at} />],
          listing.reason !== null && [t('Reason'), <Lines>{listing.reason}</Lines>],
        ]}
      />
      <div class="row top-space">
        {listing.state !== 'rejected' && (
          <ButtonLink href={editListingPath(listing.id)} small>
            {t('Edit listing')}
          </ButtonLink>
        )}
        <Duplicate listing={listing} formId={props.copyFormId} />
        <Feature {...props} />
      </div>
      <div class="spread top-space">
        <Transfer {...props} />
        <Suspension {...props} />
      </div>
    </Card>
  );
}

function History({ owner, history, names }: DeskListingPageProps) {
  const earlier = history.slice(HISTORY_SHOWN);
  const logOptions = { names, bad: BAD_EVENTS, isOfListing: true };
  return (
    <HistoryCard accountId={owner.id}>
      {history.length === 0 ? (
        <p class="soft-text">{t('None of the owner’s newest events is about this listing.')}</p>
      ) : (
        <EventTimeline events={history.slice(0, HISTORY_SHOWN)} {...logOptions} />
      )}
      {earlier.length > 0 && (
        <div class="top-space">
          <More
            summary={t('{count, plural, one {# earlier event} other {# earlier events}}', {
              count: earlier.length,
            })}
          >
            <EventTimeline events={earlier} {...logOptions} />
          </More>
        </div>
      )}
    </HistoryCard>
  );
}

const BAD_EVENTS = new Set(['listing.rejected', 'listing.suspended']);

function RequestedChanges({ listing, offers }: DeskListing) {
  const changeRequest = readChangeRequest(listing);
  if (changeRequest === null) return null;
  const differences = differencesSinceRequest(changeRequest, listing, offers);
  return (
    <Section title={t('You asked for changes')} id="asked">
      <div class="card stack">
        <DefinitionList
          facts={[
            [t('You asked for'), <Lines>{changeRequest.reason}</Lines>],
            [t('When'), <Time at={changeRequest.at} />],
            [t('Reply'), listing.reply === null ? <None /> : <Lines>{listing.reply}</Lines>],
          ]}
        />
      </div>
      <h3 class="top-space">{t('Changes since then')}</h3>
      <Changes differences={differences} headers={[t('You saw'), t('Submitted')]} />
    </Section>
  );
}

function Submitted({ listing: stored, differences }: DeskListing) {
  const { listing } = asSubmitted(stored, []);
  if (listing.last_live === null) {
    return (
      <Card title={t('Submitted listing')}>
        <DefinitionList
          facts={[
            [t('Name'), listing.name],
            [t('Summary'), listing.summary ?? <None />],
            [t('Description'), listing.description ? <Lines>{listing.description}</Lines> : <None />],
          ]}
        />
      </Card>
    );
  }
  return (
    <Section title={t('Changes since the last live version')}>
      <Changes differences={differences} headers={[t('Live'), t('Submitted')]} />
    </Section>
  );
}

const Changes = (props: Parameters<typeof DifferenceTable>[0]) =>
  props.differences.length === 0 ? (
    <p class="soft-text">{t('Nothing has changed.')}</p>
  ) : (
    <DifferenceTable {...props} />
  );

const None = () => <span class="quiet-text">{t('none')}</span>;
