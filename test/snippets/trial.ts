/** A program of the documentation that an owner runs, and what it is run with. */
import { createOwner, type Owner } from '../support/marketplace.ts';
import type { Env } from './runtimes.ts';
import type { Setting } from './setting.ts';

/** An owner whose program speaks to the service through a proxy. */
export interface Trial {
  readonly setting: Setting;
  readonly owner: Owner;
  /** Its own. */
  readonly folder: string;
  /** The whole environment of the program. */
  readonly env: Env;
}

export async function openTrial(setting: Setting): Promise<Trial> {
  const owner = await createOwner(setting.service.context);
  const folder = setting.workshop.makeFolder();
  const env = { PATH: process.env['PATH']!, HOME: folder, CLAIMCHECK_API_KEY: owner.liveKey };
  return { setting, owner, folder, env };
}
