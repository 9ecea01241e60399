import { t } from '../../languages/translate.ts';
import { KINDS, kindName } from '../../offers/offer.ts';
import type { FormState } from '../../ui/form-state.ts';
import { Picture } from '../../ui/picture.tsx';
import { InMarketLanguage } from '../../ui/site.tsx';
import { howItWorks, Ticket } from '../../ui/ticket.tsx';
import type { OwnPictures } from '../pictures.tsx';
import { PreviewFrame } from '../preview-frame.tsx';
import { FORM_ID } from './form.tsx';

interface OfferPreviewProps {
  readonly form: FormState;
  /** `null`: the offer is not stored yet. */
  readonly pictures: OwnPictures | null;
}

export const OfferPreviewCard = ({ path, ...props }: OfferPreviewProps & { path: string }) => (
  <PreviewFrame form={FORM_ID} path={`${path}/preview`}>
    <OfferPreview {...props} />
  </PreviewFrame>
);

export const OfferPreview = (props: OfferPreviewProps) => (
  <InMarketLanguage>
    <PreviewOf {...props} />
  </InMarketLanguage>
);

function PreviewOf({ form, pictures }: OfferPreviewProps) {
  const text = (field: string) => form.text(field).trim();
  const picture =
    pictures?.proposed.find(({ declinedReason }) => declinedReason === null) ?? pictures?.shown.offer;
  const kind = KINDS.find((each) => each === text('kind'));
  const host = URL.parse(text('redemption_link'))?.host ?? null;
  const hasCode = text('code') !== '' || text('code_list') !== '';
  return (
    <Ticket
      picture={picture && <Picture files={picture.files} alt="" width={64} shape="cover" />}
      heading="h3"
      kind={kind && kindName(kind)}
      title={text('offer') || <span class="quiet-text">{t('20% off the first year')}</span>}
      meta={
        <>
          {(host !== null || hasCode) && <p>{howItWorks(host, hasCode)}</p>}
          {text('conditions') !== '' && (
            <p class="plain-text" dir="auto">
              {text('conditions')}
            </p>
          )}
        </>
      }
      stub={<span class="button primary">{t('Claim offer')}</span>}
      upright
    />
  );
}
