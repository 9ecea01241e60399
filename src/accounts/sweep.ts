/** Takes away what signing in kept for a while and nobody came back for. */
import type { Context } from '../context.ts';

/** Sessions, codes, steps and counts that are past their time. Any number of processes may do so at once. */
export async function sweepSignIn(context: Context): Promise<void> {
  const now = context.now();
  const at = new Date(now).toISOString();
  await context.db.transaction(async (tx) => {
    await tx.deleteFrom('sessions').where('expires_at', '<=', at).execute();
    await tx.deleteFrom('one_time_codes').where('expires_at', '<=', at).execute();
    await tx.deleteFrom('sign_in_steps').where('expires_at', '<=', at).execute();
    await tx.deleteFrom('throttles').where('expires_ms', '<=', now).execute();
  });
}
