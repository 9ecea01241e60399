/** Serves the app owners' pages with a real database. */
import type { Context } from '../../../src/base/context.ts';
import { createPictureEncoder } from '../../../src/marketplace/pictures/encoder.ts';
import { ownerListingPages } from '../../../src/pages/dashboard/listings/pages.tsx';
import { ownerOfferPages } from '../../../src/pages/dashboard/offers/pages.tsx';
import type { PageGroup } from '../../../src/pages/frame/page-router.ts';
import { createUploads } from '../../../src/pages/frame/uploads.ts';
import type { Viewer } from '../../../src/pages/ui/viewer.ts';
import type { Plan } from '../../../src/people/accounts/account.ts';
import type { Visitor } from '../../support/browser.ts';
import { openTestDatabase, type TestDatabase, type TestEngine } from '../../support/engines.ts';
import { startPages, type TestPages } from '../support.ts';
import { newViewer } from '../viewers.ts';

export interface Dashboard extends TestDatabase {
  readonly context: Context;
  readonly pages: TestPages;
  /** Signs in as a new owner. */
  signIn(plan?: Plan, name?: string): Promise<Viewer>;
  readonly get: TestPages['get'];
  readonly post: TestPages['post'];
  readonly visit: Visitor['visit'];
  readonly look: Visitor['look'];
}

export async function openDashboard(
  engine: TestEngine,
  more: (context: Context) => readonly PageGroup[] = () => [],
): Promise<Dashboard> {
  const database = await openTestDatabase(engine);
  const { context } = database;
  const services = {
    pictureEncoder: createPictureEncoder({ onFailure: () => {} }),
    uploads: createUploads(),
  };
  const pages = await startPages([
    (app) => ownerListingPages(app, context, services),
    (app) => ownerOfferPages(app, context, services),
    ...more(context),
  ]);
  return {
    ...database,
    pages,
    signIn: async (plan = 'studio', name = 'Ada Acme') => {
      const viewer = await newViewer(context, { name, plan });
      pages.viewer = viewer;
      return viewer;
    },
    get: pages.get,
    post: pages.post,
    visit: pages.visitor.visit,
    look: pages.visitor.look,
    close: async () => {
      services.pictureEncoder.close();
      await pages.close();
      await database.close();
    },
  };
}

/** The error messages next to the fields of a form. */
export const problemsIn = (html: string): readonly string[] =>
  [...html.matchAll(/class="field-problem"[^>]*><span>(.*?)<\/span>/g)].map((match) => decode(match[1]!));

export const decode = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The first UUID in a path such as `/dashboard/offers/<id>?saved`. */
export const idIn = (location: string | null): string =>
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(location ?? '')![0];

/** The value of the form's `version` field. */
export const versionIn = (html: string): string => /name="version" value="(\d+)"/.exec(html)![1]!;

/** Whether an input or textarea on the page has this value. */
export const holds = (html: string, value: string): boolean =>
  [`value="${value}"`, `\n${value}</textarea>`].some((part) => decode(html).includes(part));
