import type { LinkCheck } from '../../link-checks/link-check.ts';
import { testClaimLink } from '../../offers/offer.ts';
import type { CountedOffer } from '../../offers/queries.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Button, PostButton } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { Live } from '../../ui/live.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Steps } from '../../ui/steps.tsx';
import { Time } from '../../ui/time.tsx';
import { LINK_CHECKS_PATH, linkCheckPath, requestPath } from '../paths.ts';
import type { Finding, Findings } from './findings.ts';

export interface LinkCheckResult {
  readonly check: LinkCheck;
  readonly findings: Findings;
  readonly fingerprint: string;
}

interface LinkCheckPageProps {
  readonly offer: CountedOffer;
  readonly result: LinkCheckResult | null;
  readonly refused: string | null;
}

export const LinkCheckPage = ({ offer, result, refused }: LinkCheckPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Link check', LINK_CHECKS_PATH]]} />}
      title={offer.offer}
      lead={
        <Mono>
          <Breakable text={result?.check.link ?? testClaimLink(offer) ?? ''} />
        </Mono>
      }
      actions={<StartButtons offer={offer} result={result} />}
    />
    <div class="stack-loose">
      {refused !== null && (
        <Notice tone="warn" title="That didn’t work">
          {refused}
        </Notice>
      )}
      {result === null ? <Introduction /> : <Result {...result} />}
    </div>
  </>
);

function StartButtons({ offer, result }: Pick<LinkCheckPageProps, 'offer' | 'result'>) {
  const action = `${linkCheckPath(offer.id)}/start`;
  const tone = result === null ? 'primary' : 'plain';
  const { test_link, redemption_link } = offer;
  return (
    <>
      {test_link !== null && (
        <PostButton action={action} values={{ link: 'test' }} tone={tone}>
          Check the test link
        </PostButton>
      )}
      {redemption_link !== null && (
        <PostButton action={action} values={{ link: 'live' }} tone={test_link === null ? tone : 'plain'}>
          Check the live link
        </PostButton>
      )}
    </>
  );
}

const Introduction = () => (
  <p>
    A link check opens your link with a test claim: first from this service, like a link scanner, then in your
    browser. Test claims are not counted, and only a test key finds them.
  </p>
);

export const Result = ({ check, findings, fingerprint }: LinkCheckResult) => (
  <Live
    id="link-check"
    path={`${linkCheckPath(check.offer_id)}/look?seen=${fingerprint}`}
    everyMs={findings.isLive ? undefined : null}
  >
    <section class="stack">
      <p class="soft-text small-text">
        Started <Time at={check.started_at} precision="second" />.
      </p>
      <Next offerId={check.offer_id} next={findings.next} />
      <Steps
        steps={findings.steps.map((step) => ({
          title: step.title,
          state: step.state,
          body: <StepBody {...step} />,
        }))}
      />
    </section>
  </Live>
);

const StepBody = ({ state, text, fix, page, requestId }: Finding) => (
  <div class="stack">
    <p>{text}</p>
    {fix && (
      <p>
        <strong>{state === 'bad' ? 'Fix: ' : 'Advice: '}</strong>
        {fix}
      </p>
    )}
    {(page || requestId !== undefined) && (
      <p class="row">
        {requestId !== undefined && <a href={requestPath(requestId)}>The call in the request log</a>}
        {page && <a href={page[0]}>{page[1]}</a>}
      </p>
    )}
  </div>
);

const NEXT = {
  open: ['Open your link as a customer would. It has the token of a test claim.', 'Open your link'],
  redeem: ['Press the button on your page to redeem the claim.', 'Open your link again'],
  reopen: [
    'The claim is redeemed. Open the same link again and press the button again: your page must refuse it now.',
    'Open the same link again',
  ],
} as const;

function Next({ offerId, next }: { offerId: string; next: Findings['next'] }) {
  if (next === null) return null;
  const [sentence, button] = NEXT[next];
  return (
    <div class="row">
      <p>{sentence}</p>
      <form
        method="post"
        action={`${linkCheckPath(offerId)}/open`}
        target="_blank"
        rel="noopener"
        data-repeatable
      >
        <Button tone={next === 'redeem' ? 'plain' : 'primary'}>{button}</Button>
      </form>
    </div>
  );
}
