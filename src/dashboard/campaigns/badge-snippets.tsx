import { BADGE_HEIGHT, badgeHtml, badgeMarkdown, badgePath } from '../../campaigns/badge.ts';
import type { ListedListing } from '../../campaigns/queries.ts';
import { t } from '../../languages/translate.ts';
import { Code, Mono, More } from '../../ui/code.tsx';

export function BadgeSnippets({ listing, link }: { listing: ListedListing; link: string }) {
  const badge = {
    link,
    picture: new URL(badgePath(listing.slug), link).href,
    text: t('Offers for {name}', { name: listing.name }),
  };
  return (
    <More summary={t('Badge for your site')}>
      <div class="stack">
        <p>
          <picture>
            <source srcset={badgePath(listing.slug, 'dark')} media="(prefers-color-scheme: dark)" />
            <img src={badgePath(listing.slug)} alt={badge.text} height={BADGE_HEIGHT} loading="lazy" />
          </picture>
        </p>
        <p class="hint">
          {t(
            'A picture that shows the offer and, once they are few, how many claims are left. The picture is at most a few minutes old. On a dark page, add {mono} to the picture’s address.',
            { mono: <Mono>?theme=dark</Mono> },
          )}
        </p>
        <h3>{t('HTML')}</h3>
        <Code text={badgeHtml(badge)} what={t('the HTML of the badge')} />
        <h3>{t('Markdown')}</h3>
        <Code text={badgeMarkdown(badge)} what={t('the Markdown of the badge')} />
      </div>
    </More>
  );
}
