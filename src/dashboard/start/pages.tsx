/** An owner's start page: the invitation to publish, the set-up steps, and later the overview. */
import type { Context } from '../../context.ts';
import {
  fragment,
  HOME_PATH,
  type PageApp,
  page,
  redirect,
  requireViewer,
  wantsFragment,
} from '../../http/pages.ts';
import { linkOrigin } from '../../offers/redemption-link.ts';
import { hasListing } from './count-queries.ts';
import { SET_UP_PATH, SetUpSteps } from './set-up-steps.tsx';
import { readSetUp, readStart } from './start.ts';
import { StartPage } from './start-page.tsx';

export function startPages(app: PageApp, context: Context): void {
  app.get(HOME_PATH, async (c) => {
    const viewer = c.get('viewer');
    if (viewer !== null && (await hasListing(context.db.read, viewer.accountId))) {
      return redirect(c, '/dashboard');
    }
    return redirect(c, viewer?.isOperator ? '/desk' : '/');
  });

  app.get('/dashboard', async (c) => {
    const viewer = requireViewer(c);
    const { baseUrl } = c.get('site');
    const start = await readStart(context, viewer.accountId, baseUrl);
    const { openable } = start.setUp;
    return page(c, <StartPage start={start} baseUrl={baseUrl} />, {
      title: 'Dashboard',
      // The form that opens the link redirects to the owner's page.
      formAction: openable === null ? [] : [linkOrigin(openable.link)],
    });
  });

  // Only the steps, polled by the waiting page.
  app.get(SET_UP_PATH, async (c) => {
    const viewer = requireViewer(c);
    if (!wantsFragment(c)) return redirect(c, '/dashboard');
    const { baseUrl } = c.get('site');
    const setUp = await readSetUp(context, viewer.accountId, baseUrl);
    if (setUp.fingerprint === c.req.query('seen')) return c.body(null, 204);
    const hop = c.req.query('hop') ?? null;
    return fragment(c, <SetUpSteps setUp={setUp} baseUrl={baseUrl} hop={hop} />);
  });
}
