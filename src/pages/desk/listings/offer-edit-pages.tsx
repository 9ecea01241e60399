import type { Context } from '../../../base/context.ts';
import { deskListingPath, editOfferPath, newOfferOfPath } from '../../../base/paths.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { editOffer } from '../../../marketplace/offers/edit.ts';
import { OFFER_FIELDS, type OfferTexts } from '../../../marketplace/offers/fields.ts';
import { NO_LINKS } from '../../../marketplace/offers/offer.ts';
import type { CountedOffer } from '../../../marketplace/offers/queries.ts';
import { t } from '../../../platform/languages/translate.ts';
import { labelsOf } from '../../../platform/text/fields.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { EditPage } from '../../editor/edit-page.ts';
import { LinkTester } from '../../editor/link-tester.tsx';
import { OfferForm } from '../../editor/offer-form.tsx';
import {
  COPIED,
  newOfferValues,
  offerValues,
  readOfferForm,
  saveNewOffer,
} from '../../editor/offer-form-values.ts';
import { OfferPreview, OfferPreviewCard } from '../../editor/previews.tsx';
import { requireFound } from '../../frame/pages.ts';
import type { FormState } from '../../ui/form-state.ts';
import { LoadedVersion } from '../../ui/stale-form.tsx';
import { requireListing } from '../lookups.ts';
import type { DeskListing } from '../review/queries.ts';
import { editLead, FormButtons, formPage, picturesOf, trailTo, withNotice } from './edit-parts.tsx';

const LABELS = labelsOf(OFFER_FIELDS);

const newOfferLead = ({ state }: Listing): string =>
  state === 'approved'
    ? t('You are adding this offer for the owner. It goes live as soon as you save, without a review.')
    : t('You are adding this offer for the owner. It goes live when you approve the listing.');

type NewDeskOffer = DeskListing & { readonly copied: CountedOffer | null };

export function newOffer(context: Context, hasMail: boolean): EditPage<NewDeskOffer, OfferTexts> {
  const testerOf = (form: FormState, { listing }: DeskListing) =>
    ({ form, listing, current: NO_LINKS, isOperator: true }) as const;
  return {
    actor: 'operator',
    route: newOfferOfPath(':id'),
    path: ({ listing }) => newOfferOfPath(listing.id),
    read: async (c) => {
      const deskListing = await requireListing(context, c);
      const copied = deskListing.offers.find(({ id }) => id === c.req.query(COPIED)) ?? null;
      return { ...deskListing, copied };
    },
    show: (c, _, deskListing, view) => {
      const { listing } = deskListing;
      const path = newOfferOfPath(listing.id);
      return formPage(c, {
        title: t('New offer'),
        lead: withNotice(newOfferLead(listing), hasMail),
        trail: trailTo(listing),
        view,
        labels: LABELS,
        children: (
          <>
            <OfferPreviewCard form={view.form} path={path} pictures={null} />
            <OfferForm
              {...testerOf(view.form, deskListing)}
              path={path}
              save={<FormButtons save={t('Add offer')} back={deskListingPath(listing.id)} />}
              hasApiKeys
            />
          </>
        ),
      });
    },
    values: ({ listing, copied }) => newOfferValues(context, listing, copied),
    parse: (form) => readOfferForm(form, null, context),
    save: async ({ listing }, texts, by, form) => {
      await saveNewOffer(context, listing, texts, by, form);
      return deskListingPath(listing.id);
    },
    parts: {
      check: (form, deskListing) => <LinkTester {...testerOf(form, deskListing)} />,
      preview: (form) => <OfferPreview form={form} pictures={null} />,
    },
  };
}

type DeskOffer = DeskListing & { readonly offer: CountedOffer };

export function editedOffer(context: Context, hasMail: boolean): EditPage<DeskOffer, OfferTexts> {
  const testerOf = (form: FormState, { listing, offer }: DeskOffer) =>
    ({ form, listing, current: offer, isOperator: true }) as const;
  const previewOf = (form: FormState, deskOffer: DeskOffer) => ({
    form,
    pictures: picturesOf(deskOffer, deskOffer.offer.id),
  });
  return {
    actor: 'operator',
    route: editOfferPath(':id', ':offer'),
    path: ({ listing, offer }) => editOfferPath(listing.id, offer.id),
    read: async (c) => {
      const deskListing = await requireListing(context, c);
      const offer = requireFound(deskListing.offers.find(({ id }) => id === c.req.param('offer')));
      return { ...deskListing, offer };
    },
    show: (c, _, deskOffer, view) => {
      const { listing, offer } = deskOffer;
      const path = editOfferPath(listing.id, offer.id);
      return formPage(c, {
        title: t('Edit offer'),
        heading: t('Edit “{name}”', { name: isolated(offer.offer) }),
        lead: editLead(hasMail),
        trail: trailTo(listing),
        view,
        labels: LABELS,
        children: (
          <>
            <OfferPreviewCard {...previewOf(view.form, deskOffer)} path={path} />
            <OfferForm
              {...testerOf(view.form, deskOffer)}
              path={path}
              save={<FormButtons save={t('Save offer')} back={deskListingPath(listing.id)} />}
              hasApiKeys
            >
              <LoadedVersion version={listing.version} form={view.form} />
            </OfferForm>
          </>
        ),
      });
    },
    values: ({ offer }) => offerValues(offer, context.marketplace.timeZone),
    version: ({ listing }) => listing.version,
    parse: (form, { offer }) => readOfferForm(form, offer.ends_at, context),
    save: async ({ listing, offer }, input, by) => {
      await editOffer(context, { ...input, offerId: offer.id, version: listing.version, ...by });
      return deskListingPath(listing.id);
    },
    parts: {
      check: (form, deskOffer) => <LinkTester {...testerOf(form, deskOffer)} />,
      preview: (form, deskOffer) => <OfferPreview {...previewOf(form, deskOffer)} />,
    },
  };
}
