import { deskAccountPath, editOfferPath, newOfferOfPath } from '../../../base/paths.ts';
import { publicStateOf } from '../../../marketplace/listings/listing.ts';
import { type LinkResponse, responseOf } from '../../../marketplace/listings/queue-queries.ts';
import type { ReviewedLink } from '../../../marketplace/listings/review.ts';
import { kindName, shownState } from '../../../marketplace/offers/offer.ts';
import { planHasApiKeys } from '../../../people/accounts/account.ts';
import { storedText, t, wordsOf } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { BreakableMono, ExternalLink, Mono } from '../../ui/code.tsx';
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
    title={t('{owner} is on the {plan} plan', {
      owner: isolated(owner.name),
      plan: <PlanName of={owner.plan} />,
    })}
    actions={
      <ButtonLink href={deskAccountPath(owner.id)}>
        {t('Plan of {owner}', { owner: isolated(owner.name) })}
      </ButtonLink>
    }
  >
    {t('This plan has no API keys, so the owner can’t verify the tokens in these links.')}
  </Notice>
);

export const Links = (props: DeskListing) => (
  <Section title={t('Links')} isStack>
    {!planHasApiKeys(props.owner.plan) && props.links.some(({ parameter }) => parameter !== null) && (
      <PlanNeeded {...props} />
    )}
    <LinkTable {...props} />
  </Section>
);

function ProbeResult({ response, at }: { response: LinkResponse | undefined; at: string | undefined }) {
  if (response === undefined || at === undefined) return <div class="hint">{t('Not opened yet')}</div>;
  return (
    <div class="hint">
      {response.failure === null
        ? t('Responded with {status}.', { status: String(response.status) })
        : storedText(response.failure)}{' '}
      <Time at={at} />
    </div>
  );
}

function nameOf(
  { offerId, link }: ReviewedLink,
  listing: DeskListing['listing'],
  offers: DeskListing['offers'],
): string {
  if (offerId !== null) return offers.find(({ id }) => id === offerId)?.offer ?? t('An offer');
  return link === listing.url ? t('The app') : t('The app, new website');
}

const LinkTable = ({ links, offers, listing, probes }: DeskListing) => (
  <Table
    caption={t('Links')}
    rows={links}
    columns={[
      {
        header: t('Link'),
        isName: true,
        cell: (link) => (
          <>
            <bdi>{nameOf(link, listing, offers)}</bdi>
            <span class="sub">
              {link.offerId === null ? (
                <ExternalLink href={link.link}>
                  <BreakableMono text={link.link} />
                </ExternalLink>
              ) : (
                <BreakableMono text={link.link} />
              )}
            </span>
            {link.parameter !== null && (
              <span class="sub">
                {t('The token is in the parameter {parameter}.', {
                  parameter: <code>{link.parameter}</code>,
                })}
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
        header: t('system|Check'),
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
  if (link.problems.length > 0) return <Badge tone="bad">{t('Problem')}</Badge>;
  if (!link.isPinned) {
    return (
      <Badge tone="warn">{state === 'pending' ? t('Not the app’s site') : t('Not the approved site')}</Badge>
    );
  }
  if (link.warnings.length > 0) return <Badge tone="warn">{t('Check this')}</Badge>;
  return response?.status === null ? (
    <Badge tone="warn">{t('Didn’t respond')}</Badge>
  ) : (
    // Green only if the link was probed and responded.
    <Badge tone={response ? 'good' : 'plain'}>{t('On the app’s site')}</Badge>
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
    title={t('Offers')}
    action={
      listing.state !== 'rejected' && (
        <ButtonLink href={newOfferOfPath(listing.id)} small>
          {t('New offer')}
        </ButtonLink>
      )
    }
    empty={t('No offers yet.')}
    rows={offers}
    columns={[
      {
        header: t('Offer'),
        isName: true,
        cell: ({ id, offer, kind, conditions }) => (
          <>
            <bdi>{offer}</bdi>
            <span class="sub">
              {kindName(kind)}
              {listing.state !== 'rejected' && (
                <>
                  {' · '}
                  <a href={editOfferPath(listing.id, id)} aria-label={t('Edit {name}', { name: offer })}>
                    {t('Edit')}
                  </a>
                  {' · '}
                  <a
                    href={`${newOfferOfPath(listing.id)}?from=${id}`}
                    aria-label={t('Duplicate {name}', { name: offer })}
                  >
                    {t('Duplicate')}
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
        header: t('State'),
        cell: (offer) => (
          <>
            <StateBadge
              state={shownState(offer, publicStateOf(listing.state, owner.suspended_at !== null), now)}
            />
            {offer.starts_at !== null && (
              <span class="sub">{t('From {time}', { time: <TimeWithZone at={offer.starts_at} /> })}</span>
            )}
            {offer.ends_at !== null && (
              <span class="sub">{t('Until {time}', { time: <TimeWithZone at={offer.ends_at} /> })}</span>
            )}
          </>
        ),
      },
      { header: t('Codes'), cell: (offer) => <Codes offer={offer} /> },
      {
        header: t('Claims'),
        isNumeric: true,
        cell: ({ id, claims, claim_limit }) => (
          <>
            <ClaimsMade claims={claims} limit={claim_limit} />
            {waitingPeople.has(id) && (
              <span class="sub">
                {t('{count, number} on the waiting list', { count: waitingPeople.get(id)! })}
              </span>
            )}
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
      {code === null && code_list === null && <span class="quiet-text">{t('none')}</span>}
      {code !== null && <Mono>{code}</Mono>}
      {code_list !== null && (
        <span class="sub">
          {t('A list, {count, plural, one {# code} other {# codes}} left', { count: codes_left })}
        </span>
      )}
      {shop_url !== null && (
        <span class="sub">{t('For use at {url}', { url: <Breakable text={shop_url} /> })}</span>
      )}
    </>
  );
}
