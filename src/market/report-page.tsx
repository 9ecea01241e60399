import { REPORT_CAUSES } from '../listings/report.ts';
import { isolated } from '../text/text.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { RadioField, TextAreaField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { FormState } from '../ui/form-state.ts';
import { Notice } from '../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { listingPath, reportPath } from './paths.ts';
import type { PublicListing } from './queries.ts';

interface ReportPageProps {
  readonly listing: Pick<PublicListing, 'name' | 'slug'>;
  readonly form: FormState;
  readonly isSent: boolean;
}

const CHOICES = Object.entries(REPORT_CAUSES).map(([value, label]) => ({ value, label }));

export const ReportPage = ({ listing, form, isSent }: ReportPageProps) => {
  const back = listingPath({ slug: listing.slug, via: null });
  return (
    <>
      <PageHeader
        above={
          <Breadcrumb
            trail={[
              ['Marketplace', '/'],
              [listing.name, back],
            ]}
          />
        }
        title="Report this listing"
        lead={
          isSent
            ? undefined
            : `Tell us what is wrong with ${isolated(listing.name)}. Its owner doesn’t learn who you are.`
        }
      />
      {isSent ? (
        <Notice
          tone="good"
          title="Thank you"
          actions={<ButtonLink href={back}>Back to the listing</ButtonLink>}
        >
          We look at every report.
        </Notice>
      ) : (
        <Form form={form} action={reportPath(listing.slug)}>
          <RadioField form={form} name="cause" label="What is wrong?" choices={CHOICES} />
          <TextAreaField
            form={form}
            name="words"
            label="What happened?"
            hint="At most 1,000 characters. Required for “Something else”. Leave out codes and personal data."
            optional="depends"
          />
          <FormActions>
            <Button tone="primary">Send report</Button>
          </FormActions>
        </Form>
      )}
    </>
  );
};
