import {
  claimAction,
  claimPath,
  offerAnchor,
  pathWithQuery,
  reportPath,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
  sharePath,
} from '../../base/paths.ts';
import type { ClaimOnListing } from '../../claims/claimants/queries.ts';
import type { Category } from '../../marketplace/listings/category.ts';
import { kindName } from '../../marketplace/offers/offer.ts';
import { t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { withNext } from '../frame/pages.ts';
import { Paragraph } from '../ui/breakable.tsx';
import { ButtonLink, PostButton } from '../ui/button.tsx';
import { Card, Section } from '../ui/card.tsx';
import { ExternalLink } from '../ui/code.tsx';
import { DefinitionList } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { Face, Picture } from '../ui/picture.tsx';
import { linkTo, useSignUp } from '../ui/site.tsx';
import { Badge, StateBadge } from '../ui/state-badge.tsx';
import { howItWorks, Ticket } from '../ui/ticket.tsx';
import { ClaimSignInDialog, viaField } from './claim-sign-in-page.tsx';
import { MoreApps, type OpenApps } from './more-apps.tsx';
import { Claimed, Closed, Conditions, isScarce, offersByState, Scarcity } from './offer-limits.tsx';
import type { PublicListing, PublicOffer } from './queries.ts';
import { TellMe } from './waiting-list/waiting-list-page.tsx';

export interface RefusedClaim {
  readonly offerId: string;
  readonly sentence: string;
}

interface ListingPageProps {
  readonly listing: PublicListing;
  readonly via: string | null;
  readonly claims: readonly ClaimOnListing[];
  readonly isSignedIn: boolean;
  /** Whether people can claim with their email address. */
  readonly isByMail: boolean;
  /** The offers that the viewer waits for; `null`: waiting lists are off, because the service has no mail server. */
  readonly waitsFor: ReadonlySet<string> | null;
  readonly refused: RefusedClaim | null;
  /** The offer whose address was opened. It comes first, whatever its state. */
  readonly sharedOffer: PublicOffer | null;
  readonly openApps: OpenApps;
}

export function ListingPage(props: ListingPageProps) {
  const { listing, refused } = props;
  const { icon, cover } = listing.pictures;
  const refusedOffer = listing.offers.find(({ id }) => id === refused?.offerId);
  return (
    <>
      <PageHeader
        above={
          <>
            <Breadcrumb trail={[[t('Marketplace'), '/']]} />
            {cover !== undefined && <Picture files={cover.files} alt="" width={640} shape="cover" isFirst />}
          </>
        }
        face={<Face name={listing.name} icon={icon?.files ?? null} size={56} />}
        title={listing.name}
        badge={listing.state === 'approved' ? undefined : <StateBadge state={listing.state} />}
        lead={listing.summary}
      />
      {refused !== null && (
        <div class="end-space">
          <Notice
            tone="warn"
            title={t('The offer was not claimed')}
            actions={refusedOffer !== undefined && waitingList({ ...props, offer: refusedOffer })}
          >
            {refusedOffer === undefined || refusedOffer.state === 'open' ? (
              refused.sentence
            ) : (
              <>
                {isolated(refusedOffer.offer)}. <Closed offer={refusedOffer} />
              </>
            )}
          </Notice>
        </div>
      )}
      {listing.state === 'approved' ? <Live {...props} /> : <Gone {...props} />}
      <MoreApps apps={props.openApps} besides={listing} />
    </>
  );
}

function Live(props: ListingPageProps) {
  const { listing, claims, openApps } = props;
  const category = openApps.categories.find(({ id }) => id === listing.category);
  return (
    <div class="columns wide-side">
      <Section title={listing.offers.length === 1 ? t('The offer') : t('Offers')} id="offers">
        {listing.offers.length === 0 ? (
          <p class="soft-text">{t('There are no offers at the moment.')}</p>
        ) : (
          <div class="stack">
            {!props.isSignedIn && listing.offers.some(({ state }) => state === 'open') && (
              <p class="soft-text">
                {props.isByMail ? (
                  t('To claim an offer, all you need is an email address.')
                ) : (
                  <SignInFirst {...props} />
                )}
              </p>
            )}
            {offersInOrder(props).map((offer) => (
              <OfferTicket
                {...props}
                offer={offer}
                claim={claims.find(({ offer_id }) => offer_id === offer.id) ?? null}
              />
            ))}
          </div>
        )}
      </Section>
      <Card title={t('About {name}', { name: isolated(listing.name) })} id="about" isStack>
        {listing.description !== null && <Paragraph>{listing.description}</Paragraph>}
        <DefinitionList
          facts={[
            [t('Website'), <ExternalLink href={listing.url}>{new URL(listing.url).host}</ExternalLink>],
            ...(category === undefined
              ? []
              : [[t('Category'), <CategoryLink category={category} />] as const]),
            [t('By'), listing.owner],
          ]}
        />
        <p class="small-text">
          <a href={reportPath(listing.slug)} rel="nofollow">
            {t('Report this app')}
          </a>
        </p>
      </Card>
    </div>
  );
}

const CategoryLink = ({ category: { id, name } }: { category: Category }) => (
  <a href={pathWithQuery('/', { category: id })} dir="auto">
    {name}
  </a>
);

function offersInOrder({ listing, sharedOffer }: ListingPageProps): readonly PublicOffer[] {
  const sorted = offersByState(listing.offers);
  return sharedOffer === null ? sorted : [sharedOffer, ...sorted.filter(({ id }) => id !== sharedOffer.id)];
}

function SignInFirst({ listing: { slug }, via, sharedOffer }: ListingPageProps) {
  const next = sharePath({ slug, via, offerId: sharedOffer?.id });
  const hasSignUp = useSignUp();
  const signIn = { in: linkTo(withNext(SIGN_IN_PATH, next)) };
  if (!hasSignUp) return <>{t('<in>Sign in</in> to claim an offer.', signIn)}</>;
  return (
    <>
      {t('<in>Sign in</in> or <up>sign up</up> to claim an offer.', {
        ...signIn,
        up: linkTo(withNext(SIGN_UP_PATH, next)),
      })}
    </>
  );
}

interface OfferTicketProps extends ListingPageProps {
  readonly offer: PublicOffer;
  readonly claim: ClaimOnListing | null;
}

function OfferTicket(props: OfferTicketProps) {
  const { listing, offer, claim } = props;
  const isOpen = offer.state === 'open';
  const picture = listing.offerPictures.get(offer.id)?.offer;
  const isMarked = offer.id === props.sharedOffer?.id && listing.offers.length > 1;
  const isSpent = !isOpen && offer.state !== 'scheduled' && claim === null;
  return (
    <Ticket
      id={offerAnchor(offer.id)}
      picture={picture && <Picture files={picture.files} alt="" width={64} shape="cover" />}
      heading="h3"
      kind={kindName(offer.kind)}
      title={offer.offer}
      meta={
        <>
          <p>{howItWorks(offer.linkOrigin && new URL(offer.linkOrigin).host, offer.hasCode)}</p>
          {offer.conditions !== null && <Conditions text={offer.conditions} />}
          {(isOpen || offer.state === 'scheduled') && claim === null && isScarce(offer) && (
            <p>
              <Scarcity offer={offer} />
            </p>
          )}
        </>
      }
      spent={isSpent}
      marked={isMarked}
      stub={<Stub {...props} />}
    />
  );
}

/** The waiting list of an offer that can't be claimed now. */
function waitingList({ listing, offer, isSignedIn, waitsFor }: ListingPageProps & { offer: PublicOffer }) {
  if (waitsFor === null || offer.state === 'open') return null;
  return <TellMe {...{ listing, offer, isSignedIn }} isWaiting={waitsFor.has(offer.id)} />;
}

function Stub(props: OfferTicketProps) {
  const { listing, offer, claim, via, isSignedIn, isByMail } = props;
  if (claim !== null) return <ExistingClaim claim={claim} />;
  const { state } = offer;
  if (state !== 'open') {
    return (
      <>
        <StateBadge state={state} />
        <p>
          <Closed offer={offer} />
        </p>
        {waitingList(props)}
      </>
    );
  }
  return (
    <>
      {isSignedIn || !isByMail ? (
        <PostButton
          action={claimAction(listing.slug, offer.id)}
          values={viaField(via)}
          tone="primary"
          label={t('Claim offer: {offer}', { offer: isolated(offer.offer) })}
        >
          {t('Claim offer')}
        </PostButton>
      ) : (
        <ClaimSignInDialog listing={listing} offer={offer} via={via} />
      )}
      <Claimed offer={offer} />
    </>
  );
}

const ExistingClaim = ({ claim }: { claim: ClaimOnListing }) => (
  <>
    {claim.redeemed_at === null ? <Badge tone="good">{t('Claimed')}</Badge> : <StateBadge state="redeemed" />}
    <ButtonLink href={claimPath(claim.id)} label={t('Show your claim: {offer}', { offer: claim.offer })}>
      {t('Show your claim')}
    </ButtonLink>
  </>
);

/** Says why a listing is no longer public, for people who follow old links. */
function Gone({ listing, claims }: ListingPageProps) {
  const isSuspended = listing.state === 'suspended';
  return (
    <div class="stack-loose narrow">
      <Notice
        title={
          isSuspended ? t('The operator has suspended this app') : t('The app has left this marketplace')
        }
        actions={<ButtonLink href="/">{t('See other offers')}</ButtonLink>}
      >
        {isSuspended
          ? t('Its offers can’t be claimed any more. Existing claims are not deleted.')
          : t('Its offers can’t be claimed any more. Existing claims can still be redeemed.')}
      </Notice>
      {claims.length > 0 && (
        <Section title={claims.length === 1 ? t('Your claim') : t('Your claims')} id="yours" isStack>
          {claims.map((claim) => (
            <Ticket
              heading="h3"
              kind={kindName(claim.kind)}
              title={claim.offer}
              stub={<ExistingClaim claim={claim} />}
            />
          ))}
        </Section>
      )}
    </div>
  );
}
