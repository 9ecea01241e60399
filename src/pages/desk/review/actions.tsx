import { deskListingPath } from '../../../base/paths.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
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
    opener={t('Transfer…')}
    openerTone="plain"
    small
    title={t('Transfer {name} to another account', { name: isolated(listing.name) })}
    confirm={t('Transfer listing')}
    fields={(props) => (
      <>
        <p>
          {t(
            'The listing moves with its offers, codes and claims. API keys stay with the old account, so the owner’s server needs a key of the new account to redeem the claims. Webhooks and link checks don’t move.',
          )}
        </p>
        <HiddenField name="version" value={String(listing.version)} />
        <TextField
          {...props}
          name="to"
          label={t('New account')}
          hint={t('Email address or ID.')}
          autocomplete="off"
        />
      </>
    )}
  />
);

/** `formId`: a form that is sent twice creates one copy. */
export const Duplicate = ({ listing, formId }: { listing: Listing; formId: string }) => (
  <PostButton action={`${deskListingPath(listing.id)}/${DUPLICATE}`} values={{ form: formId }} small>
    {t('Duplicate')}
  </PostButton>
);

export function Feature({ listing: { id, state, featured } }: { listing: Listing }) {
  const action = `${deskListingPath(id)}/${FEATURE}`;
  if (featured !== null) {
    return (
      <PostButton action={action} values={{ remove: 'yes' }} small>
        {t('Stop featuring')}
      </PostButton>
    );
  }
  return state === 'approved' ? (
    <PostButton action={action} small>
      {t('Feature this app')}
    </PostButton>
  ) : null;
}
