/** The whole service in this process, on a real port: for tests of pages. */
import { randomBytes } from 'node:crypto';
import { type Service, startService } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { freePort } from './free-port.ts';
import type { Place } from './server-process.ts';

/**
 * Starts the service from its sources on the database of a place. `env` goes on top of the place's. The caller stops
 * it (`stop()` drains as an orderly restart does: some seconds).
 */
export async function startSite(place: Place, env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const config = parseConfig({
    PORT: String(await freePort()),
    LOG_LEVEL: 'fatal',
    VERIFY_RATE_LIMIT: '0',
    ...place.env,
    ...env,
  });
  return startService(config, { now: () => Date.now(), random: (bytes) => randomBytes(bytes) });
}
