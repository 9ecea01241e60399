/** The form with which an owner asks the operator for a plan or for permission to publish. */
import type { Child } from 'hono/jsx';
import { t } from '../../platform/languages/translate.ts';
import { Button } from '../ui/button.tsx';
import { DialogCancel } from '../ui/dialog.tsx';
import { TextAreaField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { FormState } from '../ui/form-state.ts';

interface RequestFormProps {
  readonly form: FormState;
  readonly action: string;
  /** Id of the enclosing dialog, and prefix of the fields' ids. */
  readonly id: string;
  readonly isInDialog: boolean;
  readonly hint: string;
  readonly send: string;
  readonly children?: Child;
}

export const RequestForm = ({ form, action, id, isInDialog, hint, send, children }: RequestFormProps) => (
  <Form form={form} action={action} idPrefix={id}>
    {children}
    <TextAreaField
      form={form}
      idPrefix={id}
      name="message"
      label={t('Message')}
      hint={hint}
      rows={3}
      optional
    />
    <FormActions>
      {isInDialog && <DialogCancel id={id} />}
      <Button tone="primary">{send}</Button>
    </FormActions>
  </Form>
);
