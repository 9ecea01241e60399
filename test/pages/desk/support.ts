/** Helpers that open the desk with two operators and an owner, and that submit listings. */
import type { Deployment } from '../../../src/background/system/examine.ts';
import type { Context } from '../../../src/base/context.ts';
import { createListing } from '../../../src/marketplace/listings/create.ts';
import { approveListing, submitListing } from '../../../src/marketplace/listings/decisions.ts';
import { editListing } from '../../../src/marketplace/listings/edit.ts';
import { findListing, type Listing } from '../../../src/marketplace/listings/queries.ts';
import { createOffer } from '../../../src/marketplace/offers/create.ts';
import { editOffer } from '../../../src/marketplace/offers/edit.ts';
import { listOffers } from '../../../src/marketplace/offers/queries.ts';
import { accountDeskPages } from '../../../src/pages/desk/accounts/pages.tsx';
import { eventDeskPages } from '../../../src/pages/desk/audit/pages.tsx';
import { claimDeskPages } from '../../../src/pages/desk/claims/pages.tsx';
import { operatorKeyPages } from '../../../src/pages/desk/keys/pages.tsx';
import { listingIndexPages } from '../../../src/pages/desk/listings/pages.tsx';
import { outboxPages } from '../../../src/pages/desk/outbox/pages.tsx';
import { overviewPages } from '../../../src/pages/desk/overview/pages.tsx';
import { listingDeskPages } from '../../../src/pages/desk/review/pages.tsx';
import { searchPages } from '../../../src/pages/desk/search/pages.tsx';
import { systemDeskPages } from '../../../src/pages/desk/system/pages.tsx';
import { webhookPages } from '../../../src/pages/editor/webhooks/pages.tsx';
import type { PageGroup, PageRouter } from '../../../src/pages/frame/page-router.ts';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import { fingerprintOf } from '../../../src/platform/secrets/secret-keys.ts';
import {
  openTestDatabase,
  TEST_SECRET_KEY,
  type TestDatabase,
  type TestEngine,
} from '../../support/engines.ts';
import { noMailer } from '../../support/person.ts';
import { localOutgoing } from '../../support/receiver.ts';
import { startPages, type TestPages } from '../support.ts';
import { newViewer } from '../viewers.ts';

export interface Desk extends TestDatabase {
  readonly pages: TestPages;
  /** The same pages on another port, where the other operator is signed in. */
  readonly otherPages: TestPages;
  /** The context of the pages. Its clock returns `clock.ms`, if set. */
  readonly context: Context;
  readonly clock: { ms: number | null };
  readonly operator: Viewer;
  readonly otherOperator: Viewer;
  readonly owner: Viewer;
  get(path: string): Promise<Response>;
  html(path: string): Promise<string>;
  /** The page's text without markup. */
  text(path: string): Promise<string>;
  post(path: string, fields?: Readonly<Record<string, string>>, on?: TestPages): Promise<Response>;
}

/** Opens the desk twice: `pages` for `operator`, and `otherPages` for `otherOperator`. */
export async function openDesk(engine: TestEngine): Promise<Desk> {
  const database = await openTestDatabase(engine);
  const clock: Desk['clock'] = { ms: null };
  const context: Context = { ...database.context, now: () => clock.ms ?? Date.now() };
  const groups = deskGroups({ ...database, context });
  const [pages, otherPages] = await Promise.all([startPages(groups), startPages(groups)]);
  const [operator, otherOperator, owner] = await Promise.all([
    newViewer(context, { email: 'olga@claims.example', name: 'Olga Operator', operator: true }),
    newViewer(context, { email: 'otto@claims.example', name: 'Otto Operator', operator: true }),
    newViewer(context, { email: 'ada@acme.example', name: 'Ada Acme' }),
  ]);
  pages.viewer = operator;
  otherPages.viewer = otherOperator;
  const get: Desk['get'] = (path) => fetch(pages.url + path, { redirect: 'manual' });
  return {
    ...database,
    context,
    clock,
    pages,
    otherPages,
    operator,
    otherOperator,
    owner,
    get,
    html: async (path) => (await get(path)).text(),
    text: async (path) => wordsOf(await get(path)),
    post: (path, fields = {}, on = pages) =>
      fetch(on.url + path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }),
    close: async () => {
      await Promise.all([pages.close(), otherPages.close()]);
      await database.close();
    },
  };
}

export const wordsOf = async (response: Response) =>
  (await response.text()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** The page groups of the desk, as the service mounts them. */
function deskGroups(desk: Pick<TestDatabase, 'db' | 'engine' | 'dataDir' | 'context'>): readonly PageGroup[] {
  const { context } = desk;
  const deployment: Deployment = {
    db: desk.db,
    secretKeys: { fingerprints: [fingerprintOf(TEST_SECRET_KEY)], fit: true, tokens: context.tokens },
    files: {
      dataDir: desk.dataDir,
      isEmbedded: desk.engine === 'sqlite',
      backupDir: null,
      secretFiles: {},
    },
    connections: {
      mail: null,
      providers: [],
      database: null,
      reachedAt: 'http://127.0.0.1:3000',
      isAnyProxyTrusted: false,
    },
    backups: null,
    updateCheckUrl: null,
    eventLog: { months: null },
    now: context.now,
  };
  const baseUrl = 'https://claims.example';
  const pages: readonly ((app: PageRouter) => void)[] = [
    (app) => overviewPages(app, context, deployment, { hasMail: false, hasBackups: false }),
    (app) => listingDeskPages(app, context),
    (app) => listingIndexPages(app, context),
    (app) => claimDeskPages(app, context),
    (app) => searchPages(app, context),
    (app) => accountDeskPages(app, context, { mailer: noMailer, baseUrl }),
    (app) => eventDeskPages(app, context),
    (app) => systemDeskPages(app, deployment, context),
    (app) => operatorKeyPages(app, context),
    (app) => webhookPages(app, context, localOutgoing(), 'marketplace'),
    (app) => outboxPages(app, { ...context, mailServer: null }, { send: () => {}, start: () => {} }, baseUrl),
  ];
  return pages.map((addTo) => (app) => addTo(app));
}

/** Creates a listing with one offer and submits the listing for review. `account` defaults to the owner's account. */
export async function pendingListing(
  desk: Desk,
  slug: string,
  name = slug,
  account = desk.owner.accountId,
): Promise<Listing> {
  const actor = `account:${account}` as const;
  await createListing(desk.context, {
    account,
    slug,
    name,
    url: `https://${slug}.example/app`,
    actor,
  });
  await createOffer(desk.context, {
    listing: slug,
    offer: '20% off the first year',
    kind: 'discount',
    redemption_link: `https://${slug}.example/welcome?claim={claim}`,
    code: 'SPRING20',
    actor,
  });
  await editListing(desk.context, {
    listing: slug,
    summary: 'A calm place for what a team knows.',
    description: 'Notes keeps what a team knows in one place.\n\nIt is quick, and it is quiet.',
    actor,
  });
  await submitListing(desk.context, { listing: slug, actor });
  return await findListing(desk.db.read, slug);
}

/** Creates an approved listing with a proposed website and a proposed redemption link on other domains. */
export async function listingWithProposals(desk: Desk, slug: string): Promise<Listing> {
  const actor = `account:${desk.owner.accountId}` as const;
  const pending = await pendingListing(desk, slug);
  await approveListing(desk.context, { listing: slug, actor: 'operator' });
  const [offer] = await listOffers(desk.db.read, pending);
  await editOffer(desk.context, {
    offerId: offer!.id,
    redemption_link: `https://shop.elsewhere.example/welcome?claim={claim}`,
    actor,
  });
  await editListing(desk.context, { listing: slug, url: 'https://elsewhere.example/app', actor });
  return await findListing(desk.db.read, slug);
}
