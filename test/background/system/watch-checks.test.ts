/** Operators hear of a failing check once when it begins to fail and once when it passes again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Check, failed, passed } from '../../../src/background/system/check.ts';
import { STEADY_MS, watchChecks } from '../../../src/background/system/watch-checks.ts';
import { createAccount } from '../../../src/people/accounts/create.ts';
import { ENGINES, openTestDatabase, type TestDatabase } from '../../support/engines.ts';
import { typesOf } from '../../support/events.ts';

describe.each(ENGINES)('failing checks on %s', (engine) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('cause one event each way, also if two processes see the change', async () => {
    const { context } = database;
    let nowMs = Date.now();
    const watch = (...checks: readonly Check[]) =>
      Promise.all([1, 2].map(() => watchChecks({ ...context, now: () => nowMs }, async () => checks)));
    const bad = failed('disk', '3 MB free at /srv/secret-path');
    // Without an operator, there is nobody to tell.
    await watch(failed('mail', 'refused'));
    const { id } = await createAccount(context, {
      email: 'olga@claims.example',
      name: 'Olga',
      operator: true,
      actor: 'operator',
    });
    const events = async () => (await typesOf(context.db, id)).filter((type) => type.startsWith('system.'));
    await watch(bad);
    expect(await events()).toEqual(['system.check_failed']);
    for (const check of [bad, passed('disk', 'fine'), bad, passed('disk', 'fine')]) {
      nowMs += 1_000;
      await watch(check);
    }
    expect(await events()).toEqual(['system.check_failed']);
    nowMs += STEADY_MS;
    await watch(passed('disk', 'fine'));
    expect(await events()).toContain('system.check_recovered');
    const rows = await context.db.read
      .selectFrom('events')
      .select('data')
      .where('subject_id', '=', id)
      .execute();
    expect(JSON.stringify(rows)).not.toContain('secret-path');
    expect((await events()).filter((type) => type === 'system.check_failed')).toHaveLength(1);
  });
});
