/** The emails of the demo, which are stored instead of sent, for the person who runs it. */
import type { Context } from '../../../base/context.ts';
import { DEMO_MAILS_PATH, OUTBOX_PATH } from '../../../base/paths.ts';
import { listOutbox, type OutboxMail } from '../../../people/mail/queries.ts';
import { isFromThisMachine } from '../../../platform/http/server/client-address.ts';
import { inLanguage } from '../../../platform/languages/language.ts';
import { t } from '../../../platform/languages/translate.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { page } from '../../frame/pages.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { linkTo } from '../../ui/site.tsx';
import { MailCard } from './mail-card.tsx';

export function demoMailPages(
  app: PageRouter,
  { db, now, secretBox, marketplace }: Pick<Context, 'db' | 'now' | 'secretBox' | 'marketplace'>,
): void {
  app.get(DEMO_MAILS_PATH, { for: 'anyone' }, async (c) => {
    const title = t('Emails of this demo');
    // The codes in these mails sign in to every account, and others may reach the demo from their machines.
    if (!isFromThisMachine(c.env.incoming)) {
      return page(c, <ElsewherePage title={title} />, { title, status: 403, audience: 'public' });
    }
    const mails = await inLanguage(marketplace.language, () => listOutbox(db.read, secretBox, toIso(now())));
    return page(c, <MailsPage {...{ title, mails }} />, { title, audience: 'public', holdsSecret: true });
  });
}

const ElsewherePage = ({ title }: { title: string }) => (
  <PageHeader
    title={title}
    lead={t(
      'They can be read here only in a browser on the machine that runs the demo. Elsewhere, sign in as the operator and open the <a>Outbox</a>.',
      { a: linkTo(OUTBOX_PATH) },
    )}
  />
);

const MailsPage = ({ title, mails }: { title: string; mails: readonly OutboxMail[] }) => (
  <>
    <PageHeader
      title={title}
      lead={t('The demo sends no email. Here is what it would send to anybody, the newest first.')}
    />
    <div class="stack narrow">
      {mails.length === 0 ? (
        <EmptyState sentence={t('No emails yet. Join a waiting list, or sign in with an email address.')} />
      ) : (
        mails.map((mail) => <MailCard mail={mail} isOwn />)
      )}
    </div>
  </>
);
