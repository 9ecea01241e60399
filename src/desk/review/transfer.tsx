import type { Listing } from '../../listings/queries.ts';
import { isolated } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogCancel } from '../../ui/dialog.tsx';
import { HiddenField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { newForm } from '../../ui/form-state.ts';
import { deskListingPath } from '../paths.ts';
import type { SentForm } from './decide.tsx';

export const TRANSFER = 'transfer';

interface TransferProps {
  readonly listing: Listing;
  readonly sent: SentForm;
}

/** A refused form is shown in the page instead of in its dialog. */
export function Transfer({ listing, sent }: TransferProps) {
  const isSent = sent.path === TRANSFER;
  const form = (
    <Form form={isSent ? sent.form : newForm()} action={`${deskListingPath(listing.id)}/${TRANSFER}`}>
      <p>
        The listing moves with its offers, codes and claims. API keys stay with their account, so servers need
        a key of the new account to redeem these claims. Webhooks and link checks don’t move.
      </p>
      <HiddenField name="version" value={String(listing.version)} />
      <TextField
        form={isSent ? sent.form : newForm()}
        name="to"
        label="New account"
        hint="Its email address or id."
        autocomplete="off"
      />
      <FormActions>
        {!isSent && <DialogCancel id={TRANSFER} />}
        <Button tone="danger-solid">Transfer listing</Button>
      </FormActions>
    </Form>
  );
  if (isSent) return form;
  return (
    <Dialog
      id={TRANSFER}
      opener="Transfer…"
      openerTone="plain"
      small
      title={`Transfer ${isolated(listing.name)} to another account`}
    >
      {form}
    </Dialog>
  );
}
