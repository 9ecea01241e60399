/** A download under way neither keeps a service from ending in time nor ends as if it were whole. */
import { expect, test } from 'vitest';
import { issueClaims } from '../../src/claims/issue.ts';
import { ENGINES } from '../support/engines.ts';
import { openWholeSite } from './whole-site.ts';

/** Far more bytes than the buffers between two sockets hold. */
const CLAIMS = 50_000;
/** From the signal to the end. */
const END_WITHIN_MS = 10_000;

test.each(ENGINES)('a service on %s ends in time while someone downloads slowly', async (engine) => {
  const site = await openWholeSite(engine);
  const input = { offerId: site.ids.offer, count: CLAIMS, mode: 'live', via: 'x'.repeat(64) } as const;
  for await (const _claims of issueClaims(site.context, input));
  const response = await fetch(`${site.service.baseUrl}/dashboard/claims/export.csv`, {
    headers: { Cookie: site.people.owner.cookie },
  });
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  await reader.read();
  const startedAt = performance.now();
  await site.close();
  expect(performance.now() - startedAt).toBeLessThan(END_WITHIN_MS);
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  await expect(rest()).rejects.toThrow();
});
