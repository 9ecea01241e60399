import type { Listing } from '../../../marketplace/listings/queries.ts';
import { asSubmitted, waitingLink } from '../../../marketplace/listings/review.ts';
import { readTextChanges } from '../../../marketplace/listings/text-changes.ts';
import { kindName } from '../../../marketplace/offers/offer.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Section } from '../../ui/card.tsx';
import { Face, Picture } from '../../ui/picture.tsx';
import { InMarketLanguage } from '../../ui/site.tsx';
import { ListingPreview, TicketPreview } from '../../ui/ticket.tsx';
import { hasProposal } from './proposals.tsx';
import type { DeskListing } from './queries.ts';

/** The listing as it will be after approval, if the operator has something to decide; otherwise, as it is. */
export function Preview(props: DeskListing) {
  const hasReview = props.listing.state === 'pending' || hasProposal(props);
  return (
    <Section title={hasReview ? t('As people will see it') : t('Preview')} id="preview">
      <div class="card">
        <InMarketLanguage>
          <PreviewOf {...props} hasReview={hasReview} />
        </InMarketLanguage>
      </div>
    </Section>
  );
}

function PreviewOf({ hasReview, ...stored }: DeskListing & { hasReview: boolean }) {
  const { owner, pictures } = stored;
  const { listing, offers } = hasReview ? asSubmitted(stored.listing, stored.offers) : stored;
  const proposed = hasReview ? pictures.waiting : [];
  const pictureOf = (kind: 'icon' | 'cover') =>
    proposed.find((one) => one.subjectId === listing.id && one.kind === kind) ??
    pictures.shown.get(listing.id)?.[kind];
  const cover = pictureOf('cover');
  return (
    <ListingPreview
      face={<Face name={listing.name} icon={pictureOf('icon')?.files ?? null} size={48} />}
      cover={cover && <Picture files={cover.files} alt="" width={640} shape="cover" />}
      name={isolated(listing.name)}
      summary={listing.summary ?? ''}
      description={listing.description ?? ''}
      host={new URL(listing.url).host}
      owner={owner.name}
    >
      {offers
        .filter((offer) => offer.hidden_since === null || (hasReview && !isDeclined(listing)))
        .map((offer) => (
          <TicketPreview
            kind={kindName(offer.kind)}
            title={offer.offer}
            link={(hasReview ? waitingLink(offer) : null) ?? offer.redemption_link ?? ''}
            hasCode={offer.code !== null || offer.code_list !== null}
            conditions={offer.conditions ?? ''}
          />
        ))}
    </ListingPreview>
  );
}

const isDeclined = (listing: Listing): boolean => readTextChanges(listing).declined !== null;
