import {
  errorPagePath,
  guidePath,
  keyNetworksPath,
  ownerClaimPath,
  ownerClaimsPath,
  ownOfferPath,
  REQUESTS_PATH,
  requestPath,
  requestsPath,
} from '../../../base/paths.ts';
import { CAUSES, isCause, isFixed, outcomeOf, statusOf } from '../../../claims/attempts/cause.ts';
import { shortClaimId } from '../../../claims/short-id.ts';
import { whyNotAgain } from '../../../claims/verify/endpoint/send-again.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { Label, SentenceWithCode } from '../../ui/breakable.tsx';
import { PostButton } from '../../ui/button.tsx';
import { Code, CodeHeading, CopyButton, Mono } from '../../ui/code.tsx';
import { DefinitionList, type Fact } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import { diagnose } from './diagnosis.ts';
import { type Call, curlOf, exchangeOf, responseText, shownKey } from './exchange.ts';
import { ExchangePart, IpAddress, latencyText, Outcome } from './parts.tsx';

export interface ResponseNow {
  readonly status: number;
  readonly body: string;
  readonly latencyUs: number;
}

export interface RequestPageProps {
  readonly call: Call;
  readonly baseUrl: string;
  readonly again: ResponseNow | { readonly refusal: string | null } | null;
}

export function RequestPage({ call, baseUrl, again }: RequestPageProps) {
  const exchange = exchangeOf(call, baseUrl);
  const curl = curlOf(baseUrl, {
    key: call.key_mode === null ? 'cck_…' : shownKey(call.key_mode, call.key_start),
    token: `…${call.token_last4 ?? ''}`,
    redeem: false,
  });
  const isRestored = call.claim !== null && statusOf(call.cause) === 200;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[[t('Requests'), REQUESTS_PATH]]} />}
        title={t('Request on {time}', { time: <Time at={call.at} precision="second" /> })}
        badge={<Outcome outcome={outcomeOf(call.cause)} />}
        lead={
          <>
            <Mono>{call.request_id}</Mono>{' '}
            <CopyButton text={call.request_id} what={t('the request ID')} isQuiet />
          </>
        }
      />
      <div class="stack-loose">
        <WhatToDo call={call} />
        <div class="columns">
          <aside class="card">
            <h2>{t('Details')}</h2>
            <DefinitionList facts={factsOf(call)} />
          </aside>
          <div class="stack-loose">
            <section class="section">
              <CodeHeading title={t('api|Request')} text={exchange.request} what={t('the request')} />
              <Code text={exchange.request} language="json" scrolls />
            </section>
            <section class="section">
              {exchange.response !== null && (
                <>
                  <CodeHeading title={t('Response')} text={exchange.response} what={t('the response')} />
                  <Code text={exchange.response} language="json" scrolls />
                </>
              )}
              <p class="small-text soft-text top-space">
                {t(
                  'The log doesn’t store the complete API key, token or Idempotency-Key: only the parts shown here, the ID of the API key and a hash of the token.',
                )}
                {isRestored && ` ${t('The response is reconstructed from the claim and its offer.')}`}
              </p>
            </section>
          </div>
        </div>
        <SendAgain call={call} again={again} />
        <section class="section">
          <CodeHeading title={t('Copy as curl')} text={curl} what={t('the command')} />
          <div class="stack">
            <p>{t('Fill in the key and the token in the first two lines. The command redeems nothing.')}</p>
            <Code text={curl} scrolls />
          </div>
        </section>
      </div>
    </>
  );
}

function WhatToDo({ call }: { call: Call }) {
  if (isCause(call.cause) && isFixed(call.cause)) {
    return (
      <Notice
        title={<SentenceWithCode text={t(CAUSES[call.cause].what)} />}
        actions={<a href={guidePath('test-mode')}>{t('About fixed tokens')}</a>}
      >
        {t(
          'A fixed token belongs to no claim. A call with this token and a test key has the same result on every installation.',
        )}
      </Notice>
    );
  }
  const diagnosis = diagnose(call, call.claim?.mode ?? null);
  if (diagnosis === null) return null;
  const outcome = outcomeOf(call.cause);
  return (
    <Notice
      tone="warn"
      title={<SentenceWithCode text={diagnosis.what} />}
      actions={
        <>
          <a href={requestsPath({ cause: call.cause, mode: call.mode })}>
            {t('All requests with this cause')}
          </a>
          {call.cause === 'network_not_allowed' && call.api_key_id !== null && (
            <a href={keyNetworksPath(call.api_key_id)}>{t('Networks of the key')}</a>
          )}
          {outcome !== 'not_found' && <a href={errorPagePath(outcome)}>{t('About this error')}</a>}
        </>
      }
    >
      <SentenceWithCode text={diagnosis.fix} />
    </Notice>
  );
}

function SendAgain({ call, again }: Pick<RequestPageProps, 'call' | 'again'>) {
  const whyNot = whyNotAgain(call);
  return (
    <section class="section" id="again">
      <h2>{t('Send again now')}</h2>
      <div class="stack">
        {whyNot === null ? (
          <>
            <p>
              {t(
                'Sends the same key and token now, with {code}. Nothing is redeemed, and nothing is added to the log.',
                { code: <code>"redeem": false</code> },
              )}
            </p>
            <PostButton action={`${requestPath(call.request_id)}/again#again`}>
              {t('api|Send again')}
            </PostButton>
          </>
        ) : (
          <p>{t('This request cannot be sent again. {whyNot}', { whyNot })}</p>
        )}
        {again !== null && 'refusal' in again && <Notice tone="bad">{again.refusal}</Notice>}
        {again !== null && 'body' in again && (
          <ExchangePart
            title={t('Answered in {latency}', { latency: latencyText(again.latencyUs) })}
            text={responseText(again.status, again.body)}
          />
        )}
      </div>
    </section>
  );
}

function factsOf(call: Call): readonly Fact[] {
  const { claim } = call;
  return [
    [t('Answered in'), call.latency_us === 0 ? t('not measured') : latencyText(call.latency_us)],
    call.key_mode === null
      ? [t('API key'), t('none')]
      : [
          t('API key'),
          <>
            <a href={requestsPath({ key: call.api_key_id ?? undefined, mode: call.mode })}>
              {isolated(call.key_name)}
            </a>
            <br />
            <Mono>{shownKey(call.key_mode, call.key_start)}</Mono>
          </>,
        ],
    call.token_last4 !== null && [t('Token'), <Mono>…{call.token_last4}</Mono>],
    claim && [
      t('Claim'),
      <a href={ownerClaimPath(claim.id)}>
        <Mono>{shortClaimId(claim.id)}</Mono>
      </a>,
    ],
    claim && [t('Offer'), <a href={ownOfferPath(claim.offer_id)}>{isolated(claim.offer)}</a>],
    claim && [
      t('Label'),
      claim.via === null ? (
        t('No label')
      ) : (
        <a href={ownerClaimsPath({ listing: claim.listing, via: claim.via })}>
          <Label text={claim.via} />
        </a>
      ),
    ],
    [t('From'), call.ip === null ? t('unknown') : <IpAddress ip={call.ip} />],
  ];
}
