/** Runs the complete service in this process on a real port, for tests of pages. */
import { randomBytes } from 'node:crypto';
import { parseConfig } from '../../src/app/config/config.ts';
import { type Service, startService } from '../../src/app/service.ts';
import { DRAIN_TIMES, type DrainTimes } from '../../src/platform/http/server/drain.ts';
import { createDbLocation, type DbLocation, type TestEngine } from './engines.ts';
import { freePort } from './free-port.ts';
import type { Place } from './program.ts';

/** Shutdown times without the grace period for load balancers. */
export const SHORT_DRAIN: DrainTimes = { ...DRAIN_TIMES, graceMs: 0 };

export interface OwnSite extends Service {
  readonly dbLocation: DbLocation;
  close(): Promise<void>;
}

/** Starts the service on a new place. `close` stops the service and removes the place. */
export async function openSite(
  engine: TestEngine,
  env?: Readonly<Record<string, string>>,
  now?: () => number,
): Promise<OwnSite> {
  const dbLocation = await createDbLocation(engine, { isMigrated: true });
  const service = await startSite(dbLocation, env, now);
  if (env?.['SMTP_URL'] !== undefined) await allowTestDomain(service);
  const close = async () => {
    await service.stop();
    await dbLocation.remove();
  };
  return { ...service, dbLocation, close };
}

/** Most test addresses have one domain, so the domain must have no price for new accounts. */
const allowTestDomain = ({ context }: Service): Promise<unknown> =>
  context.db.transaction((tx) =>
    tx
      .insertInto('settings')
      .values({ name: 'policy', value: JSON.stringify({ domains: ['example.com'] }) })
      .execute(),
  );

/** Starts the service from its sources. `env` overrides the place's environment. The caller must stop the service. */
export async function startSite(
  dbLocation: Place,
  env: Readonly<Record<string, string>> = {},
  now = () => Date.now(),
  drainTimes = SHORT_DRAIN,
): Promise<Service> {
  const config = parseConfig({
    PORT: String(await freePort()),
    LOG_LEVEL: 'fatal',
    VERIFY_RATE_LIMIT: '0',
    ...dbLocation.env,
    ...env,
  });
  return startService(config, {
    now,
    random: (bytes) => randomBytes(bytes),
    drainTimes,
  });
}
