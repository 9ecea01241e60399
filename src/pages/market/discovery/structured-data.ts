/** Structured data for search engines (schema.org). Contains only public data. */
import { listingPath, offerPath } from '../../../base/paths.ts';
import { kindName } from '../../../marketplace/offers/offer.ts';
import { type PublicListing, type PublicOffer, scarceClaims } from '../queries.ts';

const SCHEMA = { '@context': 'https://schema.org' } as const;

/** https://schema.org/ItemAvailability */
const AVAILABILITY: Readonly<Record<PublicOffer['state'], string>> = {
  open: 'https://schema.org/InStock',
  scheduled: 'https://schema.org/PreOrder',
  paused: 'https://schema.org/OutOfStock',
  over: 'https://schema.org/SoldOut',
  in_review: 'https://schema.org/OutOfStock',
};

export const siteData = ({ name }: { readonly name: string }, baseUrl: string): object => ({
  ...SCHEMA,
  '@type': 'WebSite',
  name,
  url: `${baseUrl}/`,
});

export const appData = (listing: PublicListing, baseUrl: string): object => ({
  ...SCHEMA,
  ...describeApp(listing, baseUrl),
  offers: listing.offers.map((offer) => describeOffer(listing, offer, baseUrl)),
});

export const offerData = (listing: PublicListing, offer: PublicOffer, baseUrl: string): object => ({
  ...SCHEMA,
  ...describeOffer(listing, offer, baseUrl),
  itemOffered: describeApp(listing, baseUrl),
});

const describeApp = ({ slug, name, summary, description, url, owner }: PublicListing, baseUrl: string) => ({
  '@type': 'SoftwareApplication',
  '@id': `${baseUrl}${listingPath(slug)}`,
  name,
  url,
  ...textOf(summary ?? description),
  provider: { '@type': 'Organization', name: owner },
});

/** Contains no price: this service doesn't know the owner's prices, and offers describe discounts only in words. */
function describeOffer({ slug, owner }: PublicListing, offer: PublicOffer, baseUrl: string) {
  const left = scarceClaims(offer);
  return {
    '@type': 'Offer',
    '@id': `urn:uuid:${offer.id}`,
    name: offer.offer,
    category: kindName(offer.kind),
    url: `${baseUrl}${offerPath(slug, offer.id)}`,
    availability: AVAILABILITY[offer.state],
    ...textOf(offer.conditions),
    ...(offer.startsAt !== null && { validFrom: offer.startsAt }),
    ...(offer.endsAt !== null && { validThrough: offer.endsAt }),
    ...(left !== null && { inventoryLevel: { '@type': 'QuantitativeValue', value: left } }),
    offeredBy: { '@type': 'Organization', name: owner },
  };
}

const textOf = (description: string | null) => (description === null ? {} : { description });
