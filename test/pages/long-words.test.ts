/** Every page fits a phone, whatever people type: texts of the maximum length without a place to break a line. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import { changeBrand } from '../../src/base/settings/change-brand.ts';
import { MAX_LABEL_LENGTH } from '../../src/marketplace/campaigns/label.ts';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_LISTING_NAME_LENGTH,
  MAX_SUMMARY_LENGTH,
} from '../../src/marketplace/listings/fields.ts';
import { MAX_REPORT_LENGTH } from '../../src/marketplace/listings/report.ts';
import { MAX_CODE_LENGTH, MAX_OFFER_TEXT_LENGTH } from '../../src/marketplace/offers/fields.ts';
import { MAX_ACCOUNT_NAME_LENGTH, MAX_EMAIL_LENGTH } from '../../src/people/accounts/account.ts';
import { MAX_KEY_NAME_LENGTH } from '../../src/people/keys/key.ts';
import { CHROMIUM, openLooker, openProfile, overflowsOnPhone } from '../support/browser.ts';
import { pagesOf } from './every-page.ts';
import type { PersonName } from './sample-data.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

/** The widest letter of most fonts. */
const word = (length: number): string => 'W'.repeat(length);
const lowerWord = (length: number): string => 'w'.repeat(length);
const URL_LENGTH = 2_048;
const url = (query = ''): string => {
  const start = `https://${lowerWord(60)}.example/`;
  return start + lowerWord(URL_LENGTH - start.length - query.length) + query;
};
const link = url('?claim={claim}');
const emailOf = (n: number): string => {
  const domain = `@${lowerWord(60)}.${lowerWord(60)}.${lowerWord(50)}.example`;
  return `${n}${lowerWord(Math.min(63, MAX_EMAIL_LENGTH - domain.length - 1))}${domain}`;
};

/** Replaces the texts in the database, because the forms would take much longer. */
async function lengthen({ context, ids, people }: WholeSite): Promise<void> {
  await context.db.transaction(async (db) => {
    await db
      .updateTable('listings')
      .set({
        name: word(MAX_LISTING_NAME_LENGTH),
        summary: word(MAX_SUMMARY_LENGTH),
        description: word(MAX_DESCRIPTION_LENGTH),
        url: url(),
        origin: `https://${lowerWord(60)}.example`,
        reply: word(MAX_REPORT_LENGTH),
      })
      .execute();
    await db
      .updateTable('listings')
      .set({ reason: word(MAX_REPORT_LENGTH) })
      .where('reason', 'is not', null)
      .execute();
    await db
      .updateTable('offers')
      .set({
        offer: word(MAX_OFFER_TEXT_LENGTH),
        conditions: word(MAX_DESCRIPTION_LENGTH),
        shop_url: url(),
      })
      .execute();
    await db
      .updateTable('offers')
      .set({ redemption_link: link, test_link: link })
      .where('redemption_link', 'is not', null)
      .execute();
    await db
      .updateTable('offers')
      .set({ code: word(MAX_CODE_LENGTH) })
      .where('code', 'is not', null)
      .execute();
    await db.updateTable('offers').set({ proposed_link: link }).where('id', '=', ids.waitingOffer).execute();
    await db
      .updateTable('offer_wordings')
      .set({ offer: word(MAX_OFFER_TEXT_LENGTH) })
      .execute();
    const accounts = await db.selectFrom('accounts').select('id').execute();
    for (const [n, { id }] of accounts.entries()) {
      const email = emailOf(n);
      await db
        .updateTable('accounts')
        .set({ name: word(MAX_ACCOUNT_NAME_LENGTH), email, mailbox: email })
        .where('id', '=', id)
        .execute();
    }
    const name = word(MAX_KEY_NAME_LENGTH);
    await db.updateTable('api_keys').set({ name }).execute();
    await db.updateTable('operator_keys').set({ name }).execute();
    await db.updateTable('passkeys').set({ name }).execute();
    await db
      .updateTable('reports')
      .set({ words: word(MAX_REPORT_LENGTH) })
      .execute();
    await db
      .updateTable('webhook_endpoints')
      .set({ url: url(), description: word(100) })
      .execute();
    await db
      .updateTable('label_counts')
      .set({ via: lowerWord(MAX_LABEL_LENGTH) })
      .where('via', '=', 'podcast')
      .execute();
  });
  const { accountId: operatorId } = people.operator;
  const brand = { ...DEFAULT_BRAND, name: word(40), headline: word(100) };
  await changeBrand(context, { brand, operatorId, actor: `account:${operatorId}` });
}

let site: WholeSite;
beforeAll(async () => {
  site = await openWholeSite('sqlite');
  await lengthen(site);
});
afterAll(() => site?.close());

describe.skipIf(CHROMIUM === null)('words that fill a field', () => {
  test('make no page wider than a phone', async () => {
    const browser = await openLooker();
    const { baseUrl } = site.service;
    const visits = [
      ...pagesOf(site, true),
      { name: 'search', path: `/?q=${word(100)}`, person: null },
      { name: 'claims, filtered', path: `/dashboard/claims?via=${lowerWord(64)}`, person: 'owner' as const },
      { name: 'desk search', path: `/desk/search?q=${word(100)}`, person: 'operator' as const },
      { name: 'listing, signed in', path: `/l/${site.slug}`, person: 'claimant' as const },
      { name: 'account of a member', path: '/account', person: 'member' as const },
    ];
    const findings = async (page: Page, path: string): Promise<readonly string[]> => {
      await page.goto(path);
      return (await overflowsOnPhone(page)).map((finding) => `${path}: ${finding}`);
    };
    const findingsOf = async (person: PersonName | null): Promise<readonly string[]> => {
      const profile = await openProfile(browser, { baseUrl });
      if (person !== null) await profile.addCookies(site.people[person].person.profileCookies(baseUrl));
      const page = await profile.newPage();
      const seen: string[] = [];
      for (const visit of visits.filter((one) => one.person === person)) {
        seen.push(...(await findings(page, visit.path)));
      }
      await profile.close();
      return seen;
    };
    const people = [...new Set(visits.map(({ person }) => person))];
    expect((await Promise.all(people.map(findingsOf))).flat()).toEqual([]);
  });
});
