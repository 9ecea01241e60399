/**
 * After a restore, codes that the backup believes to be left may have been given out since, so no claim gets them until
 * an operator releases them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { appendEvent, type PersonActor } from '../events/queries.ts';
import { DIALECTS } from '../store/dialects.ts';
import { listWithheldCodes, releaseCodesOf, withholdCodesLeft } from './code-queries.ts';

/** Codes of one transaction, which takes some milliseconds: a redemption can wait that long. */
const CODES_A_PORTION = 500;
/** Pause between two portions, so that other writes get their turn. */
const PAUSE_MS = 10;

/** For a restored database. Returns how many codes were withheld. */
export const withholdCodes = (context: Pick<Context, 'db' | 'now' | 'at'>): Promise<number> => {
  const at = context.at();
  return context.db.transaction((tx) => withholdCodesLeft(tx, at));
};

/** New claims get the codes again that a restore has withheld. Returns how many there were. */
export async function releaseCodes(
  context: Pick<Context, 'db' | 'now' | 'at'>,
  actor: PersonActor,
  codesAPortion = CODES_A_PORTION,
): Promise<number> {
  const { db } = context;
  let released = 0;
  for (const { offer_id, account_id, offer, listing } of await listWithheldCodes(db.read)) {
    const at = context.at();
    for (let more = true; more; ) {
      const portion = await db.transaction(async (tx) => {
        await DIALECTS[db.engine].takeLock(tx, offer_id);
        return releaseCodesOf(tx, { id: offer_id, account_id }, codesAPortion);
      });
      released += portion;
      more = portion === codesAPortion;
      if (more) await sleep(PAUSE_MS);
    }
    await db.transaction((tx) =>
      appendEvent(tx, {
        accountId: account_id,
        type: 'offer.changed',
        at,
        actor,
        subjectId: offer_id,
        data: { change: 'codes_released', listing, offer },
      }),
    );
  }
  return released;
}
