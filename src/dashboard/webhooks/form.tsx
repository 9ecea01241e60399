/** The form that adds or edits an endpoint. */
import type { Reach } from '../../network/outgoing-request.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { CheckboxesField, HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { type Conflict, ConflictNotice, SeenValues } from '../../ui/stale-form.tsx';
import { WEBHOOK_EVENTS } from '../../webhooks/endpoint.ts';
import type { Endpoint } from '../../webhooks/endpoint-queries.ts';
import { endpointName, endpointPath, WEBHOOKS_PATH } from './parts.tsx';

/** The name of the list of events, for its problem. */
export const EVENTS_FIELD = 'events';

const LABELS = { url: 'Address', description: 'Description' } as const;

const HINTS: Readonly<Record<Reach, string>> = {
  public: 'An https URL on the public internet.',
  networks: 'An https URL on the public internet or in a network that the operator allows.',
  local: 'An https URL. For trying things out, http://localhost with a port works here too.',
};

interface FormProps {
  readonly form: FormState;
  /** Which addresses this service calls. */
  readonly reach: Reach;
  /** Without it, the form adds an endpoint. `conflicts`: fields that someone else changed too. */
  readonly edited?: { readonly endpoint: Endpoint; readonly conflicts: readonly Conflict[] };
}

export const EndpointForm = ({ form, reach, edited }: FormProps): Markup => {
  const path = edited === undefined ? WEBHOOKS_PATH : endpointPath(edited.endpoint.id);
  return (
    <>
      {edited === undefined ? <AddHeader /> : <EditHeader {...edited} />}
      <Form form={form} action={edited === undefined ? path : `${path}/edit`}>
        {edited === undefined ? (
          <HiddenField name="form" value={form.text('form')} />
        ) : (
          <SeenValues form={form} />
        )}
        <Fields form={form} reach={reach} />
        <FormActions>
          <Button tone="primary">{edited === undefined ? 'Add endpoint' : 'Save'}</Button>
          <ButtonLink href={path} tone="quiet">
            Cancel
          </ButtonLink>
        </FormActions>
      </Form>
    </>
  );
};

const AddHeader = (): Markup => (
  <PageHeader
    above={<Breadcrumb trail={[['Webhooks', WEBHOOKS_PATH]]} />}
    title="Add an endpoint"
    lead="It gets events from now on. The next page shows the secret that verifies their signatures, only once."
  />
);

const EditHeader = ({ endpoint, conflicts }: NonNullable<FormProps['edited']>): Markup => (
  <>
    <PageHeader
      above={
        <Breadcrumb
          trail={[
            ['Webhooks', WEBHOOKS_PATH],
            [endpointName(endpoint), endpointPath(endpoint.id)],
          ]}
        />
      }
      title="Edit the endpoint"
      lead="Waiting deliveries go to the new address too. Events that you add are sent from now on."
    />
    <ConflictNotice conflicts={conflicts} labels={LABELS} />
  </>
);

const Fields = ({ form, reach }: Pick<FormProps, 'form' | 'reach'>): Markup => (
  <>
    <TextField
      form={form}
      name="url"
      label={LABELS.url}
      type="url"
      mono
      hint={`${HINTS[reach]} It gets POST requests with JSON. Redirects are not followed.`}
      placeholder="https://app.example/webhooks"
      autofocus
    />
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
