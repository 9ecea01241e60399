/** Proxy misconfigurations are reported to the operator until they are fixed. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { deploymentOf, type OpenContext } from '../../../src/app/open-context.ts';
import { type Deployment, examine } from '../../../src/background/system/examine.ts';
import { DATABASE_FILE } from '../../../src/platform/store/open.ts';
import { migrateSqlite } from '../../../src/platform/store/sqlite/migrate.ts';
import { createDbLocation, type DbLocation } from '../../support/engines.ts';
import { inEnglish } from '../../support/english.ts';
import { freePort } from '../../support/free-port.ts';
import { startSite } from '../../support/site.ts';

const checksOf = async (deployment: Deployment) =>
  (await examine(deployment, false)).filter(({ check }) => check === 'proxies');

describe('proxy check', () => {
  let dbLocation: DbLocation;
  beforeAll(async () => {
    dbLocation = await createDbLocation('sqlite');
    return () => dbLocation.remove();
  });

  /** Starts a service with `env`, sends it a request with `headers`, then calls `judge`. */
  const send = async (
    env: Record<string, string>,
    headers: Record<string, string>,
    judge: (deployment: Deployment) => Promise<void>,
  ): Promise<void> => {
    const port = await freePort();
    const site = await startSite(dbLocation, { ...env, PORT: String(port) });
    try {
      await fetch(`http://127.0.0.1:${port}/sign-in`, { headers });
      await judge(deploymentOf(site.context as OpenContext));
    } finally {
      await site.stop();
    }
  };
  const isReported = (expected: object) => (deployment: Deployment) =>
    vi.waitFor(async () =>
      expect(inEnglish(await checksOf(deployment))).toEqual([expect.objectContaining(expected)]),
    );
  const TRUSTED = { TRUSTED_PROXIES: '127.0.0.1' };

  test('fails after a request through an untrusted proxy and passes once the proxy is trusted', async () => {
    const client = { 'X-Forwarded-For': '203.0.113.9' };
    await send(
      {},
      client,
      isReported({ ok: false, detail: expect.stringContaining('127.0.0.1 sends forwarding headers') }),
    );
    await send(TRUSTED, client, async (deployment) => {
      expect(await checksOf(deployment)).toMatchObject([{ ok: true }]);
      const behindTls = {
        ...deployment,
        connections: {
          ...deployment.connections,
          reachedAt: 'https://claims.example',
          isAnyProxyTrusted: false,
        },
      };
      expect(inEnglish(await checksOf(behindTls))).toMatchObject([
        { ok: true, note: true, detail: expect.stringContaining('TRUSTED_PROXIES is not set') },
      ]);
    });
  });

  test('fails if a trusted proxy sends an invalid client address or none', async () => {
    await send(
      TRUSTED,
      { 'X-Forwarded-For': 'unknown' },
      isReported({ ok: false, detail: expect.stringContaining('sends "unknown" as the client\'s address') }),
    );
    await send(
      TRUSTED,
      { 'X-Real-IP': '203.0.113.9' },
      isReported({ ok: false, detail: expect.stringContaining('127.0.0.1 sends no X-Forwarded-For') }),
    );
  });

  test('reports requests whose host differs from BASE_URL, and fails if BASE_URL is a loopback address', async () => {
    const elsewhere = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Host': 'shop.example' };
    const detail = expect.stringContaining('at "shop.example" through');
    await send(TRUSTED, elsewhere, isReported({ ok: false, detail }));
    await send(
      { ...TRUSTED, BASE_URL: 'https://claims.example' },
      elsewhere,
      isReported({ ok: true, note: true, detail }),
    );
    await send({ ...TRUSTED, BASE_URL: 'https://shop.example' }, elsewhere, async (deployment) => {
      expect(await checksOf(deployment)).toMatchObject([{ ok: true }]);
    });
  });
});

test('the service starts even if it cannot delete a stored proxy finding', async () => {
  const dbLocation = await createDbLocation('sqlite');
  try {
    const file = join(dbLocation.dataDir, DATABASE_FILE);
    migrateSqlite(file, Date.now);
    const database = new DatabaseSync(file);
    database.exec(`insert into settings (name, value) values ('proxy:untrusted', '{"fault":"untrusted","address":"192.0.2.1"}');
      create trigger full before delete on settings begin select raise(abort, 'disk full'); end`);
    database.close();
    const site = await startSite(dbLocation);
    expect((await fetch(`${site.baseUrl}/readyz`)).status).toBe(200);
    await site.stop();
  } finally {
    await dbLocation.remove();
  }
});
