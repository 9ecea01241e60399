import type { Context } from '../../context.ts';
import { actorOf, type DeskApp, readForm, redirect } from '../../http/pages/pages.ts';
import { featureListing } from '../../listings/feature.ts';
import type { Listing } from '../../listings/queries.ts';
import { PostButton } from '../../ui/button.tsx';
import { deskListingPath, FRONT_PAGE_PATH, requireId } from '../paths.ts';

const featurePath = (id: string): string => `${deskListingPath(id)}/feature`;

export function featuredDeskPages(app: DeskApp, context: Context): void {
  app.post(featurePath(':id'), async (c, viewer) => {
    const form = await readForm(c);
    const listing = requireId(c);
    const place = form.has('remove') ? null : undefined;
    const change = { listing, place, actor: actorOf(viewer) };
    const done = await form.attempt(null, () => featureListing(context, change));
    // If the row is full, send the operator to the page where they can make room.
    return redirect(c, done === null ? `${FRONT_PAGE_PATH}?full` : deskListingPath(listing));
  });
}

export function Featured({ listing: { id, state, featured } }: { listing: Listing }) {
  if (featured !== null) {
    return (
      <PostButton action={featurePath(id)} values={{ remove: 'yes' }} small>
        Stop featuring
      </PostButton>
    );
  }
  return state === 'approved' ? (
    <PostButton action={featurePath(id)} small>
      Feature this app
    </PostButton>
  ) : null;
}
