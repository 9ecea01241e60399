import { t } from '../../languages/translate.ts';
import { KINDS, kindName } from '../../offers/offer.ts';
import type { FormState } from '../../ui/form-state.ts';
import { Picture } from '../../ui/picture.tsx';
import { InMarketLanguage } from '../../ui/site.tsx';
import { TicketPreview } from '../../ui/ticket.tsx';
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
