/** The check-up of an offer: what was found from here, and then in the owner's browser. */
import type { CheckUp } from '../../checkups/check-up.ts';
import { testClaimLink } from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { amountOf } from '../../text.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Button, PostButton } from '../../ui/button.tsx';
import { CheckList } from '../../ui/check-list.tsx';
import { Code, Mono } from '../../ui/code.tsx';
import { Live } from '../../ui/live.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { requestPath } from '../requests/paths.ts';
import type { Finding } from './finding.ts';
import type { Findings } from './findings.ts';
import { checkUpPath, DOCTOR_PATH } from './paths.ts';

export interface CheckUpPageProps {
  readonly offer: Pick<CountedOffer, 'id' | 'offer' | 'redemption_link' | 'test_link'>;
  /** `null`: the offer was not examined yet. */
  readonly examined: Examined | null;
  /** Why the walk was not begun. */
  readonly refused: string | null;
}

export interface Examined {
  readonly checkUp: CheckUp;
  readonly findings: Findings;
  /** The same for two check-ups that look the same on the page. */
  readonly fingerprint: string;
}

export const CheckUpPage = ({ offer, examined, refused }: CheckUpPageProps): Markup => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Doctor', DOCTOR_PATH]]} />}
      title={offer.offer}
      lead={
        <Mono>
          <Breakable text={examined?.checkUp.template ?? testClaimLink(offer) ?? ''} />
        </Mono>
      }
      actions={<StartButtons offer={offer} examined={examined} />}
    />
    <div class="stack-loose">
      {refused !== null && (
        <Notice tone="warn" title="This was not done">
          {refused}
        </Notice>
      )}
      {examined === null ? <Introduction /> : <CheckUpResult {...examined} />}
    </div>
  </>
);

/** With two links, a button for each. */
function StartButtons({ offer, examined }: Pick<CheckUpPageProps, 'offer' | 'examined'>): Markup {
  const path = `${checkUpPath(offer.id)}/start`;
  const tone = examined === null ? 'primary' : 'plain';
  if (offer.test_link === null || offer.redemption_link === null) {
    return (
      <PostButton action={path} tone={tone}>
        {examined === null ? 'Examine' : 'Examine again'}
      </PostButton>
    );
  }
  return (
    <>
      <PostButton action={path} values={{ link: 'test' }} tone={tone}>
        Examine the test link
      </PostButton>
      <PostButton action={path} values={{ link: 'live' }}>
        Examine the live link
      </PostButton>
    </>
  );
}

const Introduction = (): Markup => (
  <div class="prose">
    <p>
      The doctor opens your real link with a test claim: first from here, with HEAD and GET as link scanners
      do, then in your browser. It says what your page did with the token, and what to change.
    </p>
    <p>Nothing is counted. Your server needs a test key for the test claim to be found.</p>
  </div>
);

const RESULT_ID = 'check-up';

/** Asks for a new result by itself while one may still come. */
export const CheckUpResult = ({ checkUp, findings, fingerprint }: Examined): Markup => (
  <Live
    id={RESULT_ID}
    path={`${checkUpPath(checkUp.offerId)}/look?seen=${fingerprint}`}
    everyMs={findings.isLive ? undefined : null}
  >
    <div class="stack-loose">
      <section class="stack">
        <div class="spread">
          <h2>From here</h2>
          <Summary findings={findings.fromHere} />
        </div>
        <p class="soft-text small-text">
          Begun <Time at={checkUp.startedAt} precision="second" />.
        </p>
        <FindingList findings={findings.fromHere} />
      </section>
      <section class="stack">
        <div class="spread">
          <h2>In your browser</h2>
          <Summary findings={findings.inBrowser} />
        </div>
        <Next checkUp={checkUp} next={findings.next} />
        <FindingList findings={findings.inBrowser} />
      </section>
    </div>
  </Live>
);

function Summary({ findings }: { findings: readonly Finding[] }): Markup {
  const count = (which: Finding['state']) => findings.filter(({ state }) => state === which).length;
  const wrong = count('bad');
  if (wrong > 0) return <Badge tone="bad">{`${wrong} wrong`}</Badge>;
  if (count('waiting') > 0) return <Badge tone="plain">Waiting</Badge>;
  const notes = count('note');
  if (notes > 0) return <Badge tone="warn">{amountOf(notes, 'note')}</Badge>;
  const open = count('later');
  return open > 0 ? (
    <Badge tone="plain" hollow>{`${open} not known yet`}</Badge>
  ) : (
    <Badge tone="good">All is well</Badge>
  );
}

const FindingList = ({ findings }: { findings: readonly Finding[] }): Markup => (
  <CheckList
    items={findings.map(({ title, state, text, fix, snippet, page, requestId }) => ({
      title,
      state,
      body: (
        <div class="stack">
          <p>{text}</p>
          {fix && (
            <p>
              <strong>{state === 'bad' ? 'Change: ' : 'Advice: '}</strong>
              {fix}
            </p>
          )}
          {snippet && <Code text={snippet} what="the example" />}
          {(page || requestId !== undefined) && (
            <p class="row">
              {requestId !== undefined && <a href={requestPath(requestId)}>The call in the request log</a>}
              {page && <a href={page[0]}>{page[1]}</a>}
            </p>
          )}
        </div>
      ),
    }))}
  />
);

const NEXT: Readonly<Record<Findings['next'], readonly [words: string, button: string] | null>> = {
  open: ['Open your link as a customer would. It holds the token of a test claim.', 'Open your link'],
  redeem: ['Press the button of your page, so that it redeems the claim.', 'Open your link again'],
  'open-again': [
    'The claim is redeemed. Open the same link once more: your page must refuse it now.',
    'Open the same link again',
  ],
  'press-again': ['Do on your page what you did the first time.', 'Open the same link again'],
  nothing: null,
};

function Next({ checkUp, next }: { checkUp: CheckUp; next: Findings['next'] }): Markup | null {
  const words = NEXT[next];
  if (words === null) return null;
  const isFirst = next === 'open' || next === 'open-again';
  return (
    <div class="row">
      <p>{words[0]}</p>
      <form
        method="post"
        action={`${checkUpPath(checkUp.offerId)}/open`}
        target="_blank"
        rel="noopener"
        data-repeatable
      >
        <Button tone={isFirst ? 'primary' : 'plain'}>{words[1]}</Button>
      </form>
    </div>
  );
}
