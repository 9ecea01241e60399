import { deskAccountPath, editOfferPath, newOfferOfPath } from '../../../base/paths.ts';
import { publicStateOf } from '../../../marketplace/listings/listing.ts';
import { type LinkResponse, responseOf } from '../../../marketplace/listings/queue-queries.ts';
import type { ReviewedLink } from '../../../marketplace/listings/review.ts';
import { kindName, shownState } from '../../../marketplace/offers/offer.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import { wordsOf } from '../../../platform/languages/translate.ts';
import { amountOf, isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { BreakableMono, Mono } from '../../ui/code.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PlanName } from '../../ui/site.tsx';
import { Badge, StateBadge } from '../../ui/state-badge.tsx';
import { Table, TableSection } from '../../ui/table.tsx';
import { ClaimsMade } from '../../ui/ticket.tsx';
import { Time, TimeWithZone } from '../../ui/time.tsx';
import type { DeskListing } from './queries.ts';

const PlanNeeded = ({ owner }: DeskListing) => (
  <Notice
    tone="warn"
    title={
      <>
        {isolated(owner.name)} is on the <PlanName of={owner.plan} /> plan
      </>
    }
    actions={<ButtonLink href={deskAccountPath(owner.id)}>Plan of {isolated(owner.name)}</ButtonLink>}
  >
    This plan has no API keys, so the owner can’t verify the tokens in these links.
  </Notice>
);

export const Links = (props: DeskListing) => (
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

function ProbeResult({ response, at }: { response: LinkResponse | undefined; at: string | undefined }) {
  if (response === undefined || at === undefined) return <div class="hint">Not opened yet</div>;
  return (
    <div class="hint">
      {response.failure ?? `Responded with ${response.status}.`} <Time at={at} />
    </div>
  );
}

function nameOf(
  { offerId, link }: ReviewedLink,
  listing: DeskListing['listing'],
  offers: DeskListing['offers'],
): string {
  if (offerId !== null) return offers.find(({ id }) => id === offerId)?.offer ?? 'An offer';
  return link === listing.url ? 'The app' : 'The app, new website';
}

const LinkTable = ({ links, offers, listing, probes }: DeskListing) => (
  <Table
    caption="Links"
    rows={links}
    columns={[
      {
        header: 'Link',
        isName: true,
        cell: (link) => (
          <>
            {nameOf(link, listing, offers)}
            <span class="sub">
              <BreakableMono text={link.link} />
            </span>
            {link.parameter !== null && (
              <span class="sub">
                The token is in the parameter <code>{link.parameter}</code>.
              </span>
            )}
            {link.problems.map((problem) => (
              <span class="sub bad-text">{wordsOf(problem)}</span>
            ))}
            {link.warnings.map((warning) => (
              <span class="sub warn-text">{wordsOf(warning)}</span>
            ))}
          </>
        ),
      },
      {
        header: 'Check',
        cell: (link) => {
          const response = responseOf(probes, link.link);
          return (
            <>
              <LinkBadge link={link} state={listing.state} response={response} />
              <ProbeResult response={response} at={probes?.at} />
            </>
          );
        },
      },
    ]}
  />
);

interface LinkBadgeProps {
  readonly link: ReviewedLink;
  readonly state: string;
  readonly response: LinkResponse | undefined;
}

/** Shows only the most severe finding about a link, for operators who skim the table. */
function LinkBadge({ link, state, response }: LinkBadgeProps) {
  if (link.problems.length > 0) return <Badge tone="bad">Problem</Badge>;
  if (!link.isPinned) {
    return <Badge tone="warn">{state === 'pending' ? 'Not the app’s site' : 'Not the approved site'}</Badge>;
  }
  if (link.warnings.length > 0) return <Badge tone="warn">Check this</Badge>;
  return response?.status === null ? (
    <Badge tone="warn">Didn’t respond</Badge>
  ) : (
    // Green only if the link was probed and responded.
    <Badge tone={response ? 'good' : 'plain'}>On the app’s site</Badge>
  );
}

export const Offers = ({
  listing,
  owner,
  offers,
  waitingPeople,
  now,
}: DeskListing & { readonly now: number }) => (
  <TableSection
    title="Offers"
    action={
      listing.state !== 'rejected' && (
        <ButtonLink href={newOfferOfPath(listing.id)} small>
          New offer
        </ButtonLink>
      )
    }
    empty="No offers yet."
    rows={offers}
    columns={[
      {
        header: 'Offer',
        isName: true,
        cell: ({ id, offer, kind, conditions }) => (
          <>
            {offer}
            <span class="sub">
              {kindName(kind)}
              {listing.state !== 'rejected' && (
                <>
                  {' · '}
                  <a href={editOfferPath(listing.id, id)} aria-label={`Edit ${offer}`}>
                    Edit
                  </a>
                  {' · '}
                  <a href={`${newOfferOfPath(listing.id)}?from=${id}`} aria-label={`Duplicate ${offer}`}>
                    Duplicate
                  </a>
                </>
              )}
            </span>
            {conditions !== null && (
              <span class="sub plain-text" dir="auto">
                {conditions}
              </span>
            )}
          </>
        ),
      },
      {
        header: 'State',
        cell: (offer) => (
          <>
            <StateBadge
              state={shownState(offer, publicStateOf(listing.state, owner.suspended_at !== null), now)}
            />
            {offer.starts_at !== null && (
              <span class="sub">
                From <TimeWithZone at={offer.starts_at} />
              </span>
            )}
            {offer.ends_at !== null && (
              <span class="sub">
                Until <TimeWithZone at={offer.ends_at} />
              </span>
            )}
          </>
        ),
      },
      { header: 'Codes', cell: (offer) => <Codes offer={offer} /> },
      {
        header: 'Claims',
        isNumeric: true,
        cell: ({ id, claims, claim_limit }) => (
          <>
            <ClaimsMade claims={claims} limit={claim_limit} />
            {waitingPeople.has(id) && <span class="sub">{waitingPeople.get(id)} on the waiting list</span>}
          </>
        ),
      },
    ]}
  />
);

function Codes({ offer }: { offer: DeskListing['offers'][number] }) {
  const { code, code_list, codes_left, shop_url } = offer;
  return (
    <>
      {code === null && code_list === null && <span class="quiet-text">none</span>}
      {code !== null && <Mono>{code}</Mono>}
      {code_list !== null && <span class="sub">A list, {amountOf(codes_left, 'code')} left</span>}
      {shop_url !== null && (
        <span class="sub">
          For use at <Breakable text={shop_url} />
        </span>
      )}
    </>
  );
}
