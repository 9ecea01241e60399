import { DASHBOARD_PATH } from '../../base/paths.ts';
import { t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FormActions } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { Viewer } from '../ui/viewer.ts';
import {
  accountName,
  EarlyResponse,
  fragment,
  type PageContext,
  page,
  requireViewer,
  wantsFragment,
} from './pages.ts';

/** Throws `EarlyResponse` unless the viewer is an owner of the account in which they work. */
export async function requireOwnerRole(c: PageContext): Promise<void> {
  const viewer = requireViewer(c);
  if (viewer.role !== 'owner') throw new EarlyResponse(await refusalOf(c, viewer));
}

async function refusalOf(c: PageContext, viewer: Viewer): Promise<Response> {
  const sentence = t('Only owners of {accountName} can open this page. You are a member.', {
    accountName: isolated(accountName(viewer)),
  });
  if (c.req.header('accept') === 'application/json') return c.json({ problem: sentence }, 403);
  if (wantsFragment(c)) return fragment(c, <Notice tone="bad">{sentence}</Notice>, 403);
  const content = (
    <>
      <PageHeader title={t('For owners')} lead={sentence} />
      <p>{t('Ask an owner to do this for you, or to make you an owner.')}</p>
      <FormActions>
        <ButtonLink href={DASHBOARD_PATH} tone="primary">
          {t('Back to the dashboard')}
        </ButtonLink>
      </FormActions>
    </>
  );
  return page(c, content, { title: t('For owners'), status: 403 });
}
