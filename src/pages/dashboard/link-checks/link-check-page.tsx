import type { LinkCheck } from '../../../background/link-checks/link-check.ts';
import type { CheckableOffer } from '../../../background/link-checks/queries.ts';
import {
  guidePath,
  LINK_CHECKS_PATH,
  linkCheckPath,
  OWN_LISTINGS_PATH,
  ownListingPath,
  ownOfferPath,
  PLAN_PATH,
  requestPath,
} from '../../../base/paths.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { testClaimLink } from '../../../marketplace/offers/offer.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Button, ButtonLink, PostButton } from '../../ui/button.tsx';
import { BreakableMono } from '../../ui/code.tsx';
import { fingerprintOf, Live } from '../../ui/live.tsx';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { Steps } from '../../ui/steps.tsx';
import { NameCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { EXPECTATIONS, type Finding, type Findings } from './findings.ts';

export interface LinkCheckResult {
  readonly check: LinkCheck;
  readonly findings: Findings;
}

interface LinkCheckPageProps {
  readonly listing: Pick<Listing, 'id' | 'name'>;
  readonly offer: CountedOffer;
  readonly result: LinkCheckResult | null;
  readonly refused: string | null;
}

export const LinkCheckPage = ({ listing, offer, result, refused }: LinkCheckPageProps) => (
  <>
    <PageHeader
      above={
        <Breadcrumb
          trail={[
            [t('Link check'), LINK_CHECKS_PATH],
            [listing.name, ownListingPath(listing.id)],
          ]}
        />
      }
      title={offer.offer}
      badge={
        result === null && (
          <Badge tone="plain" hollow>
            {t('Not checked yet')}
          </Badge>
        )
      }
      lead={<BreakableMono text={result?.check.link ?? testClaimLink(offer) ?? ''} />}
      actions={
        <>
          {result !== null && <StartButtons offer={offer} />}
          <ButtonLink href={ownOfferPath(offer.id)}>{t('Edit offer')}</ButtonLink>
        </>
      }
    />
    <div class="stack-loose">
      {refused !== null && (
        <Notice tone="warn" title={t('That didn’t work')}>
          {refused}
        </Notice>
      )}
      {result === null ? <Introduction offer={offer} /> : <Result {...result} />}
    </div>
  </>
);

const startPath = (offerId: string): string => `${linkCheckPath(offerId)}/start`;

function StartButtons({ offer, tone = 'plain' }: { offer: CountedOffer; tone?: 'primary' | 'plain' }) {
  const action = startPath(offer.id);
  const { test_link, redemption_link } = offer;
  return (
    <>
      {test_link !== null && (
        <PostButton action={action} values={{ link: 'test' }} tone={tone}>
          {t('Check the test link')}
        </PostButton>
      )}
      {redemption_link !== null && (
        <PostButton action={action} values={{ link: 'live' }} tone={test_link === null ? tone : 'plain'}>
          {t('Check the live link')}
        </PostButton>
      )}
    </>
  );
}

const Introduction = ({ offer }: { offer: CountedOffer }) => (
  <section class="stack">
    <p class="narrow soft-text">
      {t(
        'A link check opens your link with a test claim: first from this service, like a link scanner, then in your browser. Test claims are not counted, and only a test key finds them.',
      )}
    </p>
    <div class="row">
      <StartButtons offer={offer} tone="primary" />
      <p class="hint">
        {t('Steps 1 and 2 take a few seconds. For the other steps, you open the link in a new tab.')}
      </p>
    </div>
    <Steps
      steps={EXPECTATIONS.map(({ title, expected }) => ({
        title: t(title),
        state: 'open',
        body: <p class="soft-text">{t(expected)}</p>,
      }))}
    />
  </section>
);

export const Result = ({ check, findings }: LinkCheckResult) => (
  <Live
    id="link-check"
    path={`${linkCheckPath(check.offer_id)}/look?seen=${fingerprintOf(findings)}`}
    everyMs={findings.isLive ? undefined : null}
  >
    <section class="stack">
      <p class="soft-text small-text">
        {t('Started {time}.', { time: <Time at={check.started_at} precision="second" /> })}
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
        <strong>{state === 'bad' ? t('Fix:') : t('Advice:')}</strong> {fix}
      </p>
    )}
    {(page || requestId !== undefined) && (
      <p class="row">
        {requestId !== undefined && (
          <a href={requestPath(requestId)}>{t('The request in the request log')}</a>
        )}
        {page && <a href={page[0]}>{t(page[1])}</a>}
      </p>
    )}
  </div>
);

const NEXT = {
  open: [
    message('Open your link as a customer would. The link contains the token of a test claim.'),
    message('Open your link'),
  ],
  redeem: [message('Press the button on your page to redeem the claim.'), message('Open your link again')],
  reopen: [
    message(
      'The claim is redeemed. Open the same link again and press the button again: your page must refuse the claim now.',
    ),
    message('Open the same link again'),
  ],
} as const;

function Next({ offerId, next }: { offerId: string; next: Findings['next'] }) {
  if (next === null) return null;
  const [sentence, button] = NEXT[next];
  return (
    <div class="row">
      <p>{t(sentence)}</p>
      <form
        method="post"
        action={`${linkCheckPath(offerId)}/open`}
        target="_blank"
        rel="noopener"
        data-repeatable
      >
        <Button tone={next === 'redeem' ? 'plain' : 'primary'}>{t(button)}</Button>
      </form>
    </div>
  );
}

export const LinkChecksPage = (props: { offers: readonly CheckableOffer[]; hasApiKeys: boolean }) => (
  <>
    <PageHeader
      title={t('Link check')}
      lead={t(
        'A link check opens an offer’s link with a test claim and shows what your page does with the token. <a>What it checks</a>',
        { a: linkTo(guidePath('link-check')) },
      )}
    />
    {props.hasApiKeys ? <Offers offers={props.offers} /> : <NoKeys />}
  </>
);

const NoKeys = () => (
  <EmptyState
    sentence={t(
      'Your plan has no API keys, so there is no integration to check. Offers with a shared code work without an integration.',
    )}
    action={<ButtonLink href={PLAN_PATH}>{t('Compare the plans')}</ButtonLink>}
  />
);

function Offers({ offers }: { offers: readonly CheckableOffer[] }) {
  if (offers.length === 0) {
    return (
      <EmptyState
        sentence={t('You have no offer with a live redemption link or a test link yet.')}
        link={[t('Go to your listings'), OWN_LISTINGS_PATH]}
        example="https://notes.example.com/welcome?claim={claim}"
      />
    );
  }
  return (
    <Table
      caption={t('Offers with a redemption link')}
      rows={offers}
      columns={[
        {
          header: t('Offer'),
          isName: true,
          cell: ({ id, offer, listing_name }) => (
            <NameCell href={linkCheckPath(id)} name={offer} sub={listing_name} />
          ),
        },
        {
          header: t('Leads to'),
          cell: ({ link, hasTestLink }) => (
            <>
              <Breakable text={new URL(link).host} />
              {hasTestLink && <span class="sub">{t('Test link')}</span>}
            </>
          ),
        },
        {
          header: t('Last checked'),
          isNowrap: true,
          cell: ({ started_at }) =>
            started_at === null ? <span class="quiet-text">{t('Never')}</span> : <Time at={started_at} />,
        },
        {
          header: t('Actions'),
          isActions: true,
          cell: ({ id, offer, hasTestLink }) => (
            <PostButton
              action={startPath(id)}
              values={{ link: hasTestLink ? 'test' : 'live' }}
              label={t('Check: {offer}', { offer: isolated(offer) })}
              small
            >
              {t('Check')}
            </PostButton>
          ),
        },
      ]}
    />
  );
}
