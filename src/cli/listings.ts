/** claimcheck listings … */
import { type Command, Option } from 'commander';
import { LISTING_FIELDS } from '../listings/fields.ts';
import { LISTING_STATES, type ListingState } from '../listings/listing.ts';
import { allOf } from './call.ts';
import { withOperator } from './operator.ts';
import { addFields, fieldsOf } from './options.ts';
import { type CommonOptions, columnsOf, type Io, pick } from './output.ts';
import { example } from './program.ts';

interface CreateOptions extends CommonOptions {
  readonly account: string;
  readonly approve?: boolean;
}

interface ListOptions extends CommonOptions {
  readonly state?: ListingState;
}

interface DecisionOptions extends CommonOptions {
  readonly reason?: string;
}

const COLUMNS = columnsOf('slug', 'name', 'state', 'account', 'url', 'created_at', 'id');

export function registerListings(program: Command, io: Io): void {
  const listings = program.command('listings').description('create and review listings');

  const create = listings
    .command('create')
    .description('create a listing and submit it for approval')
    .requiredOption('--account <account>', 'id or email address of the owner');
  addFields(create, LISTING_FIELDS);
  example(
    create.option('--approve', 'approve it immediately'),
    'claimcheck listings create --account ada@example.com --slug photo-fix --name "Photo Fix" --url https://photofix.example --approve',
  ).action(async (options: CreateOptions, command: Command) => {
    const { account, approve } = options;
    const { name = '', slug = '', url = '', ...fields } = fieldsOf(command.opts(), LISTING_FIELDS);
    const body = { account, name, slug, url, ...fields, ...(approve !== undefined && { approve }) };
    await withOperator(io, options, async (call, output) => {
      await output.record(pick(await call('createListing', { body }), 'id', 'slug', 'state'));
    });
  });

  for (const [name, operation, description, needsReason] of DECISIONS) {
    const command = listings.command(name).description(description).argument('<listing>', 'slug or id');
    const reason = 'shown to the owner';
    if (needsReason) command.requiredOption('--reason <text>', reason);
    else command.option('--reason <text>', reason);
    example(
      command,
      `claimcheck listings ${name} photo-fix${needsReason ? ' --reason "The site is down."' : ''}`,
    ).action(async (listing: string, options: DecisionOptions) => {
      await withOperator(io, options, async (call, output) => {
        const body = { reason: options.reason ?? '' };
        await output.record(pick(await call(operation, { path: { listing }, body }), 'id', 'slug', 'state'));
      });
    });
  }

  example(
    listings
      .command('list')
      .description('list all listings in order of creation')
      .addOption(new Option('--state <state>', 'only listings in this state').choices(LISTING_STATES)),
    'claimcheck listings list --json',
    'claimcheck listings list --state pending',
  ).action(async (options: ListOptions) => {
    const { state } = options;
    await withOperator(io, options, async (call, output) => {
      const rows = await allOf(
        (page) => call('listListings', { query: { state, ...page } }),
        (page) => page.listings,
      );
      const empty = 'There are no listings yet. Create one with: claimcheck listings create';
      await output.table(rows, COLUMNS, state === undefined ? empty : `No listings are ${state}.`);
    });
  });
}

const DECISIONS = [
  ['approve', 'approveListing', 'approve a listing, so that it takes claims; also ends a suspension', false],
  ['request-changes', 'requestChanges', 'send a pending listing back to its owner', true],
  ['reject', 'rejectListing', 'reject a pending listing for good', true],
  ['suspend', 'suspendListing', 'stop new claims on a listing; existing claims stay redeemable', false],
  ['restore', 'restoreListing', 'let a suspended listing take claims again', false],
] as const;
