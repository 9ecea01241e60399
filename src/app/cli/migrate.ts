import type { Command } from 'commander';
import { latestVersion } from '../../platform/store/migrations/migrations.ts';
import { parseConfig } from '../config/config.ts';
import { withConfig } from './context.ts';
import { UsageError, wholeNumber } from './options.ts';
import { type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

/** A sanity limit. Citus accepts more. */
const MOST_SHARDS = 1_024;

interface MigrateOptions extends CommonOptions {
  readonly distribute?: true;
  readonly shards?: number;
}

export function registerMigrate(program: Command, io: Io): void {
  example(
    program
      .command('migrate')
      .description(
        'create the database, or migrate an existing one to this version; most other commands also migrate the database, but do not create it',
      )
      .option(
        '--distribute',
        'Citus: distribute the tables of an existing PostgreSQL database over the workers',
      )
      .option(
        '--shards <number>',
        'Citus: number of shards; use four per planned worker (default: four per existing worker)',
        (text) => wholeNumber('--shards', text, MOST_SHARDS),
      ),
    'claimcheck migrate',
  ).action(async (options: MigrateOptions) => {
    const output = createOutput(io, options);
    const config = parseConfig(io.env);
    const { distribute, shards } = options;
    if ((distribute === true || shards !== undefined) && config.databaseUrl === null) {
      throw new UsageError(
        '--distribute and --shards are for PostgreSQL with the citus extension: set DATABASE_URL.',
      );
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
