import type { Context } from '../context.ts';
import type { Mode } from './key.ts';
import { listActiveKeyModes } from './queries.ts';

/** What the dashboard lists to a person who has not chosen: test data while all active keys are test keys. */
export async function usualMode(context: Pick<Context, 'db' | 'now'>, accountId: string): Promise<Mode> {
  const modes = await listActiveKeyModes(context.db.read, accountId, new Date(context.now()).toISOString());
  return modes.length > 0 && !modes.includes('live') ? 'test' : 'live';
}
