/** The four set-up steps, each ticked from data, with the live wait for the first verification. */
import type { Child } from 'hono/jsx';
import { outcomeOf, statusOf } from '../../attempts/cause.ts';
import { VERIFY_PATH } from '../../claims/verify/decision/verification.ts';
import type { ListingState } from '../../listings/listing.ts';
import { isolated } from '../../text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code, More } from '../../ui/code.tsx';
import { fingerprintOf, Live, Waiting } from '../../ui/live.tsx';
import { Notice } from '../../ui/notice.tsx';
import { usePlansWithKeys } from '../../ui/site.tsx';
import { Steps } from '../../ui/steps.tsx';
import { Time } from '../../ui/time.tsx';
import {
  linkCheckPath,
  NEW_LISTING_PATH,
  newOfferPath,
  openTestPath,
  ownListingPath,
  ownOfferPath,
  REQUESTS_PATH,
} from '../paths.ts';
import { curlOf } from '../requests/exchange.ts';
import { ExchangePart, latencyText } from '../requests/parts.tsx';
import { awaitsRedemption, type Fault, type SetUp } from './start.ts';

export const SET_UP_PATH = '/dashboard/set-up';

const CODE_PATH = '/docs/quickstart#2-in-your-app';

/** Shows a verification within a second: the request log is written some 50 ms after the call. */
const VERIFICATION_LOOK_MS = 500;
/** Used while an earlier step is open, since those take longer. */
const LOOK_MS = 3_000;

interface SetUpStepsProps {
  readonly setUp: SetUp;
  /** The offer that the page's policy allows in `form-action`; a part loaded by htmx is bound by its page's policy. */
  readonly hop: string | null;
  /** The page already has an invitation to publish. */
  readonly isInvitation?: boolean;
}

export function SetUpSteps(props: SetUpStepsProps) {
  const { setUp, hop, isInvitation = false } = props;
  const query = new URLSearchParams({ seen: fingerprintOf(setUp), hop: hop ?? '' });
  const isFinal = setUp.isComplete && !awaitsRedemption(setUp);
  const everyMs = isFinal ? null : setUp.keyModes.length > 0 ? VERIFICATION_LOOK_MS : LOOK_MS;
  const steps = [publishStep(setUp), linkStep(setUp), keyStep(setUp), verifyStep(props)];
  const now = steps.findIndex(({ isDone, isPossible }) => !isDone && isPossible);
  return (
    <Live id="set-up" path={`${SET_UP_PATH}?${query}`} everyMs={everyMs}>
      <Steps
        steps={steps.map(({ title, isDone, body, action }, index) => ({
          title,
          state: isDone ? 'done' : index === now ? 'now' : 'open',
          body: body && (
            <div class="stack">
              {body}
              {action && !isInvitation && (
                <p>
                  <ButtonLink
                    href={action[1]}
                    tone={index === now ? 'primary' : 'plain'}
                    small={index !== now}
                  >
                    {action[0]}
                  </ButtonLink>
                </p>
              )}
            </div>
          ),
        }))}
      />
      {setUp.isComplete && (
        <p class="top-space">
          <ButtonLink href="/dashboard" tone="primary">
            Go to your overview
          </ButtonLink>
        </p>
      )}
    </Live>
  );
}

interface SetUpStep {
  readonly title: string;
  readonly isDone: boolean;
  /** Whether the owner can do it now. */
  readonly isPossible?: boolean;
  readonly body?: Child;
  readonly action?: readonly [label: string, href: string] | null;
}

const LISTING_WORDS: Readonly<Record<ListingState, readonly [sentence: string, action: string]>> = {
  draft: ['is a draft. Submit it for review when it is ready.', 'Open the draft'],
  pending: ['waits for review. You can continue with the next steps.', 'Open the listing'],
  changes_requested: ['needs changes before it can be published.', 'See what to change'],
  rejected: ['was rejected.', 'See why'],
  withdrawn: ['is withdrawn. Submit it again to publish it.', 'Open the listing'],
  suspended: ['is suspended by the operator.', 'See why'],
  approved: ['is published.', 'Open the listing'],
};

function publishStep({ listing, isPublished }: SetUp): SetUpStep {
  const step = { title: 'Publish your app', isDone: isPublished };
  if (isPublished) return step;
  if (listing === null) {
    const about = 'A listing shows your app on the marketplace. The operator reviews it first.';
    return { ...step, isPossible: true, body: <p>{about}</p>, action: ['Publish an app', NEW_LISTING_PATH] };
  }
  const [sentence, action] = LISTING_WORDS[listing.state];
  return {
    ...step,
    isPossible: !['pending', 'suspended', 'rejected'].includes(listing.state),
    body: (
      <p>
        <strong>{isolated(listing.name)}</strong> {sentence}
      </p>
    ),
    action: [action, ownListingPath(listing.id)],
  };
}

function linkStep({ listing, isLinked, linkWaits, unlinkedOffer }: SetUp): SetUpStep {
  const step = { title: 'Set the redemption link', isDone: isLinked };
  if (isLinked) return step;
  if (linkWaits) {
    const why = 'The redemption link waits for review, because its host is not the approved one.';
    return { ...step, body: <p>{why}</p> };
  }
  return {
    ...step,
    isPossible: listing !== null,
    body: (
      <p>
        The URL of a page on your site, with <code>{'{claim}'}</code> in place of the claim token. Claimants
        are sent there with their token.
      </p>
    ),
    action:
      listing &&
      (unlinkedOffer === null
        ? ['Add an offer', newOfferPath(listing.id)]
        : ['Set the link', ownOfferPath(unlinkedOffer)]),
  };
}

const LinkToPlans = () => <a href="/dashboard/settings/plan">{usePlansWithKeys('or')}</a>;

const keyStep = ({ keyModes, mayHaveKeys }: SetUp): SetUpStep => ({
  title: 'Create an API key',
  isDone: keyModes.length > 0,
  isPossible: mayHaveKeys,
  body: keyModes.length === 0 && (
    <p>
      {mayHaveKeys ? (
        'Your server sends it with every call. Keep it on the server, never in a page or an app.'
      ) : (
        <>
          Your plan has no API keys. A shared code is enough for a listing; with <LinkToPlans /> your server
          can also verify each token.
        </>
      )}
    </p>
  ),
  action: mayHaveKeys ? ['Create an API key', '/dashboard/settings/keys/new'] : null,
});

function verifyStep(props: SetUpStepsProps): SetUpStep {
  const { keyModes, mayHaveKeys, verification, calls } = props.setUp;
  const step = { title: 'Verify a claim from your server', isDone: verification !== null };
  if (verification !== null) return { ...step, body: <VerificationPart setUp={props.setUp} /> };
  if (keyModes.length > 0 || calls.hasAny) {
    return { ...step, isPossible: keyModes.length > 0, body: <Wait {...props} /> };
  }
  const about = 'When a claimant opens the link, your server checks whether the token is valid.';
  return { ...step, body: mayHaveKeys && <p>{about}</p> };
}

export function VerificationPart({ setUp }: { setUp: SetUp }) {
  const { verification, exchange } = setUp;
  if (verification === null) return null;
  const { at, outcome, latency_us: latencyUs, request_id: requestId } = verification;
  return (
    <div class="stack">
      <div>
        <p class="good-text">
          <strong>{setUp.isFirst ? `Your first verification: ${outcome}` : 'Your first redemption'}</strong>
        </p>
        <p class="small-text">
          <Time at={at} precision="second" />, answered in {latencyText(latencyUs)}. Request{' '}
          <code>{requestId}</code>
        </p>
      </div>
      {exchange !== null && (
        <div class="exchange">
          <ExchangePart title="Request" text={exchange.request} />
          {exchange.response !== null && <ExchangePart title="Response" text={exchange.response} />}
        </div>
      )}
      {awaitsRedemption(setUp) && (
        <p>
          The claim is valid and not redeemed yet. Call with <code>"redeem": true</code> to redeem it, and
          apply the offer only if the response is <code>redeemed</code>.
        </p>
      )}
    </div>
  );
}

function Wait({ setUp, hop }: SetUpStepsProps) {
  const { openable, calls, baseUrl } = setUp;
  return (
    <>
      <p>
        <Waiting>Waiting for your first verification…</Waiting>
      </p>
      <Faults faults={calls.faults} />
      <p>
        When a claimant opens your page, your server sends the token to this service with the API key.
        {openable !== null &&
          ' Start your server and open the link with a test claim: the call appears here.'}
      </p>
      <div class="row">
        <ButtonLink href={CODE_PATH} tone={calls.hasAny ? 'plain' : 'primary'}>
          Get the code for your page
        </ButtonLink>
        {openable !== null && openable.id === hop && (
          <form method="post" action={openTestPath(hop)} target="_blank" rel="noopener" data-repeatable>
            <Button tone={calls.hasAny ? 'primary' : 'plain'}>Open with a test claim</Button>
          </form>
        )}
        {openable !== null && openable.id !== hop && (
          <ButtonLink href={`${ownOfferPath(openable.id)}#try`} tone={calls.hasAny ? 'primary' : 'plain'}>
            Open with a test claim
          </ButtonLink>
        )}
      </div>
      {openable !== null && (
        <p>
          Not working? <a href={linkCheckPath(openable.id)}>Check the link</a>.
        </p>
      )}
      <More summary="No call appears?">
        <p>
          Calls with an unknown key or to another URL can’t be shown here. Check the response in your server’s
          log: 401 means that the key is missing, quoted or cut off. 404 <code>unknown_path</code> or a
          refused connection means that the URL is wrong. It should be{' '}
          <code>
            <Breakable text={`${baseUrl}${VERIFY_PATH}`} />
          </code>
          .
        </p>
      </More>
      <More summary="Make the call with curl">
        <Code
          text={curlOf(baseUrl, {
            key: KEY_PLACEHOLDER,
            token: TOKEN_PLACEHOLDER,
            headers: [`'Idempotency-Key: "order-4711"'`],
            redeem: true,
          })}
          what="the call"
        />
        <p class="small-text">
          Replace <code>{KEY_PLACEHOLDER}</code> with your API key and <code>{TOKEN_PLACEHOLDER}</code> with
          the token, which is in the URL of the page that opens, in place of <code>{'{claim}'}</code>. A test
          claim needs a test key. Use a new Idempotency-Key for each order: for 24 hours, the same one gets
          the same answer.
        </p>
      </More>
    </>
  );
}

const KEY_PLACEHOLDER = 'cck_…';
const TOKEN_PLACEHOLDER = 'clm_…';

const Faults = ({ faults }: { faults: readonly Fault[] }) =>
  faults.length === 0 ? null : (
    <Notice
      tone="warn"
      title="A call arrived, but it verified no claim"
      actions={<a href={REQUESTS_PATH}>All calls</a>}
    >
      <ul class="faults">
        {faults.map(({ at, cause, token_last4, key_name, sentences, times }) => (
          <li>
            <p>{sentences}</p>
            <p class="small-text soft-text">
              <Time at={at} precision="second" /> · {statusOf(cause)} <code>{outcomeOf(cause)}</code>
              {token_last4 !== null && (
                <>
                  {' '}
                  · token <code>…{token_last4}</code>
                </>
              )}
              {key_name !== null && ` · key ${isolated(key_name)}`}
              {times > 1 && ` · ${times} times`}
            </p>
          </li>
        ))}
      </ul>
    </Notice>
  );
