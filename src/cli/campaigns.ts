/** claimcheck campaigns LISTING */
import type { Command } from 'commander';
import { allOf, type OutputOf, withOperator } from './operator.ts';
import { type Column, type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

const COLUMNS: readonly Column<LabelCount>[] = [
  { title: 'via', value: (label) => label.via ?? '(no label)' },
  { title: 'claims', value: (label) => label.claims },
  { title: 'redeemed', value: (label) => label.redeemed },
  { title: 'rate', value: (label) => `${(label.rate * 100).toFixed(1)} %` },
];

export function registerCampaigns(program: Command, io: Io): void {
  example(
    program
      .command('campaigns')
      .description('claims, redeemed and rate for each campaign label of a listing')
      .argument('<listing>', 'slug or id of the listing'),
    'claimcheck campaigns photo-fix',
  ).action(async (listing: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await withOperator(io, async (call) => {
      const labels = await allOf(
        (page) => call('countLabels', { query: { listing, ...page } }),
        (page) => page.campaigns,
      );
      const mostFirst = labels.toSorted((one, other) => other.claims - one.claims);
      await output.table(mostFirst, COLUMNS, 'There are no claims yet.');
    });
  });
}

type LabelCount = OutputOf<'countLabels'>['campaigns'][number];
