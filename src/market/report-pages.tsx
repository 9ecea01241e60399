import type { Context } from '../context.ts';
import {
  type PageApp,
  type PageContext,
  page,
  readForm,
  redirect,
  requireFound,
} from '../http/pages/pages.ts';
import { clientAddressOf } from '../http/server/client-address.ts';
import { t } from '../languages/translate.ts';
import { reportListing } from '../listings/reports.ts';
import { type FormState, newForm } from '../ui/form-state.ts';
import { reportPath } from './paths.ts';
import { findPublicListing } from './queries.ts';
import { ReportPage } from './report-page.tsx';

export function reportPages(app: PageApp, context: Context): void {
  const find = async (c: PageContext) => {
    const found = await findPublicListing(context.db.read, c.req.param('slug') ?? '', context.now());
    return requireFound(found?.state === 'approved' ? found : null);
  };
  const show = async (c: PageContext, form: FormState, isSent = false) => {
    c.header('X-Robots-Tag', 'noindex');
    const content = <ReportPage listing={await find(c)} {...{ form, isSent }} />;
    return page(c, content, { title: t('Report this app'), status: form.status });
  };

  app.get(REPORT_PATH, (c) => show(c, newForm(), c.req.query('sent') !== undefined));

  app.post(REPORT_PATH, async (c) => {
    const form = await readForm(c);
    const { slug, id } = await find(c);
    const report = {
      listing: id,
      cause: form.text('cause'),
      words: form.text('words'),
      reporterId: c.get('viewer')?.personId ?? null,
      address: clientAddressOf(c.env.incoming),
    };
    await form.attempt(report.cause === '' ? 'cause' : 'words', () => reportListing(context, report));
    return form.isFine ? redirect(c, `${reportPath(slug)}?sent`) : show(c, form);
  });
}

const REPORT_PATH = '/l/:slug/report';
