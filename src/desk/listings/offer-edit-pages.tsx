import type { Child } from 'hono/jsx';
import type { Context } from '../../context.ts';
import { requireProof } from '../../http/pages/kept-forms.tsx';
import {
  type DeskApp,
  fragment,
  type PageContext,
  page,
  readForm,
  redirect,
  requireFound,
  wantsFragment,
} from '../../http/pages/pages.ts';
import type { Listing } from '../../listings/queries.ts';
import { createOffer } from '../../offers/create.ts';
import { editOffer } from '../../offers/edit.ts';
import type { OfferTexts } from '../../offers/fields.ts';
import { NO_LINKS, type OfferLinks } from '../../offers/offer.ts';
import type { Offer } from '../../offers/queries.ts';
import { isolated } from '../../text/text.ts';
import { HiddenField } from '../../ui/field.tsx';
import { type FormInput, type FormState, newForm } from '../../ui/form-state.ts';
import type { Markup } from '../../ui/markup.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { editForm, SeenValues } from '../../ui/stale-form.tsx';
import { deskListingPath, editOfferPath, newOfferOfPath, requireListing } from '../paths.ts';
import type { DeskListing } from '../review/queries.ts';
import { by, FormButtons, LEAD, mergedOf, type PreviewPictures, picturesOf, TrailTo } from './edit-parts.tsx';

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
  /** The preview in a card, for pages; `Preview` is only its content, for fragments. */
  readonly PreviewCard: (props: PreviewProps & { readonly path: string }) => Markup;
  readonly Preview: (props: PreviewProps) => Markup;
  readonly read: (form: FormInput, endsAt: string | null, now: number, zone: string) => OfferTexts | null;
  readonly values: (offer: Offer, zone: string) => Readonly<Record<string, string>>;
}

const whenAdded = ({ state }: Listing): string =>
  state === 'approved'
    ? 'It goes live as soon as you save, without a review.'
    : 'It goes live when you approve the listing.';

export function newOfferPages(app: DeskApp, context: Context, parts: OfferParts, tells: string): void {
  const { marketplace, now } = context;
  const read = (form: FormInput) => parts.read(form, null, now(), marketplace.timeZone);
  const show = (c: PageContext, { listing }: DeskListing, form: FormState) => {
    const content = (
      <>
        <PageHeader
          above={<TrailTo listing={listing} />}
          title="New offer"
          lead={`You are adding this offer for the owner. ${whenAdded(listing)}${tells}`}
        />
        <div class="columns">
          <parts.PreviewCard form={form} path={newOfferOfPath(listing.id)} pictures={null} />
          <parts.Form
            {...{ form, listing }}
            path={newOfferOfPath(listing.id)}
            current={NO_LINKS}
            save={<FormButtons save="Add offer" back={deskListingPath(listing.id)} />}
            hasApiKeys
            isOperator
          />
        </div>
      </>
    );
    return page(c, content, { title: 'New offer', status: form.status });
  };

  app.get(newOfferOfPath(':id'), async (c) =>
    show(c, await requireListing(context, c), newForm({ kind: 'discount' })),
  );

  app.post(newOfferOfPath(':id'), async (c, viewer) => {
    const form = await readForm(c);
    const found = await requireListing(context, c);
    const input = read(form);
    if (input === null) return show(c, found, form);
    await requireProof(c);
    const offer = { ...input, listing: found.listing.id, ...by(viewer) };
    await form.attempt(null, () => createOffer(context, offer));
    return form.isFine ? redirect(c, deskListingPath(found.listing.id)) : show(c, found, form);
  });

  app.post(`${newOfferOfPath(':id')}/check`, async (c) => {
    const form = await readForm(c);
    const found = await requireListing(context, c);
    const tester = <parts.Tester form={form} current={NO_LINKS} listing={found.listing} isOperator />;
    if (wantsFragment(c)) return fragment(c, tester);
    read(form);
    return show(c, found, form);
  });

  app.post(`${newOfferOfPath(':id')}/preview`, async (c) => {
    const form = await readForm(c);
    const found = await requireListing(context, c);
    if (wantsFragment(c)) return fragment(c, <parts.Preview form={form} pictures={null} />);
    read(form);
    return show(c, found, form);
  });
}

export function editedOfferPages(app: DeskApp, context: Context, parts: OfferParts, tells: string): void {
  const { marketplace, now } = context;
  const PATH = editOfferPath(':id', ':offer');
  const requireOffer = async (c: PageContext) => {
    const found = await requireListing(context, c);
    return { ...found, offer: requireFound(found.offers.find(({ id }) => id === c.req.param('offer'))) };
  };
  type Found = Awaited<ReturnType<typeof requireOffer>>;
  const valuesOf = ({ offer }: Found) => parts.values(offer, marketplace.timeZone);
  const read = (form: FormInput, { offer }: Found) =>
    parts.read(form, offer.ends_at, now(), marketplace.timeZone);
  const show = (c: PageContext, found: Found, form: FormState) => {
    const { listing, offer } = found;
    const content = (
      <>
        <PageHeader
          above={<TrailTo listing={listing} />}
          title={`Edit “${isolated(offer.offer)}”`}
          lead={LEAD + tells}
        />
        <div class="columns">
          <parts.PreviewCard
            form={form}
            path={editOfferPath(listing.id, offer.id)}
            pictures={picturesOf(found, offer.id)}
          />
          <parts.Form
            {...{ form, listing }}
            path={editOfferPath(listing.id, offer.id)}
            current={offer}
            save={<FormButtons save="Save offer" back={deskListingPath(listing.id)} />}
            hasApiKeys
            isOperator
          >
            <HiddenField name="version" value={String(listing.version)} />
            <SeenValues form={form} />
          </parts.Form>
        </div>
      </>
    );
    return page(c, content, { title: 'Edit offer', status: form.status });
  };

  app.get(PATH, async (c) => {
    const found = await requireOffer(c);
    return show(c, found, editForm(valuesOf(found)));
  });

  app.post(PATH, async (c, viewer) => {
    const sent = await readForm(c);
    const found = await requireOffer(c);
    const { listing, offer } = found;
    const { form } = mergedOf(sent, valuesOf(found), listing.version);
    const input = read(form, found);
    if (input === null || !form.isFine) return show(c, found, form);
    await requireProof(c);
    const change = { ...input, offerId: offer.id, version: listing.version, ...by(viewer) };
    await form.attempt(null, () => editOffer(context, change));
    return form.isFine ? redirect(c, deskListingPath(listing.id)) : show(c, await requireOffer(c), form);
  });

  app.post(`${PATH}/check`, async (c) => {
    const form = await readForm(c);
    const found = await requireOffer(c);
    const { offer, listing } = found;
    if (wantsFragment(c)) {
      return fragment(c, <parts.Tester form={form} current={offer} listing={listing} isOperator />);
    }
    read(form, found);
    return show(c, found, form);
  });

  app.post(`${PATH}/preview`, async (c) => {
    const form = await readForm(c);
    const found = await requireOffer(c);
    if (wantsFragment(c)) {
      return fragment(c, <parts.Preview form={form} pictures={picturesOf(found, found.offer.id)} />);
    }
    read(form, found);
    return show(c, found, form);
  });
}
