import type { Delivery } from '../../../background/webhooks/delivery-queries.ts';
import { isMarketplaces, MAX_ENDPOINTS } from '../../../background/webhooks/endpoint.ts';
import type { Endpoint } from '../../../background/webhooks/endpoint-queries.ts';
import { formatTitle } from '../../../background/webhooks/formats.ts';
import { message, t, wordsOf } from '../../../platform/languages/translate.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { BreakableMono, Mono } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import {
  countedText,
  DeliveryState,
  EndpointState,
  endpointName,
  eventsText,
  type Holder,
  pathOf,
  webhooksPath,
} from './parts.tsx';

interface ListedEndpoint extends Endpoint {
  readonly waiting: number;
  readonly newest: Delivery | undefined;
}

const OWNERS = {
  lead: message(
    'Notify your server, a workflow or a chat about claims, listings and API keys, in live and test mode.',
  ),
  none: message('No endpoints yet. Without an endpoint, your server isn’t notified of new claims.'),
  full: message('An account can have at most {count} endpoints. Delete one to add another.', {
    count: MAX_ENDPOINTS,
  }),
  example: 'claim.created',
};

const MARKETPLACES: typeof OWNERS = {
  lead: message(
    'Notify a server, a workflow or your team’s chat about submissions, reports, new owners, failing system checks or any other event of the marketplace. All operators share these endpoints.',
  ),
  none: message('No endpoints yet. Without an endpoint, operators learn of events by email and at the desk.'),
  full: message('The marketplace can have at most {count} endpoints. Delete one to add another.', {
    count: MAX_ENDPOINTS,
  }),
  example: 'listing.submitted',
};

interface WebhooksPageProps {
  readonly holder: Holder;
  readonly endpoints: readonly ListedEndpoint[];
}

export function WebhooksPage({ holder, endpoints }: WebhooksPageProps) {
  const words = isMarketplaces(holder) ? MARKETPLACES : OWNERS;
  const add = (
    <ButtonLink href={`${webhooksPath(holder)}/new`} tone="primary">
      {t('Add endpoint')}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={t('Webhooks')}
        lead={t(words.lead)}
        actions={endpoints.length > 0 && endpoints.length < MAX_ENDPOINTS && add}
      />
      <div class="stack-loose">
        {endpoints.length === 0 ? (
          <EmptyState
            sentence={t(words.none)}
            action={add}
            example={t('{mono} is sent to {mono2}', {
              mono: <Mono>{words.example}</Mono>,
              mono2: <Mono>https://app.example/webhooks</Mono>,
            })}
          />
        ) : (
          <EndpointTable endpoints={endpoints} />
        )}
        {endpoints.length >= MAX_ENDPOINTS && <p class="soft-text">{t(words.full)}</p>}
      </div>
    </>
  );
}

const EndpointTable = ({ endpoints }: { endpoints: readonly ListedEndpoint[] }) => (
  <Table
    caption={t('Endpoints')}
    rows={endpoints}
    columns={[
      {
        header: t('Endpoint'),
        isName: true,
        cell: ({ url, format, ...endpoint }) => (
          <>
            <a href={pathOf(endpoint)}>
              <Breakable text={endpointName({ ...endpoint, url })} />
            </a>
            <span class="sub">
              {format !== 'standard' && `${wordsOf(formatTitle(format))}: `}
              <BreakableMono text={url} />
            </span>
          </>
        ),
      },
      { header: t('State'), cell: (endpoint) => <EndpointState endpoint={endpoint} />, isNowrap: true },
      {
        header: t('Events'),
        cell: (endpoint) => <bdi>{eventsText(endpoint)}</bdi>,
        isNowrap: true,
      },
      {
        header: t('Last delivery'),
        cell: ({ newest, ...endpoint }) =>
          newest === undefined ? (
            <span class="quiet-text">{t('None yet')}</span>
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
        header: t('Waiting'),
        isNumeric: true,
        cell: ({ waiting }) => countedText(waiting),
      },
    ]}
  />
);
