/** Statements that PostgreSQL plans once per connection (`byKey`). */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { readSetting, writeSetting } from '../../../src/platform/store/settings.ts';
import { nodeUrls } from '../../support/nodes.ts';
import { shareDatabase } from '../../support/shared.ts';

const { context } = shareDatabase('postgres');
const byKey: Context['db']['byKey'] = {
  get read() {
    return context.db.byKey.read;
  },
  transaction: (work) => context.db.byKey.transaction(work),
};

const plans = async () =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(byKey.read)).rows
    .length;

/** Like a newer version during a rolling upgrade. */
const changeColumns = () =>
  context.db.transaction(async (tx) => {
    const column = sql.ref(`later_${Math.random().toString(36).slice(2)}`);
    await sql`alter table settings add column ${column} integer`.execute(tx);
  });

// On Citus, `byKey` is the database itself and prepares nothing.
test.skipIf(nodeUrls().length > 1)('are prepared', async () => {
  for (let n = 0; n < 3; n += 1) expect(await readSetting(byKey.read, 'none')).toBe(null);
  expect(await plans()).toBeGreaterThan(0);
});

test('still work after a migration has changed the columns of their result', async () => {
  const all = () => byKey.read.selectFrom('settings').selectAll().where('name', '=', 'a').execute();
  await byKey.transaction((tx) => writeSetting(tx, 'a', '1'));
  const inTransaction = () =>
    byKey.transaction(async (tx) => {
      const rows = await tx.selectFrom('settings').selectAll().where('name', '=', 'a').execute();
      await writeSetting(tx, 'a', String(Number(rows[0]!.value) + 1));
    });
  await inTransaction();
  expect(await all()).toMatchObject([{ value: '2' }]);
  await changeColumns();
  expect(await all()).toMatchObject([{ value: '2' }]);
  await changeColumns();
  await inTransaction();
  expect(await all()).toMatchObject([{ value: '3' }]);
});

test('are rolled back together', async () => {
  const failing = byKey.transaction(async (tx) => {
    await Promise.all([writeSetting(tx, 'b', '1'), writeSetting(tx, 'c', '1')]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await Promise.all([readSetting(byKey.read, 'b'), readSetting(byKey.read, 'c')])).toEqual([
    null,
    null,
  ]);
});
