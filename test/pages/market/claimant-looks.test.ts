/** Accessibility and layout of claimant pages, with short and long content. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/base/context.ts';
import { claimOffer } from '../../../src/claims/creation/claim-offer.ts';
import { suspendListing } from '../../../src/marketplace/listings/decisions.ts';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { CHROMIUM, overflowsOnPhone } from '../../support/browser.ts';
import { changeClaims } from '../../support/claims.ts';
import { openTestDatabase, type TestDatabase } from '../../support/engines.ts';
import type { TestPages } from '../support.ts';
import { newClaimant, newViewer } from '../viewers.ts';
import { createMarketListing, startClaimantPages } from './support.ts';

const LONG = 'Bereitstellungsgebührenrückerstattungsgutschein';

/** The viewer and path of each page, by the page's name. */
const paths = new Map<string, readonly [viewer: Viewer | null, path: string]>();

async function fill(context: Context): Promise<void> {
  const owner = await newViewer(context, { name: 'Ada Acme' });
  const person = await newClaimant(context);
  const rich = await createMarketListing(context, owner, {
    slug: 'ledger',
    name: 'Ledger',
    summary: 'Accounts for people who would rather be doing something else.',
    description:
      'Ledger reads your bank, sorts what it finds and asks only where it is not sure.\n\nIt keeps seven years of receipts, speaks to your accountant and never shows an advertisement.',
    offers: [
      { offer: 'Three months of everything', kind: 'trial' },
      { offer: '20% off the first year, also for teams of more than fifty people', claim_limit: '100' },
      { offer: 'A setup call with a person', kind: 'bonus', link: null, code: 'LEDGER-CALL-2026' },
      { offer: 'Founders’ mug', kind: 'gift', claim_limit: '1' },
      { offer: LONG, kind: 'credit', ends_at: '2099-12-31', code: 'LEDGER50' },
    ],
  });
  await createMarketListing(context, owner, {
    slug: 'long-name',
    name: `${LONG}${LONG}`,
    offers: [{ offer: 'One month', kind: 'access' }],
  });
  const claimFor = async (who: Viewer, listing: string, offerId: string) =>
    (await claimOffer(context, { claimantAccountId: who.accountId, listing, offerId })).claimId;
  const claim = (who: Viewer, index: number) => claimFor(who, 'ledger', rich.offerIds[index]!);
  await claim(owner, 3);
  const [trial, call, credit] = [await claim(person, 0), await claim(person, 2), await claim(person, 4)];
  await changeClaims(context.db, { id: trial }, { redeemed_at: '2026-11-20T12:00:00.000Z' });
  const { offerIds } = await createMarketListing(context, owner, {
    slug: 'atlas',
    name: 'Atlas',
    offers: [{ offer: 'A printed map of your town', kind: 'gift' }],
  });
  const goneClaim = await claimFor(person, 'atlas', offerIds[0]!);
  await suspendListing(context, { listing: 'atlas', actor: 'operator' });
  const others = [
    ['Notes', 'A calm place for what a team knows.', '20% off the first year', 'discount'],
    ['Kiln', 'Builds that are done before you look.', '5,000 build minutes', 'credit'],
    [
      'Fern',
      'Watches your plants, and tells you before they complain.',
      'Early access to the sensor',
      'access',
    ],
    ['Quill', 'Letters on paper, from your keyboard.', 'Ten letters on us', 'bonus'],
  ] as const;
  for (const [name, summary, offer, kind] of others) {
    const slug = `look-${name.toLowerCase()}`;
    await createMarketListing(context, owner, { slug, name, summary, offers: [{ offer, kind }] });
  }
  paths
    .set('market', [null, '/'])
    .set('listing', [person, '/l/ledger?via=spring'])
    .set('listing with a long name', [person, '/l/long-name'])
    .set('listing suspended', [person, '/l/atlas'])
    .set('claims', [person, '/claims'])
    .set('claim redeemed', [person, `/claims/${trial}`])
    .set('claim with only a code', [person, `/claims/${call}`])
    .set('claim with a link and a code', [person, `/claims/${credit}`])
    .set('claim of a suspended listing', [person, `/claims/${goneClaim}`]);
}

describe.skipIf(CHROMIUM === null)('claimant pages', () => {
  let database: TestDatabase;
  let pages: TestPages;

  beforeAll(async () => {
    database = await openTestDatabase('sqlite');
    pages = await startClaimantPages(database.context);
    await fill(database.context);
  });
  afterAll(async () => {
    await pages.close();
    await database.close();
  });

  test('have no accessibility or layout problems in any theme or at any width', async () => {
    for (const [name, [viewer, path]] of paths) {
      pages.viewer = viewer;
      expect(await pages.visitor.look(path, name), name).toEqual([]);
      expect(await pages.visitor.visit(path, overflowsOnPhone, false), name).toEqual([]);
    }
  });

  test.each(['.app-cover', '.app-offer'])('open an app with a click on %s of its card', async (selector) => {
    pages.viewer = null;
    await pages.visitor.visit('/', async (page) => {
      const card = page.locator('.app', { hasText: 'Kiln' });
      const box = (await card.locator(selector).boundingBox())!;
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await page.waitForURL('**/l/look-kiln');
    });
  });
});
