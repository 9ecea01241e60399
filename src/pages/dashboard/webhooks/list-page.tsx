import type { Delivery } from '../../../background/webhooks/delivery-queries.ts';
import { MAX_ENDPOINTS } from '../../../background/webhooks/endpoint.ts';
import type { Endpoint } from '../../../background/webhooks/endpoint-queries.ts';
import { formatTitle } from '../../../background/webhooks/formats.ts';
import { endpointPath, WEBHOOKS_PATH } from '../../../base/paths.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { BreakableMono, Mono } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { countedText, DeliveryState, EndpointState, endpointName, eventsText } from './parts.tsx';

interface ListedEndpoint extends Endpoint {
  readonly waiting: number;
  readonly newest: Delivery | undefined;
}

export const WebhooksPage = ({ endpoints }: { endpoints: readonly ListedEndpoint[] }) => (
  <>
    <PageHeader
      title={t('Webhooks')}
      lead={t(
        'Notify your server, a workflow or a chat about claims, listings and API keys, in live and test mode.',
      )}
      actions={
        endpoints.length > 0 &&
        endpoints.length < MAX_ENDPOINTS && (
          <ButtonLink href={`${WEBHOOKS_PATH}/new`} tone="primary">
            {t('Add endpoint')}
          </ButtonLink>
        )
      }
    />
    <div class="stack-loose">
      {endpoints.length === 0 ? <NoEndpoints /> : <EndpointTable endpoints={endpoints} />}
      {endpoints.length >= MAX_ENDPOINTS && (
        <p class="soft-text">
          {t('An account can have at most {count} endpoints. Delete one to add another.', {
            count: MAX_ENDPOINTS,
          })}
        </p>
      )}
    </div>
  </>
);

const NoEndpoints = () => (
  <EmptyState
    sentence={t('No endpoints yet. Without an endpoint, your server isn’t notified of new claims.')}
    action={
      <ButtonLink href={`${WEBHOOKS_PATH}/new`} tone="primary">
        {t('Add endpoint')}
      </ButtonLink>
    }
    example={t('{mono} is sent to {mono2}', {
      mono: <Mono>claim.created</Mono>,
      mono2: <Mono>https://app.example/webhooks</Mono>,
    })}
  />
);

const EndpointTable = ({ endpoints }: { endpoints: readonly ListedEndpoint[] }) => (
  <Table
    caption={t('Endpoints')}
    rows={endpoints}
    columns={[
      {
        header: t('Endpoint'),
        isName: true,
        cell: ({ id, url, description, format }) => (
          <>
            <a href={endpointPath(id)}>
              <Breakable text={endpointName({ description, url })} />
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
        cell: ({ event_types }) => <bdi>{eventsText(event_types.length)}</bdi>,
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
