/** After a restore, new events reuse the numbers of lost events, but must not reuse the webhook ids of lost events. */
import { describe, expect, test } from 'vitest';
import { lastSeq } from '../../../src/base/events/queries.ts';
import { ENGINES, openDatabaseAt } from '../../support/engines.ts';
import { createOwner } from '../../support/marketplace.ts';
import { eventStepOf } from '../../support/nodes.ts';
import { startReceiver } from '../../support/receiver.ts';
import { shareProcesses } from '../../support/server-process.ts';
import { type Bench, benchOf } from './support.ts';

const { cleanups, newDbLocation } = shareProcesses();

const idsOf = async (bench: Bench) => (await bench.deliveries()).map(({ message_id }) => message_id);

describe.each(ENGINES)('webhook deliveries after a restore on %s', (engine) => {
  test('keep their ids if the event is in the backup, and get new ids if the event reuses the number of a lost event', async () => {
    const dbLocation = await newDbLocation(engine);
    const receiver = await startReceiver();
    cleanups.push(() => receiver.close());
    const received = () => receiver.received.splice(0).map(({ headers }) => headers['webhook-id']!);

    const database = await openDatabaseAt(dbLocation);
    const owner = await createOwner(database.context);
    const before = benchOf(database, owner);
    await before.endpoint(receiver.url);
    await before.claims(3);
    await before.deliver();
    const delivered = received();
    await before.claims(2);
    await before.spread();
    const waiting = (await idsOf(before)).filter((id) => !delivered.includes(id));
    // These events have no deliveries yet.
    await before.claims(2);
    const lastBefore = await lastSeq(database.db.read);
    await database.db.close();
    const copy = await newDbLocation(engine, { copyOf: dbLocation });

    const lost = await openDatabaseAt(dbLocation);
    const after = benchOf(lost, owner);
    await after.claims(4);
    await after.deliver();
    const sentBeforeRestore = received();
    expect(sentBeforeRestore).toHaveLength(2 + 2 + 4);
    await lost.db.close();

    const restored = await openDatabaseAt(copy);
    cleanups.push(() => restored.db.close());
    const bench = benchOf(restored, owner);
    await bench.deliver();
    const again = received();
    expect(again).toHaveLength(4);
    expect(again).toEqual(expect.arrayContaining(waiting));
    expect(sentBeforeRestore).toEqual(expect.arrayContaining(again));

    await bench.claims(4);
    await bench.deliver();
    const sentLater = received();
    expect(new Set(sentLater).size).toBe(4);
    expect(sentLater.filter((id) => sentBeforeRestore.includes(id))).toEqual([]);
    const numbers = (await bench.deliveries()).slice(-4).map(({ event_seq }) => event_seq);
    expect(Math.min(...numbers.map(Number))).toBe(lastBefore + eventStepOf(engine));
  });
});
