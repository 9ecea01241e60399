/** Where an owner begins: the invitation to publish, the steps of setting up, and then what matters now. */
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
import { ButtonLink } from '../../ui/button.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { NEW_LISTING_PATH } from '../listings/paths.ts';
import { hasListing } from './count-queries.ts';
import { OverviewSections } from './overview.tsx';
import { FirstVerification, SET_UP_PATH, SetUpSteps } from './set-up-steps.tsx';
import { readSetUp, readStart, type Start } from './start.ts';

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
    const start = await readStart(context, viewer.accountId);
    const { walkable } = start.setUp;
    return page(c, <StartPage start={start} baseUrl={c.get('site').baseUrl} />, {
      title: 'Start',
      // The walk with a test claim ends at the owner's page.
      formAction: walkable === null ? [] : [linkOrigin(walkable.link)],
    });
  });

  // The steps by themselves, for the page that waits.
  app.get(SET_UP_PATH, async (c) => {
    const viewer = requireViewer(c);
    if (!wantsFragment(c)) return redirect(c, '/dashboard');
    const setUp = await readSetUp(context, viewer.accountId);
    if (setUp.fingerprint === c.req.query('seen')) return c.body(null, 204);
    const hop = c.req.query('hop') ?? null;
    return fragment(c, <SetUpSteps setUp={setUp} baseUrl={c.get('site').baseUrl} hop={hop} />);
  });
}

interface Props {
  readonly start: Start;
  readonly baseUrl: string;
}

function StartPage({ start, baseUrl }: Props): Markup {
  const { shows, setUp, listings } = start;
  const hop = setUp.walkable?.id ?? null;
  if (listings.length === 0) return <Invitation start={start} baseUrl={baseUrl} />;
  return (
    <>
      <PageHeader title="Start" lead={shows.steps ? 'Four steps to your first verified claim.' : undefined} />
      <div class="stack-loose">
        {shows.exchange && (
          <section class="card" aria-label="Your first verification">
            <FirstVerification setUp={setUp} />
          </section>
        )}
        {shows.steps && <SetUpSteps setUp={setUp} baseUrl={baseUrl} hop={hop} />}
        {shows.overview && <OverviewSections start={start} baseUrl={baseUrl} />}
      </div>
    </>
  );
}

/** Any account may become an owner; most that come here are none yet. */
const Invitation = ({ start, baseUrl }: Props): Markup => (
  <>
    <PageHeader
      title="Publish your app"
      lead="This is where owners work. You become one with your first listing."
    />
    <div class="stack-loose">
      <EmptyState
        sentence="Offer something for your app, and know on your server who came for it."
        action={
          <ButtonLink href={NEW_LISTING_PATH} tone="primary">
            Publish an app
          </ButtonLink>
        }
        example={
          <Ticket
            kind="For example · Fieldnotes"
            title="20% off the first year"
            meta="Notes for people who work outdoors."
            stub="Each claim has a token that can be redeemed only once."
          />
        }
      />
      <section class="section" aria-labelledby="steps">
        <h2 id="steps">How it goes</h2>
        <SetUpSteps setUp={start.setUp} baseUrl={baseUrl} hop={null} isInvitation />
      </section>
    </div>
  </>
);
