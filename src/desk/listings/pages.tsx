/** All listings at the operator's desk. */

import type { Context } from '../../context.ts';
import { type PageApp, page, requireOperator } from '../../http/pages/pages.ts';
import { LISTING_STATES } from '../../listings/listing.ts';
import { withoutDirectionMarks } from '../../text/text.ts';
import { DESK_LISTINGS_PATH } from '../paths.ts';
import { ListingIndex } from './list-page.tsx';
import { searchListings } from './queries.ts';

export function listingIndexPages(app: PageApp, { db }: Pick<Context, 'db'>): void {
  app.get(DESK_LISTINGS_PATH, async (c) => {
    requireOperator(c);
    const filter = {
      search: withoutDirectionMarks(c.req.query('q') ?? '').trim(),
      state: LISTING_STATES.find((known) => known === c.req.query('state')),
    };
    const after = c.req.query('after');
    const found = await searchListings(db.read, { ...filter, after });
    return page(c, <ListingIndex {...{ found, filter, isFirst: after === undefined }} />, {
      title: 'All listings',
    });
  });
}
