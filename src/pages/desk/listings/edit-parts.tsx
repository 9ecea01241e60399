/** What the pages share on which operators create and edit listings and offers. */

import type { Child } from 'hono/jsx';
import { DESK_LISTINGS_PATH, deskListingPath } from '../../../base/paths.ts';
import { hasLiveVersion } from '../../../marketplace/listings/listing.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { t, type Words } from '../../../platform/languages/translate.ts';
import type { EditView } from '../../editor/edit-page.ts';
import type { OwnPictures } from '../../editor/pictures.tsx';
import { type PageContext, page } from '../../frame/pages.ts';
import { Button, CancelLink } from '../../ui/button.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { ConflictNotice } from '../../ui/stale-form.tsx';
import type { DeskListing } from '../review/queries.ts';

interface FormPageProps {
  readonly title: string;
  /** The page's heading, if it differs from the title. */
  readonly heading?: string;
  readonly lead: string;
  readonly trail: readonly (readonly [label: string, href: string])[];
  readonly view: EditView;
  readonly labels: Readonly<Record<string, Words>>;
  readonly children: Child;
}

export const formPage = (c: PageContext, props: FormPageProps): Promise<Response> => {
  const { title, heading = title, lead, trail, view, labels, children } = props;
  const content = (
    <>
      <PageHeader above={<Breadcrumb trail={trail} />} title={heading} lead={lead} />
      <div class="stack-loose">
        <ConflictNotice conflicts={view.conflicts} labels={labels} />
        <div class="columns">{children}</div>
      </div>
    </>
  );
  return page(c, content, { title, status: view.status });
};

/** Without a mail server, the lead is unchanged, because owners are notified only by email. */
export const withNotice = (lead: string, hasMail: boolean): string =>
  hasMail ? `${lead} ${t('The owner is notified by email.')}` : lead;

export const editLead = (hasMail: boolean): string =>
  withNotice(
    t('You are editing for the owner. Changes apply as soon as you save, without a review.'),
    hasMail,
  );

/**
 * `subject`: id of the listing or of an offer. Saving the form doesn't approve proposed pictures, so the preview omits
 * them if the listing has a live version.
 */
export const picturesOf = (
  { listing, pictures: { shown: current, waiting } }: DeskListing,
  subject: string,
): OwnPictures => ({
  current: current.get(subject) ?? {},
  proposed: hasLiveVersion(listing.state) ? [] : waiting.filter(({ subjectId }) => subjectId === subject),
});

/** `back`: the path of the Cancel link. */
export const FormButtons = ({ save, back }: { save: string; back: string }) => (
  <>
    <Button tone="primary">{save}</Button>
    <CancelLink href={back} />
  </>
);

export const trailTo = ({ id, name }: Pick<Listing, 'id' | 'name'>) =>
  [
    [t('Listings'), DESK_LISTINGS_PATH],
    [name, deskListingPath(id)],
  ] as const;
