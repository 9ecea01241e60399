import type { Child } from 'hono/jsx';
import { NOTICES, parseStopCode } from '../../background/notices/kinds.ts';
import { chooseNotices } from '../../background/notices/mail-notice.ts';
import { readKinds } from '../../background/notices/queries.ts';
import type { Context } from '../../base/context.ts';
import { ACCOUNT_PATH, CLEAR_REFUSAL_PATH, MAIL_PATH, STOP_NOTICES_PATH } from '../../base/paths.ts';
import { clearRefusal } from '../../people/mail/mail.ts';
import { t } from '../../platform/languages/translate.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { changeBy, page, readForm, redirect, requireFound } from '../frame/pages.ts';
import { PostButton } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';

export function mailPages(app: PageRouter, context: Context): void {
  app.post(MAIL_PATH, { for: 'signed-in' }, async (c, viewer) => {
    const form = await readForm(c);
    const kinds = await readKinds(context.db.read, viewer);
    const choices = Object.fromEntries(kinds.map((kind) => [kind, form.has(kind)]));
    await chooseNotices(context, viewer.accountId, choices);
    return redirect(c, `${ACCOUNT_PATH}?done=mail`);
  });

  app.post(CLEAR_REFUSAL_PATH, { for: 'signed-in' }, async (c, viewer) => {
    await readForm(c);
    await clearRefusal(context, changeBy(viewer));
    return redirect(c, `${ACCOUNT_PATH}?done=mail`);
  });

  const requireStop = (code: string) => requireFound(parseStopCode(context.secretBox, code));

  // Only a POST unsubscribes, because mail scanners open links. Mail programs send the POST without opening the page
  // (RFC 8058).
  app.get(`${STOP_NOTICES_PATH}/:code`, { for: 'anyone' }, (c) => {
    const code = c.req.param('code');
    const { kind } = requireStop(code);
    const content = (
      <StopPage
        title={t('Stop these emails?')}
        lead={t('You’ll no longer get {mail}.', { mail: NOTICES[kind].inSentence })}
      >
        <PostButton action={`${STOP_NOTICES_PATH}/${code}`} tone="primary">
          {t('Stop these emails')}
        </PostButton>
      </StopPage>
    );
    return page(c, content, { title: t('Stop emails'), audience: 'bare' });
  });

  app.post(`${STOP_NOTICES_PATH}/:code`, { for: 'anyone' }, async (c) => {
    const code = c.req.param('code');
    const { accountId, kind } = requireStop(code);
    // The body is ignored, because mail programs send different content types.
    await chooseNotices(context, accountId, { [kind]: false });
    const title = t('Emails stopped');
    const content = (
      <StopPage title={title} lead={t('You’ll no longer get {mail}.', { mail: NOTICES[kind].inSentence })}>
        <PostButton action={`${STOP_NOTICES_PATH}/${code}/resume`}>{t('Undo')}</PostButton>
      </StopPage>
    );
    return page(c, content, { title, audience: 'bare' });
  });

  app.post(`${STOP_NOTICES_PATH}/:code/resume`, { for: 'anyone' }, async (c) => {
    const { accountId, kind } = requireStop(c.req.param('code'));
    await readForm(c);
    await chooseNotices(context, accountId, { [kind]: true });
    const title = t('Emails resumed');
    const content = (
      <StopPage title={title} lead={t('You’ll get {mail} again.', { mail: NOTICES[kind].inSentence })} />
    );
    return page(c, content, { title, audience: 'bare' });
  });
}

/** Doesn't show the recipient's address, because the mail may have been forwarded. */
const StopPage = (props: { title: string; lead: string; children?: Child }) => (
  <>
    <PageHeader title={props.title} lead={props.lead} />
    <div class="ways">
      {props.children}
      <p class="soft-text">
        <a href={ACCOUNT_PATH}>{t('Choose what you get')}</a>
      </p>
    </div>
  </>
);
