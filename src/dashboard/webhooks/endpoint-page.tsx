import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList, type Fact } from '../../ui/facts.tsx';
import { HiddenField, RadioField, SelectField } from '../../ui/field.tsx';
import { Tabs } from '../../ui/filter-bar.tsx';
import { newForm } from '../../ui/form-state.ts';
import { EmptyState, Notice, type NoticeProps } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { Pager, Table } from '../../ui/table.tsx';
import { numberText, Time } from '../../ui/time.tsx';
import type { Delivery } from '../../webhooks/delivery-queries.ts';
import { WEBHOOK_EVENT_TYPES } from '../../webhooks/endpoint.ts';
import type { Endpoint } from '../../webhooks/endpoint-queries.ts';
import { formatTitle } from '../../webhooks/formats.ts';
import type { ShownSecret } from '../../webhooks/signing.ts';
import { DELIVERIES_KEPT_DAYS } from '../../webhooks/sweep.ts';
import {
  BreakableMono,
  DeliveryState,
  deliveriesPath,
  deliveryPath,
  EndpointState,
  endpointName,
  endpointPath,
  WEBHOOKS_TRAIL,
} from './parts.tsx';
import { DELIVERY_FILTERS, type DeliveryFilter } from './queries.ts';

interface EndpointPageProps {
  readonly endpoint: Endpoint;
  readonly secrets: readonly ShownSecret[];
  readonly deliveries: readonly Delivery[];
  readonly state: DeliveryFilter;
  readonly isFirst: boolean;
  readonly next: string | null;
  readonly notice: NoticeProps | null;
}

export const EndpointPage = (props: EndpointPageProps) => {
  const { endpoint, notice } = props;
  const path = endpointPath(endpoint.id);
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={WEBHOOKS_TRAIL} />}
        title={<Breakable text={endpointName(endpoint)} />}
        badge={<EndpointState endpoint={endpoint} />}
        actions={
          <>
            <ButtonLink href={`${path}/edit`}>Edit</ButtonLink>
            {endpoint.disabled_at === null ? (
              <PostButton action={`${path}/test`} tone="primary">
                Send test event
              </PostButton>
            ) : (
              <Enable id={endpoint.id} />
            )}
          </>
        }
      />
      <div class="columns">
        <div class="stack-loose">
          {notice && <Notice {...notice} />}
          <StateNotice endpoint={endpoint} />
          <section class="section">
            <div class="spread">
              <h2>Deliveries</h2>
              {endpoint.disabled_at === null && <Recover id={endpoint.id} />}
            </div>
            <Deliveries {...props} />
          </section>
        </div>
        <aside class="card">
          <h2>Endpoint</h2>
          <div class="stack">
            <Details {...props} />
            {endpoint.format === 'standard' && <Roll {...props} />}
            {endpoint.disabled_at === null && (
              <Confirm
                action={`${path}/disable`}
                openerTone="plain"
                title="Disable the endpoint?"
                confirm="Disable"
              >
                <p>
                  Nothing is sent until you enable it again. No event is lost: you can then send what happened
                  in between.
                </p>
              </Confirm>
            )}
            <Confirm action={`${path}/delete`} title="Delete the endpoint?" confirm="Delete endpoint">
              <p>Its deliveries are deleted too, and those that wait are never sent.</p>
            </Confirm>
          </div>
        </aside>
      </div>
    </>
  );
};

export function recoveredNotice(count: number): NoticeProps {
  const tone = 'good';
  if (count === 0) {
    return { tone, title: 'Nothing to recover', children: 'No delivery of this period has failed.' };
  }
  const title = count === 1 ? '1 delivery recovered' : `${numberText(count)} deliveries recovered`;
  return { tone, title, children: 'Each is sent again now, with a new schedule.' };
}

const REASONS: Readonly<Record<NonNullable<Endpoint['disabled_reason']>, string>> = {
  manual: 'You disabled the endpoint.',
  gone: 'The endpoint responded with 410 Gone.',
  failing: 'Every request failed for five days.',
};

const MISSED = [
  { value: 'yes', label: 'Send them too', hint: 'No event is skipped.' },
  { value: '', label: 'Skip them', hint: 'Only events from now on are sent.' },
];

const Enable = ({ id }: { id: string }) => (
  <Confirm
    action={`${endpointPath(id)}/enable`}
    openerTone="primary"
    title="Enable the endpoint?"
    confirm="Enable"
    isHarmless
  >
    <RadioField
      form={newForm({ missed: 'yes' })}
      name="missed"
      label="Events while it was disabled"
      choices={MISSED}
    />
  </Confirm>
);

function StateNotice({ endpoint }: { endpoint: Endpoint }) {
  const { disabled_at, disabled_reason, failing_since } = endpoint;
  if (disabled_at !== null && disabled_reason !== null) {
    return (
      <Notice tone={disabled_reason === 'manual' ? 'plain' : 'bad'} title="Nothing is sent">
        {REASONS[disabled_reason]} Events since <Time at={disabled_at} /> wait until you enable it.
      </Notice>
    );
  }
  if (failing_since === null) return null;
  return (
    <Notice tone="warn" title="This endpoint is failing">
      Every request since <Time at={failing_since} /> has failed. After five days the endpoint is disabled and
      you get an email.
    </Notice>
  );
}

const STATES: Readonly<Record<DeliveryFilter, { readonly label: string; readonly empty: string }>> = {
  all: { label: 'All', empty: 'No deliveries yet. Each event is listed here with the endpoint’s response.' },
  failed: { label: 'Failed', empty: 'No delivery has failed.' },
  waiting: { label: 'Waiting', empty: 'No delivery is waiting.' },
};

function Deliveries({ endpoint, deliveries, state, isFirst, next }: EndpointPageProps) {
  const { id } = endpoint;
  const newest = isFirst ? null : <a href={deliveriesPath(id, state)}>Newest deliveries</a>;
  return (
    <>
      <Tabs
        label="State of deliveries"
        tabs={DELIVERY_FILTERS.map((value) => ({
          label: STATES[value].label,
          href: deliveriesPath(id, value),
          isCurrent: value === state,
        }))}
      />
      {deliveries.length === 0 ? (
        <EmptyState sentence={STATES[state].empty} action={newest ?? undefined} />
      ) : (
        <Table
          caption="Deliveries"
          rows={deliveries}
          columns={[
            {
              header: 'Event',
              isName: true,
              cell: ({ id: deliveryId, type }) => (
                <a href={deliveryPath(id, deliveryId)}>
                  <Mono>{type}</Mono>
                </a>
              ),
            },
            {
              header: 'State',
              cell: (delivery) => <DeliveryState {...{ delivery, endpoint }} />,
              isNowrap: true,
            },
            { header: 'Created', cell: ({ created_at }) => <Time at={created_at} />, isNowrap: true },
            {
              header: 'Next attempt',
              cell: ({ next_at }) => {
                if (next_at === null) return <span class="quiet-text">None</span>;
                return endpoint.disabled_at === null ? <Time at={next_at} /> : 'When enabled';
              },
              isNowrap: true,
            },
          ]}
          pager={
            <Pager
              previous={null}
              next={next === null ? null : deliveriesPath(id, state, next)}
              summary={newest ?? `Deliveries are kept for ${DELIVERIES_KEPT_DAYS} days.`}
            />
          }
        />
      )}
    </>
  );
}

export const RECOVER_PERIODS = [
  { value: '1h', label: 'The last hour', hours: 1 },
  { value: '24h', label: 'The last day', hours: 24 },
  { value: '7d', label: 'The last week', hours: 7 * 24 },
  { value: '30d', label: 'The last 30 days', hours: 30 * 24 },
] as const;

const Recover = ({ id }: { id: string }) => (
  <Confirm
    action={`${endpointPath(id)}/recover`}
    opener="Recover failed…"
    small
    title="Recover failed deliveries?"
    confirm="Send again"
    isHarmless
  >
    <p>
      Sends all deliveries of this period again that have not succeeded, including those that wait for their
      next attempt.
    </p>
    <SelectField form={newForm({ since: '24h' })} name="since" label="Period" choices={RECOVER_PERIODS} />
  </Confirm>
);

const Details = ({ endpoint, secrets }: EndpointPageProps) => (
  <DefinitionList
    facts={[
      ['URL', <BreakableMono text={endpoint.url} />],
      ['Format', formatTitle(endpoint.format)],
      ['Events', <Events types={endpoint.event_types} />],
      ...secrets.map((secret) => secretFact(endpoint, secret)),
      ['Created', <Time at={endpoint.created_at} />],
    ]}
  />
);

const Events = ({ types }: { types: Endpoint['event_types'] }) =>
  types.length === WEBHOOK_EVENT_TYPES.length ? (
    <>All</>
  ) : (
    <ul>
      {types.map((type) => (
        <li>
          <BreakableMono text={type} />
        </li>
      ))}
    </ul>
  );

const secretFact = ({ secret_made_at }: Endpoint, { start, until }: ShownSecret): Fact => [
  until === null ? 'Secret' : 'Old secret',
  <>
    {start !== null && <Mono>{start}… </Mono>}
    {until === null ? 'since ' : 'signs until '}
    <Time at={until ?? secret_made_at} />
  </>,
];

const Roll = ({ endpoint, secrets }: EndpointPageProps) => (
  <Confirm
    action={`${endpointPath(endpoint.id)}/roll`}
    opener="Roll secret…"
    title="Roll the secret?"
    confirm="Roll secret"
    isHarmless
  >
    <HiddenField name="secret" value={endpoint.secret_made_at} />
    <p>
      You get a new secret. For a day, every request is signed with the old one too, so that no event is
      refused while you update your servers.
    </p>
    {secrets.length > 1 && <p>The secret that you rolled before stops working now.</p>}
  </Confirm>
);
