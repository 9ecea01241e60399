import { amountOf } from '../../text/text.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Table } from '../../ui/table.tsx';
import { numberText, Time } from '../../ui/time.tsx';
import type { Delivery } from '../../webhooks/delivery-queries.ts';
import { MAX_ENDPOINTS, WEBHOOK_EVENT_TYPES } from '../../webhooks/endpoint.ts';
import type { Endpoint } from '../../webhooks/endpoint-queries.ts';
import { formatTitle } from '../../webhooks/formats.ts';
import {
  BreakableMono,
  DeliveryState,
  EndpointState,
  endpointName,
  endpointPath,
  WEBHOOKS_PATH,
} from './parts.tsx';
import { WAITING_COUNTED } from './queries.ts';

interface ListedEndpoint extends Endpoint {
  readonly waiting: number;
  readonly newest: Delivery | undefined;
}

export const WebhooksPage = ({ endpoints }: { endpoints: readonly ListedEndpoint[] }) => (
  <>
    <PageHeader
      title="Webhooks"
      lead="Notify your server, a workflow or a chat of events on claims, reviews and API keys, in live and test mode."
      actions={
        endpoints.length > 0 &&
        endpoints.length < MAX_ENDPOINTS && (
          <ButtonLink href={`${WEBHOOKS_PATH}/new`} tone="primary">
            Add endpoint
          </ButtonLink>
        )
      }
    />
    <div class="stack-loose">
      {endpoints.length === 0 ? <NoEndpoints /> : <EndpointTable endpoints={endpoints} />}
      {endpoints.length >= MAX_ENDPOINTS && (
        <p class="soft-text">An account has at most {MAX_ENDPOINTS} endpoints. Delete one to add another.</p>
      )}
    </div>
  </>
);

const NoEndpoints = () => (
  <EmptyState
    sentence="No endpoints yet. Without one, your server learns of a claim only when it verifies it."
    action={
      <ButtonLink href={`${WEBHOOKS_PATH}/new`} tone="primary">
        Add endpoint
      </ButtonLink>
    }
    example={
      <>
        <Mono>claim.created</Mono> is sent to <Mono>https://app.example/webhooks</Mono>
      </>
    }
  />
);

const EndpointTable = ({ endpoints }: { endpoints: readonly ListedEndpoint[] }) => (
  <Table
    caption="Endpoints"
    rows={endpoints}
    columns={[
      {
        header: 'Endpoint',
        isName: true,
        cell: ({ id, url, description, format }) => (
          <>
            <a href={endpointPath(id)}>
              <Breakable text={endpointName({ description, url })} />
            </a>
            <span class="sub">
              {format !== 'standard' && `${formatTitle(format)}: `}
              <BreakableMono text={url} />
            </span>
          </>
        ),
      },
      { header: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} />, isNowrap: true },
      { header: 'Events', cell: ({ event_types }) => eventsText(event_types.length), isNowrap: true },
      {
        header: 'Last event',
        cell: ({ newest, ...endpoint }) =>
          newest === undefined ? (
            <span class="quiet-text">None yet</span>
          ) : (
            <>
              <DeliveryState delivery={newest} endpoint={endpoint} />
              <span class="sub">
                <Time at={newest.created_at} />
              </span>
            </>
          ),
        isNowrap: true,
      },
      {
        header: 'Waiting',
        isNumeric: true,
        cell: ({ waiting }) => `${numberText(waiting)}${waiting === WAITING_COUNTED ? '+' : ''}`,
      },
    ]}
  />
);

const eventsText = (count: number): string =>
  count === WEBHOOK_EVENT_TYPES.length ? 'All' : amountOf(count, 'event');
