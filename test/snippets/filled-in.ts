/** Files of `docs/snippets/`, filled in for a proxy, in a folder of their own. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE_BASE_URL } from '../../src/docs/fill.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { createOwner, type Owner } from '../support/marketplace.ts';
import { REPOSITORY } from '../support/program.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import type { Env } from './runtimes.ts';
import type { Setting } from './setting.ts';

/** An owner whose program speaks to the service through a proxy. */
export interface Trial {
  readonly setting: Setting;
  readonly owner: Owner;
  readonly proxy: FaultyProxy;
  readonly folder: string;
  /** Of the program. */
  readonly env: Env;
}

/** Lets `use` have a folder with the files; `change` makes something else of their text. */
export async function withFiles<T>(
  setting: Setting,
  files: readonly string[],
  change: (text: string) => string,
  use: (trial: Trial) => Promise<T>,
): Promise<T> {
  const owner = await createOwner(setting.service.context);
  const proxy = await startFaultyProxy(setting.service.baseUrl);
  const folder = makeTemporaryFolder('claimcheck-snippet-');
  try {
    for (const file of files) {
      const text = readFileSync(join(REPOSITORY, 'docs/snippets', file), 'utf8');
      const filled = change(text).replaceAll(EXAMPLE_BASE_URL, proxy.url);
      // Node wants the ending, which Next.js leaves out.
      writeFileSync(join(folder, file), filled.replace(`'./claimcheck'`, `'./claimcheck.ts'`));
    }
    const env = { PATH: process.env['PATH']!, HOME: folder, CLAIMCHECK_API_KEY: owner.liveKey };
    return await use({ setting, owner, proxy, folder, env });
  } finally {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
