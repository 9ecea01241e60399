/** Shared by the operator's pages that create and edit listings and offers. */
import { actorOf } from '../../http/pages/pages.ts';
import { hasLiveVersion } from '../../listings/listing.ts';
import type { Listing } from '../../listings/queries.ts';
import type { ProposedPicture } from '../../pictures/picture.ts';
import type { ShownPictures } from '../../pictures/queries.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import type { FormInput } from '../../ui/form-state.ts';
import { Breadcrumb } from '../../ui/page-header.tsx';
import { mergeForm, versionIn } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { DESK_LISTINGS_PATH, deskListingPath } from '../paths.ts';
import type { DeskListing } from '../review/queries.ts';

/** Empty without a mail server, because owners are notified only by email. */
export const tellsOwner = (hasMail: boolean): string => (hasMail ? ' The owner is notified by email.' : '');

export const by = (viewer: Viewer) => ({ actor: actorOf(viewer), asOperator: true }) as const;

export const LEAD =
  'You’re editing this on the owner’s behalf. Changes apply as soon as you save, without a review.';

export interface PreviewPictures {
  readonly shown: ShownPictures;
  readonly proposed: readonly ProposedPicture[];
}

/**
 * `subject`: id of the listing or of one of its offers. Saving the form doesn't approve proposed pictures, so the
 * preview of a listing with a live version leaves them out.
 */
export const picturesOf = (
  { listing, pictures: { shown, waiting } }: DeskListing,
  subject: string,
): PreviewPictures => ({
  shown: shown.get(subject) ?? {},
  proposed: hasLiveVersion(listing.state) ? [] : waiting.filter(({ subjectId }) => subjectId === subject),
});

/** `back`: path of the page that opened the form. */
export const FormButtons = ({ save, back }: { save: string; back: string }) => (
  <>
    <Button tone="primary">{save}</Button>
    <ButtonLink href={back} tone="quiet">
      Cancel
    </ButtonLink>
  </>
);

/** Merges the typed values into the stored ones. Refuses fields that someone else has changed too. */
export function mergedOf(sent: FormInput, stored: Readonly<Record<string, string>>, version: number) {
  const merge = mergeForm(sent, stored, versionIn(sent) === version);
  for (const { field } of merge.conflicts) {
    merge.form.refuse(field, 'Someone else has changed this too. Save again to overwrite their change.');
  }
  return merge;
}

export const TrailTo = ({ listing: { id, name } }: { listing: Pick<Listing, 'id' | 'name'> }) => (
  <Breadcrumb
    trail={[
      ['Listings', DESK_LISTINGS_PATH],
      [name, deskListingPath(id)],
    ]}
  />
);
