/** The card of the passkeys. */
import { isolated } from '../text/text.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { HiddenField, TextField } from '../ui/field.tsx';
import { FormActions } from '../ui/form.tsx';
import type { Markup } from '../ui/markup.ts';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { Card, FoldedForProof, type FormCardProps, ProofInNewTab } from './card.tsx';
import { PasskeyProblem } from './passkey-form.tsx';
import { ACCOUNT_PATH } from './paths.ts';

/** Where passkeys can't work, only operators can change that. */
export function Passkeys({ account, form, isRefused }: FormCardProps): Markup | null {
  const { passkeys, canHavePasskeys } = account;
  if (!canHavePasskeys && !account.isOperator) return null;
  return (
    <Card title="Passkeys">
      <p class="soft-text">
        Sign in with your fingerprint, face or device PIN instead of a password and code.
      </p>
      {passkeys.length > 0 && (
        <Table
          caption="Passkeys"
          rows={passkeys}
          columns={[
            { header: 'Name', isName: true, cell: ({ name }) => <span class="break">{name}</span> },
            { header: 'Added', cell: ({ createdAt }) => <Time at={createdAt} precision="day" /> },
            {
              header: 'Last used',
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />),
            },
            {
              header: 'Actions',
              isActions: true,
              cell: ({ id, name }) => (
                <Confirm
                  id={`remove-${id}`}
                  action={`${ACCOUNT_PATH}/passkeys/${id}/remove`}
                  opener="Remove…"
                  openerLabel={`Remove… ${name}`}
                  small
                  title={`Remove “${isolated(name)}”?`}
                  confirm="Remove passkey"
                >
                  <p>You can no longer sign in with it. Delete it on your device too.</p>
                </Confirm>
              ),
            },
          ]}
        />
      )}
      {canHavePasskeys ? (
        <>
          <p class="soft-text" data-without-passkeys>
            Adding one needs JavaScript and a browser that supports passkeys.
          </p>
          <AddPasskey {...{ account, form, isRefused }} />
        </>
      ) : (
        <p class="soft-text">
          Passkeys need a host name, but this service is reached at an IP address. Set BASE_URL to a host
          name.
        </p>
      )}
    </Card>
  );
}

const AddPasskey = ({ account, form, isRefused }: FormCardProps): Markup => (
  <FoldedForProof isProven={account.isProven} summary="Add a passkey" isOpen={isRefused}>
    <form
      class="form"
      method="post"
      action={`${ACCOUNT_PATH}/passkeys`}
      novalidate
      data-passkey="add"
      data-options={`${ACCOUNT_PATH}/passkeys/options`}
      hidden
    >
      <HiddenField name="credential" value="" />
      <TextField
        form={form}
        idPrefix="passkey"
        name="name"
        label="Name"
        hint="To recognise it, for example the device it is on."
      />
      <PasskeyProblem sentence={form.problems[0]?.sentence ?? ''} />
      <ProofInNewTab hidden />
      <FormActions>
        <Button>Add passkey</Button>
      </FormActions>
    </form>
  </FoldedForProof>
);
