import type { Command } from 'commander';
import { latestVersion } from '../../platform/store/migrations/migrations.ts';
import type { EstimatedMigration } from '../../platform/store/migrations/plan.ts';
import { planDatabase } from '../../platform/store/open.ts';
import { amountOf } from '../../platform/text/text.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { withConfig } from './context.ts';
import { moveEmbedded, undoMoveOf } from './move.ts';
import { UsageError, wholeNumber } from './options.ts';
import { type CommonOptions, createOutput, type Io, type Output } from './output.ts';
import { example } from './program.ts';
import { requireLocal } from './remote.ts';

/** A sanity limit. Citus accepts more. */
const MOST_SHARDS = 1_024;

interface MigrateOptions extends CommonOptions {
  readonly dryRun?: true;
  readonly distribute?: true;
  readonly shards?: number;
  /** `true`: the file in DATA_DIR. */
  readonly fromEmbedded?: string | true;
  readonly undoMove?: string | true;
}

export function registerMigrate(program: Command, io: Io): void {
  example(
    program
      .command('migrate')
      .summary('create the database, or migrate it to this version')
      .description(
        'create the database, or migrate an existing one to this version; most other commands also migrate the database, but do not create it',
      )
      .option(
        '--dry-run',
        'print what would be migrated, and how long it would take, without changing anything',
      )
      .option(
        '--distribute',
        'Citus: distribute the tables of an existing PostgreSQL database over the workers',
      )
      .option(
        '--shards <number>',
        'Citus: number of shards; use four per planned worker (default: four per existing worker)',
        (text) => wholeNumber('--shards', text, MOST_SHARDS),
      )
      .option(
        '--from-embedded [file]',
        'move everything from an embedded database (default: the one in DATA_DIR) to the empty PostgreSQL database at DATABASE_URL; stop the service first',
      )
      .option(
        '--undo-move [file]',
        'use the embedded database again, and drop the copy at DATABASE_URL; refused if a claim has been created or redeemed there',
      ),
    'claimcheck migrate',
    'claimcheck migrate --dry-run',
    'claimcheck migrate --from-embedded',
  ).action(async (options: MigrateOptions) => {
    const output = createOutput(io, options);
    const config = parseConfig(io.env);
    const { dryRun, distribute, shards, fromEmbedded, undoMove } = options;
    if (fromEmbedded !== undefined || undoMove !== undefined) {
      requireLocal(io.target(), 'This command');
      if (
        [dryRun, distribute, shards, fromEmbedded, undoMove].filter((each) => each !== undefined).length > 1
      ) {
        throw new UsageError('--from-embedded and --undo-move take no other option of this command.');
      }
      if (fromEmbedded !== undefined) await moveEmbedded(io, output, config, fromEmbedded);
      else await undoMoveOf(output, config, undoMove!);
      return;
    }
    if ((distribute === true || shards !== undefined) && config.databaseUrl === null) {
      throw new UsageError(
        '--distribute and --shards are for PostgreSQL with the citus extension: set DATABASE_URL.',
      );
    }
    if (dryRun === true) {
      if (distribute === true || shards !== undefined) {
        throw new UsageError('--dry-run describes a migration only; leave out --distribute and --shards.');
      }
      requireLocal(io.target(), 'This command');
      await announcePlan(output, config, await planDatabase(config));
      return;
    }
    // Opening the database migrates and distributes it.
    await withConfig(
      io,
      config,
      async ({ db }) => {
        const { engine, location } = await db.report();
        await output.record({ engine, location, schema_version: latestVersion() });
        if (distribute === true) io.stderr.write('Now restart every process of the service.\n');
      },
      { create: true, engine: { distribute, shards } },
    );
  });
}

async function announcePlan(output: Output, config: Config, plan: EstimatedMigration): Promise<void> {
  const { from, to, names, compatibleWith, tables, seconds } = plan;
  const isEmbedded = config.databaseUrl === null;
  await output.record({
    schema_version: from,
    migrates_to: to,
    migrations: names,
    changes_rows_of: tables,
    estimated_seconds: seconds,
    compatible_with: compatibleWith,
    makes_backup: isEmbedded && from > 0 && from < to,
  });
  if (from === 0) output.say('The database does not exist yet. It would be created.');
  else if (from >= to) output.say('The database is up to date. Nothing would be migrated.');
  else output.say(sentencesOf(plan, isEmbedded));
}

const sentencesOf = ({ from, names, compatibleWith, seconds }: EstimatedMigration, isEmbedded: boolean) =>
  [
    `${amountOf(names.length, 'migration')} would run${seconds === null ? '' : `, in an estimated ${amountOf(seconds, 'second')}`}.`,
    compatibleWith <= from
      ? 'The installed version can still use the migrated database.'
      : 'The installed version cannot use the migrated database: stop it first, and restore a backup to go back to it.',
    isEmbedded
      ? 'The database is first copied to a backup in the data folder.'
      : 'Make a backup first (pg_dump).',
  ].join(' ');
