/** A download under way neither keeps a service from ending in time nor ends as if it were whole. */
import { expect, test } from 'vitest';
import { issueClaims } from '../../src/claims/issue.ts';
import { ENGINES } from '../support/engines.ts';
import { threadsOf } from '../support/threads.ts';
import { openWholeSite } from './whole-site.ts';

/** More bytes than the buffers between two sockets hold: otherwise the download would end as if nothing had cut it. */
const CLAIMS = 35_000;
/** The steps in which a service stops, with shorter waits; the download is cut after the last one. */
const DRAIN_TIMES = { graceMs: 0, deadlineMs: 200, cutMs: 400 };
/** Longest time that closing may take: half the time that a stop waits for work that doesn't end. */
const END_WITHIN_MS = 4_800;
/** Number of a thread that has ended. */
const NO_THREAD = -1;

test.each(ENGINES)('a service on %s ends in time while someone downloads slowly', async (engine) => {
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
