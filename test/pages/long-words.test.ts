/** Every page fits a phone, whatever people type: texts of the maximum length without a place to break a line. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_ANNOUNCEMENT } from '../../src/base/brand/announcement.ts';
import { DEFAULT_BRAND } from '../../src/base/brand/brand.ts';
import {
  FIRST_PLANS,
  MAX_PLAN_ABOUT_LENGTH,
  MAX_PLAN_NAME_LENGTH,
  MAX_PRICE_LENGTH,
} from '../../src/base/brand/plans.ts';
import { claimAction, waitingListPath } from '../../src/base/paths.ts';
import { changeAnnouncement, changeBrand, changePlans } from '../../src/base/settings/change-brand.ts';
import { MAX_CLAIMANT_LENGTH, MAX_REFERENCE_LENGTH } from '../../src/claims/claim.ts';
import { MAX_LABEL_LENGTH } from '../../src/marketplace/campaigns/label.ts';
import { changeCategories } from '../../src/marketplace/listings/categories.ts';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_LISTING_NAME_LENGTH,
  MAX_SUMMARY_LENGTH,
} from '../../src/marketplace/listings/fields.ts';
import { MAX_REPORT_LENGTH } from '../../src/marketplace/listings/report.ts';
import { MAX_CODE_LENGTH, MAX_OFFER_TEXT_LENGTH } from '../../src/marketplace/offers/fields.ts';
import { MAX_ACCOUNT_NAME_LENGTH, MAX_EMAIL_LENGTH } from '../../src/people/accounts/account.ts';
import { defaultPolicy, setPolicy } from '../../src/people/accounts/policy.ts';
import { MAX_NOTE_LENGTH } from '../../src/people/invitations/invitation.ts';
import { MAX_KEY_NAME_LENGTH } from '../../src/people/keys/key.ts';
import { MAX_LINK_NAME_LENGTH } from '../../src/people/visibility/access-link.ts';
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
      .set({ words: word(MAX_REPORT_LENGTH), reply_to: emailOf(0) })
      .execute();
    await db
      .updateTable('invitations')
      .set({ email: emailOf(0), name: word(MAX_ACCOUNT_NAME_LENGTH), note: word(MAX_NOTE_LENGTH) })
      .execute();
    await db
      .updateTable('account_requests')
      .set({ name: word(MAX_ACCOUNT_NAME_LENGTH), message: word(MAX_REPORT_LENGTH) })
      .execute();
    await db
      .updateTable('access_links')
      .set({ name: word(MAX_LINK_NAME_LENGTH) })
      .execute();
    await db
      .updateTable('claim_rows')
      .set({ claimant_ref: word(MAX_CLAIMANT_LENGTH) })
      .where('claimant_ref', 'is not', null)
      .execute();
    await db
      .updateTable('claim_references')
      .set({ reference: word(MAX_REFERENCE_LENGTH) })
      .execute();
    await db
      .updateTable('attempts')
      .set({ user_agent: word(150), origin: url().slice(0, 300), request_line: word(300) })
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
  const change = { operatorId, actor: `account:${operatorId}` } as const;
  const brand = { ...DEFAULT_BRAND, name: word(40), headline: word(80), lead: word(240), footer: word(300) };
  await changeBrand(context, { ...change, brand });
  const terms = { name: word(MAX_PLAN_NAME_LENGTH), price: word(MAX_PRICE_LENGTH) };
  const about = word(MAX_PLAN_ABOUT_LENGTH);
  const { starter, studio, everything } = FIRST_PLANS;
  const plans = {
    starter: { ...starter, ...terms, about },
    studio: { ...studio, ...terms, about: `${about.slice(0, 280)}\n${about.slice(0, 280)}` },
    everything: { ...everything, ...terms },
  };
  await changePlans(context, { ...change, plans });
  await changeCategories(context, { ...change, categories: [{ id: 'long', name: word(40) }] });
  const announcement = { ...NO_ANNOUNCEMENT, text: word(280) };
  await changeAnnouncement(context, { ...change, announcement });
}

const memberDomains = [`${lowerWord(60)}.${lowerWord(60)}.example`];

/** Afterwards, people who aren't members see only a page that says who may see the marketplace. */
async function limitToMembers({ context, people, request }: WholeSite): Promise<void> {
  await setPolicy(context, {
    policy: { ...defaultPolicy(false), visibility: 'members', memberDomains },
    hasProvider: false,
    operatorId: people.operator.accountId,
    actor: 'operator',
  });
  // Like a change on a page, a request to the desk invalidates cached pages.
  await request('operator', 'POST', '/desk/first-steps/hide', { form: {} });
}

let site: WholeSite;
beforeAll(async () => {
  // With a mail server, people claim and join a waiting list by email. No mail is sent in this test.
  site = await openWholeSite('sqlite', { env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.example' } });
  await lengthen(site);
});
afterAll(() => site?.close());

describe.skipIf(CHROMIUM === null)('words that fill a field', () => {
  test('make no page wider than a phone', async () => {
    const browser = await openLooker();
    const { baseUrl } = site.service;
    const waiting = await site.context.db.read
      .selectFrom('waiting_people')
      .selectAll()
      .executeTakeFirstOrThrow();
    const visits = [
      ...pagesOf(site, true),
      { name: 'search', path: `/?q=${word(100)}`, person: null },
      { name: 'claims, filtered', path: `/dashboard/claims?via=${lowerWord(64)}`, person: 'owner' as const },
      { name: 'desk search', path: `/desk/search?q=${word(100)}`, person: 'operator' as const },
      { name: 'listing, signed in', path: `/l/${site.slug}`, person: 'claimant' as const },
      { name: 'account of a member', path: '/account', person: 'member' as const },
      { name: 'claim by mail', path: claimAction(site.slug, site.ids.offer), person: null },
      { name: 'waiting list', path: waitingListPath(site.slug, waiting.offer_id), person: null },
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
    await limitToMembers(site);
    const profile = await openProfile(browser, { baseUrl });
    expect(await findings(await profile.newPage(), '/')).toEqual([]);
    await profile.close();
  });
});
