/** claimcheck listings … */
import type { Command } from 'commander';
import { approveListing } from '../listings/approve.ts';
import { createListing } from '../listings/create.ts';
import { type Listing, listListings, type OwnedListing } from '../listings/queries.ts';
import { suspendListing } from '../listings/suspend.ts';
import { withContext } from './context.ts';
import { type Column, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

interface CreateOptions extends CommonOptions {
  readonly account: string;
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  readonly approve?: boolean;
}

const LISTING_ARGUMENT = 'slug or id';

const COLUMNS: readonly Column<ListedListing>[] = [
  { title: 'slug', value: (listing) => listing.slug },
  { title: 'name', value: (listing) => listing.name },
  { title: 'state', value: (listing) => listing.state },
  { title: 'account', value: (listing) => listing.account },
  { title: 'url', value: (listing) => listing.url },
  { title: 'created', value: (listing) => listing.created_at },
  { title: 'id', value: (listing) => listing.id },
];

export function registerListings(program: Command, io: Io): void {
  const listings = program.command('listings').description('published apps');

  example(
    listings
      .command('create')
      .description('create a listing and submit it for approval')
      .requiredOption('--account <account>', 'id or e-mail address of the owner')
      .requiredOption('--slug <slug>', 'its name in addresses: lowercase letters, digits, hyphens')
      .requiredOption('--name <name>', 'its name for people')
      .requiredOption('--url <url>', 'address of the app; approval pins its origin')
      .option('--approve', 'approve it at once'),
    'claimcheck listings create --account ada@example.com --slug photo-fix --name "Photo Fix" --url https://photofix.example --approve',
  ).action(async (options: CreateOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const { account, slug, name, url, approve } = options;
      // No command submits a draft, so a listing made here is pending from the start.
      const upTo = approve === true ? 'approved' : 'pending';
      const listing = await createListing(context, { account, slug, name, url, upTo, actor: 'operator' });
      await output.record(summary(listing));
    });
  });

  example(
    listings
      .command('approve')
      .description('let a listing take claims; lifts a suspension too')
      .argument('<listing>', LISTING_ARGUMENT),
    'claimcheck listings approve photo-fix',
  ).action(async (listing: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      await output.record(summary(await approveListing(context, { listing, actor: 'operator' })));
    });
  });

  example(
    listings
      .command('suspend')
      .description('stop new claims on a listing; claims already made stay redeemable')
      .argument('<listing>', LISTING_ARGUMENT),
    'claimcheck listings suspend photo-fix',
  ).action(async (listing: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      await output.record(summary(await suspendListing(context, { listing, actor: 'operator' })));
    });
  });

  example(
    listings.command('list').description('all listings in order of creation'),
    'claimcheck listings list --json',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    await withContext(io, async (context) => {
      const rows = (await listListings(context.db.read)).map(listed);
      await output.table(rows, COLUMNS, 'There are no listings yet; claimcheck listings create makes one.');
    });
  });
}

const summary = ({ id, slug, state }: Listing) => ({ id, slug, state });

type ListedListing = ReturnType<typeof listed>;

const listed = (listing: OwnedListing) => ({
  id: listing.id,
  slug: listing.slug,
  name: listing.name,
  state: listing.state,
  account: listing.email,
  url: listing.url,
  origin: listing.origin,
  created_at: listing.created_at,
  submitted_at: listing.submitted_at,
  decided_at: listing.decided_at,
});
