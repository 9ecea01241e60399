/** The start page polls these steps until all of them are done and a claim has been redeemed. */

import type { Child } from 'hono/jsx';
import {
  DASHBOARD_PATH,
  DASHBOARD_SETUP_PATH,
  guidePath,
  linkCheckPath,
  NEW_KEY_PATH,
  NEW_LISTING_PATH,
  newOfferPath,
  openTestPath,
  ownListingPath,
  ownOfferPath,
  PLAN_PATH,
  REQUESTS_PATH,
} from '../../../base/paths.ts';
import { outcomeOf, statusOf } from '../../../claims/attempts/cause.ts';
import { VERIFY_PATH } from '../../../claims/verify/decision/verification.ts';
import type { ListingState } from '../../../marketplace/listings/listing.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable, SentenceWithCode } from '../../ui/breakable.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code, More } from '../../ui/code.tsx';
import { fingerprintOf, Live, Waiting } from '../../ui/live.tsx';
import { Notice } from '../../ui/notice.tsx';
import { linkTo, usePlansWithKeys } from '../../ui/site.tsx';
import { Steps } from '../../ui/steps.tsx';
import { Time } from '../../ui/time.tsx';
import { curlOf } from '../requests/exchange.ts';
import { ExchangePart, latencyText } from '../requests/parts.tsx';
import { awaitsRedemption, type Fault, type SetUp } from './start.ts';

const CODE_PATH = guidePath('quickstart#2-in-your-app');

/** Polling interval once the account has an API key. Short, so that a call appears on the page within a second. */
const VERIFICATION_LOOK_MS = 500;
/** Polling interval while the account has no API key and thus can't verify claims. */
const LOOK_MS = 3_000;

interface SetUpStepsProps {
  readonly setUp: SetUp;
  /**
   * ID of the offer whose redemption link is allowed by the page's `form-action` directive. Polling updates the steps
   * but not the directive, so the browser would block a form that redirects to the link of another offer.
   */
  readonly hop: string | null;
  /** Omits the steps' buttons, because the page has its own button to publish an app. */
  readonly isInvitation?: boolean;
}

export function SetUpSteps(props: SetUpStepsProps) {
  const { setUp, hop, isInvitation = false } = props;
  const query = new URLSearchParams({ seen: fingerprintOf(setUp), hop: hop ?? '' });
  const isFinal = setUp.isComplete && !awaitsRedemption(setUp);
  const everyMs = isFinal ? null : setUp.keyModes.length > 0 ? VERIFICATION_LOOK_MS : LOOK_MS;
  const steps = setUp.mayHaveKeys
    ? [publishStep(setUp), linkStep(setUp), keyStep(setUp), verifyStep(props)]
    : [publishStep(setUp), codeStep(setUp), tellStep()];
  const now = steps.findIndex(({ isDone, isPossible }) => !isDone && isPossible);
  return (
    <Live id="set-up" path={`${DASHBOARD_SETUP_PATH}?${query}`} everyMs={everyMs}>
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
          <ButtonLink href={DASHBOARD_PATH} tone="primary">
            {t('Go to your overview')}
          </ButtonLink>
        </p>
      )}
    </Live>
  );
}

interface SetUpStep {
  readonly title: string;
  readonly isDone: boolean;
  /** Whether the owner can do this step now. */
  readonly isPossible?: boolean;
  readonly body?: Child;
  readonly action?: readonly [label: string, href: string] | null;
}

const LISTING_WORDS: Readonly<Record<ListingState, readonly [sentence: Message, action: Message]>> = {
  draft: [message('{name} is a draft. Submit it for review when it is ready.'), message('Open the draft')],
  pending: [
    message('{name} is waiting for review. You can continue with the next steps.'),
    message('Open the listing'),
  ],
  changes_requested: [
    message('{name} needs changes before it can be published.'),
    message('See what to change'),
  ],
  rejected: [message('{name} was rejected.'), message('See why')],
  withdrawn: [message('{name} is withdrawn. Submit it again to publish it.'), message('Open the listing')],
  suspended: [message('The operator suspended {name}.'), message('See why')],
  approved: [message('{name} is published.'), message('Open the listing')],
};

function publishStep({ listing, isPublished }: SetUp): SetUpStep {
  const step = { title: t('Publish your app'), isDone: isPublished };
  if (isPublished) return step;
  if (listing === null) {
    const about = t('A listing shows your app on the marketplace. The operator reviews it first.');
    return {
      ...step,
      isPossible: true,
      body: <p>{about}</p>,
      action: [t('Publish an app'), NEW_LISTING_PATH],
    };
  }
  const [sentence, action] = LISTING_WORDS[listing.state];
  return {
    ...step,
    isPossible: !['pending', 'suspended', 'rejected'].includes(listing.state),
    body: <p>{t(sentence, { name: <strong>{isolated(listing.name)}</strong> })}</p>,
    action: [t(action), ownListingPath(listing.id)],
  };
}

function linkStep({ listing, isLinked, linkWaits, unlinkedOffer }: SetUp): SetUpStep {
  const step = { title: t('Set the redemption link'), isDone: isLinked };
  if (isLinked) return step;
  if (linkWaits) {
    const why = t('The redemption link is waiting for review, because it is not on your approved website.');
    return { ...step, body: <p>{why}</p> };
  }
  return {
    ...step,
    isPossible: listing !== null,
    body: (
      <>
        <p>
          {t(
            'The URL of a page on your site, with {code} in place of the claim token. Claimants are sent there with their token.',
            { code: <code>{'{claim}'}</code> },
          )}
        </p>
        <p>
          {t(
            'No developer at hand? Give the offer a discount code of your shop instead: then you need neither a link nor an API key.',
          )}
        </p>
      </>
    ),
    action:
      listing &&
      (unlinkedOffer === null
        ? [t('Add an offer'), newOfferPath(listing.id)]
        : [t('Set the link'), ownOfferPath(unlinkedOffer)]),
  };
}

const LinkToPlans = () => <a href={PLAN_PATH}>{usePlansWithKeys('or')}</a>;

/** On a plan without API keys. */
const codeStep = ({ listing, hasOffers, hasCodes }: SetUp): SetUpStep => ({
  title: t('Add an offer with a code'),
  isDone: hasCodes,
  isPossible: listing !== null,
  body: !hasCodes && (
    <p>
      {t(
        'People claim it here and enter the code at checkout: the same code for everyone, or a different one from your list for each person. Your plan has no API keys; with the {linkToPlans} plan, your server can also verify each claim.',
        { linkToPlans: <LinkToPlans /> },
      )}
    </p>
  ),
  action:
    listing &&
    (hasOffers
      ? [t('Open the listing'), ownListingPath(listing.id)]
      : [t('Add an offer'), newOfferPath(listing.id)]),
});

const tellStep = (): SetUpStep => ({
  title: t('Tell people'),
  isDone: false,
  body: <p>{t('Once your app is live, you get a share link, a text to post, a QR code and a badge.')}</p>,
});

const keyStep = ({ keyModes }: SetUp): SetUpStep => ({
  title: t('Create an API key'),
  isDone: keyModes.length > 0,
  isPossible: true,
  body: keyModes.length === 0 && (
    <p>
      {t(
        'Your server sends the API key with every call. Keep the key on the server; never put it in a page or an app.',
      )}
    </p>
  ),
  action: [t('Create an API key'), NEW_KEY_PATH],
});

function verifyStep(props: SetUpStepsProps): SetUpStep {
  const { keyModes, verification, calls } = props.setUp;
  const step = { title: t('Verify a claim from your server'), isDone: verification !== null };
  if (verification !== null) return { ...step, body: <VerificationPart setUp={props.setUp} /> };
  if (keyModes.length > 0 || calls.hasAny) {
    return { ...step, isPossible: keyModes.length > 0, body: <Wait {...props} /> };
  }
  const about = t('When a claimant opens the link, your server checks whether the token is valid.');
  return { ...step, body: <p>{about}</p> };
}

export function VerificationPart({ setUp }: { setUp: SetUp }) {
  const { verification, exchange } = setUp;
  if (verification === null) return null;
  const { at, outcome, latency_us: latencyUs, request_id: requestId } = verification;
  return (
    <div class="stack">
      <div>
        <p class="good-text">
          <strong>
            {setUp.isFirst
              ? t(
                  'Your first verification: {outcome, select, redeemed {redeemed} valid {valid} other {{outcome}}}',
                  {
                    outcome,
                  },
                )
              : t('Your first redemption')}
          </strong>
        </p>
        <p class="small-text">
          {t('{time}, answered in {latency}. Request ID: {code}', {
            time: <Time at={at} precision="second" />,
            latency: latencyText(latencyUs),
            code: <code>{requestId}</code>,
          })}
        </p>
      </div>
      {exchange !== null && (
        <div class="exchange">
          <ExchangePart title={t('api|Request')} text={exchange.request} />
          {exchange.response !== null && <ExchangePart title={t('Response')} text={exchange.response} />}
        </div>
      )}
      {awaitsRedemption(setUp) && (
        <p>
          {t(
            'The claim is valid and not redeemed yet. To redeem it, send {code}. Apply the offer only if the response is {code2}.',
            { code: <code>"redeem": true</code>, code2: <code>redeemed</code> },
          )}
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
        <Waiting>{t('Waiting for your first verification…')}</Waiting>
      </p>
      <Faults faults={calls.faults} />
      <p>
        {t('When a claimant opens your page, your server sends the token to this service with the API key.')}
        {openable !== null &&
          ` ${t('Start your server and open the link with a test claim: the call appears here.')}`}
      </p>
      <div class="row">
        <ButtonLink href={CODE_PATH} tone={calls.hasAny ? 'plain' : 'primary'}>
          {t('Get the code for your page')}
        </ButtonLink>
        {openable !== null && openable.id === hop && (
          <form method="post" action={openTestPath(hop)} target="_blank" rel="noopener" data-repeatable>
            <Button tone={calls.hasAny ? 'primary' : 'plain'}>{t('Open with a test claim')}</Button>
          </form>
        )}
        {openable !== null && openable.id !== hop && (
          <ButtonLink href={`${ownOfferPath(openable.id)}#try`} tone={calls.hasAny ? 'primary' : 'plain'}>
            {t('Open with a test claim')}
          </ButtonLink>
        )}
      </div>
      {openable !== null && (
        <p>{t('Not working? <a>Check the link</a>.', { a: linkTo(linkCheckPath(openable.id)) })}</p>
      )}
      <More summary={t('No call appears?')}>
        <p>
          {t(
            'Calls with an unknown key or to another URL can’t be shown here. Check the response in your server’s log: 401 means that the key is missing, quoted or cut off. 404 {code} or a refused connection means that the URL is wrong. It should be {code2}.',
            {
              code: <code>unknown_path</code>,
              code2: (
                <code>
                  <Breakable text={`${baseUrl}${VERIFY_PATH}`} />
                </code>
              ),
            },
          )}
        </p>
      </More>
      <More summary={t('Make the call with curl')}>
        <Code
          text={curlOf(baseUrl, {
            key: KEY_PLACEHOLDER,
            token: TOKEN_PLACEHOLDER,
            headers: [`'Idempotency-Key: "order-4711"'`],
            redeem: true,
          })}
          what={t('the call')}
        />
        <p class="small-text">
          {t(
            'Replace {code} with your API key. Open your link with a test claim: the URL of the page contains the token in place of {code3}. Replace {code2} with this token. A test claim needs a test key. Use a new Idempotency-Key for each order. For 24 hours, a call with the same token and the same Idempotency-Key gets the same response.',
            {
              code: <code>{KEY_PLACEHOLDER}</code>,
              code2: <code>{TOKEN_PLACEHOLDER}</code>,
              code3: <code>{'{claim}'}</code>,
            },
          )}
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
      title={t('A call arrived, but it verified no claim')}
      actions={<a href={REQUESTS_PATH}>{t('All requests')}</a>}
    >
      <ul class="apart">
        {faults.map(({ at, cause, token_last4, key_name, sentences, times }) => (
          <li>
            <p>
              <SentenceWithCode text={sentences} />
            </p>
            <p class="small-text soft-text">
              <Time at={at} precision="second" /> · {statusOf(cause)} <code>{outcomeOf(cause)}</code>
              {token_last4 !== null && <> · {t('token {code}', { code: <code>…{token_last4}</code> })}</>}
              {key_name !== null && ` · ${t('key {keyName}', { keyName: isolated(key_name) })}`}
              {times > 1 && ` · ${t('{times} times', { times })}`}
            </p>
          </li>
        ))}
      </ul>
    </Notice>
  );
