/** The Outbox: mail to forward while no mail server is set up, and mail that the mail server has not accepted. */

import { NOTICES } from '../../../background/notices/kinds.ts';
import { readRetention } from '../../../background/personal-data/retention.ts';
import { docsOfCheck } from '../../../background/system/check.ts';
import type { Context } from '../../../base/context.ts';
import {
  clearRefusalPath,
  DEMO_MAILS_PATH,
  deskAccountPath,
  guidePath,
  OUTBOX_PATH,
  PEOPLE_PATH,
} from '../../../base/paths.ts';
import { readPolicy } from '../../../people/accounts/policy.ts';
import type { MailServer } from '../../../people/mail/check-server.ts';
import { htmlOf } from '../../../people/mail/letter.ts';
import { clearRefusal, type Mailer, releaseMail } from '../../../people/mail/mail.ts';
import { listOutbox, OUTBOX_SHOWN, type OutboxMail } from '../../../people/mail/queries.ts';
import { listRefused, type RefusedAccount } from '../../../people/mail/refusal-queries.ts';
import { nothingThere } from '../../../platform/errors.ts';
import { inLanguage } from '../../../platform/languages/language.ts';
import { t, wordsOf } from '../../../platform/languages/translate.ts';
import { SECOND_MS } from '../../../platform/text/durations.ts';
import { isolated } from '../../../platform/text/text.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { requireProof } from '../../frame/kept-forms.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import {
  actorOf,
  page,
  proveFirst,
  readForm,
  redirect,
  requireFound,
  returnPath,
} from '../../frame/pages.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { ButtonLink, PostButton } from '../../ui/button.tsx';
import { Section } from '../../ui/card.tsx';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { requireId } from '../lookups.ts';
import { MailCard } from './mail-card.tsx';
import { mailPreviews, type Preview, testMail } from './previews.ts';

type OutboxContext = Pick<Context, 'db' | 'now' | 'secretBox' | 'marketplace'> & {
  /** `null`: mail stays in the Outbox. */
  readonly mailServer: MailServer | null;
};

/** How long a test waits for the mail server. The result of a longer check is shown when the page is reloaded. */
const TEST_WAIT_MS = 8 * SECOND_MS;

export function outboxPages(
  app: PageRouter,
  { db, now, secretBox, marketplace, mailServer }: OutboxContext,
  mailer: Pick<Mailer, 'send' | 'start'>,
  baseUrl: string,
): void {
  app.get(OUTBOX_PATH, { for: 'operator' }, async (c, viewer) => {
    const mails = await inLanguage(marketplace.language, () => listOutbox(db.read, secretBox, toIso(now())));
    const sendsMail = mailServer !== null;
    const isDemo = !sendsMail && c.get('site').isDemo;
    // A code or link in a mail signs in to an account, or sets its password. In the demo, all mail is public.
    if (mails.some(({ hasCode }) => hasCode) && !viewer.isFreshlyProven && !isDemo) {
      throw proveFirst(c, returnPath(c) ?? OUTBOX_PATH);
    }
    const { mailDays: keptDays } = await readRetention(db.read);
    const isTest = c.req.query('test') !== undefined && mailServer !== null;
    const test = isTest ? { to: viewer.email, result: await mailServer.checkWithin(TEST_WAIT_MS) } : null;
    const refused = await listRefused(db.read, REFUSED_SHOWN);
    return page(c, <OutboxPage {...{ mails, test, refused, keptDays, sendsMail, isDemo }} />, {
      title: t('Outbox'),
      holdsSecret: true,
    });
  });

  const previews = () => mailPreviews(baseUrl, marketplace);
  app.get(`${OUTBOX_PATH}/previews`, { for: 'operator' }, async (c) => {
    const { remindAfterDays } = await readPolicy(db.read);
    return page(c, <PreviewsPage previews={previews()} {...{ remindAfterDays }} />, {
      title: t('Email examples'),
    });
  });
  app.get(`${OUTBOX_PATH}/previews/:index`, { for: 'operator' }, (c) => {
    const preview = requireFound(previews()[Number(c.req.param('index'))]);
    c.header('Content-Security-Policy', MAIL_POLICY);
    return c.html(
      inLanguage(marketplace.language, () =>
        htmlOf(marketplace.brand, preview, [`${OUTBOX_PATH}/previews`, t('Email examples')]),
      ),
    );
  });

  app.post(`${OUTBOX_PATH}/test`, { for: 'operator' }, async (c, { email }) => {
    if (mailServer === null) throw nothingThere();
    const result = await mailServer.checkWithin(TEST_WAIT_MS, { isFresh: true });
    // If the check fails, the page shows its result, and no mail is sent.
    if (result !== 'pending' && result.failure === null) {
      mailer.send(async () => ({ to: email, ...testMail(baseUrl) }));
    }
    return redirect(c, `${OUTBOX_PATH}?test`);
  });

  app.post(`${OUTBOX_PATH}/refused/:id/clear`, { for: 'operator' }, async (c, viewer) => {
    const id = requireId(c);
    const form = await readForm(c);
    await clearRefusal({ db, now }, { accountId: id, actor: actorOf(viewer) });
    return redirect(c, form.has('account') ? `${deskAccountPath(id)}#mail` : `${OUTBOX_PATH}#refused`);
  });

  app.post(`${OUTBOX_PATH}/release`, { for: 'operator' }, async (c) => {
    // Sending can't be undone.
    await requireProof(c);
    await releaseMail({ db });
    mailer.start();
    return redirect(c, OUTBOX_PATH);
  });
}

/** Allows inline styles, because emails use `style` attributes. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-popups";

export const MAIL_GUIDE = guidePath('self-hosting#mail');

interface OutboxPageProps {
  readonly mails: readonly OutboxMail[];
  readonly keptDays: number;
  /** Whether a mail server is set up. If so, the page lists only mail that the mail server has not accepted. */
  readonly sendsMail: boolean;
  readonly isDemo: boolean;
  /** The test that the operator has just started, with its recipient. */
  readonly test: TestProps | null;
  readonly refused: readonly RefusedAccount[];
}

interface TestProps {
  readonly to: string;
  readonly result: Awaited<ReturnType<MailServer['checkWithin']>>;
}

const TestNotice = ({ to, result }: TestProps) => {
  if (result === 'pending') {
    return (
      <Notice tone="warn" title={t('The mail server hasn’t answered yet')}>
        {t('No test email was sent. Reload this page in a few seconds to see the result of the check.')}
      </Notice>
    );
  }
  if (result.failure !== null) {
    return (
      <Notice tone="bad" title={t('No test email was sent')}>
        {result.failure} <a href={docsOfCheck('mail')}>{t('What to do')}</a>
      </Notice>
    );
  }
  return (
    <Notice tone="good" title={t('A test email to {address} is on its way', { address: to })}>
      {t('Reload this page in a moment: if the mail server refuses the email, its response is shown here.')}
    </Notice>
  );
};

const REFUSED_SHOWN = 100;

/** Lists the people who get only essential mail. */
const Refused = ({ refused }: Pick<OutboxPageProps, 'refused'>) =>
  refused.length === 0 ? null : (
    <section class="section" id="refused">
      <h2>{t('Addresses that refuse mail')}</h2>
      <div class="stack">
        <p class="soft-text">
          {t(
            'The mail server says that these mailboxes don’t exist or accept no mail. These people get only mail that they ask for, such as sign-in codes, until the mail server accepts one or you clear the entry.',
          )}
        </p>
        <Table
          caption={t('Addresses that refuse mail')}
          rows={refused}
          columns={[
            {
              header: t('Person'),
              isName: true,
              cell: ({ id, name, email }) => (
                <>
                  <a href={deskAccountPath(id)}>{isolated(name)}</a>
                  <span class="sub mail">
                    <Breakable text={email} />
                  </span>
                </>
              ),
            },
            { header: t('Reason'), isPlain: true, cell: ({ refusal }) => refusal },
            { header: t('Refused'), isNowrap: true, cell: ({ refused_at }) => <Time at={refused_at!} /> },
            {
              header: t('Action'),
              cell: ({ id, email }) => (
                <PostButton action={clearRefusalPath(id)} small label={t('Clear {email}', { email })}>
                  {t('Clear')}
                </PostButton>
              ),
            },
          ]}
        />
        {refused.length === REFUSED_SHOWN && <NewestOnly count={REFUSED_SHOWN} />}
      </div>
    </section>
  );

const NewestOnly = ({ count }: { count: number }) => (
  <p class="quiet-text">{t('The newest {count, number} are shown.', { count })}</p>
);

const OutboxPage = ({ mails, keptDays, sendsMail, isDemo, test, refused }: OutboxPageProps) => (
  <>
    <PageHeader
      title={t('Outbox')}
      lead={leadOf({ keptDays, sendsMail, isDemo })}
      actions={
        <>
          <ButtonLink href={`${OUTBOX_PATH}/previews`}>{t('Email examples')}</ButtonLink>
          {sendsMail ? (
            <PostButton action={`${OUTBOX_PATH}/test`}>{t('Send a test email')}</PostButton>
          ) : (
            !isDemo && (
              <ButtonLink href={MAIL_GUIDE} tone="primary">
                {t('Set up mail')}
              </ButtonLink>
            )
          )}
        </>
      }
    />
    <div class="stack">
      {test !== null && <TestNotice {...test} />}
      {mails.length === 0 ? (
        <EmptyState
          sentence={sendsMail ? t('The mail server has accepted all mail.') : t('No mail is waiting.')}
          example={t('A link for ada@example.com to set a new password.')}
        />
      ) : (
        <>
          <Notice tone="warn">
            {t(
              'Anyone who has one of these links or codes can use it. Give each one only to the recipient of the email.',
            )}
          </Notice>
          {sendsMail && mails.some(({ held_at }) => held_at !== null) && (
            <Notice
              tone="warn"
              title={t('Mail is on hold after a restore')}
              actions={<PostButton action={`${OUTBOX_PATH}/release`}>{t('Send held mail')}</PostButton>}
            >
              {t(
                'Some of this mail may already have been sent between the backup and the restore. If you send it again, it arrives twice. Mail on hold is deleted after {days, plural, one {# day} other {# days}}.',
                { days: keptDays },
              )}
            </Notice>
          )}
          {mails.map((mail) => (
            <MailCard mail={mail} />
          ))}
          {mails.length === OUTBOX_SHOWN && <NewestOnly count={OUTBOX_SHOWN} />}
        </>
      )}
      <Refused refused={refused} />
    </div>
  </>
);

function leadOf({
  keptDays: days,
  sendsMail,
  isDemo,
}: Pick<OutboxPageProps, 'keptDays' | 'sendsMail' | 'isDemo'>) {
  if (isDemo) {
    return t(
      'The demo sends no email. Everything that it would send stays here for {days, plural, one {# day} other {# days}}, and on a <a>page that needs no sign-in</a>.',
      { days, a: linkTo(DEMO_MAILS_PATH) },
    );
  }
  return sendsMail
    ? t(
        'Mail that the server in SMTP_URL hasn’t accepted stays here for {days, plural, one {# day} other {# days}}.',
        { days },
      )
    : t(
        'No mail server is set up, so links and codes that people ask for stay here for {days, plural, one {# day} other {# days}}. Pass them on yourself. Notices, for example about your decisions, aren’t created until you set up mail.',
        { days },
      );
}

interface PreviewsPageProps {
  readonly previews: readonly Preview[];
  readonly remindAfterDays: number | null;
}

const PreviewsPage = ({ previews, remindAfterDays }: PreviewsPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[t('Outbox'), OUTBOX_PATH]]} />}
      title={t('Email examples')}
      lead={t(
        'The subject of each email, and when the email is sent. People can turn optional emails on and off on their account page. To change when reminders are sent, go to <a>Settings</a>.',
        { a: linkTo(PEOPLE_PATH) },
      )}
    />
    <div class="stack-loose pairs">
      {[...Map.groupBy(previews, ({ group }) => t(group))].map(([title, group]) => {
        const isOptional = group.some(({ kind }) => kind !== null);
        const when = (preview: Preview) => (
          <>
            <a href={`${OUTBOX_PATH}/previews/${previews.indexOf(preview)}`}>{wordsOf(preview.when)}</a>
            {isOptional && <NoteOn kind={preview.kind} {...{ remindAfterDays }} />}
          </>
        );
        return (
          <Section
            title={
              <>
                {title} <span class="kind">· {isOptional ? t('optional') : t('always sent')}</span>
              </>
            }
          >
            <Table
              caption={title}
              columns={[
                { header: t('Sent when'), cell: when, isName: true },
                { header: t('Subject'), cell: ({ subject }) => wordsOf(subject), isPlain: true },
              ]}
              rows={group}
            />
          </Section>
        );
      })}
    </div>
  </>
);

/**
 * Says that an email is always sent, or that a notice is off by default. For reminders, says after how many days they
 * are sent. Returns `null` for other emails.
 */
function NoteOn({
  kind,
  remindAfterDays,
}: Pick<Preview, 'kind'> & Pick<PreviewsPageProps, 'remindAfterDays'>) {
  if (kind === null) return <span class="sub">{t('Always sent')}</span>;
  if (!NOTICES[kind].isOn) return <span class="sub">{t('Off by default')}</span>;
  if (kind !== 'reminders') return null;
  return (
    <span class="sub">
      {remindAfterDays === null
        ? t('Off in Settings')
        : t('After {days, plural, one {# day} other {# days}}', { days: remindAfterDays })}
    </span>
  );
}
