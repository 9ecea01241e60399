import { deskListingPath } from '../../../base/paths.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { isolated } from '../../../platform/text/text.ts';
import { PostButton } from '../../ui/button.tsx';
import { DialogForm } from '../../ui/dialog.tsx';
import { HiddenField, TextField } from '../../ui/field.tsx';
import { formSentTo, type SentForm } from './decide.tsx';

export const FEATURE = 'feature';
export const TRANSFER = 'transfer';
export const DUPLICATE = 'duplicate';

export const Transfer = ({ listing, sent }: { listing: Listing; sent: SentForm }) => (
  <DialogForm
    id={TRANSFER}
    form={formSentTo(TRANSFER, sent)}
    action={`${deskListingPath(listing.id)}/${TRANSFER}`}
    opener="Transfer…"
    openerTone="plain"
    small
    title={`Transfer ${isolated(listing.name)} to another account`}
    confirm="Transfer listing"
    fields={(props) => (
      <>
        <p>
          The listing moves with its offers, codes and claims. API keys stay with the old account, so the
          owner’s server needs a key of the new account to redeem the claims. Webhooks and link checks don’t
          move.
        </p>
        <HiddenField name="version" value={String(listing.version)} />
        <TextField {...props} name="to" label="New account" hint="Email address or ID." autocomplete="off" />
      </>
    )}
  />
);

/** `formId`: a form that is sent twice creates one copy. */
export const Duplicate = ({ listing, formId }: { listing: Listing; formId: string }) => (
  <PostButton action={`${deskListingPath(listing.id)}/${DUPLICATE}`} values={{ form: formId }} small>
    Duplicate
  </PostButton>
);

export function Feature({ listing: { id, state, featured } }: { listing: Listing }) {
  const action = `${deskListingPath(id)}/${FEATURE}`;
  if (featured !== null) {
    return (
      <PostButton action={action} values={{ remove: 'yes' }} small>
        Stop featuring
      </PostButton>
    );
  }
  return state === 'approved' ? (
    <PostButton action={action} small>
      Feature this app
    </PostButton>
  ) : null;
}
