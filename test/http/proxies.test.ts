/** A proxy that TRUSTED_PROXIES does not name is shown to the operator, until it does. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deploymentOf, type OpenContext } from '../../src/open-context.ts';
import { DATABASE_FILE } from '../../src/store/open.ts';
import { migrateSqlite } from '../../src/store/sqlite/migrate.ts';
import { withoutStandby } from '../../src/store/stale-reads.ts';
import { type Deployment, examine } from '../../src/system/checks.ts';
import { createTestPlace, ENGINES, type TestPlace } from '../support/engines.ts';
import { startSite } from '../support/site.ts';

const proxiesOf = async (deployment: Deployment) =>
  (await examine(deployment, false)).find(({ check }) => check === 'proxies');

describe.each(ENGINES)('the check of proxies on %s', (engine) => {
  let place: TestPlace;
  beforeAll(async () => {
    place = await createTestPlace(engine);
  });
  afterAll(() => place?.remove());

  it('fails after a request through one that is not trusted, and passes once it is', async () => {
    const send = async (
      env: Record<string, string>,
      judge: (deployment: Deployment) => Promise<void>,
    ): Promise<void> => {
      const site = await startSite(place, env);
      try {
        await fetch(`${site.baseUrl}/sign-in`, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
        await judge(deploymentOf(site.context as OpenContext, withoutStandby(site.context.db)));
      } finally {
        await site.stop();
      }
    };

    await send({}, async (deployment) => {
      await vi.waitFor(async () =>
        expect(await proxiesOf(deployment)).toMatchObject({
          ok: false,
          detail: expect.stringContaining('does not name 127.0.0.1'),
        }),
      );
    });
    await send({ TRUSTED_PROXIES: '127.0.0.1' }, async (deployment) => {
      expect(await proxiesOf(deployment)).toMatchObject({ ok: true });
      const behindTls = {
        ...deployment,
        connections: { ...deployment.connections, isHttps: true, isAnyProxyTrusted: false },
      };
      expect(await proxiesOf(behindTls)).toMatchObject({
        ok: true,
        note: true,
        detail: expect.stringContaining('TRUSTED_PROXIES is not set'),
      });
    });
  });
});

it('a proxy seen before that cannot be forgotten now, as on a full disk, does not keep the service from starting', async () => {
  const place = await createTestPlace('sqlite');
  try {
    const file = join(place.dataDir, DATABASE_FILE);
    migrateSqlite(file, Date.now);
    const database = new DatabaseSync(file);
    database.exec(`insert into settings (name, value) values ('untrusted_proxy', '{"address":"192.0.2.1"}');
      create trigger full before delete on settings begin select raise(abort, 'disk full'); end`);
    database.close();
    const site = await startSite(place);
    expect((await fetch(`${site.baseUrl}/readyz`)).status).toBe(200);
    await site.stop();
  } finally {
    await place.remove();
  }
});
