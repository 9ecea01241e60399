import {
  badgePath,
  CAMPAIGNS_PATH,
  listingLinksPath,
  pathWithQuery,
  qrCodePath,
  SHARE_CARD,
} from '../../../base/paths.ts';
import { BADGE_HEIGHT, badgeHtml, badgeMarkdown } from '../../../marketplace/campaigns/badge.ts';
import type { ListedListing } from '../../../marketplace/campaigns/queries.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isLoopbackHost } from '../../../platform/network/network.ts';
import { Button, PostButton } from '../../ui/button.tsx';
import { Code, CopyLine, Mono, More, QrCode } from '../../ui/code.tsx';
import { DownloadButtons } from '../../ui/download-buttons.tsx';
import { HiddenField, SelectField, TextField } from '../../ui/field.tsx';
import type { FormState } from '../../ui/form-state.ts';
import { Notice } from '../../ui/notice.tsx';
import { linkTo, useDarkMedia } from '../../ui/site.tsx';

export interface Share {
  /** The field `share` contains the label, and `offer` the id of the offer, or nothing for the listing. */
  readonly form: FormState;
  /** The offers that a link can lead to. */
  readonly offers: readonly Pick<CountedOffer, 'id' | 'offer'>[];
  /** `null` if the label is invalid. `listing`: for the badge, which shows the listing's oldest offer. */
  readonly links: { readonly chosen: string; readonly listing: string } | null;
  /** Whether the listing or the whole marketplace is for members only. */
  readonly isForMembers: boolean;
  /** A valid label derived from an invalid one. `null` if the typed label is valid or none can be derived. */
  readonly proposal: string | null;
}

interface ShareProps {
  readonly listing: ListedListing;
  readonly share: Share;
}

export const ShareLinkCard = ({ listing, share }: ShareProps) => (
  <section class="card" id={SHARE_CARD} aria-labelledby={`${SHARE_CARD}-title`}>
    <h2 id={`${SHARE_CARD}-title`}>{t('New share link')}</h2>
    <div class="stack">
      <p class="hint" id={`${SHARE_CARD}-about`}>
        {t(
          'A label, such as spring_newsletter, says where you share the link. Use lowercase letters, digits, - and _.',
        )}
      </p>
      <div class="exchange">
        <LabelForm listing={listing} share={share} />
        <Link listing={listing} share={share} />
      </div>
      {share.links !== null && isLoopbackHost(new URL(share.links.chosen).hostname) && (
        <Notice tone="warn">
          {t(
            'The link works only on this computer, because it leads to {host}. Before others can open it, the operator must set BASE_URL to a public URL.',
            { host: new URL(share.links.chosen).host },
          )}
        </Notice>
      )}
      {listing.state !== 'approved' && (
        <Notice tone="warn">{t('The link shows no offers while the listing is not live.')}</Notice>
      )}
      {share.isForMembers && <ForMembersNotice listingId={listing.id} />}
    </div>
  </section>
);

/** Why a listing has no badge and no preview, which would show its offer to everybody. */
export const ForMembersNotice = ({ listingId }: { listingId: string }) => (
  <Notice title={t('For members only')}>
    {t(
      'Only members can open the link. Badges and previews in chats don’t work for this listing. <a>An invitation link</a> lets other people see the listing.',
      { a: linkTo(listingLinksPath(listingId)) },
    )}
  </Notice>
);

const LabelForm = ({ listing, share }: ShareProps) => (
  <form
    class="form line"
    method="post"
    action={CAMPAIGNS_PATH}
    hx-post={CAMPAIGNS_PATH}
    hx-trigger="change, submit"
    hx-target={`#${SHARE_CARD}`}
    hx-select={`#${SHARE_CARD}`}
    hx-swap="outerHTML"
    hx-sync="this:replace"
  >
    <HiddenField name="listing" value={listing.slug} />
    {share.offers.length > 0 && (
      <SelectField
        form={share.form}
        idPrefix={SHARE_CARD}
        name="offer"
        label={t('Link to')}
        choices={[
          { value: '', label: t('share link to|The listing') },
          ...share.offers.map(({ id, offer }) => ({ value: id, label: offer })),
        ]}
        optional="depends"
      />
    )}
    <TextField
      form={share.form}
      idPrefix={SHARE_CARD}
      name="share"
      label={t('Label')}
      describedBy={`${SHARE_CARD}-about`}
      optional
      mono
    />
    <Button tone="primary">{t('Create link')}</Button>
  </form>
);

function Link({ listing, share }: ShareProps) {
  const label = share.form.typed('share');
  const offer = share.form.typed('offer');
  return (
    <div class="stack">
      {share.proposal !== null && (
        <PostButton
          action={CAMPAIGNS_PATH}
          values={{ listing: listing.slug, share: share.proposal, offer }}
          small
        >
          {t('Use {mono}', { mono: <Mono>{share.proposal}</Mono> })}
        </PostButton>
      )}
      {share.links !== null && (
        <>
          <div class="field">
            <b>{label === '' ? t('Without a label') : t('Counted as {label}', { label })}</b>
            <CopyLine text={share.links.chosen} what={t('the share link')} />
          </div>
          <More summary={t('QR code')}>
            <div class="row">
              <QrCode
                text={share.links.chosen}
                label={t('QR code of {link}', { link: share.links.chosen })}
              />
              <div class="stack">
                <DownloadButtons
                  formats={['svg', 'png'] as const}
                  pathOf={(format) =>
                    pathWithQuery(qrCodePath(format), { listing: listing.slug, share: label, offer })
                  }
                  small
                />
              </div>
            </div>
          </More>
          {listing.state === 'approved' && !share.isForMembers && (
            <BadgeSnippets listing={listing} link={share.links.listing} />
          )}
        </>
      )}
    </div>
  );
}

interface BadgeProps {
  readonly listing: Pick<ListedListing, 'slug' | 'name'>;
  readonly link: string;
}

export function BadgeSnippets({ listing, link }: BadgeProps) {
  const badge = {
    link,
    picture: new URL(badgePath(listing.slug), link).href,
    text: t('Offers for {name}', { name: listing.name }),
  };
  const darkMedia = useDarkMedia();
  return (
    <More summary={t('Badge for your site')}>
      <div class="stack">
        <p>
          <picture>
            {darkMedia !== null && <source srcset={badgePath(listing.slug, 'dark')} media={darkMedia} />}
            <img src={badgePath(listing.slug)} alt={badge.text} height={BADGE_HEIGHT} loading="lazy" />
          </picture>
        </p>
        <p class="hint">
          {t(
            'A picture that shows the offer. If only a few claims are left, it also shows how many. The picture is at most a few minutes old. On a dark page, add {mono} to the picture’s address.',
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
