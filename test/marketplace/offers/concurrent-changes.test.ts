/** Changes by several owners at the same time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import { ENGINES } from '../../support/engines.ts';
import { createOwner } from '../../support/marketplace.ts';
import { nodeUrls } from '../../support/nodes.ts';
import { shareDatabase } from '../../support/shared.ts';

const OWNERS = 4;

/** How many write connections a process has. */
const CONNECTIONS = 4;
/** Longer than a call waits for a connection if no transaction commits. */
const LONG_MS = 3_000;
const SHORT_MS = 1_000;

describe.each(ENGINES)('changes by several owners on %s', (engine) => {
  const { context } = shareDatabase(engine);

  test('need no second attempt because of a deadlock', async () => {
    const owners = await Promise.all(Array.from({ length: OWNERS }, () => createOwner(context)));
    let attempts = 0;
    const counted: Context = {
      ...context,
      db: {
        ...context.db,
        transaction: (work) =>
          context.db.transaction((tx) => {
            attempts += 1;
            return work(tx);
          }),
      },
    };
    const changes = owners.flatMap(({ accountId, slug, offerId }, n) => {
      const actor = `account:${accountId}` as const;
      const url = 'https://acme.example/second';
      return [
        createOffer(counted, { listing: slug, offer: 'A gift', kind: 'gift', code: 'GIFT', actor }),
        editOffer(counted, { offerId, offer: 'Half off', actor }),
        editListing(counted, { listing: slug, summary: 'Changed', actor }),
        createListing(counted, {
          account: accountId,
          slug: `second-${n}`,
          name: 'Second',
          url,
          upTo: 'approved',
          actor: 'operator',
        }),
      ];
    });
    await Promise.all(changes);
    expect(attempts).toBe(changes.length);
  });

  // On one server, changes are faster and run at the same time.
  describe.runIf(engine === 'postgres' && nodeUrls().length > 1)(
    'while other changes use all connections',
    () => {
      const takeConnections = (count: number, ms: number) =>
        Array.from({ length: count }, () =>
          context.db.transaction(async (tx) => {
            await sql`select 1`.execute(tx);
            await sleep(ms);
          }),
        );

      test('wait on Citus if the other changes commit', async () => {
        const { accountId, offerId } = await createOwner(context);
        const others = takeConnections(3 * CONNECTIONS, SHORT_MS);
        await editOffer(context, { offerId, offer: 'Half off', actor: `account:${accountId}` });
        await Promise.all(others);
      });

      test('are refused if none of the other changes commits', async () => {
        const { accountId, offerId } = await createOwner(context);
        const others = takeConnections(CONNECTIONS, LONG_MS);
        const change = editOffer(context, { offerId, offer: 'Half off', actor: `account:${accountId}` });
        await expect(change).rejects.toBeInstanceOf(DatabaseUnavailable);
        await Promise.all(others);
      });
    },
  );
});
