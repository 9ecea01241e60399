/** The form that adds or edits an endpoint, and the only page that shows its secret. */
import type { Reach } from '../../network/outgoing-request.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CopyLine, Mono } from '../../ui/code.tsx';
import { CheckboxesField, HiddenField, SelectField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { type Conflict, ConflictNotice, SeenValues } from '../../ui/stale-form.tsx';
import { Time } from '../../ui/time.tsx';
import { WEBHOOK_EVENTS } from '../../webhooks/endpoint.ts';
import type { Endpoint } from '../../webhooks/endpoint-queries.ts';
import type { EndpointWithSecret } from '../../webhooks/endpoints.ts';
import { ENDPOINT_FORMATS, formatTitle } from '../../webhooks/formats.ts';
import { endpointPath, trailOf, WEBHOOKS_PATH, WEBHOOKS_TRAIL } from './parts.tsx';

export const EVENTS_FIELD = 'events';

const LABELS = { url: 'URL', description: 'Description' } as const;

const HINTS: Readonly<Record<Reach, string>> = {
  public: 'An https URL on the public internet.',
  networks: 'An https URL on the public internet or in a network that the operator allows.',
  local: 'An https URL. For development, http://localhost with a port works here too.',
};

interface FormProps {
  readonly form: FormState;
  readonly reach: Reach;
  /** Without it, the form adds an endpoint. */
  readonly endpoint: Endpoint | undefined;
  /** Fields that someone else changed too. */
  readonly conflicts: readonly Conflict[];
}

const ADD = {
  title: 'Add an endpoint',
  lead: 'Your server, a workflow or a chat receives events from now on.',
  submit: 'Add endpoint',
};

const EDIT = {
  title: 'Edit the endpoint',
  lead: 'Waiting deliveries go to the new URL too. Events that you add are sent from now on.',
  submit: 'Save',
};

export const EndpointForm = ({ form, reach, endpoint, conflicts }: FormProps) => {
  const { title, lead, submit } = endpoint === undefined ? ADD : EDIT;
  const trail = endpoint === undefined ? WEBHOOKS_TRAIL : trailOf(endpoint);
  const path = endpoint === undefined ? WEBHOOKS_PATH : endpointPath(endpoint.id);
  return (
    <>
      <PageHeader above={<Breadcrumb trail={trail} />} title={title} lead={lead} />
      <ConflictNotice conflicts={conflicts} labels={LABELS} />
      <Form form={form} action={endpoint === undefined ? path : `${path}/edit`}>
        {endpoint === undefined ? (
          <HiddenField name="form" value={form.text('form')} />
        ) : (
          <SeenValues form={form} />
        )}
        <Fields form={form} reach={reach} endpoint={endpoint} />
        <FormActions>
          <Button tone="primary">{submit}</Button>
          <ButtonLink href={path} tone="quiet">
            Cancel
          </ButtonLink>
        </FormActions>
      </Form>
    </>
  );
};

const FORMATS = [
  { value: '', label: 'From the URL' },
  ...ENDPOINT_FORMATS.map((value) => ({ value, label: formatTitle(value) })),
];

const Fields = ({ form, reach, endpoint }: Pick<FormProps, 'form' | 'reach' | 'endpoint'>) => (
  <>
    <TextField
      form={form}
      name="url"
      label={LABELS.url}
      type="url"
      mono
      hint={
        endpoint === undefined || endpoint.format === 'standard'
          ? `${HINTS[reach]} Redirects are not followed.`
          : `Leave it empty to keep ${endpoint.url}. Another one must be of ${formatTitle(endpoint.format)} too.`
      }
      placeholder="https://app.example/webhooks"
      optional={endpoint !== undefined && endpoint.format !== 'standard'}
      autofocus
    />
    {endpoint === undefined && (
      <SelectField
        form={form}
        name="format"
        label="Format"
        choices={FORMATS}
        hint="Your server gets signed JSON. A chat gets a sentence for each event, unsigned: anyone who knows its URL can post there, so the URL isn’t shown again."
      />
    )}
    <TextField
      form={form}
      name="description"
      label={LABELS.description}
      hint="What it is for, such as “shop server”."
      optional
    />
    <CheckboxesField
      form={form}
      name={EVENTS_FIELD}
      label="Events"
      choices={Object.entries(WEBHOOK_EVENTS).map(([type, about]) => ({
        value: type,
        label: <Mono>{type}</Mono>,
        hint: about,
      }))}
    />
  </>
);

interface SecretPageProps {
  readonly made: EndpointWithSecret;
  /** After a roll: until when the old secret signs too. */
  readonly oldUntil?: string;
}

export const SecretPage = ({ made, oldUntil }: SecretPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={WEBHOOKS_TRAIL} />}
      title={oldUntil === undefined ? 'Endpoint added' : 'Secret rolled'}
      lead={`Events are sent to ${new URL(made.url).host}.`}
    />
    <div class="stack-loose narrow">
      <Notice tone="good" title="Save the secret now. It is shown only once">
        <div class="stack">
          <p>Your server verifies every request with it. If you lose it, roll it.</p>
          <CopyLine text={made.secret} what="the secret" />
        </div>
      </Notice>
      {oldUntil !== undefined && (
        <Notice title="The old secret works for another day">
          Until <Time at={oldUntil} />, every request is signed with both secrets. Put the new one on all your
          servers by then.
        </Notice>
      )}
      <p>
        Requests carry the headers <Mono>webhook-id</Mono>, <Mono>webhook-timestamp</Mono> and{' '}
        <Mono>webhook-signature</Mono> of the{' '}
        <a href="https://www.standardwebhooks.com/">Standard Webhooks</a> specification. The{' '}
        <a href="/docs/webhooks">documentation</a> shows how to verify them.
      </p>
      <p>
        <ButtonLink href={endpointPath(made.id)}>I have saved it</ButtonLink>
      </p>
    </div>
  </>
);
