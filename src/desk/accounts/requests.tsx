import type { Account } from '../../accounts/queries.ts';
import type { AccountRequest } from '../../accounts/request-queries.ts';
import type { Plans } from '../../brand/plans.ts';
import { isolated } from '../../text/text.ts';
import { PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogForm } from '../../ui/dialog.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Time } from '../../ui/time.tsx';
import { accountPath } from '../paths.ts';

export type RequestForm = `decline-${AccountRequest['wish']}`;

interface RequestsProps {
  readonly account: Account;
  readonly requests: readonly AccountRequest[];
  readonly plans: Plans;
  readonly forms: Readonly<Record<RequestForm, FormState>>;
}

export const Requests = (props: RequestsProps) => (
  <>
    {props.requests
      .filter(({ declined_at }) => declined_at === null)
      .map((request) => (
        <Request {...props} request={request} />
      ))}
  </>
);

function Request({ account, plans, forms, request }: RequestsProps & { request: AccountRequest }) {
  const { wish, plan, message, created_at } = request;
  const name = isolated(account.name);
  const path = accountPath(account.id);
  const id = `decline-${wish}` as const;
  const form = forms[id];
  const [title, grant, values] =
    plan === null
      ? [`${name} asks to publish`, 'Allow', { publisher: 'on' }]
      : [
          `${name} asks for the ${isolated(plans[plan].name)} plan`,
          `Switch to the ${isolated(plans[plan].name)} plan`,
          { plan },
        ];
  const isRefused = form.problems.length > 0;
  const decline = (
    <DialogForm
      id={id}
      form={form}
      action={`${path}/${id}`}
      opener="Decline…"
      title="Decline the request?"
      confirm="Decline request"
      fields={(props) => (
        <TextAreaField
          {...props}
          name="reason"
          label="Reason"
          hint="Shown to the person, who can ask again after a day."
          autofocus
        />
      )}
    />
  );
  return (
    <Card title={title} id={`request-${wish}`} isStack>
      {message !== null && (
        <p class="plain-text" dir="auto">
          {message}
        </p>
      )}
      <p class="soft-text">
        Asked on <Time at={created_at} />.
      </p>
      {isRefused && decline}
      <div class="row">
        <PostButton
          action={`${path}/${wish === 'plan' ? 'plan' : 'publisher'}`}
          values={values}
          tone="primary"
        >
          {grant}
        </PostButton>
        {!isRefused && decline}
      </div>
    </Card>
  );
}

interface PublishingProps {
  readonly account: Account;
  readonly mayPublish: boolean;
}

export const Publishing = (props: PublishingProps) => {
  const { account } = props;
  const isAllowed = account.publisher_since !== null;
  return (
    <Card title="Publishing" isStack>
      <p class="soft-text">{publishingText(props)}</p>
      {account.operator_since === null && (
        <PostButton
          action={`${accountPath(account.id)}/publisher`}
          values={{ publisher: isAllowed ? 'off' : 'on' }}
          small
        >
          {isAllowed ? 'Revoke permission' : 'Allow publishing'}
        </PostButton>
      )}
    </Card>
  );
};

function publishingText({ account, mayPublish }: PublishingProps): string {
  if (account.operator_since !== null) return 'Operators may always publish.';
  if (account.publisher_since !== null) return 'An operator allowed this account to publish.';
  return mayPublish
    ? 'Everyone may publish. If you restrict publishing in the settings, this account will need permission.'
    : 'This account is not allowed to create or submit listings. Its existing listings stay as they are.';
}
