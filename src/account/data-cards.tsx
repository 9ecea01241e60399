/** The cards of the account page about what is stored: the file with it, and the deletion. */
import { DATA_FORMATS } from '../people/data-file.ts';
import { ButtonLink, PostButton } from '../ui/button.tsx';
import { FormActions } from '../ui/form.tsx';
import type { Markup } from '../ui/markup.ts';
import { Notice } from '../ui/notice.tsx';
import { Time } from '../ui/time.tsx';
import { type AccountView, Card } from './card.tsx';
import { DATA_PATH, DELETE_PATH, KEEP_PATH } from './paths.ts';

/** At the top of the page while a deletion is planned. */
export const DeletionNotice = ({ deleteAt }: { deleteAt: string }): Markup => (
  <Notice
    tone="warn"
    title={
      <>
        Your account will be deleted on <Time at={deleteAt} />
      </>
    }
    actions={
      <PostButton action={KEEP_PATH} tone="primary">
        Keep my account
      </PostButton>
    }
  >
    You can undo this until then.
  </Notice>
);

export const YourData = ({ account }: { account: AccountView }): Markup => (
  <Card title="Your data">
    <p class="soft-text">
      One file with everything stored about you: profile, claims with their codes, sign-ins, sessions, mail
      and what you have changed. <a href="/docs/privacy">What is stored and why</a>
    </p>
    <FormActions>
      {DATA_FORMATS.map((format) => (
        // Without a fresh proof the address leads to one, which must not be downloaded.
        <ButtonLink href={`${DATA_PATH}.${format}`} download={account.isProven}>
          Download {format.toUpperCase()}
        </ButtonLink>
      ))}
    </FormActions>
  </Card>
);

export const DeleteCard = ({ account }: { account: AccountView }): Markup => (
  <Card title="Delete your account">
    {account.isOperator ? (
      <p class="soft-text">
        You are an operator, so your account can’t be deleted. Give up your operator rights first: Desk →
        Accounts → your account.
      </p>
    ) : account.deleteAt !== null ? (
      <>
        <p class="soft-text">
          It will be deleted on <Time at={account.deleteAt} />.
        </p>
        <div>
          <PostButton action={KEEP_PATH}>Keep my account</PostButton>
        </div>
      </>
    ) : (
      <>
        <p class="soft-text">
          The next page says what is deleted and what stays. You can undo it for a week.
        </p>
        <div>
          <ButtonLink href={DELETE_PATH} tone="danger">
            Delete my account…
          </ButtonLink>
        </div>
      </>
    )}
  </Card>
);
