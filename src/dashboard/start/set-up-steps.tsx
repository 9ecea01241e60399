/** The four set-up steps, each ticked from data, with the live wait for the first verification. */
import type { Child } from 'hono/jsx';
import { VERIFY_PATH } from '../../claims/verify/verification.ts';
import { isolated } from '../../text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Code, More } from '../../ui/code.tsx';
import { Live, Waiting } from '../../ui/live.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Step, Steps } from '../../ui/steps.tsx';
import { Time } from '../../ui/time.tsx';
import { linkCheckPath } from '../link-checks/paths.ts';
import { NEW_LISTING_PATH, newOfferPath, ownListingPath } from '../listings/paths.ts';
import { openTestPath, ownOfferPath } from '../offers/paths.ts';
import { ExchangePart, latencyText } from '../requests/parts.tsx';
import { REQUESTS_PATH } from '../requests/paths.ts';
import type { AttemptView } from './diagnosed-attempts.ts';
import { awaitsRedemption, shownVerification } from './set-up.ts';
import type { SetUp } from './start.ts';

export const SET_UP_PATH = '/dashboard/set-up';

/** Programs with the owner's own path filled in. */
const CODE_PATH = '/docs/quickstart#2-in-your-app';

const ID = 'set-up';
/** Shows tick and redemption within a second: the request log is written some 50 ms after the call. */
const VERIFICATION_LOOK_MS = 500;
/** The same while an earlier step is open, since such a step takes longer. */
const LOOK_MS = 3_000;
/** Number of different faults of calls shown, the newest. */
const FAULTS_SHOWN = 3;

export interface SetUpStepsProps {
  readonly setUp: SetUp;
  readonly baseUrl: string;
  /**
   * The offer whose origin the page's policy allows in `form-action`. A part that htmx loads is bound by the policy of
   * its page.
   */
  readonly hop: string | null;
  /** The page already has an invitation to publish. */
  readonly isInvitation?: boolean | undefined;
}

export function SetUpSteps(props: SetUpStepsProps): Markup {
  const { setUp, hop } = props;
  const { complete, keyed } = setUp.progress;
  const query = new URLSearchParams({ seen: setUp.fingerprint, hop: hop ?? '' });
  const isFinal = complete && !awaitsRedemption(setUp.progress);
  const everyMs = isFinal ? null : keyed.done ? VERIFICATION_LOOK_MS : LOOK_MS;
  return (
    <Live id={ID} path={`${SET_UP_PATH}?${query}`} everyMs={everyMs}>
      <Steps steps={stepsOf(props)} />
      {complete && (
        <p class="top-space">
          <ButtonLink href="/dashboard" tone="primary">
            Go to your overview
          </ButtonLink>
        </p>
      )}
    </Live>
  );
}

interface Draft {
  readonly title: string;
  readonly done: boolean;
  /** Whether the owner can do this step now. */
  readonly isPossible: boolean;
  readonly body: (isNow: boolean) => Markup | null;
}

function stepsOf(props: SetUpStepsProps): readonly Step[] {
  const drafts = [published(props), linked(props), keyed(props), verified(props)];
  const now = drafts.findIndex(({ done, isPossible }) => !done && isPossible);
  return drafts.map(({ title, done, body }, index) => ({
    title,
    state: done ? 'done' : index === now ? 'now' : 'later',
    body: body(index === now),
  }));
}

function published({ setUp, isInvitation }: SetUpStepsProps): Draft {
  const { done, listing } = setUp.progress.published;
  const waits =
    listing?.state === 'pending' || listing?.state === 'suspended' || listing?.state === 'rejected';
  return {
    title: 'Publish your app',
    done,
    isPossible: !waits,
    body: (isNow) => {
      if (done) return null;
      if (listing === null) {
        const about = 'A listing shows your app on the marketplace. The operator approves it first.';
        if (isInvitation) return <p>{about}</p>;
        return (
          <ToDo href={NEW_LISTING_PATH} action="Publish an app" isNow={isNow}>
            {about}
          </ToDo>
        );
      }
      const [sentence, action] = LISTING_WORDS[listing.state] ?? LISTING_WORDS['draft']!;
      return (
        <ToDo href={ownListingPath(listing.id)} action={action} isNow={isNow}>
          <strong>{isolated(listing.name)}</strong> {sentence}
        </ToDo>
      );
    },
  };
}

type Words = readonly [sentence: string, action: string];

const LISTING_WORDS: Readonly<Record<string, Words>> = {
  draft: ['is a draft. Submit it for review when it is ready.', 'Open the draft'],
  pending: ['waits for review. You can go on with the next steps meanwhile.', 'Open the listing'],
  changes_requested: ['came back: the operator asked for changes.', 'See what to change'],
  rejected: ['was rejected.', 'See why'],
  withdrawn: ['is withdrawn. Submit it again to bring it back.', 'Open the listing'],
  suspended: ['is suspended by the operator.', 'See why'],
};

function linked({ setUp }: SetUpStepsProps): Draft {
  const { progress, offers } = setUp;
  const { listing } = progress.published;
  const { done, offer } = progress.linked;
  return {
    title: 'Point the redemption link at your page',
    done,
    isPossible: listing !== null && offers !== 'waits',
    body: (isNow) => {
      if (done) return null;
      const about = (
        <>
          The redemption link is a page of yours with <code>{'{claim}'}</code> where the token goes. People
          arrive there with their claim.
        </>
      );
      if (listing === null) return <p>{about}</p>;
      if (offers === 'waits')
        return <p>The redemption link waits for review: its host is not the approved one.</p>;
      return offer === null ? (
        <ToDo href={newOfferPath(listing.id)} action="Add an offer" isNow={isNow}>
          {about}
        </ToDo>
      ) : (
        <ToDo href={ownOfferPath(offer.id)} action="Set the link" isNow={isNow}>
          {about}
        </ToDo>
      );
    },
  };
}

function keyed({ setUp, isInvitation }: SetUpStepsProps): Draft {
  const { done, possible } = setUp.progress.keyed;
  return {
    title: 'Create an API key',
    done,
    isPossible: possible,
    body: (isNow) => {
      if (done) return null;
      if (possible) {
        const about =
          'Your server sends it with every verification. Keep it on your server: never put it in a browser.';
        if (isInvitation) return <p>{about}</p>;
        return (
          <ToDo href="/dashboard/settings/keys/new" action="Create an API key" isNow={isNow}>
            {about}
          </ToDo>
        );
      }
      return (
        <p>
          The Starter plan has no API keys. A listing works with a shared code alone; with{' '}
          <a href="/dashboard/settings/plan">Studio or Everything</a> your server verifies each token too.
        </p>
      );
    },
  };
}

const ToDo = (props: { href: string; action: string; isNow: boolean; children: Child }): Markup => (
  <div class="stack">
    <p>{props.children}</p>
    <p>
      <ButtonLink href={props.href} tone={props.isNow ? 'primary' : 'plain'} small={!props.isNow}>
        {props.action}
      </ButtonLink>
    </p>
  </div>
);

function verified(props: SetUpStepsProps): Draft {
  const { progress } = props.setUp;
  const { done, attempts } = progress.verified;
  return {
    title: 'Verify a claim from your server',
    done,
    isPossible: progress.keyed.done,
    body: () => {
      if (done) return <VerificationPart setUp={props.setUp} />;
      if (!progress.keyed.done && attempts.length === 0) {
        return progress.keyed.possible ? (
          <p>When the link is opened, your server asks whether the token is good.</p>
        ) : null;
      }
      return <Wait {...props} />;
    },
  };
}

/** Request and answer of the first redemption, and until then of the first verification that found a claim. */
export function VerificationPart({ setUp }: { setUp: SetUp }): Markup | null {
  const shown = shownVerification(setUp.progress);
  if (shown === null) return null;
  const isFirst = setUp.progress.verified.redeemed === null;
  return (
    <div class="stack">
      <div>
        <p class="good-text">
          <strong>{isFirst ? `Your first verification: ${shown.outcome}` : 'Your first redemption'}</strong>
        </p>
        <p class="small-text">
          <Time at={shown.at} precision="second" />
          {shown.latencyUs !== null && `, answered in ${latencyText(shown.latencyUs)}`}. Request{' '}
          <code>{shown.requestId}</code>
        </p>
      </div>
      {setUp.exchange !== null && (
        <div class="exchange">
          <ExchangePart title="Request" text={setUp.exchange.request} />
          {setUp.exchange.answer !== null && <ExchangePart title="Answer" text={setUp.exchange.answer} />}
        </div>
      )}
      {awaitsRedemption(setUp.progress) && (
        <p>
          The claim was good and not redeemed yet. A call with <code>"redeem": true</code> redeems it: apply
          the offer only when the answer is <code>redeemed</code>.
        </p>
      )}
    </div>
  );
}

function Wait({ setUp, hop, baseUrl }: SetUpStepsProps): Markup {
  const { openable, progress } = setUp;
  const hasCode = progress.verified.attempts.length > 0;
  return (
    <div class="stack">
      <p>
        <Waiting>Waiting for your first verification…</Waiting>
      </p>
      <Faults attempts={progress.verified.attempts} />
      <p>
        When your page is opened, its server sends the token here with the API key.
        {openable !== null && ' Start it, then open your own link: the call appears here.'}
      </p>
      <div class="row">
        <ButtonLink href={CODE_PATH} tone={hasCode ? 'plain' : 'primary'}>
          Get the code of your page
        </ButtonLink>
        {openable !== null && (
          <OpenLink offerId={openable.id} hop={hop} tone={hasCode ? 'primary' : 'plain'} />
        )}
      </div>
      {openable !== null && (
        <p>
          Nothing happens, or something else? <a href={linkCheckPath(openable.id)}>Check the link</a>.
        </p>
      )}
      <More summary="No call comes?">
        <p>
          A call with an unknown key, or to another address, cannot be shown here. The log of your server has
          what it was answered: 401 means that the key is missing, quoted or cut; 404{' '}
          <code>unknown_path</code> or a refused connection, that the address is wrong. The right one is{' '}
          <code>
            <Breakable text={`${baseUrl}${VERIFY_PATH}`} />
          </code>
          .
        </p>
      </More>
      <More summary="The call by hand">
        <Code text={callByHand(baseUrl)} what="the call" />
        <p class="small-text">
          Put your API key in the place of <code>{KEY_PLACEHOLDER}</code>, and in the place of{' '}
          <code>{TOKEN_PLACEHOLDER}</code> the token: it is in the address of the page that opens, where the
          redemption link has <code>{'{claim}'}</code>. A test claim needs a test key. Choose an
          Idempotency-Key for each order: for 24 hours the same one repeats the answer of its redemption.
        </p>
      </More>
    </div>
  );
}

interface OpenLinkProps {
  readonly offerId: string;
  readonly hop: string | null;
  readonly tone: 'primary' | 'plain';
}

const OpenLink = ({ offerId, hop, tone }: OpenLinkProps): Markup =>
  offerId === hop ? (
    <form method="post" action={openTestPath(offerId)} target="_blank" rel="noopener" data-repeatable>
      <Button tone={tone}>Open with a test claim</Button>
    </form>
  ) : (
    <ButtonLink href={`${ownOfferPath(offerId)}#try`} tone={tone}>
      Open with a test claim
    </ButtonLink>
  );

const KEY_PLACEHOLDER = 'cck_…';
const TOKEN_PLACEHOLDER = 'clm_…';

const callByHand = (baseUrl: string): string =>
  [
    `CLAIMCHECK_API_KEY=${KEY_PLACEHOLDER}`,
    `TOKEN=${TOKEN_PLACEHOLDER}`,
    `curl -sS ${baseUrl}${VERIFY_PATH} \\`,
    '  -H "Authorization: Bearer $CLAIMCHECK_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    `  -H 'Idempotency-Key: "order-4711"' \\`,
    `  -d "{\\"token\\": \\"$TOKEN\\", \\"redeem\\": true}"`,
  ].join('\n');

/** Why calls found no claim, each fault once. */
function Faults({ attempts }: { attempts: readonly AttemptView[] }): Markup | null {
  const faults = [
    ...Map.groupBy(
      attempts.filter(({ diagnosis }) => diagnosis !== null),
      ({ diagnosis }) => diagnosis,
    ).values(),
  ].slice(0, FAULTS_SHOWN);
  if (faults.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title="A call arrived, but it was no verification"
      actions={<a href={REQUESTS_PATH}>All calls</a>}
    >
      <ul class="faults">
        {faults.map((alike) => (
          <li>
            <p>{alike[0]!.diagnosis}</p>
            <p class="small-text soft-text">
              <AttemptFacts attempt={alike[0]!} />
              {alike.length > 1 && ` · ${alike.length} times`}
            </p>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const AttemptFacts = ({ attempt }: { attempt: AttemptView }): Markup => (
  <>
    <Time at={attempt.at} precision="second" /> · {attempt.status} <code>{attempt.outcome}</code>
    {attempt.tokenLast4 !== null && (
      <>
        {' '}
        · token <code>…{attempt.tokenLast4}</code>
      </>
    )}
    {attempt.key !== null && ` · key ${isolated(attempt.key.name)}`}
  </>
);
