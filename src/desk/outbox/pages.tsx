/** The Outbox: mail for the operator to hand over while no mail server is set up, and mail the server did not accept. */
import type { Context } from '../../context.ts';
import { missing, type PageApp, page, redirect, requireOperator } from '../../http/pages/pages.ts';
import { type Mailer, releaseMail } from '../../mail/mail.ts';
import { listOutbox } from '../../mail/queries.ts';
import { OutboxPage } from './outbox-page.tsx';

const PATH = '/desk/outbox';

export function outboxPages(
  app: PageApp,
  { db, now, secretBox }: Pick<Context, 'db' | 'now' | 'secretBox'>,
  mailer: Pick<Mailer, 'isReal' | 'send' | 'start'>,
  baseUrl: string,
): void {
  app.get(PATH, async (c) => {
    const viewer = requireOperator(c);
    const mails = await listOutbox(db.read, secretBox, new Date(now()).toISOString());
    const testedAt = c.req.query('test') === undefined ? null : viewer.email;
    return page(c, <OutboxPage {...{ mails, testedAt }} sendsMail={mailer.isReal} />, {
      title: 'Outbox',
      holdsSecret: true,
    });
  });

  app.post(`${PATH}/test`, (c) => {
    const { email } = requireOperator(c);
    if (!mailer.isReal) throw missing();
    mailer.send(async () => ({
      to: email,
      subject: 'Test mail',
      text: `Mail from ${baseUrl} works. You sent this test from the Outbox page.\n`,
    }));
    return redirect(c, `${PATH}?test`);
  });

  app.post(`${PATH}/release`, async (c) => {
    requireOperator(c);
    await releaseMail({ db });
    mailer.start();
    return redirect(c, PATH);
  });
}
