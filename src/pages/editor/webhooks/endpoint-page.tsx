import type { Delivery } from '../../../background/webhooks/delivery-queries.ts';
import { eventTypesFor } from '../../../background/webhooks/endpoint.ts';
import type { Endpoint } from '../../../background/webhooks/endpoint-queries.ts';
import { formatTitle } from '../../../background/webhooks/formats.ts';
import type { ShownSecret } from '../../../background/webhooks/signing.ts';
import { DELIVERIES_KEPT_DAYS } from '../../../background/webhooks/sweep.ts';
import { type Message, message, t, wordsOf } from '../../../platform/languages/translate.ts';
import type { EpochMs } from '../../../platform/text/time-text.ts';
import { Breakable, Label } from '../../ui/breakable.tsx';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { Card, Section } from '../../ui/card.tsx';
import { BreakableMono, Mono, More } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList, type Fact } from '../../ui/facts.tsx';
import { HiddenField, RadioField, SelectField } from '../../ui/field.tsx';
import { Tabs } from '../../ui/filter-bar.tsx';
import { newForm } from '../../ui/form-state.ts';
import { EmptyState, Notice, type NoticeProps } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Pager, Table } from '../../ui/table.tsx';
import { Time, TimeWithZone } from '../../ui/time.tsx';
import { HoldNotice, RedirectNotice, StateNotice } from './endpoint-notices.tsx';
import {
  countedText,
  DeliveryState,
  deliveriesPath,
  deliveryPath,
  EndpointState,
  EventName,
  endpointName,
  eventsText,
  pathOf,
  subjectOf,
  tookText,
  trailTo,
} from './parts.tsx';
import { type CountedState, DELIVERY_FILTERS, type DeliveryFilter, type LastAttempt } from './queries.ts';

interface EndpointPageProps {
  readonly endpoint: Endpoint;
  readonly secrets: readonly ShownSecret[];
  readonly deliveries: readonly Delivery[];
  /** The last attempt of each delivery, by delivery ID. Has no entry for a delivery without attempts. */
  readonly lastAttempts: ReadonlyMap<string, LastAttempt>;
  readonly counts: Readonly<Record<CountedState, number>>;
  readonly state: DeliveryFilter;
  readonly isFirst: boolean;
  readonly now: EpochMs;
  readonly next: string | null;
  readonly notice: NoticeProps | null;
}

export const EndpointPage = (props: EndpointPageProps) => {
  const { endpoint, notice } = props;
  const path = pathOf(endpoint);
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={trailTo(endpoint)} />}
        title={<Breakable text={endpointName(endpoint)} />}
        badge={<EndpointState endpoint={endpoint} />}
        actions={
          <>
            <ButtonLink href={`${path}/edit`}>{t('Edit')}</ButtonLink>
            {endpoint.disabled_at === null ? (
              <PostButton action={`${path}/test`} tone="primary">
                {t('Send test event')}
              </PostButton>
            ) : (
              <Enable path={path} />
            )}
          </>
        }
      />
      <div class="stack-loose">
        {notice && <Notice {...notice} />}
        <StateNotice endpoint={endpoint} />
        <RedirectNotice {...props} />
        <HoldNotice {...props} />
        <Card title={t('Details')} isStack>
          <Details {...props} />
          <div class="row">
            {endpoint.format === 'standard' && <Roll {...props} />}
            {endpoint.disabled_at === null && <Disable path={path} />}
          </div>
        </Card>
        <Section title={t('Deliveries')} action={endpoint.disabled_at === null && <Recover path={path} />}>
          <Deliveries {...props} />
        </Section>
        <section class="section">
          <div class="stack">
            <p class="soft-text">{t('Deleting the endpoint also deletes its deliveries and its secret.')}</p>
            <div class="row">
              <Delete path={path} />
            </div>
          </div>
        </section>
      </div>
    </>
  );
};

const Disable = ({ path }: { path: string }) => (
  <Confirm
    action={`${path}/disable`}
    openerTone="plain"
    title={t('Disable the endpoint?')}
    confirm={t('Disable')}
  >
    <p>
      {t(
        'Nothing is sent until you enable the endpoint again. You can then also send the events that it missed.',
      )}
    </p>
  </Confirm>
);

const Delete = ({ path }: { path: string }) => (
  <Confirm
    action={`${path}/delete`}
    opener={t('Delete endpoint…')}
    title={t('Delete the endpoint?')}
    confirm={t('Delete endpoint')}
  >
    <p>{t('The endpoint’s deliveries are deleted too. Waiting deliveries are never sent.')}</p>
  </Confirm>
);

const MISSED = [
  { value: 'yes', label: message('Send them too'), hint: message('No event is skipped.') },
  { value: '', label: message('Skip them'), hint: message('Only new events are sent.') },
];

const Enable = ({ path }: { path: string }) => (
  <Confirm
    action={`${path}/enable`}
    openerTone="primary"
    title={t('Enable the endpoint?')}
    confirm={t('Enable')}
    isHarmless
  >
    <RadioField
      form={newForm({ missed: 'yes' })}
      name="missed"
      label={t('Events that happened while the endpoint was disabled')}
      choices={MISSED}
    />
  </Confirm>
);

const STATES: Readonly<Record<DeliveryFilter, { readonly label: Message; readonly empty: Message }>> = {
  all: {
    label: message('All'),
    empty: message('No deliveries yet. Each event is listed here with the endpoint’s response.'),
  },
  failed: { label: message('Failed'), empty: message('No delivery has failed.') },
  waiting: { label: message('Waiting'), empty: message('No delivery is waiting.') },
};

function Deliveries({
  endpoint,
  deliveries,
  counts,
  lastAttempts,
  state,
  isFirst,
  next,
  now,
}: EndpointPageProps) {
  const newest = isFirst ? null : <a href={deliveriesPath(endpoint, state)}>{t('Newest deliveries')}</a>;
  return (
    <>
      <Tabs
        label={t('State of deliveries')}
        tabs={DELIVERY_FILTERS.map((value) => ({
          label: STATES[value].label,
          href: deliveriesPath(endpoint, value),
          isCurrent: value === state,
          count: value === 'all' ? undefined : countedText(counts[value]),
        }))}
      />
      {deliveries.length === 0 ? (
        <EmptyState sentence={t(STATES[state].empty)} action={newest ?? undefined} />
      ) : (
        <Table
          caption={t('Deliveries')}
          rows={deliveries}
          columns={[
            {
              header: t('Event'),
              isName: true,
              isHalf: true,
              cell: ({ id: deliveryId, type }) => (
                <a href={deliveryPath(endpoint, deliveryId)}>
                  <Label text={type} />
                </a>
              ),
            },
            {
              header: t('State'),
              isPlain: true,
              isHalf: true,
              cell: (delivery) => (
                <>
                  <DeliveryState {...{ delivery, endpoint }} />
                  <NextAttempt at={delivery.next_at} isDisabled={endpoint.disabled_at !== null} />
                </>
              ),
            },
            {
              header: t('delivery|About'),
              isPlain: true,
              cell: ({ payload }) => (
                <bdi>
                  <Breakable text={subjectOf(payload) ?? '–'} />
                </bdi>
              ),
            },
            {
              header: t('Response'),
              isPlain: true,
              isHalf: true,
              cell: (each) => <bdi class="nowrap">{lastAttemptText(lastAttempts.get(each.id))}</bdi>,
            },
            {
              header: t('Created'),
              isPlain: true,
              isHalf: true,
              cell: ({ created_at }) => <Time at={created_at} now={now} />,
              isNowrap: true,
            },
          ]}
          pager={
            <Pager
              previous={null}
              next={next === null ? null : deliveriesPath(endpoint, state, next)}
              summary={newest ?? t('Deliveries are kept for {days} days.', { days: DELIVERIES_KEPT_DAYS })}
            />
          }
        />
      )}
    </>
  );
}

function lastAttemptText(last: LastAttempt | undefined): string {
  if (last === undefined) return '–';
  return last.status === null ? t('No response') : `${last.status}, ${tookText(last)}`;
}

function NextAttempt({ at, isDisabled }: { at: string | null; isDisabled: boolean }) {
  if (at === null) return null;
  return (
    <span class="sub">
      {isDisabled ? t('when the endpoint is enabled') : t('next attempt {time}', { time: <Time at={at} /> })}
    </span>
  );
}

export const RECOVER_PERIODS = [
  { value: '1h', label: message('The last hour'), hours: 1 },
  { value: '24h', label: message('The last day'), hours: 24 },
  { value: '7d', label: message('The last week'), hours: 7 * 24 },
  { value: '30d', label: message('The last 30 days'), hours: 30 * 24 },
] as const;

const Recover = ({ path }: { path: string }) => (
  <Confirm
    action={`${path}/recover`}
    opener={t('Recover failed deliveries…')}
    small
    title={t('Recover failed deliveries?')}
    confirm={t('Send again')}
    isHarmless
  >
    <p>
      {t(
        'Resends all deliveries that were created in this period, have failed at least once and have not succeeded since. This includes deliveries that are waiting for their next attempt.',
      )}
    </p>
    <SelectField
      form={newForm({ since: '24h' })}
      name="since"
      label={t('Period')}
      choices={RECOVER_PERIODS}
    />
  </Confirm>
);

const Details = ({ endpoint, secrets }: EndpointPageProps) => (
  <DefinitionList
    facts={[
      ['URL', <BreakableMono text={endpoint.url} />],
      [t('Format'), wordsOf(formatTitle(endpoint.format))],
      [t('Events'), <Events endpoint={endpoint} />],
      ...secrets.map((secret) => secretFact(endpoint, secret)),
      [t('Created'), <Time at={endpoint.created_at} />],
    ]}
  />
);

const Events = ({ endpoint }: { endpoint: Endpoint }) =>
  endpoint.event_types.length === eventTypesFor(endpoint.account_id).length ? (
    eventsText(endpoint)
  ) : (
    <More summary={<bdi>{eventsText(endpoint)}</bdi>}>
      <ul class="apart">
        {endpoint.event_types.map((type) => (
          <li>
            <EventName type={type} />
          </li>
        ))}
      </ul>
    </More>
  );

const secretFact = ({ secret_made_at }: Endpoint, { start, until }: ShownSecret): Fact => [
  until === null ? t('Secret') : t('Old secret'),
  <>
    {start !== null && <Mono>{start}… </Mono>}
    {until === null
      ? t('since {time}', { time: <Time at={secret_made_at} /> })
      : t('signs until {time}', { time: <TimeWithZone at={until} /> })}
  </>,
];

const Roll = ({ endpoint, secrets }: EndpointPageProps) => (
  <Confirm
    action={`${pathOf(endpoint)}/roll`}
    opener={t('Roll secret…')}
    title={t('Roll the secret?')}
    confirm={t('Roll secret')}
    isHarmless
  >
    <HiddenField name="secret" value={endpoint.secret_made_at} />
    <p>
      {t(
        'You get a new secret. For a day, every request is signed with both the old and the new secret, so that no event is refused while you update your servers.',
      )}
    </p>
    {secrets.length > 1 && <p>{t('The secret that you replaced last time stops working immediately.')}</p>}
  </Confirm>
);
