/** claimcheck migrate */
import type { Command } from 'commander';
import { latestVersion } from '../store/migrations/migrations.ts';
import { withContext } from './context.ts';
import { type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

export function registerMigrate(program: Command, io: Io): void {
  example(
    program
      .command('migrate')
      .description(
        'create the database or bring it to the schema of this version, as other commands do with one that exists',
      ),
    'claimcheck migrate',
  ).action(async (options: CommonOptions) => {
    const output = createOutput(io, options);
    // Opening the database migrates it.
    await withContext(
      io,
      async ({ db }) => {
        const { engine, location } = await db.report();
        await output.record({ engine, location, schema_version: latestVersion() });
      },
      { create: true },
    );
  });
}
