import type { Command } from 'commander';
import { rotateSigningKey } from '../../claims/receipts/signing.ts';
import { withContext } from './context.ts';
import type { CommonOptions, Io } from './output.ts';
import { example } from './program.ts';

export function registerReceipts(program: Command, io: Io): void {
  const receipts = program.command('receipts').description('manage the key that signs receipts');

  example(
    receipts.command('rotate-key').description('sign receipts with a new key; earlier receipts stay valid'),
    'claimcheck receipts rotate-key',
  ).action((options: CommonOptions) =>
    withContext(io, options, async (context, output) => {
      await output.record({ kid: await rotateSigningKey(context) });
      output.say('The old private key is deleted. Its public key stays published.');
    }),
  );
}
