import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from './options.ts';
import { type CommonOptions, createOutput, type Io } from './output.ts';
import { example } from './program.ts';

export function registerDocs(program: Command, io: Io): void {
  const docs = program.command('docs').description('the documentation');
  example(
    docs
      .command('export')
      .description('write the documentation as static files, which need no server and no database')
      .argument('<folder>', 'a new or an empty folder'),
    'claimcheck docs export site',
  ).action(async (folder: string, options: CommonOptions) => {
    const output = createOutput(io, options);
    await createEmptyFolder(folder);
    const { writeDocs } = await import('../docs-export.ts');
    await output.record({ files: await writeDocs(folder), start: join(folder, 'index.html') });
  });
}

async function createEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UsageError(`${folder} is a file: name a new or an empty folder.`);
  });
  if ((await readdir(folder)).length > 0) {
    throw new UsageError(`${folder} is not empty: name a new or an empty folder.`);
  }
}
