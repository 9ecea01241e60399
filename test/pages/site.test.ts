/** The pages as the service mounts them, on both engines. */
import { describe, expect, it } from 'vitest';
import { createTestPlace, ENGINES } from '../support/engines.ts';
import { startSite } from '../support/site.ts';

describe.each(ENGINES)('the service on %s', (engine) => {
  it('serves pages with their policy and assets, and stops', async () => {
    const place = await createTestPlace(engine);
    const site = await startSite(place);
    try {
      const home = await fetch(site.baseUrl);
      expect(home.status).toBe(200);
      expect(home.headers.get('content-security-policy')).toContain("default-src 'none'");
      const style = /href="(\/assets\/[^"]+\.css)"/.exec(await home.text())![1]!;
      expect((await fetch(site.baseUrl + style)).headers.get('content-type')).toBe('text/css; charset=utf-8');
      expect((await fetch(`${site.baseUrl}/nowhere`)).status).toBe(404);
    } finally {
      await site.stop();
      await place.remove();
    }
  });
});
