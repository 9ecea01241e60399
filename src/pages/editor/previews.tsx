/** Previews of a listing and an offer, shown next to their forms and updated as the forms are filled in. */
import type { Child } from 'hono/jsx';
import { KINDS, kindName } from '../../marketplace/offers/offer.ts';
import type { CountedOffer } from '../../marketplace/offers/queries.ts';
import { t } from '../../platform/languages/translate.ts';
import type { FormState } from '../ui/form-state.ts';
import { FormPart } from '../ui/live.tsx';
import { Face, Picture } from '../ui/picture.tsx';
import { InMarketLanguage } from '../ui/site.tsx';
import { PreviewBox, ListingPreview as PreviewedListing, TicketPreview } from '../ui/ticket.tsx';
import { FORM_ID as LISTING_FORM } from './listing-form.tsx';
import { FORM_ID as OFFER_FORM } from './offer-form.tsx';
import type { OwnPictures } from './pictures.tsx';

/** A text that is too long is not shown, so that a preview costs no more than the saved page. */
const textsOf = (form: FormState) => (field: string) =>
  form.isTooLong(field) ? '' : form.typed(field).trim();

interface PreviewProps {
  readonly form: FormState;
  /** `null` if the listing or offer has not been saved yet. */
  readonly pictures: OwnPictures | null;
}

interface ListingPreviewProps extends PreviewProps {
  readonly owner: Child;
  readonly offers: readonly CountedOffer[];
}

/** `path`: path of the form's page. The unsaved form is posted to `${path}/preview`. */
const PreviewCard = ({ form, path, children }: { form: string; path: string; children: Child }) => (
  <PreviewBox title={t('As people will see it')}>
    <FormPart id="preview" form={form} path={`${path}/preview`}>
      {children}
    </FormPart>
  </PreviewBox>
);

export const ListingPreviewCard = ({ path, ...props }: ListingPreviewProps & { path: string }) => (
  <PreviewCard form={LISTING_FORM} path={path}>
    <ListingPreview {...props} />
  </PreviewCard>
);

export const OfferPreviewCard = ({ path, ...props }: PreviewProps & { path: string }) => (
  <PreviewCard form={OFFER_FORM} path={path}>
    <OfferPreview {...props} />
  </PreviewCard>
);

export const ListingPreview = (props: ListingPreviewProps) => (
  <InMarketLanguage>
    <ListingOf {...props} />
  </InMarketLanguage>
);

export const OfferPreview = (props: PreviewProps) => (
  <InMarketLanguage>
    <OfferOf {...props} />
  </InMarketLanguage>
);

/** Returns the picture in review, if any, otherwise the live picture. */
const pictureOf = (pictures: OwnPictures | null, kind: 'icon' | 'cover' | 'offer') =>
  pictures?.proposed.find((proposed) => proposed.kind === kind && proposed.declinedReason === null) ??
  pictures?.current[kind];

function ListingOf({ form, owner, offers, pictures }: ListingPreviewProps) {
  const text = textsOf(form);
  const cover = pictureOf(pictures, 'cover');
  const name = text('name');
  const host = URL.parse(text('url'))?.host ?? <span class="quiet-text">app.example</span>;
  return (
    <PreviewedListing
      face={<Face name={name} icon={pictureOf(pictures, 'icon')?.files ?? null} size={48} />}
      cover={cover && <Picture files={cover.files} alt="" width={480} shape="cover" />}
      name={name || t('Name of the app')}
      summary={text('summary')}
      description={text('description')}
      {...{ host, owner }}
    >
      {offers.map(({ offer, kind, redemption_link, proposed_link, code, code_list, conditions }) => (
        <TicketPreview
          kind={kindName(kind)}
          title={offer}
          link={redemption_link ?? proposed_link ?? ''}
          hasCode={code !== null || code_list !== null}
          conditions={conditions ?? ''}
          upright
        />
      ))}
    </PreviewedListing>
  );
}

function OfferOf({ form, pictures }: PreviewProps) {
  const text = textsOf(form);
  const picture = pictureOf(pictures, 'offer');
  const kind = KINDS.find((each) => each === text('kind'));
  return (
    <TicketPreview
      picture={picture && <Picture files={picture.files} alt="" width={64} shape="cover" />}
      kind={kind && kindName(kind)}
      title={text('offer') || <span class="quiet-text">{t('20% off the first year')}</span>}
      link={text('redemption_link')}
      hasCode={text('code') !== '' || text('code_list') !== ''}
      conditions={text('conditions')}
      upright
    />
  );
}
