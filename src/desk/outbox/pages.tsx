/** The Outbox: mail for the operator to hand over, while no mail server is set up. */
import type { Context } from '../../context.ts';
import { type PageApp, page, requireOperator } from '../../http/pages.ts';
import { listOutbox } from '../../mail/queries.ts';
import { OutboxPage } from './outbox-page.tsx';

const PATH = '/desk/outbox';

/** `sendsMail`: a mail server is set up, so no new mail arrives here. */
export function outboxPages(
  app: PageApp,
  { db, now, secretBox }: Pick<Context, 'db' | 'now' | 'secretBox'>,
  sendsMail: boolean,
): void {
  app.get(PATH, async (c) => {
    requireOperator(c);
    const mails = await listOutbox(db.read, secretBox, new Date(now()).toISOString());
    return page(c, <OutboxPage mails={mails} sendsMail={sendsMail} />, {
      title: 'Outbox',
      holdsSecret: true,
    });
  });
}
