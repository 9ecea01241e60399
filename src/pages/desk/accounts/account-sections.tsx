import type { NoticeKind } from '../../../background/notices/kinds.ts';
import { clearRefusalPath, deskAccountPath, OUTBOX_PATH } from '../../../base/paths.ts';
import { ROLE_NAMES } from '../../../people/members/member.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import { PostButton } from '../../ui/button.tsx';
import type { Markup } from '../../ui/markup.ts';
import { Notice } from '../../ui/notice.tsx';
import { Badge } from '../../ui/state-badge.tsx';
import { NameCell, Table, TableSection } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { ReadAccount } from './read-account.ts';

export const Memberships = ({ members, works }: ReadAccount) => (
  <>
    {members.length > 0 && <People title={t('Members')} rows={members} />}
    {works.length > 0 && <People title={t('Accounts this person works in')} rows={works} />}
  </>
);

const People = ({ title, rows }: { title: string; rows: ReadAccount['works'] | ReadAccount['members'] }) => (
  <TableSection
    title={title}
    empty=""
    rows={rows}
    columns={[
      {
        header: t('Account'),
        isName: true,
        cell: ({ id, name, email }) => <NameCell href={deskAccountPath(id)} name={name} sub={email} />,
      },
      { header: t('Role'), cell: ({ role }) => t(ROLE_NAMES[role]) },
      {
        header: t('Since'),
        cell: ({ created_at }) => <Time at={created_at} precision="day" />,
        isNowrap: true,
      },
    ]}
  />
);

/** Mail is deleted once a mail server has accepted it. For notices, the kind and the time are kept. */
export const Mails = ({ account, mails, notices, mailRefusal }: ReadAccount): Markup | null =>
  mails.length + notices.length === 0 && mailRefusal === null ? null : (
    <section class="section" id="mail">
      <h2>{t('Mail')}</h2>
      <div class="stack">
        {mailRefusal !== null && (
          <Notice
            tone="warn"
            title={t('The mail server refuses this address')}
            actions={
              <PostButton action={clearRefusalPath(account.id)} values={{ account: 'yes' }}>
                {t('Send all mail again')}
              </PostButton>
            }
          >
            {mailRefusal}{' '}
            {t(
              'Until an email gets through, the person gets only mail that they ask for, such as sign-in codes.',
            )}
          </Notice>
        )}
        {mails.length > 0 && (
          <Table
            caption={t('Mail in the Outbox')}
            rows={mails}
            columns={[
              {
                header: t('Subject'),
                isName: true,
                cell: ({ subject }) => <a href={OUTBOX_PATH}>{subject}</a>,
              },
              { header: t('State'), cell: (mail) => <MailBadge mail={mail} /> },
              { header: t('Written'), cell: ({ created_at }) => <Time at={created_at} />, isNowrap: true },
            ]}
          />
        )}
        {notices.length > 0 && (
          <Table
            caption={t('Notices that were mailed')}
            rows={notices}
            columns={[
              { header: t('Notice'), isName: true, cell: ({ kind }) => noticeText(kind) },
              { header: t('Mailed'), cell: ({ at }) => <Time at={at} />, isNowrap: true },
            ]}
          />
        )}
      </div>
    </section>
  );

/** Returns `kind` itself if this version doesn't know it: a newer version may have mailed the notice. */
const noticeText = (kind: string): string =>
  Object.hasOwn(NOTICE_NAMES, kind) ? t(NOTICE_NAMES[kind as NoticeKind]) : kind;

const NOTICE_NAMES: Readonly<Record<NoticeKind, Message>> = {
  claims: message('Claim made'),
  reminders: message('Reminder about an unused claim'),
  reports: message('Decision on a report'),
  decisions: message('Submission or decision'),
  problems: message('Problem with a key or webhook'),
  supply: message('Offer about to end or run out'),
  week: message('Weekly numbers'),
  review: message('Something to review'),
  daily_review: message('Daily list of what needs review'),
  owners: message('New owner'),
  health: message('Failed system check'),
};

function MailBadge({ mail }: { mail: ReadAccount['mails'][number] }) {
  if (mail.failed_at !== null) return <Badge tone="bad">{t('Refused')}</Badge>;
  if (mail.held_at !== null) return <Badge tone="warn">{t('On hold')}</Badge>;
  if (mail.failure !== null) return <Badge tone="warn">{t('Trying again')}</Badge>;
  return <Badge tone="plain">{mail.next_at === null ? t('In the Outbox') : t('Waiting')}</Badge>;
}
