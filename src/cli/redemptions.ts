/** claimcheck redemptions */
import type { Command } from 'commander';
import { columnsOf, createOutput, type Io } from './output.ts';
import { type OwnerOptions, ownerCall, ownerOptions } from './owner.ts';
import { example } from './program.ts';

interface RedemptionsOptions extends OwnerOptions {
  readonly after?: string;
}

export function registerRedemptions(program: Command, io: Io): void {
  example(
    ownerOptions(
      program
        .command('redemptions')
        .description(
          "list redemptions of an owner's claims, oldest first; the last line is the cursor to continue from",
        )
        .option('--after <cursor>', 'those after this cursor of an earlier call; all unless given'),
    ),
    'claimcheck redemptions --url https://claims.example.com --after CURSOR --json',
  ).action(async (options: RedemptionsOptions) => {
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

export const CLAIM_COLUMNS = columnsOf('claimed_at', 'redeemed_at', 'listing', 'offer', 'via', 'id');
