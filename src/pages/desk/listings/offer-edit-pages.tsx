import type { Child } from 'hono/jsx';
import type { Context } from '../../../base/context.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { createOffer } from '../../../marketplace/offers/create.ts';
import { editOffer } from '../../../marketplace/offers/edit.ts';
import type { OfferTexts } from '../../../marketplace/offers/fields.ts';
import { NO_LINKS, type OfferLinks } from '../../../marketplace/offers/offer.ts';
import type { Offer } from '../../../marketplace/offers/queries.ts';
import { uuidv7 } from '../../../platform/store/uuid.ts';
import { isolated } from '../../../platform/text/text.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import { type PageContext, requireFound } from '../../frame/pages.ts';
import type { FormInput, FormState } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { deskListingPath, editOfferPath, newOfferOfPath, requireListing } from '../paths.ts';
import type { DeskListing } from '../review/queries.ts';
import {
  addOwnersForm,
  FormButtons,
  LEAD,
  type PreviewPictures,
  picturesOf,
  ShownVersion,
  TrailTo,
} from './edit-parts.tsx';

interface TesterProps {
  readonly form: FormState;
  readonly current: OfferLinks;
  readonly listing: Listing;
  readonly isOperator: true;
}

interface PreviewProps {
  readonly form: FormState;
  /** `null`: the offer is not stored yet. */
  readonly pictures: PreviewPictures | null;
}

export interface OfferParts {
  readonly Form: (
    props: TesterProps & {
      readonly path: string;
      readonly hasApiKeys: boolean;
      readonly save: Child;
      readonly children?: Child;
    },
  ) => Markup;
  readonly Tester: (props: TesterProps) => Markup;
  /** The card with the preview, for a whole page. `Preview` is only the content of the card, for a fragment. */
  readonly PreviewCard: (props: PreviewProps & { readonly path: string }) => Markup;
  readonly Preview: (props: PreviewProps) => Markup;
  readonly read: (form: FormInput, endsAt: string | null, now: number, zone: string) => OfferTexts | null;
  readonly values: (offer: Offer, zone: string) => Readonly<Record<string, string>>;
}

const whenAdded = ({ state }: Listing): string =>
  state === 'approved'
    ? 'It goes live as soon as you save, without a review.'
    : 'It goes live when you approve the listing.';

export function newOfferPages(app: PageRouter, context: Context, parts: OfferParts, tells: string): void {
  const { marketplace, now } = context;
  const testerOf = (form: FormState, { listing }: DeskListing) =>
    ({ form, listing, current: NO_LINKS, isOperator: true }) as const;
  addOwnersForm(app, {
    path: newOfferOfPath(':id'),
    title: 'New offer',
    find: (c) => requireListing(context, c),
    header: ({ listing }) => ({
      above: <TrailTo listing={listing} />,
      lead: `You are adding this offer for the owner. ${whenAdded(listing)}${tells}`,
    }),
    content: (_, found, form) => {
      const { id } = found.listing;
      return (
        <>
          <parts.PreviewCard form={form} path={newOfferOfPath(id)} pictures={null} />
          <parts.Form
            {...testerOf(form, found)}
            path={newOfferOfPath(id)}
            save={<FormButtons save="Add offer" back={deskListingPath(id)} />}
            hasApiKeys
          />
        </>
      );
    },
    first: () => ({ kind: 'discount', form: uuidv7(context) }),
    read: (form) => parts.read(form, null, now(), marketplace.timeZone),
    save: async ({ listing: { id } }, input, by) => {
      await createOffer(context, { ...input, listing: id, ...by });
      return deskListingPath(id);
    },
    parts: {
      check: (form, found) => <parts.Tester {...testerOf(form, found)} />,
      preview: (form) => <parts.Preview form={form} pictures={null} />,
    },
  });
}

export function editedOfferPages(app: PageRouter, context: Context, parts: OfferParts, tells: string): void {
  const { marketplace, now } = context;
  const find = async (c: PageContext) => {
    const found = await requireListing(context, c);
    return { ...found, offer: requireFound(found.offers.find(({ id }) => id === c.req.param('offer'))) };
  };
  type Found = Awaited<ReturnType<typeof find>>;
  const testerOf = (form: FormState, { listing, offer }: Found) =>
    ({ form, listing, current: offer, isOperator: true }) as const;
  const previewOf = (form: FormState, found: Found) => ({
    form,
    pictures: picturesOf(found, found.offer.id),
  });
  addOwnersForm(app, {
    path: editOfferPath(':id', ':offer'),
    title: 'Edit offer',
    find,
    header: ({ listing, offer }) => ({
      above: <TrailTo listing={listing} />,
      title: `Edit “${isolated(offer.offer)}”`,
      lead: LEAD + tells,
    }),
    content: (_, found, form) => {
      const { listing, offer } = found;
      const path = editOfferPath(listing.id, offer.id);
      return (
        <>
          <parts.PreviewCard {...previewOf(form, found)} path={path} />
          <parts.Form
            {...testerOf(form, found)}
            path={path}
            save={<FormButtons save="Save offer" back={deskListingPath(listing.id)} />}
            hasApiKeys
          >
            <ShownVersion version={listing.version} form={form} />
          </parts.Form>
        </>
      );
    },
    stored: ({ listing, offer }) => ({
      values: parts.values(offer, marketplace.timeZone),
      version: listing.version,
    }),
    read: (form, { offer }) => parts.read(form, offer.ends_at, now(), marketplace.timeZone),
    save: async ({ listing, offer }, input, by) => {
      await editOffer(context, { ...input, offerId: offer.id, version: listing.version, ...by });
      return deskListingPath(listing.id);
    },
    parts: {
      check: (form, found) => <parts.Tester {...testerOf(form, found)} />,
      preview: (form, found) => <parts.Preview {...previewOf(form, found)} />,
    },
  });
}
