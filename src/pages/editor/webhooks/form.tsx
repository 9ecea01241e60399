import { isMarketplaces } from '../../../background/webhooks/endpoint.ts';
import type { Endpoint } from '../../../background/webhooks/endpoint-queries.ts';
import type { EndpointWithSecret } from '../../../background/webhooks/endpoints.ts';
import { ENDPOINT_FORMATS, formatTitle } from '../../../background/webhooks/formats.ts';
import { EVENT_TYPES, type EventType, groupOf, WEBHOOK_EVENT_TYPES } from '../../../base/events/catalogue.ts';
import { guidePath } from '../../../base/paths.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import type { Reach } from '../../../platform/network/outgoing-request.ts';
import { Button, ButtonLink, CancelLink } from '../../ui/button.tsx';
import { CopyLine, Mono, More } from '../../ui/code.tsx';
import { CheckboxesField, FormId, GroupedCheckboxesField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { type Conflict, ConflictNotice, SeenValues } from '../../ui/stale-form.tsx';
import { TimeWithZone } from '../../ui/time.tsx';
import { EventName, type Holder, pathOf, trailOf, trailTo, webhooksPath } from './parts.tsx';

export const EVENTS_FIELD = 'events';

const LABELS = { url: 'URL', description: message('Description') };

const HINTS: Readonly<Record<Reach, Message>> = {
  public: message('An https URL on the public internet.'),
  networks: message('An https URL on the public internet or in a network that the operator allows.'),
  local: message('An https URL. For development, http://localhost with a port works here too.'),
};

interface FormProps {
  readonly form: FormState;
  readonly holder: Holder;
  readonly reach: Reach;
  /** `undefined`: the form adds an endpoint. */
  readonly endpoint: Endpoint | undefined;
  /** Fields whose stored values changed while this form was open. */
  readonly conflicts: readonly Conflict[];
}

const ADD = {
  title: message('Add endpoint'),
  lead: message('New events are sent to your server, a workflow or a chat.'),
  submit: message('Add endpoint'),
};

const EDIT = {
  title: message('Edit endpoint'),
  lead: message(
    'If you change the URL, waiting deliveries go to the new URL too. If you add event types, past events of these types are not sent.',
  ),
  submit: message('Save'),
};

export const EndpointForm = ({ form, holder, reach, endpoint, conflicts }: FormProps) => {
  const { title, lead, submit } = endpoint === undefined ? ADD : EDIT;
  const trail = endpoint === undefined ? trailTo(holder) : trailOf(endpoint);
  const path = endpoint === undefined ? webhooksPath(holder) : pathOf(endpoint);
  return (
    <>
      <PageHeader above={<Breadcrumb trail={trail} />} title={t(title)} lead={t(lead)} />
      <ConflictNotice conflicts={conflicts} labels={LABELS} />
      <Form form={form} action={endpoint === undefined ? path : `${path}/edit`}>
        {endpoint === undefined ? <FormId form={form} /> : <SeenValues form={form} />}
        <Fields {...{ form, holder, reach, endpoint }} />
        <FormActions>
          <Button tone="primary">{t(submit)}</Button>
          <CancelLink href={path} />
        </FormActions>
      </Form>
    </>
  );
};

const FORMATS = [
  { value: '', label: message('Detect from the URL') },
  ...ENDPOINT_FORMATS.map((value) => ({ value, label: formatTitle(value) })),
];

/** The events that an operator probably wants to hear of: something to decide, a new owner, a failing check. */
export const USUAL_FOR_OPERATORS: readonly EventType[] = [
  'listing.created',
  'listing.submitted',
  'listing.reported',
  'listing.question_answered',
  'account.asked',
  'account.invitation_accepted',
  'system.check_failed',
  'system.check_recovered',
];

const choicesOf = (types: readonly EventType[]) =>
  types.map((value) => ({ value, label: <EventName type={value} /> }));

const groupsOf = (types: readonly EventType[]) =>
  [...Map.groupBy(types, groupOf)].map(([label, ofGroup]) => ({ label, choices: choicesOf(ofGroup) }));

/** For the marketplace, the events that are rarely chosen are collapsed, because there are many. */
function Events({ form, holder }: Pick<FormProps, 'form' | 'holder'>) {
  const field = { form, name: EVENTS_FIELD, label: t('Events') };
  if (!isMarketplaces(holder)) {
    return (
      <GroupedCheckboxesField
        {...field}
        hint={t('For a chat, choose only events that its members should read. Each event becomes a message.')}
        groups={groupsOf(WEBHOOK_EVENT_TYPES)}
      />
    );
  }
  const others = EVENT_TYPES.filter((type) => !USUAL_FOR_OPERATORS.includes(type));
  return (
    <>
      <CheckboxesField
        {...field}
        hint={t(
          'The events of all accounts. Messages contain no names of people, email addresses or network addresses. For a chat, choose only events that its members should read.',
        )}
        choices={choicesOf(USUAL_FOR_OPERATORS)}
      />
      <More
        summary={t('{count} other events', { count: others.length })}
        isOpen={others.some((type) => form.typed(type) !== '')}
      >
        <GroupedCheckboxesField
          form={form}
          name={`${EVENTS_FIELD}-others`}
          label={t('Other events')}
          groups={groupsOf(others)}
        />
      </More>
    </>
  );
}

/** Owners can forward events to their own computer with their API key. Operators can't. */
const urlHint = (holder: Holder, reach: Reach) =>
  isMarketplaces(holder) || reach === 'local'
    ? t('{hint} Redirects are not followed.', { hint: HINTS[reach] })
    : t(
        '{hint} Redirects are not followed. To receive events on your own computer, you need no endpoint: <a>forward them with a command</a>.',
        { hint: HINTS[reach], a: linkTo(guidePath('webhooks#develop-locally')) },
      );

const Fields = ({ form, holder, reach, endpoint }: Omit<FormProps, 'conflicts'>) => (
  <>
    <TextField
      form={form}
      name="url"
      label={LABELS.url}
      type="url"
      mono
      hint={
        endpoint === undefined || endpoint.format === 'standard'
          ? urlHint(holder, reach)
          : t('Leave this field empty to keep {url}. A new URL must also be a URL for {format}.', {
              url: endpoint.url,
              format: formatTitle(endpoint.format),
            })
      }
      placeholder="https://app.example/webhooks"
      optional={endpoint !== undefined && endpoint.format !== 'standard'}
      autofocus
    />
    {endpoint === undefined && (
      <SelectField
        form={form}
        name="format"
        label={t('Format')}
        choices={FORMATS}
        hint={t(
          'For each event, a server gets signed JSON, and a chat gets a sentence. The URL of a chat is a secret, so it isn’t shown again.',
        )}
      />
    )}
    <TextField
      form={form}
      name="description"
      label={LABELS.description}
      hint={t('What the endpoint is for, such as “shop server”.')}
      optional
    />
    <Events form={form} holder={holder} />
  </>
);

interface SecretPageProps {
  readonly endpoint: EndpointWithSecret & Holder;
  /** When the service stops signing requests with the old secret. Set only after a roll. */
  readonly oldUntil?: string;
}

export const SecretPage = ({ endpoint, oldUntil }: SecretPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={trailTo(endpoint)} />}
      title={oldUntil === undefined ? t('Endpoint added') : t('Secret rolled')}
      lead={t('Events are sent to {host}.', { host: new URL(endpoint.url).host })}
    />
    <div class="stack-loose narrow">
      <Notice tone="good" title={t('Save the secret now. It is shown only once')}>
        <div class="stack">
          <p>{t('Your server verifies every request with this secret. If you lose the secret, roll it.')}</p>
          <CopyLine text={endpoint.secret} what={t('the secret')} />
        </div>
      </Notice>
      {oldUntil !== undefined && (
        <Notice title={t('The old secret works for another day')}>
          {t(
            'Until {time}, every request is signed with both secrets. Put the new one on all your servers by then.',
            { time: <TimeWithZone at={oldUntil} /> },
          )}
        </Notice>
      )}
      <p>
        {t(
          'Requests carry the headers {mono}, {mono2} and {mono3} of the <a>Standard Webhooks</a> specification. The <a2>documentation</a2> shows how to verify requests.',
          {
            mono: <Mono>webhook-id</Mono>,
            mono2: <Mono>webhook-timestamp</Mono>,
            mono3: <Mono>webhook-signature</Mono>,
            a: linkTo('https://www.standardwebhooks.com/'),
            a2: linkTo(guidePath('webhooks')),
          },
        )}
      </p>
      <p>
        <ButtonLink href={pathOf(endpoint)} tone="primary">
          {t('I have saved it')}
        </ButtonLink>
      </p>
    </div>
  </>
);
