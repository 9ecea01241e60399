/** The template of the start page: an invitation, the steps of setting up, or what matters now. */
import { ButtonLink } from '../../ui/button.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Ticket } from '../../ui/ticket.tsx';
import { NEW_LISTING_PATH } from '../listings/paths.ts';
import { OverviewSections } from './overview.tsx';
import { SetUpSteps } from './set-up-steps.tsx';
import type { Start } from './start.ts';

interface Props {
  readonly start: Start;
  readonly baseUrl: string;
}

export function StartPage({ start, baseUrl }: Props): Markup {
  const { shows, setUp, listings } = start;
  const hop = setUp.openable?.id ?? null;
  if (listings.length === 0) return <Invitation start={start} baseUrl={baseUrl} />;
  return (
    <>
      <PageHeader title="Start" lead={shows.steps ? 'Four steps to your first verified claim.' : undefined} />
      <div class="stack-loose">
        {shows.steps && <SetUpSteps setUp={setUp} baseUrl={baseUrl} hop={hop} />}
        {shows.overview && <OverviewSections start={start} baseUrl={baseUrl} />}
      </div>
    </>
  );
}

/** For an account without a listing: any account may become an owner. */
const Invitation = ({ start, baseUrl }: Props): Markup => (
  <>
    <PageHeader
      title="Publish your app"
      lead="This is where owners work. You become one with your first listing."
    />
    <div class="stack-loose">
      <EmptyState
        sentence="Make an offer for your app, and verify each claim on your server."
        action={
          <ButtonLink href={NEW_LISTING_PATH} tone="primary">
            Publish an app
          </ButtonLink>
        }
        example={
          <Ticket
            kind="Fieldnotes"
            title="20% off the first year"
            meta="Notes for people who work outdoors."
            stub="Each claim has a token that can be redeemed only once."
          />
        }
      />
      <section class="section" aria-labelledby="steps">
        <h2 id="steps">How it works</h2>
        <SetUpSteps setUp={start.setUp} baseUrl={baseUrl} hop={null} isInvitation />
      </section>
    </div>
  </>
);
