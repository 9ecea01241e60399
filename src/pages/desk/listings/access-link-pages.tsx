/** The invitation links that owners created for their listings. Operators see who uses them, and can revoke them. */
import type { Context } from '../../../base/context.ts';
import {
  DESK_LINKS_PATH,
  DESK_LISTINGS_PATH,
  deskAccountPath,
  deskListingPath,
} from '../../../base/paths.ts';
import { revokeAccessLink } from '../../../people/visibility/access-link.ts';
import { findOwnersLink, listOwnersLinks, type OwnersLink } from '../../../people/visibility/link-queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isUuid } from '../../../platform/store/uuid.ts';
import { isolated } from '../../../platform/text/text.ts';
import { LinkRevoked, linkColumns } from '../../editor/access-links.tsx';
import type { PageRouter } from '../../frame/page-router.ts';
import { actorOf, page, readForm, redirect, requireFound } from '../../frame/pages.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../../ui/page-header.tsx';
import { type Column, Pager, Table } from '../../ui/table.tsx';

export function ownersLinkPages(app: PageRouter, context: Context): void {
  const { db } = context;

  app.get(DESK_LINKS_PATH, { for: 'operator' }, async (c) => {
    const after = c.req.query('after') ?? '';
    const { links, next } = await listOwnersLinks(db.read, isUuid(after) ? after.toLowerCase() : null);
    const isRevoked = c.req.query('done') === 'revoked';
    return page(c, <OwnersLinksPage {...{ links, next, isRevoked, now: context.at() }} />, {
      title: t('Owners’ invitation links'),
    });
  });

  app.post(`${DESK_LINKS_PATH}/:link/revoke`, { for: 'operator' }, async (c, viewer) => {
    await readForm(c);
    const id = (c.req.param('link') ?? '').toLowerCase();
    const link = requireFound(isUuid(id) ? await findOwnersLink(db.read, id) : null);
    const scope = { listingId: link.listing_id, accountId: link.account_id };
    await revokeAccessLink(context, { ...scope, id, actor: actorOf(viewer), asOperator: true });
    return redirect(c, `${DESK_LINKS_PATH}?done=revoked`);
  });
}

interface OwnersLinksProps {
  readonly links: readonly OwnersLink[];
  /** Cursor of the next page; `null` on the last page. */
  readonly next: string | null;
  readonly isRevoked: boolean;
  readonly now: string;
}

const OwnersLinksPage = ({ links, next, isRevoked, now }: OwnersLinksProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[t('Listings'), DESK_LISTINGS_PATH]]} />}
      title={t('Invitation links')}
      lead={t(
        'The links that owners created for their listings. People who use one see the listing and claim its offers, even if they aren’t members.',
      )}
    />
    <div class="stack-loose">
      {isRevoked && <LinkRevoked />}
      {links.length === 0 ? (
        <EmptyState sentence={t('No owner has created an invitation link.')} />
      ) : (
        <Table
          caption={t('Invitation links')}
          rows={links}
          columns={columnsOf(now)}
          pager={<Pager previous={null} next={next && `${DESK_LINKS_PATH}?after=${next}`} />}
        />
      )}
    </div>
  </>
);

function columnsOf(now: string): readonly Column<OwnersLink>[] {
  const [name, ...others] = linkColumns(DESK_LINKS_PATH, now);
  return [
    name,
    {
      header: t('Listing'),
      cell: ({ listing_id, listing }) => <a href={deskListingPath(listing_id)}>{isolated(listing)}</a>,
    },
    {
      header: t('publisher|Owner'),
      cell: ({ account_id, owner }) => <a href={deskAccountPath(account_id)}>{isolated(owner)}</a>,
    },
    ...others,
  ];
}
