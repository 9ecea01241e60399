/** A page with one form, for tests of form submission. */
import { Button } from '../../../src/pages/ui/button.tsx';
import { TextField } from '../../../src/pages/ui/field.tsx';
import { Form, FormActions } from '../../../src/pages/ui/form.tsx';
import type { FormState } from '../../../src/pages/ui/form-state.ts';
import { PageHeader } from '../../../src/pages/ui/page-header.tsx';

export const FormPage = ({ form, sent }: { form: FormState; sent: number }) => (
  <>
    <PageHeader title="Form" lead={<output>{sent}</output>} />
    <Form form={form} action="/form">
      <TextField form={form} name="answer" label="Answer" />
      <FormActions>
        <Button>Send</Button>
        <Button name="second" value="yes">
          Second
        </Button>
      </FormActions>
    </Form>
  </>
);
