/** Shared by the operator's pages that create and edit listings and offers. */
import { actorOf } from '../../http/pages/pages.ts';
import type { Listing } from '../../listings/queries.ts';
import type { FormInput } from '../../ui/form-state.ts';
import { Breadcrumb } from '../../ui/page-header.tsx';
import { mergeForm, versionIn } from '../../ui/stale-form.tsx';
import type { Viewer } from '../../ui/viewer.ts';
import { DESK_LISTINGS_PATH, deskListingPath } from '../paths.ts';

export const TELLS = 'The owner is notified by email.';

export const by = (viewer: Viewer) => ({ actor: actorOf(viewer), asOperator: true }) as const;

export const LEAD = `You edit this for the owner. Changes apply as soon as you save, without a review. ${TELLS}`;

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
