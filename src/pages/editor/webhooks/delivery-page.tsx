import type { Delivery, DeliveryAttempt } from '../../../background/webhooks/delivery-queries.ts';
import { eventTypesFor } from '../../../background/webhooks/endpoint.ts';
import type { Endpoint } from '../../../background/webhooks/endpoint-queries.ts';
import { requestOf } from '../../../background/webhooks/formats.ts';
import { titleOf } from '../../../base/events/catalogue.ts';
import { storedText, t } from '../../../platform/languages/translate.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { PostButton } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { Code, CodeHeading, CopyButton, Mono } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { Live, Waiting } from '../../ui/live.tsx';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { numberText, Time } from '../../ui/time.tsx';
import { DeliveryState, deliveryPath, endpointName, pathOf, subjectOf, tookText, trailOf } from './parts.tsx';

interface DeliveryStatusProps {
  readonly endpoint: Endpoint;
  readonly delivery: Delivery;
  readonly attempts: readonly DeliveryAttempt[];
  readonly now: EpochMs;
}

interface DeliveryPageProps extends DeliveryStatusProps {
  readonly refusal: string | null;
  /** The language of sentences for chats. */
  readonly language: string;
}

/** The page polls if the next attempt is due within this time. */
const SOON_MS = 30_000;

export const DeliveryPage = (props: DeliveryPageProps) => {
  const { endpoint, delivery, refusal, language } = props;
  const subject = subjectOf(delivery.payload);
  const isSoon = isDueSoon(props);
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={trailOf(endpoint)} />}
        title={delivery.type}
        badge={!isSoon && <DeliveryState delivery={delivery} endpoint={endpoint} />}
        lead={
          (subject !== null || endpoint.format === 'standard') && (
            <>
              <bdi>{subject}</bdi>
              {endpoint.format === 'standard' && (
                <>
                  {subject !== null && <br />}
                  <Mono>{delivery.message_id}</Mono>{' '}
                  <CopyButton text={delivery.message_id} what={t('the event ID')} isQuiet />
                </>
              )}
            </>
          )
        }
        actions={
          endpoint.disabled_at === null && (
            <PostButton action={`${deliveryPath(endpoint, delivery.id)}/resend`}>
              {delivery.delivered_at === null ? t('Send now') : t('Send again')}
            </PostButton>
          )
        }
      />
      <div class="stack-loose">
        {refusal !== null && (
          <Notice tone="bad" title={t('Not sent')}>
            {refusal}
          </Notice>
        )}
        {endpoint.disabled_at !== null && (
          <Notice title={t('The endpoint is disabled')}>
            {t('To send this delivery{again, select, yes { again} other {}}, enable <a>the endpoint</a>.', {
              again: delivery.delivered_at === null ? 'no' : 'yes',
              a: linkTo(pathOf(endpoint)),
            })}
          </Notice>
        )}
        <DeliveryStatus {...props} hasState={isSoon} />
        <Body
          {...requestOf(endpoint, delivery.payload, language)}
          isSigned={endpoint.format === 'standard'}
        />
      </div>
    </>
  );
};

/** Shows the body of a request. JSON is indented, but the copy button copies the body exactly as it is sent. */
function Body({ body, contentType, isSigned }: ReturnType<typeof requestOf> & { isSigned: boolean }) {
  const isJson = contentType === 'application/json';
  const formatted = isJson ? JSON.stringify(JSON.parse(body), null, 2) : body;
  return (
    <section class="section">
      <CodeHeading title={t('Body')} text={body} what={t('the body')} />
      <div class="stack">
        {isSigned && (
          <p class="small-text soft-text">
            {t(
              'The body is indented here. The copy button copies it exactly as it is sent and signed. The event’s ID is in the header {header}.',
              { header: <Mono>webhook-id</Mono> },
            )}
          </p>
        )}
        <Code text={formatted} language={isJson ? 'json' : undefined} scrolls={isJson} />
      </div>
    </section>
  );
}

const isDueSoon = ({ endpoint, delivery, now }: DeliveryStatusProps): boolean =>
  endpoint.disabled_at === null && delivery.next_at !== null && Date.parse(delivery.next_at) - now < SOON_MS;

/** `hasState`: shows the state here instead of in the page header, because polling doesn't update the header. */
export const DeliveryStatus = (props: DeliveryStatusProps & { hasState: boolean }) => {
  const { endpoint, delivery, attempts, hasState } = props;
  const isSoon = isDueSoon(props);
  const type = eventTypesFor(endpoint.account_id).find((one) => one === delivery.type);
  return (
    <Live
      id="delivery"
      path={`${deliveryPath(endpoint, delivery.id)}/look`}
      everyMs={isSoon ? undefined : null}
    >
      <div class="columns">
        <aside class="card">
          <h2>{t('Details')}</h2>
          <DefinitionList
            facts={[
              hasState && [t('State'), <DeliveryState delivery={delivery} endpoint={endpoint} />],
              type !== undefined && [t('Event'), t(titleOf(type))],
              [
                t('Endpoint'),
                <a href={pathOf(endpoint)}>
                  <Breakable text={endpointName(endpoint)} />
                </a>,
              ],
              [t('Attempts'), numberText(attempts.length)],
              [t('Created'), <Time at={delivery.created_at} precision="second" />],
              delivery.next_at !== null && [
                t('Next attempt'),
                <NextAttempt at={delivery.next_at} isSoon={isSoon} endpoint={endpoint} />,
              ],
            ]}
          />
        </aside>
        <Section title={t('Attempts')}>
          {attempts.length === 0 ? (
            <EmptyState sentence={t('Not sent yet. Each request is listed here with its response.')} />
          ) : (
            <div class="stack">
              {attempts.map((attempt) => (
                <Attempt attempt={attempt} isSigned={endpoint.format === 'standard'} />
              ))}
            </div>
          )}
        </Section>
      </div>
    </Live>
  );
};

const NextAttempt = (props: { at: string; isSoon: boolean; endpoint: Endpoint }) => {
  if (props.endpoint.disabled_at !== null) return <>{t('When the endpoint is enabled')}</>;
  return props.isSoon ? <Waiting>{t('Within seconds')}</Waiting> : <Time at={props.at} />;
};

/** Responses up to this length have no copy button. */
const SHORT_RESPONSE = 40;

function Attempt({ attempt, isSigned }: { attempt: DeliveryAttempt; isSigned: boolean }) {
  const { status, answer_type, answer, failure } = attempt;
  return (
    <article class="card">
      <div class="spread">
        <h3>
          <Time at={attempt.at} precision="second" />
        </h3>
        <StatusBadge status={status} />
      </div>
      <div class="stack">
        <div class="small-text">
          <Mono>
            POST <Breakable text={attempt.url} />
          </Mono>
        </div>
        <p class="small-text soft-text">
          {failure === null
            ? t('Answered in {latency}', { latency: tookText(attempt) })
            : storedText(failure)}
          {answer_type !== null && (
            <>
              {', '}
              <Mono>{answer_type}</Mono>
            </>
          )}
          {status !== null && !answer && `, ${t('without a body')}`}
        </p>
        {answer && (
          <Code text={answer} what={answer.length > SHORT_RESPONSE ? t('the response') : undefined} />
        )}
        {attempt.redirects_to !== null && <RedirectHint url={attempt.redirects_to} />}
        {status === 429 && (
          <p>
            {t(
              'Your server or the chat asked to wait. The endpoint’s queue waits for as long as the response says, and this attempt doesn’t count as a failure.',
            )}
          </p>
        )}
        {!isSigned && status !== null && status >= 400 && status < 500 && status !== 429 && (
          <p>
            {t(
              'The chat refused the message. If the webhook URL was deleted in the chat, create a new URL there and save it in this endpoint.',
            )}
          </p>
        )}
        {isSigned && (status === 401 || status === 403) && (
          <p>
            {t(
              'Your server refused the request. Usual causes: it uses the secret of another endpoint, or it verifies a body that was already parsed. If you no longer have the secret, roll it.',
            )}
          </p>
        )}
      </div>
    </article>
  );
}

/** Requests don't follow redirects, because only the endpoint's own URL was checked. */
export const RedirectHint = ({ url }: { url: string }) => (
  <p>
    {t(
      'The URL redirects to {url}. Webhook requests don’t follow redirects: save the final URL in the endpoint.',
      { url: <Mono>{url}</Mono> },
    )}
  </p>
);

function StatusBadge({ status }: Pick<DeliveryAttempt, 'status'>) {
  if (status === null) return <Badge tone="bad">{t('No response')}</Badge>;
  return <Badge tone={status >= 200 && status < 300 ? 'good' : 'bad'}>{String(status)}</Badge>;
}
