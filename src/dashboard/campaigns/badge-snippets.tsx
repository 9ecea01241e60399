import { BADGE_HEIGHT, badgeHtml, badgeMarkdown, badgePath } from '../../campaigns/badge.ts';
import type { ListedListing } from '../../campaigns/queries.ts';
import { Code, Mono, More } from '../../ui/code.tsx';

/** The badge as it looks, and what to paste into a site or a README. */
export function BadgeSnippets({ listing, link }: { listing: ListedListing; link: string }) {
  const badge = {
    link,
    picture: new URL(badgePath(listing.slug), link).href,
    text: `Offers for ${listing.name}`,
  };
  return (
    <More summary="Badge for your site">
      <div class="stack">
        <p>
          <picture>
            <source srcset={badgePath(listing.slug, 'dark')} media="(prefers-color-scheme: dark)" />
            <img src={badgePath(listing.slug)} alt={badge.text} height={BADGE_HEIGHT} loading="lazy" />
          </picture>
        </p>
        <p class="hint">
          A picture with the offer and the claims left, a few minutes old at most. On a dark page, add{' '}
          <Mono>?theme=dark</Mono> to its address.
        </p>
        <h3>HTML</h3>
        <Code text={badgeHtml(badge)} what="the HTML of the badge" />
        <h3>Markdown</h3>
        <Code text={badgeMarkdown(badge)} what="the Markdown of the badge" />
      </div>
    </More>
  );
}
