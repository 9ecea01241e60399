/** What a program from the documentation needs to run. */
import { createOwner, type Owner } from '../support/marketplace.ts';
import type { Env } from './runtimes.ts';
import type { Setting } from './setting.ts';

export interface Trial {
  readonly setting: Setting;
  readonly owner: Owner;
  /** A folder that only this trial uses. */
  readonly folder: string;
  /** The program's complete environment. */
  readonly env: Env;
}

export async function openTrial(setting: Setting): Promise<Trial> {
  const owner = await createOwner(setting.service.context);
  const folder = setting.workshop.makeFolder();
  const env = { PATH: process.env['PATH']!, HOME: folder, CLAIMCHECK_API_KEY: owner.liveKey };
  return { setting, owner, folder, env };
}
