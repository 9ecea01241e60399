import { CAUSES, isCause, isFixed, outcomeOf, statusOf } from '../../attempts/cause.ts';
import { whyNotAgain } from '../../claims/verify/endpoint/send-again.ts';
import { shortId } from '../../store/uuid.ts';
import { isolated } from '../../text/text.ts';
import { Label } from '../../ui/breakable.tsx';
import { PostButton } from '../../ui/button.tsx';
import { Code, CopyButton, Mono } from '../../ui/code.tsx';
import { DefinitionList, type Fact } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Time } from '../../ui/time.tsx';
import {
  ownerClaimPath,
  ownerClaimsPath,
  ownOfferPath,
  REQUESTS_PATH,
  requestPath,
  requestsPath,
} from '../paths.ts';
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
  readonly again: ResponseNow | { readonly refusal: string } | null;
}

export function RequestPage({ call, baseUrl, again }: RequestPageProps) {
  const exchange = exchangeOf(call, baseUrl);
  const isRestored = call.claim !== null && statusOf(call.cause) === 200;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[['Requests', REQUESTS_PATH]]} />}
        title={
          <>
            Call of <Time at={call.at} precision="second" />
          </>
        }
        badge={<Outcome outcome={outcomeOf(call.cause)} />}
      />
      <div class="columns">
        <div class="stack-loose">
          <WhatToDo call={call} />
          <section class="section">
            <h2>Request and response</h2>
            <div class="stack">
              <ExchangePart title="Request" text={exchange.request} />
              {exchange.response !== null && <ExchangePart title="Response" text={exchange.response} />}
            </div>
            <p class="small-text soft-text top-space">
              Of the API key, the token and the Idempotency-Key, the log stores only the parts shown here; of
              the API key and the token also hashes.
              {isRestored &&
                ' The response is reconstructed from the claim and the current texts of its offer.'}
            </p>
          </section>
          <SendAgain call={call} again={again} />
          <section class="section">
            <h2>Copy as curl</h2>
            <div class="stack">
              <Code
                text={curlOf(baseUrl, {
                  key: call.key_mode === null ? 'cck_…' : shownKey(call.key_mode, call.key_start),
                  token: `…${call.token_last4 ?? ''}`,
                  redeem: false,
                })}
                what="the command"
              />
              <p class="small-text soft-text">
                Fill in the key and the token in the first two lines. The command redeems nothing.
              </p>
            </div>
          </section>
        </div>
        <aside class="card">
          <h2>The call</h2>
          <DefinitionList facts={factsOf(call)} />
        </aside>
      </div>
    </>
  );
}

function WhatToDo({ call }: { call: Call }) {
  if (isCause(call.cause) && isFixed(call.cause)) {
    return (
      <Notice title={CAUSES[call.cause].what} actions={<a href="/docs/test-mode">About fixed tokens</a>}>
        It belongs to no claim. With a test key, the response is always the same.
      </Notice>
    );
  }
  const diagnosis = diagnose(call, call.claim?.mode ?? null);
  if (diagnosis === null) return null;
  const outcome = outcomeOf(call.cause);
  return (
    <Notice
      tone="warn"
      title={diagnosis.what}
      actions={
        <>
          <a href={requestsPath({ cause: call.cause, mode: call.mode })}>All calls with this cause</a>
          {outcome !== 'not_found' && <a href={`/docs/errors/${outcome}`}>About this error</a>}
        </>
      }
    >
      {diagnosis.fix}
    </Notice>
  );
}

function SendAgain({ call, again }: Pick<RequestPageProps, 'call' | 'again'>) {
  const whyNot = whyNotAgain(call);
  return (
    <section class="section" id="again">
      <h2>Send it again</h2>
      <div class="stack">
        {whyNot === null ? (
          <>
            <p>
              Sends the same key and token now, with <code>"redeem": false</code>. Nothing is redeemed, and
              nothing is added to the log.
            </p>
            <PostButton action={`${requestPath(call.request_id)}/again#again`}>Send again</PostButton>
          </>
        ) : (
          <p>This call cannot be sent again. {whyNot}</p>
        )}
        {again !== null && 'refusal' in again && <Notice tone="bad">{again.refusal}</Notice>}
        {again !== null && 'body' in again && (
          <ExchangePart
            title={`Answered in ${latencyText(again.latencyUs)}`}
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
    [
      'Request id',
      <>
        <Mono>{call.request_id}</Mono> <CopyButton text={call.request_id} what="the request id" />
      </>,
    ],
    ['Answered in', call.latency_us === 0 ? 'not measured' : latencyText(call.latency_us)],
    call.key_mode === null
      ? ['API key', 'none']
      : [
          'API key',
          <>
            <a href={requestsPath({ key: call.api_key_id ?? undefined, mode: call.mode })}>
              {isolated(call.key_name)}
            </a>
            <br />
            <Mono>{shownKey(call.key_mode, call.key_start)}</Mono>
          </>,
        ],
    call.token_last4 !== null && ['Token', <Mono>…{call.token_last4}</Mono>],
    claim && ['Claim', <a href={ownerClaimPath(claim.id)}>…{shortId(claim.id)}</a>],
    claim && ['Offer', <a href={ownOfferPath(claim.offer_id)}>{isolated(claim.offer)}</a>],
    claim && [
      'Label',
      claim.via === null ? (
        'none'
      ) : (
        <a href={ownerClaimsPath({ listing: claim.listing, via: claim.via })}>
          <Label text={claim.via} />
        </a>
      ),
    ],
    ['From', call.ip === null ? 'unknown' : <IpAddress ip={call.ip} />],
  ];
}
