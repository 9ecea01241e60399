/** The button of the company's identity provider in a real browser, under the policy of the page it is on. */
import { describe, expect, it } from 'vitest';
import { CHROMIUM, openBrowser, openProfile, pageFindings, press } from '../support/browser.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { openSite } from '../support/site.ts';

describe.skipIf(CHROMIUM === null)('the button of the identity provider', () => {
  it('leads there and back with a click, and is fit for everyone', async () => {
    const idp = await startIdentityProvider();
    const site = await openSite('sqlite', idp.env);
    idp.serve(`${site.baseUrl}/sign-in/oidc/callback`);
    idp.people.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
    idp.person = 'ada';
    const profile = await openProfile(await openBrowser(), { baseUrl: site.baseUrl });
    try {
      const page = await profile.newPage();
      await page.goto('/sign-in?next=/account');
      expect(await pageFindings(page, 'sign-in-oidc')).toEqual([]);
      await press(page, page.getByRole('button', { name: 'Sign in with your company’s account' }));
      await page.waitForURL(`${site.baseUrl}/account`);
      expect(await page.textContent('main')).toContain('ada@example.com');
    } finally {
      await profile.close();
      await site.close();
      await idp.close();
    }
  });
});
