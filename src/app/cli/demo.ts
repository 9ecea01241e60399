import type { Command } from 'commander';
import type { Context } from '../../base/context.ts';
import { DEMO_MAILS_PATH } from '../../base/paths.ts';
import { VERIFY_PATH } from '../../claims/verify/decision/verification.ts';
import { listAccounts } from '../../people/accounts/queries.ts';
import { settingOf } from '../../platform/process/environment.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import { isDemoDatabase } from '../../platform/store/settings.ts';
import { type Config, DEMO_DATA_DIR, parseConfig } from '../config/config.ts';
import { DEMO_DAYS, NOTES } from '../demo/apps.ts';
import { createLinks, createTrial, type DemoLinks, type DemoTrial, fillDemo } from '../demo/data.ts';
import type { OpenContext } from '../open-context.ts';
import { withConfig } from './context.ts';
import { type CommonOptions, createOutput, type Io, type Output } from './output.ts';
import { example } from './program.ts';
import { serve } from './serve.ts';

/** Shown on the pages that name the operator. */
const DEMO_CONTACT = 'mailto:help@demo.example';

/** No mail may leave the demo, whose people don't exist, and its backups would displace those of a real service. */
const UNUSED_SETTINGS = /^(?:SMTP_URL|MAIL_FROM|BACKUP_)/;

export function registerDemo(program: Command, io: Io): void {
  example(
    program
      .command('demo')
      .summary('serve a separate database with sample data')
      .description(
        `serve a separate database with ${DEMO_DAYS} days of sample data, and print sign-in links and examples (data in ${DEMO_DATA_DIR} unless DATA_DIR is set)`,
      ),
    'claimcheck demo',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    const settings = Object.entries(io.env).filter(([name]) => !UNUSED_SETTINGS.test(name));
    const config = parseConfig({
      ...Object.fromEntries(settings),
      DATA_DIR: settingOf(io.env, 'DATA_DIR') ?? DEMO_DATA_DIR,
      SECURITY_CONTACT: settingOf(io.env, 'SECURITY_CONTACT') ?? DEMO_CONTACT,
    });
    if (config.databaseUrl !== null) {
      throw new Error('The demo uses its own embedded database; unset DATABASE_URL.');
    }
    await prepare(io, output, config);
    await serve(io, output, config, (to, url, context) => announce(to, config, url, context));
  });
}

/** Fills an empty database. Leaves a complete demo unchanged; throws for any other database. */
async function prepare(io: Io, output: Output, config: Config): Promise<void> {
  const fill = async (context: OpenContext) => {
    if (await isDemoDatabase(context.db)) return;
    if ((await listAccounts(context.db.read)).length > 0) {
      throw new Error(
        `The database in ${config.dataDir} is not a complete demo. Set DATA_DIR to another folder, or delete ${config.dataDir} if it holds only an interrupted demo.`,
      );
    }
    const progress = output.progress('Days of demo data', DEMO_DAYS);
    await fillDemo(context, (days) => progress.update(days));
    progress.end();
  };
  await withConfig(io, config, fill, { create: true, isBeingFilled: true });
}

async function announce(output: Output, config: Config, url: string, context: Context): Promise<void> {
  const links = await createLinks(context, url);
  const trial = await createTrial(context);
  if (output.json) {
    const { key, tokens } = trial;
    const emails = url + DEMO_MAILS_PATH;
    await output.record({ url, data_dir: config.dataDir, sign_in: links, emails, key, tokens });
  } else {
    output.say(welcome(config, url, links, trial));
  }
}

function welcome(config: Config, url: string, links: DemoLinks, { key, tokens }: DemoTrial): string {
  const [first, second] = tokens;
  return `The demo is running at ${url} with its data in ${config.dataDir}. Press Ctrl-C to stop it.

Sign in with one of these links. Each link works once, within a day; a restart prints new links. The windows of a
browser share one sign-in, so open a second link in a private window:

  owner of apps   ${links.owner}
  operator        ${links.operator}
  claimant        ${links.claimant}

Emails are not sent. Read them, such as the ones of a waiting list, at ${url}${DEMO_MAILS_PATH}
English and German: switch at the end of every page.

Redeem a test claim. Run this twice: the second response is already_redeemed.

  curl -sS ${url}${VERIFY_PATH} \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"token":"${first}","redeem":true}'

Redeem another test claim with the claimcheck command, and list the counts of each campaign label:

  CLAIMCHECK_API_KEY=${key} ${COMMAND_NAME} verify ${second} --redeem --url ${url}
  DATA_DIR=${config.dataDir} ${COMMAND_NAME} campaigns ${NOTES}
`;
}
