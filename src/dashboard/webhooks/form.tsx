/** The forms that add and edit an endpoint. */
import type { Reach } from '../../outgoing-request.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { CheckboxesField, HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Conflict, ConflictNotice, SeenValues } from '../../ui/stale-form.tsx';
import { WEBHOOK_EVENTS } from '../../webhooks/endpoint.ts';
import { endpointPath, WEBHOOKS_PATH } from './parts.tsx';

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
}

const AddressFields = ({ form, reach }: FormProps): Markup => (
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

export const NewEndpointPage = ({ form, reach }: FormProps): Markup => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Webhooks', WEBHOOKS_PATH]]} />}
      title="Add an endpoint"
      lead="It gets events from now on. The next page shows, only once, the secret that verifies their signatures."
    />
    <Form form={form} action={WEBHOOKS_PATH}>
      <HiddenField name="form" value={form.text('form')} />
      <AddressFields form={form} reach={reach} />
      <FormActions>
        <Button tone="primary">Add endpoint</Button>
        <ButtonLink href={WEBHOOKS_PATH} tone="quiet">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  </>
);

interface EditEndpointProps extends FormProps {
  readonly id: string;
  readonly name: string;
  /** Fields that someone else changed too. */
  readonly conflicts: readonly Conflict[];
}

export const EditEndpointPage = ({ form, reach, id, name, conflicts }: EditEndpointProps): Markup => (
  <>
    <PageHeader
      above={
        <Breadcrumb
          trail={[
            ['Webhooks', WEBHOOKS_PATH],
            [name, endpointPath(id)],
          ]}
        />
      }
      title="Edit the endpoint"
      lead="Waiting deliveries go to the new address too. Events that you add are sent from now on."
    />
    <ConflictNotice conflicts={conflicts} labels={LABELS} />
    <Form form={form} action={`${endpointPath(id)}/edit`}>
      <SeenValues form={form} />
      <AddressFields form={form} reach={reach} />
      <FormActions>
        <Button tone="primary">Save</Button>
        <ButtonLink href={endpointPath(id)} tone="quiet">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  </>
);
