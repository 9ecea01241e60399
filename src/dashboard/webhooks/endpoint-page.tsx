/** The page of an endpoint: its state, what it gets, and its deliveries. */
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { CopyLine, Mono } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { DefinitionList } from '../../ui/facts.tsx';
import { HiddenField, RadioField, SelectField } from '../../ui/field.tsx';
import { Tabs } from '../../ui/filter-bar.tsx';
import { newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pager, Table } from '../../ui/table.tsx';
import { numberText, Time } from '../../ui/time.tsx';
import { MAX_WAITING } from '../../webhooks/endpoint.ts';
import type { Endpoint, SecretRow } from '../../webhooks/endpoint-queries.ts';
import { DELIVERIES_KEPT_DAYS } from '../../webhooks/sweep.ts';
import { deliveriesPath, deliveryPath, endpointPath, WEBHOOKS_PATH } from './paths.ts';
import type { DeliveryFilter, ListedDelivery } from './queries.ts';
import { DeliveryState, EndpointState } from './states.tsx';

export interface EndpointPageProps {
  readonly endpoint: Endpoint;
  /** That sign now, the newest first. */
  readonly secrets: readonly ShownSecret[];
  readonly deliveries: readonly ListedDelivery[];
  readonly state: DeliveryFilter;
  readonly isFirst: boolean;
  /** Cursor of the next page; `null`: there is none. */
  readonly next: string | null;
  /** Why a form was refused, or what it did. */
  readonly notice: EndpointNotice | null;
}

export interface ShownSecret extends Pick<SecretRow, 'id' | 'public_key' | 'created_at' | 'expires_at'> {
  /** First characters of a shared secret; `null`: it has none to show. */
  readonly start: string | null;
}

export type EndpointNotice =
  | { readonly what: 'refused'; readonly sentence: string }
  | { readonly what: 'recovered'; readonly count: number };

/** What people call the endpoint. */
export const endpointName = ({ description, url }: Pick<Endpoint, 'description' | 'url'>): string =>
  description ?? new URL(url).host;

export const EndpointPage = (props: EndpointPageProps): Markup => {
  const { endpoint, notice } = props;
  const path = endpointPath(endpoint.id);
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[['Webhooks', WEBHOOKS_PATH]]} />}
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
          {notice?.what === 'refused' && (
            <Notice tone="bad" title="Nothing was changed">
              {notice.sentence}
            </Notice>
          )}
          {notice?.what === 'recovered' && (
            <Notice tone="good" title={recoveredText(notice.count)}>
              {notice.count === 0
                ? 'No delivery of that time was tried without success.'
                : 'They are sent again now, on a new schedule.'}
            </Notice>
          )}
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
          <h2>The endpoint</h2>
          <div class="stack">
            <Facts {...props} />
            <Roll {...props} />
            {endpoint.disabled_at === null && <Disable id={endpoint.id} />}
            <Delete id={endpoint.id} />
          </div>
        </aside>
      </div>
    </>
  );
};

const recoveredText = (count: number): string =>
  count === 0
    ? 'Nothing to recover'
    : `${count === 1 ? '1 delivery' : `${numberText(count)} deliveries`} recovered`;

const REASONS: Readonly<Record<NonNullable<Endpoint['disabled_reason']>, string>> = {
  by_hand: 'You disabled it.',
  gone: 'It answered 410 Gone, which asks for no more.',
  failing: 'Every request had failed for five days.',
};

const MISSED = [
  { value: 'yes', label: 'Send the events since then too', hint: 'None is left out.' },
  { value: '', label: 'Send events from now on', hint: 'Those in between are not sent.' },
];

const Enable = ({ id }: { id: string }): Markup => (
  <Confirm
    id="enable"
    action={`${endpointPath(id)}/enable`}
    opener="Enable…"
    openerTone="primary"
    title="Enable the endpoint?"
    confirm="Enable"
    confirmTone="primary"
  >
    <RadioField
      form={newForm({ missed: 'yes' })}
      name="missed"
      label="What happened meanwhile"
      choices={MISSED}
    />
  </Confirm>
);

function StateNotice({ endpoint }: { endpoint: Endpoint }): Markup | null {
  const { disabled_at, disabled_reason, failing_since, follows_from } = endpoint;
  if (disabled_at !== null && disabled_reason !== null) {
    return (
      <Notice tone={disabled_reason === 'by_hand' ? 'plain' : 'bad'} title="Nothing is sent">
        {REASONS[disabled_reason]} Since <Time at={disabled_at} /> events wait for you to enable it.
      </Notice>
    );
  }
  if (failing_since === null) return null;
  return (
    <Notice tone="warn" title="It has not taken an event lately">
      Every request since <Time at={failing_since} /> has failed. After five days it is disabled, and you get
      a mail.
      {follows_from !== null &&
        ` ${numberText(MAX_WAITING)} deliveries wait, which is the most; later events follow when there is room.`}
    </Notice>
  );
}

const STATE_TABS = [
  ['all', 'All'],
  ['failed', 'Failed'],
  ['waiting', 'Waiting'],
] as const;

function Deliveries({ endpoint, deliveries, state, isFirst, next }: EndpointPageProps): Markup {
  const { id } = endpoint;
  const newest = isFirst ? null : <a href={deliveriesPath(id, state)}>Back to the newest</a>;
  return (
    <>
      <Tabs
        label="State of deliveries"
        tabs={STATE_TABS.map(([value, label]) => ({
          label,
          href: deliveriesPath(id, value),
          isCurrent: value === state,
        }))}
      />
      {deliveries.length === 0 ? (
        <EmptyState sentence={EMPTY[state]} action={newest ?? undefined} />
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
            { header: 'Made', cell: ({ created_at }) => <Time at={created_at} />, isNowrap: true },
            {
              header: 'Next attempt',
              cell: ({ next_at }) => {
                if (next_at === null) return <span class="quiet-text">none</span>;
                return endpoint.disabled_at === null ? <Time at={next_at} /> : 'when enabled';
              },
              isNowrap: true,
            },
          ]}
          pager={
            <Pager
              previous={null}
              next={next === null ? null : deliveriesPath(id, state, next)}
              summary={newest ?? `They are kept for ${DELIVERIES_KEPT_DAYS} days.`}
            />
          }
        />
      )}
    </>
  );
}

const EMPTY: Readonly<Record<DeliveryFilter, string>> = {
  all: 'Nothing was sent yet. Each event is listed here, with what the endpoint answered.',
  failed: 'No delivery has failed.',
  waiting: 'Nothing waits to be sent.',
};

/** How far back the form can send failed deliveries again. */
export const RECOVER_PERIODS: Readonly<Record<string, { readonly label: string; readonly hours: number }>> = {
  '1h': { label: 'The last hour', hours: 1 },
  '24h': { label: 'The last day', hours: 24 },
  '7d': { label: 'The last week', hours: 7 * 24 },
  '30d': { label: 'The last 30 days', hours: 30 * 24 },
};

const Recover = ({ id }: { id: string }): Markup => (
  <Confirm
    id="recover"
    action={`${endpointPath(id)}/recover`}
    opener="Recover failed…"
    openerTone="plain"
    small
    title="Recover failed deliveries?"
    confirm="Send again"
    confirmTone="primary"
  >
    <p>
      Every delivery of that time that was tried without success is sent again now, also one that waits for
      its next attempt.
    </p>
    <SelectField
      form={newForm({ since: '24h' })}
      name="since"
      label="Since"
      choices={Object.entries(RECOVER_PERIODS).map(([value, { label }]) => ({ value, label }))}
    />
  </Confirm>
);

const Facts = ({ endpoint, secrets }: EndpointPageProps): Markup => (
  <DefinitionList
    facts={[
      [
        'Address',
        <Mono>
          <Breakable text={endpoint.url} />
        </Mono>,
      ],
      [
        'Events',
        <ul>
          {endpoint.event_types.map((type) => (
            <li>
              <Mono>{type}</Mono>
            </li>
          ))}
        </ul>,
      ],
      ['Signature', endpoint.scheme === 'hmac' ? 'HMAC-SHA256 (v1)' : 'Ed25519 (v1a)'],
      ...secrets.map(
        ({ public_key, start, created_at, expires_at }) =>
          [
            expires_at === null ? (public_key === null ? 'Secret' : 'Public key') : 'Rolled',
            <>
              {public_key !== null && <CopyLine text={public_key} what="the public key" />}
              {start !== null && (
                <>
                  <Mono>{start}…</Mono>
                  <br />
                </>
              )}
              {expires_at === null ? (
                <>
                  Made <Time at={created_at} />
                </>
              ) : (
                <>
                  Signs until <Time at={expires_at} />
                </>
              )}
            </>,
          ] as const,
      ),
      ['Created', <Time at={endpoint.created_at} />],
    ]}
  />
);

const Roll = ({ endpoint, secrets }: EndpointPageProps): Markup => (
  <Confirm
    id="roll"
    action={`${endpointPath(endpoint.id)}/roll`}
    opener="Roll secret…"
    openerTone="plain"
    title="Roll the secret?"
    confirm="Roll secret"
    confirmTone="primary"
  >
    <HiddenField name="secret" value={secrets[0]?.id ?? ''} />
    <p>
      You get a new one. For a day every request is signed with both, so that no event is refused while you
      put the new one on your servers.
    </p>
  </Confirm>
);

const Disable = ({ id }: { id: string }): Markup => (
  <Confirm
    id="disable"
    action={`${endpointPath(id)}/disable`}
    opener="Disable…"
    openerTone="plain"
    title="Disable the endpoint?"
    confirm="Disable"
  >
    <p>Nothing is sent until you enable it. Events are not lost: you choose then whether they follow.</p>
  </Confirm>
);

const Delete = ({ id }: { id: string }): Markup => (
  <Confirm
    id="delete"
    action={`${endpointPath(id)}/delete`}
    opener="Delete…"
    title="Delete the endpoint?"
    confirm="Delete endpoint"
  >
    <p>Its deliveries and attempts go with it, and what waits is never sent.</p>
  </Confirm>
);
