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

  // Mail scanners open links, so only the POST stops anything. Mail programs send it without opening the page (RFC 8058).
  app.get(`${STOP_PATH}/:code`, (c) => {
    const code = c.req.param('code');
    const stopped = parseStopCode(context.secretBox, code);
    if (stopped === null) throw missing();
    return page(c, <StopPage kind={stopped.kind} action={`${STOP_PATH}/${code}`} />, {
      title: 'Stop mail',
      audience: 'bare',
    });
  });

  app.post(`${STOP_PATH}/:code`, async (c) => {
    const code = c.req.param('code');
    const stopped = parseStopCode(context.secretBox, code);
    if (stopped === null) throw missing();
    const isResumed = (await readForm(c)).has(RESUME);
    const { accountId, kind } = stopped;
    await chooseNotices(context, accountId, { [kind]: isResumed });
    return page(c, <StoppedPage {...{ kind, isResumed }} action={`${STOP_PATH}/${code}`} />, {
      title: isResumed ? 'Mail resumed' : 'Mail stopped',
      audience: 'bare',
    });
  });
}

/** The field of “Undo”. */
const RESUME = 'resume';

interface StopPageProps {
  readonly kind: NoticeKind;
  readonly action: string;
}

/** It doesn't show the address: whoever got a forwarded mail can open it too. */
const StopPage = ({ kind, action }: StopPageProps): Markup => (
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

const StoppedPage = ({ kind, action, isResumed }: StopPageProps & { isResumed: boolean }): Markup => (
  <>
    <PageHeader
      title={isResumed ? 'Mail resumed' : 'Mail stopped'}
      lead={`You’ll ${isResumed ? 'get' : 'no longer get'} ${NOTICES[kind].mail}${isResumed ? ' again' : ''}.`}
    />
    <div class="ways">
      {!isResumed && (
        <PostButton action={action} values={{ [RESUME]: 'yes' }}>
          Undo
        </PostButton>
      )}
      <p class="soft-text">
        <a href={ACCOUNT_PATH}>Choose what you get</a>
      </p>
    </div>
  </>
);
