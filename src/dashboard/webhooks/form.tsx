/** The forms of an endpoint: a new one, and a change. */

import type { Reach } from '../../outgoing-request.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { CheckboxesField, HiddenField, RadioField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { type Conflict, ConflictNotice, SeenValues } from '../../ui/stale-form.tsx';
import { WEBHOOK_EVENTS } from '../../webhooks/endpoint.ts';
import { endpointPath, WEBHOOKS_PATH } from './paths.ts';

/** The field whose problem stands above the events. */
export const EVENTS_FIELD = 'events';

const LABELS = { url: 'Address', description: 'Description' } as const;

const SCHEMES = [
  {
    value: 'hmac',
    label: 'Shared secret (HMAC-SHA256, v1)',
    hint: 'Every library of Standard Webhooks verifies it. Keep the secret on your server.',
  },
  {
    value: 'ed25519',
    label: 'Key pair (Ed25519, v1a)',
    hint: 'Your server gets a public key, which cannot sign. Fewer libraries support it.',
  },
];

const HINTS: Readonly<Record<Reach, string>> = {
  public: 'An https address on the public internet.',
  networks: 'An https address on the public internet or in a network that the operator allows.',
  local: 'An https address; for trying things out, http://localhost with a port works here too.',
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
      hint={`${HINTS[reach]} Requests are POSTs with JSON; redirects are not followed.`}
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
      lead="Events from now on are sent to it. The next page shows the key that verifies their signatures; a shared secret is shown only there."
    />
    <Form form={form} action={WEBHOOKS_PATH}>
      <HiddenField name="form" value={form.text('form')} />
      <AddressFields form={form} reach={reach} />
      <RadioField form={form} name="scheme" label="Signature" choices={SCHEMES} boxed />
      <FormActions>
        <Button tone="primary">Add endpoint</Button>
        <ButtonLink href={WEBHOOKS_PATH} tone="quiet">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  </>
);

export interface EditEndpointProps extends FormProps {
  readonly id: string;
  readonly name: string;
  /** Fields that somebody else changed too. */
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
      lead="What waits is sent to the new address too. Events that you add are sent from now on."
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
