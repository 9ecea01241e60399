/** claimcheck campaigns LISTING */
import type { Command } from 'commander';
import { allOf } from './call.ts';
import { type OutputOf, withOperator } from './operator.ts';
import { type Column, type CommonOptions, createOutput, type Io } from './output.ts';
import { hasApiKey, ownerCall } from './owner.ts';
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
      .description(
        'count claims and redemptions for each campaign label of a listing; takes an operator key or an API key of the owner',
      )
      .argument('<listing>', 'slug or id of the listing'),
    'claimcheck campaigns photo-fix',
  ).action(async (listing: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    const show = async (read: (query: CampaignsQuery) => Promise<CampaignPage>) => {
      const labels = await allOf(
        (page) => read({ listing, after: undefined, ...page }),
        (page) => page.campaigns,
      );
      const mostFirst = labels.toSorted((one, other) => other.claims - one.claims);
      await output.table(mostFirst, COLUMNS, 'There are no claims yet.');
    };
    if (hasApiKey(io)) {
      const call = await ownerCall(io, options);
      await show((query) => call('listCampaigns', { query }));
    } else {
      await withOperator(io, options, (call) => show((query) => call('countLabels', { query })));
    }
  });
}

interface CampaignsQuery {
  readonly listing: string;
  readonly after: string | undefined;
  readonly limit: number;
}
type CampaignPage = OutputOf<'countLabels'>;
type LabelCount = CampaignPage['campaigns'][number];
