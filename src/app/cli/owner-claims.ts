/** Commands that take an owner's API key. `campaigns` can also use an operator key or the local database. */
import type { Command } from 'commander';
import { CLAIM_FILTERS } from '../../claims/search/claim-filter.ts';
import { allOf } from './call.ts';
import { type OutputOf, withOperator } from './operator.ts';
import { addFields, fieldsOf, wholeNumber } from './options.ts';
import { type Column, type CommonOptions, columnsOf, createOutput, type Io } from './output.ts';
import { hasApiKey, type OwnerOptions, ownerCall, ownerOptions } from './owner.ts';
import { example } from './program.ts';

/** `mode` is omitted, because the API key determines it. */
const { mode: _, ...OWNER_FILTERS } = CLAIM_FILTERS;

const DEFAULT_LIMIT = 100;
const PAGE_SIZE = 100;
const MAX_LISTED = 999_999_999;

export function registerOwnerClaims(claims: Command, io: Io): void {
  const list = claims
    .command('list')
    .description("list an owner's claims, newest first; a test key lists test claims");
  addFields(list, OWNER_FILTERS);
  list.option('--limit <n>', `maximum number of claims (default: ${DEFAULT_LIMIT})`, (text) =>
    wholeNumber('--limit', text, MAX_LISTED),
  );
  example(
    ownerOptions(list),
    'claimcheck claims list --url https://claims.example.com --listing photo-fix --state redeemed',
  ).action(async (options: OwnerOptions & { readonly limit?: number }, command: Command) => {
    const output = createOutput(io, options);
    const call = await ownerCall(io, options);
    const filters = fieldsOf(command.opts(), OWNER_FILTERS);
    let left = options.limit ?? DEFAULT_LIMIT;
    let isEmpty = true;
    for (let after: string | undefined; left > 0; ) {
      const limit = Math.min(left, PAGE_SIZE);
      const page = await call('listClaims', { query: { ...filters, after, limit } as never });
      if (page.claims.length > 0) await output.table(page.claims, CLAIM_COLUMNS, '');
      isEmpty &&= page.claims.length === 0;
      left -= page.claims.length;
      if (page.next === null) break;
      after = page.next;
    }
    if (isEmpty) output.say('No claims match.');
  });

  example(
    ownerOptions(
      claims
        .command('show')
        .description("show one of an owner's claims, without its token")
        .argument('<id>', 'id of the claim'),
    ),
    'claimcheck claims show 01934e2d-5678-7abc-8def-0123456789ab --url https://claims.example.com',
  ).action(async (id: string, options: OwnerOptions) => {
    const output = createOutput(io, options);
    const call = await ownerCall(io, options);
    await output.record(await call('readClaim', { path: { id } }));
  });
}

export function registerRedemptions(program: Command, io: Io): void {
  example(
    ownerOptions(
      program
        .command('redemptions')
        .summary('list redemptions of your claims')
        .description(
          "list redemptions of an owner's claims, oldest first; the last line is the cursor to continue from",
        )
        .option(
          '--after <cursor>',
          'list only redemptions after this cursor, which an earlier call printed (default: all)',
        ),
    ),
    'claimcheck redemptions --url https://claims.example.com --after CURSOR --json',
  ).action(async (options: OwnerOptions & { readonly after?: string }) => {
    const output = createOutput(io, options);
    const call = await ownerCall(io, options);
    let { after } = options;
    let isEmpty = true;
    for (let hasMore = true; hasMore; ) {
      const page = await call('listRedemptions', { query: { after, limit: undefined } });
      if (page.redemptions.length > 0) await output.table(page.redemptions, CLAIM_COLUMNS, '');
      isEmpty &&= page.redemptions.length === 0;
      hasMore = page.has_more;
      after = page.next;
    }
    if (isEmpty) output.say('There are no redemptions.');
    if (output.json) await output.record({ next: after });
    else output.say(`Continue with --after ${after}`);
  });
}

const CLAIM_COLUMNS = columnsOf(
  'claimed_at',
  'redeemed_at',
  'listing',
  'offer',
  'via',
  'reference',
  'short_id',
  'id',
);

interface LabelOptions extends CommonOptions {
  readonly from?: string;
  readonly to?: string;
}

type LabelPage = OutputOf<'countLabels'>;

const LABEL_COLUMNS: readonly Column<LabelPage['campaigns'][number]>[] = [
  { title: 'via', value: (label) => label.via ?? '(no label)' },
  ...columnsOf('visits', 'visitors', 'claims', 'arrived', 'redeemed', 'redeemable'),
  { title: 'rate', value: (label) => `${(label.rate * 100).toFixed(1)}%` },
];

export function registerCampaigns(program: Command, io: Io): void {
  example(
    program
      .command('campaigns')
      .summary('count visits and claims for each campaign label')
      .description(
        "count visits, claims, arrivals and redemptions for each campaign label of a listing, and the rate of redeemed claims among those with a link (redeemable); a remote service requires the owner's API key or an operator key",
      )
      .argument('<listing>', 'slug or id of the listing')
      .option('--from <day>', 'first day to count, such as 2026-11-20 (default: all time)')
      .option('--to <day>', 'last day to count (default: today); requires --from'),
    'claimcheck campaigns photo-fix --from 2026-11-01',
  ).action(async (listing: string, options: LabelOptions) => {
    const query = { listing, from: options.from, to: options.to, after: undefined };
    const show = async (
      read: (page: { readonly after?: string; readonly limit: number }) => Promise<LabelPage>,
    ) => {
      const labels = await allOf(read, (page) => page.campaigns);
      const mostFirst = labels.toSorted((one, other) => other.claims - one.claims);
      await createOutput(io, options).table(mostFirst, LABEL_COLUMNS, 'No visits or claims found.');
    };
    if (hasApiKey(io)) {
      const call = await ownerCall(io, options);
      await show((page) => call('listCampaigns', { query: { ...query, ...page } }));
    } else {
      await withOperator(io, options, (call) =>
        show((page) => call('countLabels', { query: { ...query, ...page } })),
      );
    }
  });
}
