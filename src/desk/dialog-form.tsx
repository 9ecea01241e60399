import type { Child } from 'hono/jsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogCancel, type DialogProps } from '../ui/dialog.tsx';
import type { FieldProps } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { FormState } from '../ui/form-state.ts';

interface DialogFormProps extends Omit<DialogProps, 'children'> {
  readonly form: FormState;
  readonly action: string;
  readonly confirm: string;
  readonly isHarmless?: boolean | undefined;
  readonly fields: (props: Pick<FieldProps, 'form' | 'idPrefix'>) => Child;
}

/** A form in a dialog. After an error, the form is in the page instead, with what was typed. */
export function DialogForm({ form, action, confirm, isHarmless, fields, ...dialog }: DialogFormProps) {
  const { id, openerTone = isHarmless ? 'plain' : 'danger' } = dialog;
  const isRefused = form.problems.length > 0;
  const content = (
    <Form form={form} action={action} idPrefix={id}>
      {fields({ form, idPrefix: id })}
      <FormActions>
        {!isRefused && <DialogCancel id={id} />}
        <Button tone={isHarmless ? 'primary' : 'danger-solid'}>{confirm}</Button>
      </FormActions>
    </Form>
  );
  if (isRefused) return content;
  return (
    <Dialog {...dialog} openerTone={openerTone}>
      {content}
    </Dialog>
  );
}
