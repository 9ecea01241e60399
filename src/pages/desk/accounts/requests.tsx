import type { Plans } from '../../../base/brand/plans.ts';
import { UNDO_WINDOW_MS } from '../../../base/events/decision-queries.ts';
import { deskAccountPath } from '../../../base/paths.ts';
import type { Account } from '../../../people/accounts/queries.ts';
import { nameDecision } from '../../../people/accounts/rename.ts';
import { type AccountRequest, isOpen } from '../../../people/accounts/request-queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { type EpochMs, toIso } from '../../../platform/text/time-text.ts';
import { Paragraph } from '../../ui/breakable.tsx';
import { PostButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DialogForm } from '../../ui/dialog.tsx';
import { DifferenceTable } from '../../ui/difference.tsx';
import { HiddenField, TextAreaField } from '../../ui/field.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';

export type RequestForm = `decline-${AccountRequest['wish']}`;

interface RequestsProps {
  readonly account: Account;
  readonly requests: readonly AccountRequest[];
  readonly plans: Plans;
  readonly forms: Readonly<Record<RequestForm, FormState>>;
  readonly now: EpochMs;
}

export const Requests = (props: RequestsProps) => (
  <>
    <NameDecided {...props} />
    {props.requests.filter(isOpen).map((request) => (
      <Request {...props} request={request} />
    ))}
  </>
);

interface Wish {
  readonly title: string;
  readonly grant: string;
  /** Relative to the account's path. The form sends `values` there. */
  readonly grantPath: string;
  readonly values: Readonly<Record<string, string>>;
  readonly declineHint: string;
}

function wishOf({ account, plans, request }: RequestsProps & { request: AccountRequest }): Wish {
  const asker = isolated(account.name);
  const { plan, name } = request;
  const asksAgain = t('Shown to the person, who can ask again after a day.');
  if (name !== null) {
    return {
      title: t('{asker} proposes the name “{name}”', { asker, name: isolated(name) }),
      grant: t('Approve the new name'),
      grantPath: 'approve-name',
      values: { name },
      declineHint: t('Shown to the person, who keeps the current name and can propose another one.'),
    };
  }
  if (plan !== null) {
    const planName = isolated(plans[plan].name);
    return {
      title: t('{asker} asks for the {plan} plan', { asker, plan: planName }),
      grant: t('Switch to the {plan} plan', { plan: planName }),
      grantPath: 'plan',
      values: { plan },
      declineHint: asksAgain,
    };
  }
  return {
    title: t('{asker} asks to publish', { asker }),
    grant: t('Allow'),
    grantPath: 'publisher',
    values: { publisher: 'on' },
    declineHint: asksAgain,
  };
}

function Request(props: RequestsProps & { request: AccountRequest }) {
  const { account, forms, request } = props;
  const { wish, name, message, created_at } = request;
  const { title, grant, grantPath, values, declineHint } = wishOf(props);
  const path = deskAccountPath(account.id);
  const id = `decline-${wish}` as const;
  const form = forms[id];
  const isRefused = form.problems.length > 0;
  const decline = (
    <DialogForm
      id={id}
      form={form}
      action={`${path}/${id}`}
      opener={t('Decline…')}
      title={
        name === null ? t('Decline the request?') : t('Decline the name “{name}”?', { name: isolated(name) })
      }
      confirm={name === null ? t('Decline request') : t('Decline name')}
      fields={(props) => (
        <>
          {name !== null && <HiddenField name="name" value={name} />}
          <TextAreaField {...props} name="reason" label={t('Reason')} hint={declineHint} autofocus />
        </>
      )}
    />
  );
  return (
    <Card title={title} id={`request-${wish}`} isStack>
      {name !== null && (
        <>
          <p class="soft-text">
            {t('The account’s listings show its name as “By …”. People see “{name}” until you decide.', {
              name: isolated(account.name),
            })}
          </p>
          <DifferenceTable
            differences={[{ field: t('name'), approved: account.name, proposed: name }]}
            headers={[t('Approved'), t('Proposed')]}
          />
        </>
      )}
      {message !== null && <Paragraph>{message}</Paragraph>}
      <p class="soft-text">{t('Asked on {time}.', { time: <Time at={created_at} /> })}</p>
      {isRefused && decline}
      <div class="row">
        <PostButton action={`${path}/${grantPath}`} values={values} tone="primary">
          {grant}
        </PostButton>
        {!isRefused && decline}
      </div>
    </Card>
  );
}

/** While the last decision about the account's name can be undone. */
function NameDecided({ account, requests, now }: RequestsProps) {
  const request = requests.find(({ wish }) => wish === 'name');
  const decided = nameDecision(account, request);
  const until = decided === null ? 0 : Date.parse(decided.at) + UNDO_WINDOW_MS;
  if (decided === null || now > until) return null;
  return (
    <Notice
      tone="good"
      title={
        decided.decision === 'approve'
          ? t('The account’s name is now “{name}”', { name: isolated(account.name) })
          : t('The account keeps the name “{name}”', { name: isolated(account.name) })
      }
      actions={
        <PostButton action={`${deskAccountPath(account.id)}/undo-name`} small>
          {t('Undo')}
        </PostButton>
      }
    >
      {t('You can undo this until {time}.', {
        time: <Time at={toIso(until)} precision="second" hasZone />,
      })}
    </Notice>
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
    <Card title={t('Publishing')} isStack>
      <p class="soft-text">{publishingText(props)}</p>
      {account.operator_since === null && (
        <PostButton
          action={`${deskAccountPath(account.id)}/publisher`}
          values={{ publisher: isAllowed ? 'off' : 'on' }}
          small
        >
          {isAllowed ? t('Revoke permission') : t('Allow publishing')}
        </PostButton>
      )}
    </Card>
  );
};

function publishingText({ account, mayPublish }: PublishingProps): string {
  if (account.operator_since !== null) return t('Operators may always publish.');
  if (account.publisher_since !== null) return t('An operator allowed this account to publish.');
  return mayPublish
    ? t(
        'Everyone may publish. If you restrict publishing in the settings, this account will need permission.',
      )
    : t('This account is not allowed to create or submit listings. Its existing listings stay as they are.');
}
