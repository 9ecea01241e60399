/** claimcheck offers … */
import type { Command } from 'commander';
import { KINDS } from '../offers/offer.ts';
import { quote } from '../text.ts';
import { allOf } from './call.ts';
import { type OutputOf, withOperator } from './operator.ts';
import { type Column, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';
import { UsageError } from './usage-error.ts';

/** A command may name the listing as its argument or with `--listing`. */
interface ListingOption extends CommonOptions {
  readonly listing?: string;
}

interface CreateOptions extends ListingOption {
  readonly offer: string;
  readonly kind: string;
  readonly redemptionLink?: string;
  readonly testLink?: string;
  readonly code?: string;
  readonly endsAt?: string;
  readonly claimLimit?: number;
}

export function registerOffers(program: Command, io: Io): void {
  const offers = program.command('offers').description('what a listing gives to those who claim');

  example(
    offers
      .command('create')
      .description('create an offer with a redemption link, a shared code, or both')
      .argument('[listing]', 'slug or id of the listing')
      .option('--listing <listing>', 'the same as an option')
      .requiredOption('--offer <text>', 'the text that names the offer')
      .requiredOption('--kind <kind>', KINDS.join(', '))
      .option('--redemption-link <link>', "the owner's page, with {claim} as the value of a query parameter")
      .option(
        '--test-link <link>',
        'a page for development, such as one on localhost, that only the owner opens',
      )
      .option('--code <code>', 'the shared code for checkout')
      .option(
        '--ends-at <time>',
        'the last day, such as 2026-11-20, or a time in UTC such as 2026-11-20T10:00',
      )
      .option('--claim-limit <n>', 'how many live claims there can be', parseLimit),
    `claimcheck offers create --listing photo-fix --offer "20% off for a year" --kind discount --redemption-link 'https://photofix.example/welcome?claim={claim}'`,
  ).action(async (argument: string | undefined, options: CreateOptions) => {
    const output = createOutput(io, options);
    const { offer, kind, redemptionLink, testLink, code, endsAt, claimLimit } = options;
    const listing = listingOf(argument, options);
    await withOperator(io, async (call) => {
      const body = {
        listing,
        offer,
        kind,
        redemption_link: redemptionLink,
        test_link: testLink,
        code,
        ends_at: endsAt,
        claim_limit: claimLimit,
      };
      const created = await call('createOffer', { body });
      await output.record({ id: created.id, offer: created.offer, kind: created.kind });
    });
  });

  example(
    offers
      .command('list')
      .description('the offers of a listing in order of creation, with the number of their claims')
      .argument('[listing]', 'slug or id of the listing')
      .option('--listing <listing>', 'the same as an option'),
    'claimcheck offers list photo-fix',
  ).action(async (argument: string | undefined, options: ListingOption) => {
    const output = createOutput(io, options);
    const reference = listingOf(argument, options);
    await withOperator(io, async (call) => {
      const rows = await allOf(
        (page) => call('listOffers', { query: { listing: reference, ...page } }),
        (page) => page.offers,
      );
      await output.table(
        rows.map(listed),
        COLUMNS,
        'The listing has no offers yet; claimcheck offers create makes one.',
      );
    });
  });

  for (const [name, operation, description] of CHANGES) {
    example(
      offers.command(name).description(description).argument('<offer-id>', 'as offers list shows it'),
      `claimcheck offers ${name} 01934e2d-5678-7abc-8def-0123456789ab`,
    ).action(async (id: string, options: CommonOptions) => {
      const output = createOutput(io, options);
      await withOperator(io, async (call) => {
        const { offer, paused_at } = await call(operation, { path: { id } });
        await output.record({ id, offer, paused_at });
      });
    });
  }
}

function listingOf(argument: string | undefined, { listing }: ListingOption): string {
  const found = argument ?? listing;
  if (found === undefined || (listing ?? found) !== found) {
    throw new UsageError('Name one listing: its slug or id, as the argument or with --listing.');
  }
  return found;
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`--claim-limit must be a whole number from 1 on; found ${quote(text)}.`);
  }
  return Number(text);
}

const CHANGES = [
  ['pause', 'pauseOffer', 'stop new claims on an offer; claims already made stay redeemable'],
  ['resume', 'resumeOffer', 'let a paused offer take claims again'],
] as const;

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

const listed = (offer: OutputOf<'listOffers'>['offers'][number]) => ({
  id: offer.id,
  offer: offer.offer,
  kind: offer.kind,
  state: offer.state,
  claims: offer.claims,
  claim_limit: offer.claim_limit,
  redemption_link: offer.redemption_link,
  proposed_link: offer.proposed_link,
  test_link: offer.test_link,
  code: offer.code,
  ends_at: offer.ends_at,
  created_at: offer.created_at,
});
