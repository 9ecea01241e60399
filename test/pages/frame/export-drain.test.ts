/** Shutdown during a slow download: the service stops in time, and the truncated download fails. */
import { expect, test } from 'vitest';
import { issueClaims } from '../../../src/claims/creation/issue.ts';
import { ENGINES } from '../../support/engines.ts';
import { threadsOf } from '../../support/threads.ts';
import { openWholeSite } from '../whole-site.ts';

/**
 * Enough claims to make the export larger than the socket buffers. A smaller export would be complete before the
 * service closes the connection.
 */
const CLAIMS = 35_000;
/**
 * Time limits for stopping the service, shorter than in production. After `cutMs`, the service closes the connection of
 * the download.
 */
const DRAIN_TIMES = { graceMs: 0, deadlineMs: 200, cutMs: 400 };
/**
 * Maximum duration of a stop in this test. Shorter than `STOP_WITHIN_MS`, so that the test fails if the service stops
 * only because that limit has passed.
 */
const END_WITHIN_MS = 4_800;
/** `threadId` of a worker that has exited. */
const NO_THREAD = -1;

test.each(ENGINES)('a service on %s stops in time and aborts a slow download', async (engine) => {
  const site = await openWholeSite(engine, { drainTimes: DRAIN_TIMES });
  const input = { offerId: site.ids.offer, count: CLAIMS, mode: 'live', via: 'x'.repeat(64) } as const;
  for await (const _claims of issueClaims(site.context, input));
  const { result: response, threads } = await threadsOf(() =>
    fetch(`${site.service.baseUrl}/dashboard/claims/export.csv`, {
      headers: { Cookie: site.people.owner.person.cookie },
    }),
  );
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  await reader.read();
  const startedAt = performance.now();
  await site.close();
  expect(performance.now() - startedAt).toBeLessThan(END_WITHIN_MS);
  expect(threads.map(({ threadId }) => threadId)).toEqual([NO_THREAD]);
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  await expect(rest()).rejects.toThrow();
});
