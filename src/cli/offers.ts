/** claimcheck offers … */
import type { Command } from 'commander';
import { createOffer } from '../offers/create.ts';
import { KINDS } from '../offers/offer.ts';
import { withContext } from './context.ts';
import { type CommonOptions, createOutput, type Io } from './output.ts';
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
}
