/** claimcheck offers … */
import type { Command } from 'commander';
import type { ListingState } from '../listings/listing.ts';
import { findListing } from '../listings/queries.ts';
import { createOffer } from '../offers/create.ts';
import { KINDS, shownState } from '../offers/offer.ts';
import { type CountedOffer, listCountedOffers } from '../offers/queries.ts';
import { withContext } from './context.ts';
import { type Column, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

interface CreateOptions extends CommonOptions {
  readonly listing: string;
  readonly offer: string;
  readonly kind: string;
  readonly redemptionLink?: string;
  readonly code?: string;
}

export function registerOffers(program: Command, io: Io): void {
  const offers = program.command('offers').description('what a listing gives to those who claim');

  example(
    offers
      .command('create')
      .description('create an offer with a redemption link, a shared code, or both')
      .requiredOption('--listing <listing>', 'slug or id of the listing')
      .requiredOption('--offer <text>', 'the text that names the offer')
      .requiredOption('--kind <kind>', KINDS.join(', '))
      .option('--redemption-link <link>', "the owner's page, with {claim} as the value of a query parameter")
      .option('--code <code>', 'the shared code for checkout'),
    `claimcheck offers create --listing photo-fix --offer "20% off for a year" --kind discount --redemption-link 'https://photofix.example/welcome?claim={claim}'`,
  ).action(async (options: CreateOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const { listing, offer, kind, redemptionLink, code } = options;
      const created = await createOffer(context, {
        listing,
        offer,
        kind,
        redemptionLink,
        code,
        actor: 'operator',
      });
      await output.record({ id: created.id, offer: created.offer, kind: created.kind });
    });
  });

  example(
    offers
      .command('list')
      .description('the offers of a listing in order of creation, with the number of their claims')
      .argument('<listing>', 'slug or id'),
    'claimcheck offers list photo-fix',
  ).action(async (reference: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const listing = await findListing(context.db.read, reference);
      const rows = (await listCountedOffers(context.db.read, [listing])).map((offer) =>
        listed(offer, listing.state, context.now()),
      );
      await output.table(rows, COLUMNS, 'The listing has no offers yet; claimcheck offers create makes one.');
    });
  });
}

const COLUMNS: readonly Column<ListedOffer>[] = [
  { title: 'offer', value: ({ offer }) => offer },
  { title: 'kind', value: ({ kind }) => kind },
  { title: 'state', value: ({ state }) => state },
  { title: 'claims', value: ({ claims }) => claims },
  { title: 'link', value: ({ redemption_link }) => redemption_link },
  { title: 'code', value: ({ code }) => code },
  { title: 'id', value: ({ id }) => id },
];

type ListedOffer = ReturnType<typeof listed>;

const listed = (offer: CountedOffer, listingState: ListingState, now: number) => ({
  id: offer.id,
  offer: offer.offer,
  kind: offer.kind,
  state: shownState(offer, listingState, now),
  claims: offer.claims,
  claim_limit: offer.claim_limit,
  redemption_link: offer.redemption_link,
  proposed_link: offer.proposed_link,
  code: offer.code,
  ends_at: offer.ends_at,
  created_at: offer.created_at,
});
