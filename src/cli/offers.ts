/** claimcheck offers … */
import type { Command } from 'commander';
import { OFFER_FIELDS } from '../offers/fields.ts';
import { allOf } from './call.ts';
import { withOperator } from './operator.ts';
import { addFields, fieldsOf, UsageError } from './options.ts';
import { type CommonOptions, columnsOf, type Io, pick } from './output.ts';
import { example } from './program.ts';

interface ListingOption extends CommonOptions {
  readonly listing?: string;
}

export function registerOffers(program: Command, io: Io): void {
  const offers = program.command('offers').description('create and manage the offers of a listing');

  const create = offers
    .command('create')
    .description('create an offer with a redemption link, a shared code or a code list')
    .argument('[listing]', 'slug or id of the listing')
    .option('--listing <listing>', 'the same, as an option');
  addFields(create, OFFER_FIELDS);
  example(
    create,
    `claimcheck offers create --listing photo-fix --offer "20% off for a year" --kind discount --redemption-link 'https://photofix.example/welcome?claim={claim}'`,
  ).action(async (argument: string | undefined, options: ListingOption, command: Command) => {
    const { offer = '', kind = '', ...fields } = fieldsOf(command.opts(), OFFER_FIELDS);
    const body = { listing: listingOf(argument, options), offer, kind, ...fields };
    await withOperator(io, options, async (call, output) => {
      await output.record(pick(await call('createOffer', { body }), 'id', 'offer', 'kind'));
    });
  });

  example(
    offers
      .command('list')
      .description('list the offers of a listing with the number of their claims')
      .argument('[listing]', 'slug or id of the listing')
      .option('--listing <listing>', 'the same, as an option'),
    'claimcheck offers list photo-fix',
  ).action(async (argument: string | undefined, options: ListingOption) => {
    const reference = listingOf(argument, options);
    await withOperator(io, options, async (call, output) => {
      const rows = await allOf(
        (page) => call('listOffers', { query: { listing: reference, ...page } }),
        (page) => page.offers,
      );
      await output.table(
        rows,
        COLUMNS,
        'The listing has no offers yet. Create one with: claimcheck offers create',
      );
    });
  });

  for (const [name, operation, description] of CHANGES) {
    example(
      offers
        .command(name)
        .description(description)
        .argument('<offer-id>', 'id of the offer, from offers list'),
      `claimcheck offers ${name} 01934e2d-5678-7abc-8def-0123456789ab`,
    ).action(async (id: string, options: CommonOptions) => {
      await withOperator(io, options, async (call, output) => {
        await output.record(pick(await call(operation, { path: { id } }), 'id', 'offer', 'paused_at'));
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

const CHANGES = [
  ['pause', 'pauseOffer', 'stop new claims on an offer; existing claims stay redeemable'],
  ['resume', 'resumeOffer', 'let a paused offer take claims again'],
] as const;

const COLUMNS = columnsOf('offer', 'kind', 'state', 'claims', 'redemption_link', 'code', 'codes_left', 'id');
