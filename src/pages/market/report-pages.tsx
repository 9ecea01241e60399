import { wouldGet } from '../../background/notices/queries.ts';
import type { Context } from '../../base/context.ts';
import { listingPath, reportPath } from '../../base/paths.ts';
import { parseReportCause, REPORT_CAUSES } from '../../marketplace/listings/report.ts';
import { parseReportWords, reportListing } from '../../marketplace/listings/reports.ts';
import { parseEmail } from '../../people/accounts/account.ts';
import { clientAddressOf } from '../../platform/http/server/client-address.ts';
import { t } from '../../platform/languages/translate.ts';
import { uuidv7 } from '../../platform/store/uuid.ts';
import { isolated, optional } from '../../platform/text/text.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type PageContext, page, readForm, redirect, requireFound } from '../frame/pages.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmailField, FormId, RadioField, TextAreaField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormState, newForm } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { toOperator } from '../ui/site.tsx';
import type { MarketGate } from './members-only.tsx';
import type { PublicListing } from './queries.ts';

const REPORT_PATH = reportPath(':slug');

/** `hasMail`: whether a mail server is configured. */
export function reportPages(app: PageRouter, context: Context, gate: MarketGate, hasMail: boolean): void {
  const find = async (c: PageContext) => {
    const listing = await gate.findListing(c, c.req.param('slug') ?? '');
    return requireFound(listing.state === 'approved' ? listing : null);
  };
  const show = async (c: PageContext, form: FormState, isSent = false) => {
    c.header('X-Robots-Tag', 'noindex');
    const listing = await find(c);
    const viewer = c.get('viewer');
    const isMailed =
      isSent && hasMail && viewer !== null && (await wouldGet(context.db.read, viewer.personId, 'reports'));
    const content = <ReportPage {...{ listing, form, isSent, isMailed, isSignedIn: viewer !== null }} />;
    return page(c, content, { title: t('Report this app'), status: form.status });
  };

  app.get(REPORT_PATH, { for: 'anyone' }, (c) =>
    show(c, newForm({ form: uuidv7(context) }), c.req.query('sent') !== undefined),
  );

  app.post(REPORT_PATH, { for: 'anyone' }, async (c) => {
    const form = await readForm(c);
    const { slug, id } = await find(c);
    const values = form.read({
      cause: parseReportCause,
      words: (text) => parseReportWords(text, form.text('cause')),
      replyTo: (text) => optional(text, parseEmail),
    });
    if (values === null) return show(c, form);
    const report = {
      listing: id,
      ...values,
      reporterId: c.get('viewer')?.personId ?? null,
      address: clientAddressOf(c.env.incoming),
      formId: form.text('form'),
    };
    await form.attempt(null, () => reportListing(context, report));
    return form.isFine ? redirect(c, `${reportPath(slug)}?sent`) : show(c, form);
  });
}

interface ReportPageProps {
  readonly listing: Pick<PublicListing, 'name' | 'slug'>;
  readonly form: FormState;
  readonly isSent: boolean;
  /** Whether the person will get the decision by email. */
  readonly isMailed: boolean;
  readonly isSignedIn: boolean;
}

const ReportPage = ({ listing, form, isSent, isMailed, isSignedIn }: ReportPageProps) => {
  const back = listingPath(listing.slug);
  return (
    <>
      <PageHeader
        above={
          <Breadcrumb
            trail={[
              [t('Marketplace'), '/'],
              [listing.name, back],
            ]}
          />
        }
        title={t('Report this app')}
        lead={
          isSent
            ? undefined
            : t(
                'Your report goes to <operator>the operator of this marketplace</operator>. The people behind {name} won’t learn who you are.',
                { name: isolated(listing.name), operator: toOperator },
              )
        }
      />
      {isSent ? (
        <Notice
          tone="good"
          title={t('Thank you')}
          actions={<ButtonLink href={back}>{t('Back to the app’s page')}</ButtonLink>}
        >
          {isMailed
            ? t('We look at every report. You’ll get an email with the decision.')
            : t('We look at every report.')}
        </Notice>
      ) : (
        <Form form={form} action={reportPath(listing.slug)}>
          <FormId form={form} />
          <RadioField
            form={form}
            name="cause"
            label={t('What is wrong?')}
            choices={Object.entries(REPORT_CAUSES).map(([value, label]) => ({ value, label: t(label) }))}
          />
          <TextAreaField
            form={form}
            name="words"
            label={t('What happened?')}
            hint={t(
              'At most 1,000 characters. Required for “Something else”. Leave out codes and personal data.',
            )}
            optional="depends"
          />
          {!isSignedIn && (
            <EmailField
              form={form}
              name="replyTo"
              label={t('Your email address')}
              hint={t('Only if the operator may ask you back. Nothing else is sent to it.')}
              autocomplete="email"
              optional
            />
          )}
          <FormActions>
            <Button tone="primary">{t('Send report')}</Button>
            <a href={back}>{t('Back to the app’s page')}</a>
          </FormActions>
        </Form>
      )}
    </>
  );
};
