import type { Child } from 'hono/jsx';
import { t } from '../languages/translate.ts';
import { REPORT_CAUSES } from '../listings/report.ts';
import { isolated } from '../text/text.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { RadioField, TextAreaField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { FormState } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { Operator } from '../ui/site.tsx';
import { listingPath, reportPath } from './paths.ts';
import type { PublicListing } from './queries.ts';

interface ReportPageProps {
  readonly listing: Pick<PublicListing, 'name' | 'slug'>;
  readonly form: FormState;
  readonly isSent: boolean;
}

export const ReportPage = ({ listing, form, isSent }: ReportPageProps) => {
  const back = listingPath({ slug: listing.slug, via: null });
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
                'Your report goes to <operator>the operator of this marketplace</operator>. The people behind {name} don’t learn who you are.',
                {
                  name: isolated(listing.name),
                  operator: (words: Child) => <Operator>{words}</Operator>,
                },
              )
        }
      />
      {isSent ? (
        <Notice
          tone="good"
          title={t('Thank you')}
          actions={<ButtonLink href={back}>{t('Back to the app’s page')}</ButtonLink>}
        >
          {t('We look at every report.')}
        </Notice>
      ) : (
        <Form form={form} action={reportPath(listing.slug)}>
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
          <FormActions>
            <Button tone="primary">{t('Send report')}</Button>
            <a href={back}>{t('Back to the app’s page')}</a>
          </FormActions>
        </Form>
      )}
    </>
  );
};
