/** The form for a new operator key. */
import { PROVE_PATH } from '../../http/pages.ts';
import { SCOPES, type Scope } from '../../operator-keys/operator-key.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { CheckboxesField, HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { ExpiresField } from '../../ui/key-parts.tsx';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { OPERATOR_KEYS_PATH } from './paths.ts';

/** What each scope allows. */
const ABOUT: Readonly<Record<Scope, string>> = {
  'accounts:read': 'List and read accounts.',
  'accounts:write': 'Create, suspend and restore accounts, and set their plans.',
  'listings:read': 'List and read listings.',
  'listings:write': 'Create listings and decide on them: it approves them, too.',
  'offers:read': 'List offers.',
  'offers:write': 'Create, pause and resume offers: their links go live immediately.',
  'keys:read': 'List the API keys of owners.',
  'keys:write': 'Create, roll and revoke API keys: with one, claims are redeemed.',
  'claims:read': 'Look claims up, and count them by campaign label.',
  'claims:write': 'Issue and replace claims.',
};

const CHOICES = SCOPES.map((scope) => ({ value: scope, label: scope, hint: ABOUT[scope] }));

/** `isProven`: whether the person has just proved who they are. */
export const CreateOperatorKeyPage = ({ form, isProven }: { form: FormState; isProven: boolean }): Markup => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['Operator keys', OPERATOR_KEYS_PATH]]} />}
      title="Create an operator key"
      lead="It acts in your name. Its secret is shown once, on the next page. Have somewhere safe ready to store it."
    />
    <Form form={form} action={OPERATOR_KEYS_PATH}>
      <HiddenField name="form" value={form.text('form')} />
      {!isProven && (
        <p>
          <a
            href={`${PROVE_PATH}?next=${encodeURIComponent(OPERATOR_KEYS_PATH)}`}
            target="_blank"
            rel="noopener"
          >
            Prove it in a new tab
          </a>
          , then send this form again.
        </p>
      )}
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="Which program it is for, such as “market server”."
        autofocus
      />
      <CheckboxesField
        form={form}
        name="scopes"
        label="Scopes"
        hint="What it may do. Give it only what its program needs."
        choices={CHOICES}
      />
      <ExpiresField form={form} />
      <FormActions>
        <Button tone="primary">Create operator key</Button>
        <ButtonLink href={OPERATOR_KEYS_PATH} tone="quiet">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  </>
);
