/** Right after an approval, the start page has what an owner needs to share the listing. */

import type { Context } from '../../../base/context.ts';
import { shareCardPath, TELL_PEOPLE } from '../../../base/paths.ts';
import { buildShareLink, LAUNCH_LABEL, launchText } from '../../../marketplace/campaigns/label.ts';
import type { OwnListing } from '../../../marketplace/listings/counted-queries.ts';
import { readIsForMembers } from '../../../people/visibility/read-rights.ts';
import { t } from '../../../platform/languages/translate.ts';
import { DAY_MS } from '../../../platform/text/durations.ts';
import { isolated } from '../../../platform/text/text.ts';
import { toIso } from '../../../platform/text/time-text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyLine, Mono, More, QrCode } from '../../ui/code.tsx';
import { type FindLinkPreview, type LinkPreview, PREVIEW_SIZE } from '../../ui/head.tsx';
import { BadgeSnippets, ForMembersNotice } from '../campaigns/share-link-card.tsx';

const SHOWN_AFTER_APPROVAL_MS = 14 * DAY_MS;

export type Launch = NonNullable<Awaited<ReturnType<typeof readLaunch>>>;

/** The listing that was approved last; `null` if that was long ago. A listing for members has no preview. */
export async function readLaunch(
  { db, now, marketplace }: Pick<Context, 'db' | 'now' | 'marketplace'>,
  findLinkPreview: FindLinkPreview,
  listings: readonly OwnListing[],
  baseUrl: string,
) {
  const since = toIso(now() - SHOWN_AFTER_APPROVAL_MS);
  const newest = listings
    .filter(({ state, decided_at }) => state === 'approved' && decided_at !== null && decided_at >= since)
    .reduce<OwnListing | null>(
      (latest, one) => (latest === null || one.decided_at! > latest.decided_at! ? one : latest),
      null,
    );
  if (newest === null) return null;
  const { slug, name } = newest;
  const preview = await findLinkPreview(slug, baseUrl);
  if (preview === null && !(await readIsForMembers(db.read, newest))) return null;
  const link = buildShareLink({ baseUrl, listing: slug, offer: null, via: LAUNCH_LABEL });
  const offer = preview === null ? null : preview.openOffer;
  const text = { name, marketplace: marketplace.brand.name, offer, link };
  return { listing: newest, link, preview, text: t(launchText(text)) };
}

export const TellPeople = ({ launch }: { launch: Launch }) => {
  const { listing, link, text, preview } = launch;
  return (
    <section class="card" id={TELL_PEOPLE} aria-labelledby={`${TELL_PEOPLE}-title`}>
      <h2 id={`${TELL_PEOPLE}-title`}>
        {t('{name} is live. Tell people', { name: isolated(listing.name) })}
      </h2>
      <div class="exchange">
        <div class="stack">
          <div class="field">
            <b>{t('Your share link')}</b>
            <CopyLine text={link} what={t('the share link')} />
            <p class="hint">
              {t('Its visits, claims and redemptions are counted under the label {label} on Campaigns.', {
                label: <Mono>{LAUNCH_LABEL}</Mono>,
              })}
            </p>
          </div>
          <div class="field">
            <b>{t('A text to post')}</b>
            <CopyLine text={text} what={t('the text')} />
          </div>
          <More summary={t('QR code')}>
            <QrCode text={link} label={t('QR code of {link}', { link })} />
          </More>
          {preview !== null && <BadgeSnippets listing={listing} link={link} />}
          <div class="row">
            <ButtonLink href={shareCardPath(listing.slug, LAUNCH_LABEL)} small>
              {t('Other labels, QR code as a file')}
            </ButtonLink>
          </div>
        </div>
        {preview === null ? (
          <ForMembersNotice listingId={listing.id} />
        ) : (
          <Preview link={link} preview={preview} />
        )}
      </div>
    </section>
  );
};

/** Chat apps and social networks draw a shared link about like this. */
function Preview({ link, preview }: { link: string; preview: LinkPreview }) {
  const { picture, title, description } = preview;
  return (
    <div class="field">
      <b>{t('How the link looks in a chat')}</b>
      <figure class="card">
        {picture !== null && <img src={picture.path} alt={picture.alt} {...PREVIEW_SIZE} loading="lazy" />}
        <figcaption>
          <span class="sub">{new URL(link).host}</span>
          <b>{isolated(title)}</b>
          {description !== null && <span class="sub">{isolated(description)}</span>}
        </figcaption>
      </figure>
    </div>
  );
}
