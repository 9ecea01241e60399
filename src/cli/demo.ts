/** claimcheck demo */
import type { Command } from 'commander';
import { listAccounts } from '../accounts/queries.ts';
import { VERIFY_PATH } from '../claims/verification.ts';
import { type Config, parseConfig } from '../config.ts';
import { withConfig } from './context.ts';
import { createTrial, DEMO_DAYS, DEMO_LISTING, type DemoTrial, fillDemo, isDemo } from './demo-data.ts';
import { type CommonOptions, createOutput, type Io, type Output } from './output.ts';
import { example } from './program.ts';
import { serve } from './serve.ts';

/** Data folder of the demo, apart from the real one, unless DATA_DIR names another. */
const DEMO_DATA_DIR = './data-demo';

export function registerDemo(program: Command, io: Io): void {
  example(
    program
      .command('demo')
      .description(
        `serve a separate database with ${DEMO_DAYS} days of made-up claims, and print what to try (data in ${DEMO_DATA_DIR} unless DATA_DIR is set)`,
      ),
    'claimcheck demo',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    const config = parseConfig({ ...io.env, DATA_DIR: io.env['DATA_DIR']?.trim() || DEMO_DATA_DIR });
    if (config.databaseUrl !== null) {
      throw new Error('The demo fills an embedded database of its own; unset DATABASE_URL.');
    }
    const trial = await prepare(io, output, config);
    await serve(io, output, config, (to, url) => announce(to, config, trial, url));
  });
}

/** Fills an empty database; leaves a filled one as it is but for the fresh test key and claims. */
async function prepare(io: Io, output: Output, config: Config): Promise<DemoTrial> {
  return await withConfig(io, config, async (context) => {
    const accounts = await listAccounts(context.db.read);
    if (accounts.length === 0) {
      const progress = output.progress('Days of demo data', DEMO_DAYS);
      await fillDemo(context, progress);
      progress.end();
    } else if (!isDemo(accounts)) {
      throw new Error(
        `The database in ${config.dataDir} is not a whole demo; set DATA_DIR to another folder, or remove this one if it is only an interrupted demo.`,
      );
    }
    return await createTrial(context);
  });
}

async function announce(output: Output, config: Config, trial: DemoTrial, url: string): Promise<void> {
  if (output.json) {
    await output.record({ url, data_dir: config.dataDir, key: trial.key, tokens: trial.tokens });
    return;
  }
  const [first, second] = trial.tokens;
  output.say(`The demo serves at ${url} with its data in ${config.dataDir} (ctrl-C stops it).

Redeem a test claim, twice (the second answer is already_redeemed):

  curl -sS ${url}${VERIFY_PATH} \\
    -H 'Authorization: Bearer ${trial.key}' -H 'Content-Type: application/json' \\
    -d '{"token":"${first}","redeem":true}'

The same from the command line, and the claims for each campaign label:

  CLAIMCHECK_API_KEY=${trial.key} npm run -s claimcheck -- verify ${second} --redeem --url ${url}
  DATA_DIR=${config.dataDir} npm run -s claimcheck -- campaigns ${DEMO_LISTING}
`);
}
