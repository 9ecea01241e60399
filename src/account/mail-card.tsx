/** The card for the mail that a person gets. */
import { isWanted, NOTICES } from '../notices/kinds.ts';
import { capital } from '../text/text.ts';
import { Button } from '../ui/button.tsx';
import { CheckboxesField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { newForm } from '../ui/form-state.ts';
import type { Markup } from '../ui/markup.ts';
import { Notice } from '../ui/notice.tsx';
import { Card, type MailView } from './card.tsx';
import { MAIL_PATH } from './paths.ts';

export const MailCard = ({ kinds, choices, refusal }: MailView): Markup => (
  <Card title="Mail">
    {refusal !== null && (
      <Notice tone="warn">
        Mail to your address was refused, so we only send what you ask for, such as sign-in codes. {refusal}{' '}
        Once a mail arrives again, you get the rest too.
      </Notice>
    )}
    <Form form={newForm()} action={MAIL_PATH} idPrefix="mail">
      <CheckboxesField
        form={newForm(Object.fromEntries(kinds.map((kind) => [kind, isWanted(choices, kind) ? 'yes' : ''])))}
        idPrefix="mail"
        name="kinds"
        label="Send me mail about"
        choices={kinds.map((kind) => ({ value: kind, label: capital(NOTICES[kind].about) }))}
      />
      <FormActions>
        <Button>Save</Button>
      </FormActions>
    </Form>
  </Card>
);
