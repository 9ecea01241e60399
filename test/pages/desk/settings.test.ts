import { afterAll, beforeAll, expect, test } from 'vitest';
import { RETENTION_SETTINGS } from '../../../src/background/personal-data/retention.ts';
import { announcementSettings } from '../../../src/base/brand/announcement.ts';
import { BRAND_SETTINGS } from '../../../src/base/brand/brand.ts';
import { policySettings } from '../../../src/people/accounts/policy.ts';
import { type SignedIn, signedInAs } from '../../support/person.ts';
import { type OwnSite, openSite } from '../../support/site.ts';

const WITH_MAIL = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'claims@example.com' };

let site: OwnSite;
let olga: SignedIn;
beforeAll(async () => {
  site = await openSite('sqlite', WITH_MAIL);
  olga = await signedInAs(site, { email: 'olga@example.com', operator: true });
});
afterAll(() => site?.close());

test.each([
  [['people'], policySettings({ hasMail: true, hasProvider: false })],
  [['retention'], RETENTION_SETTINGS],
  [['brand', 'general'], BRAND_SETTINGS],
  [['announcement'], announcementSettings('UTC')],
] as const)('the pages %j have a control for each setting', async (pages, settings) => {
  const texts = await Promise.all(pages.map((page) => olga.person.get(`/desk/settings/${page}`)));
  const html = texts.map(({ text }) => text).join('');
  expect(Object.keys(settings).filter((name) => !html.includes(` name="${name}"`))).toEqual([]);
});
