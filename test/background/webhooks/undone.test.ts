/** A webhook about a decision waits until the decision can no longer be undone. An undone decision sends nothing. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DECISION_HOLD_MS, UNDO_WINDOW_MS } from '../../../src/base/events/decision-queries.ts';
import { liftSuspension, suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import { undoDecision } from '../../../src/marketplace/listings/move.ts';
import { ENGINES } from '../../support/engines.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { shareBench } from './support.ts';

const ACTOR = 'operator';

describe.each(ENGINES)('webhooks about decisions on %s', (engine) => {
  const bench = shareBench(engine);
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
    await bench.endpoint(receiver.url, ['claim.created', 'listing.approved', 'listing.suspended']);
  });
  afterEach(async () => {
    receiver.close();
    await liftSuspension(bench.context, { listing: bench.owner.slug, actor: ACTOR }).catch(() => {});
  });
  const types = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  const suspend = () =>
    suspendListing(bench.context, { listing: bench.owner.slug, reason: 'No.', actor: ACTOR });

  test('are sent once the decision is final, and later events do not wait for them', async () => {
    const { id } = await suspend();
    await liftSuspension(bench.context, { listing: id, actor: ACTOR });
    await bench.claims(1);
    await bench.deliver();
    bench.pass(UNDO_WINDOW_MS);
    await bench.deliver();
    expect(types()).toEqual(['claim.created']);
    bench.pass(DECISION_HOLD_MS - UNDO_WINDOW_MS);
    await bench.deliver();
    expect(types().toSorted()).toEqual(['claim.created', 'listing.approved', 'listing.suspended']);
  });

  test.each(['after', 'before'] as const)(
    'are not sent if the decision is undone %s the fan-out',
    async (when) => {
      const { id, version } = await suspend();
      if (when === 'after') await bench.deliver();
      bench.pass(UNDO_WINDOW_MS - 5_000);
      await undoDecision(bench.context, { listing: id, version, actor: ACTOR });
      bench.pass(2 * DECISION_HOLD_MS);
      await bench.deliver();
      expect(types()).toEqual([]);
      expect(await bench.deliveries()).toEqual([]);
    },
  );
});
