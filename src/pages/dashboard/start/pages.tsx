import type { Context } from '../../../base/context.ts';
import {
  DASHBOARD_PATH,
  DASHBOARD_SETUP_PATH,
  DESK_PATH,
  HOME_PATH,
  MODE_PATH,
  NEW_LISTING_PATH,
} from '../../../base/paths.ts';
import { countListings } from '../../../marketplace/listings/queries.ts';
import { originsOf } from '../../../marketplace/offers/redemption-link.ts';
import { parseKeyMode } from '../../../people/keys/key.ts';
import { setCookie } from '../../../people/sign-in/sessions/cookies.ts';
import { t } from '../../../platform/languages/translate.ts';
import { DAY_MS } from '../../../platform/text/durations.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  fragment,
  nextPath,
  page,
  readForm,
  redirect,
  returnPath,
  wantsFragment,
} from '../../frame/pages.ts';
import { Section } from '../../ui/card.tsx';
import type { FindLinkPreview } from '../../ui/head.tsx';
import { fingerprintOf } from '../../ui/live.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { QuestionNotice } from '../listings/question-page.tsx';
import { PublishingNotice, readPublishing, type Unpublishable } from '../publishing.tsx';
import { OpenProblems, OverviewSections } from './overview.tsx';
import { SetUpSteps } from './set-up-steps.tsx';
import { readSetUp, readStart, type Start } from './start.ts';
import { TellPeople } from './tell-people.tsx';

export function homePage(app: PageRouter, context: Context): void {
  app.get(HOME_PATH, { for: 'anyone' }, async (c, viewer) => {
    const isOwner =
      viewer !== null &&
      (viewer.worksIn !== null || (await countListings(context.db.read, viewer.personId)) > 0);
    if (isOwner) return redirect(c, DASHBOARD_PATH);
    return redirect(c, viewer?.isOperator ? DESK_PATH : '/');
  });
}

export function startPages(
  app: PageRouter,
  context: Context,
  { findLinkPreview }: { readonly findLinkPreview: FindLinkPreview },
): void {
  app.get(DASHBOARD_PATH, { for: 'member' }, async (c, viewer) => {
    const [start, unpublishable] = await Promise.all([
      readStart(context, viewer, { baseUrl: c.get('site').baseUrl, findLinkPreview }),
      readPublishing(context, viewer.accountId),
    ]);
    return page(c, <StartPage {...{ start, unpublishable }} />, {
      title: t('Dashboard'),
      scripts: ['chart'],
      formAction: originsOf(start.setUp.openable?.link ?? null),
    });
  });

  app.get(DASHBOARD_SETUP_PATH, { for: 'member' }, async (c, viewer) => {
    if (!wantsFragment(c)) return redirect(c, DASHBOARD_PATH);
    const setUp = await readSetUp(context, viewer, c.get('site').baseUrl);
    if (fingerprintOf(setUp) === c.req.query('seen')) return c.body(null, 204);
    return fragment(c, <SetUpSteps setUp={setUp} hop={c.req.query('hop') ?? null} />);
  });

  app.post(MODE_PATH, { for: 'member' }, async (c) => {
    const form = await readForm(c);
    const mode = parseKeyMode(form.text('mode'));
    const { baseUrl } = c.get('site');
    const next = new URL(
      nextPath(form.text('next') || (returnPath(c) ?? undefined), DASHBOARD_PATH),
      baseUrl,
    );
    for (const name of OF_ONE_MODE) next.searchParams.delete(name);
    c.header('Set-Cookie', setCookie(baseUrl, 'mode', mode, REMEMBERED_MS));
    return redirect(c, next.pathname + next.search);
  });
}

const REMEMBERED_MS = 365 * DAY_MS;

/** Dropped when the mode changes: a cursor is valid in one mode, and `mode` would override the new one. */
const OF_ONE_MODE = ['after', 'mode'];

interface StartPageProps {
  readonly start: Start;
  readonly unpublishable: Unpublishable;
}

function StartPage({ start, unpublishable }: StartPageProps) {
  const { shows, setUp, listings, launch } = start;
  if (listings.length === 0) return <Invitation {...{ start, unpublishable }} />;
  return (
    <>
      <PageHeader
        title={t('Start')}
        lead={
          shows.steps
            ? setUp.mayHaveKeys
              ? t('Four steps to your first verified claim.')
              : t('Three steps to your first claim.')
            : undefined
        }
      />
      <div class="stack-loose">
        <PublishingNotice unpublishable={unpublishable} />
        {start.questions.map((each) => (
          <QuestionNotice {...each} />
        ))}
        {shows.steps && <SetUpSteps setUp={setUp} hop={setUp.openable?.id ?? null} />}
        {shows.overview && <OpenProblems start={start} />}
        {launch !== null && <TellPeople launch={launch} />}
        {shows.overview && <OverviewSections start={start} />}
      </div>
    </>
  );
}

const Invitation = ({ start, unpublishable }: StartPageProps) => (
  <>
    <PageHeader
      title={t('Publish your app')}
      lead={t('The dashboard is where owners work. Create your first listing to become an owner.')}
    />
    <div class="stack-loose">
      <PublishingNotice unpublishable={unpublishable} />
      <EmptyState
        sentence={
          start.setUp.mayHaveKeys
            ? t(
                'Make an offer for your app. People claim it here and redeem it in your app, with a link or a code.',
              )
            : t('Make an offer for your app. People claim it here and enter your code at checkout.')
        }
        link={unpublishable === null && [t('Publish an app'), NEW_LISTING_PATH]}
        example={
          <Ticket
            kind="Fieldnotes"
            title={t('20% off the first year')}
            meta={t('Notes for people who work outdoors.')}
            stub={
              start.setUp.mayHaveKeys
                ? t('Each claim has a token that can be redeemed only once.')
                : t('People get a code that they enter at checkout.')
            }
          />
        }
      />
      <Section title={t('How it works')} id="steps">
        <SetUpSteps setUp={start.setUp} hop={null} isInvitation />
      </Section>
    </div>
  </>
);
