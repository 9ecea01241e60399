/** Which mail a person gets: the form on the account page, and the page that a link in each notice opens. */
import type { Context } from '../context.ts';
import { missing, type PageApp, page, readForm, redirect, requireViewer } from '../http/pages/pages.ts';
import { chooseNotices } from '../notices/keep.ts';
import { NOTICES, type NoticeKind, parseStopCode, STOP_PATH } from '../notices/kinds.ts';
import { readKinds } from '../notices/queries.ts';
import { PostButton } from '../ui/button.tsx';
import type { Markup } from '../ui/markup.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { ACCOUNT_PATH, MAIL_PATH } from './paths.ts';

export function mailPages(app: PageApp, context: Context): void {
  app.post(MAIL_PATH, async (c) => {
    const viewer = requireViewer(c);
    const form = await readForm(c);
    const kinds = await readKinds(context.db.read, viewer);
    await chooseNotices(
      context,
      viewer.accountId,
      Object.fromEntries(kinds.map((kind) => [kind, form.has(kind)])),
    );
    return redirect(c, `${ACCOUNT_PATH}?done=mail`);
  });

  const requireStop = (code: string) => {
    const stopped = parseStopCode(context.secretBox, code);
    if (stopped === null) throw missing();
    return stopped;
  };

  // Mail scanners open links, so only the POST stops anything. Mail programs send it without opening the page (RFC 8058).
  app.get(`${STOP_PATH}/:code`, (c) => {
    const code = c.req.param('code');
    const { kind } = requireStop(code);
    return page(c, <StopPage kind={kind} action={`${STOP_PATH}/${code}`} />, {
      title: 'Stop mail',
      audience: 'bare',
    });
  });

  app.post(`${STOP_PATH}/:code`, async (c) => {
    const code = c.req.param('code');
    const { accountId, kind } = requireStop(code);
    // The body says nothing more, and mail programs send it in any form type.
    await chooseNotices(context, accountId, { [kind]: false });
    return page(c, <StoppedPage kind={kind} resume={`${STOP_PATH}/${code}/resume`} />, {
      title: 'Mail stopped',
      audience: 'bare',
    });
  });

  app.post(`${STOP_PATH}/:code/resume`, async (c) => {
    const { accountId, kind } = requireStop(c.req.param('code'));
    await readForm(c);
    await chooseNotices(context, accountId, { [kind]: true });
    return page(c, <StoppedPage kind={kind} resume={null} />, { title: 'Mail resumed', audience: 'bare' });
  });
}

/** It doesn't show the address: whoever got a forwarded mail can open it too. */
const StopPage = ({ kind, action }: { kind: NoticeKind; action: string }): Markup => (
  <>
    <PageHeader title="Stop this mail?" lead={`You’ll no longer get ${NOTICES[kind].mail}.`} />
    <div class="ways">
      <PostButton action={action} tone="primary">
        Stop this mail
      </PostButton>
      <p class="soft-text">
        <a href={ACCOUNT_PATH}>Choose what you get</a>
      </p>
    </div>
  </>
);

/** `resume`: path that undoes it; `null`: it was undone. */
const StoppedPage = ({ kind, resume }: { kind: NoticeKind; resume: string | null }): Markup => (
  <>
    <PageHeader
      title={resume === null ? 'Mail resumed' : 'Mail stopped'}
      lead={`You’ll ${resume === null ? 'get' : 'no longer get'} ${NOTICES[kind].mail}${resume === null ? ' again' : ''}.`}
    />
    <div class="ways">
      {resume !== null && <PostButton action={resume}>Undo</PostButton>}
      <p class="soft-text">
        <a href={ACCOUNT_PATH}>Choose what you get</a>
      </p>
    </div>
  </>
);
