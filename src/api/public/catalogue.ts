import { z } from '@hono/zod-openapi';
import type { Context } from '../../base/context.ts';
import { sharePath } from '../../base/paths.ts';
import { LABEL } from '../../marketplace/campaigns/label.ts';
import { readCategories } from '../../marketplace/listings/categories.ts';
import type { Category } from '../../marketplace/listings/category.ts';
import { KINDS } from '../../marketplace/offers/offer.ts';
import { type Picture, plainFileOf } from '../../marketplace/pictures/picture.ts';
import { type CatalogueListing, listCatalogue } from '../../pages/market/discovery/queries.ts';
import { scarceClaims } from '../../pages/market/queries.ts';
import { readStrangerRights } from '../../people/visibility/read-rights.ts';
import { invalid } from '../../platform/errors.ts';
import { type Operation, PUBLIC_CALLER } from '../../platform/http/operations/operation.ts';
import { operationRoute } from '../../platform/http/operations/operation-routes.ts';
import { PUBLIC_HEADERS, READABLE } from '../../platform/http/operations/public-operations.ts';
import { limitParameter } from '../../platform/http/operations/query-parameters.ts';
import { picturePath } from '../../platform/network/picture-address.ts';
import { isUuid } from '../../platform/store/uuid.ts';

export const CATALOGUE_PAGE_SIZE = 50;
export const MAX_CATALOGUE_PAGE_SIZE = 200;

/** In pixels. Each picture is stored in three sizes; these are the middle widths, for high-resolution screens. */
const ICON_WIDTH = 256;
const COVER_WIDTH = 800;
const OFFER_PICTURE_WIDTH = 640;

const picture = (format: string, width: number) =>
  z
    .string()
    .nullable()
    .meta({
      description: `The URL of a ${format}, at least ${width} pixels wide unless the upload was smaller; \`null\` if there is no picture. A new picture has a new URL; the old URL works for another day.`,
      format: 'uri',
    });

const time = (description: string) => z.string().nullable().meta({ description, format: 'date-time' });

const catalogueOffer = z
  .strictObject({
    id: z.string(),
    offer: z.string().meta({ description: 'What the claimant gets.' }),
    kind: z.enum(KINDS),
    conditions: z.string().nullable().meta({ description: 'Plain text with line breaks.' }),
    picture: picture('JPEG', OFFER_PICTURE_WIDTH),
    state: z.enum(['open', 'scheduled']).meta({
      description: '`open`: can be claimed now. `scheduled`: can be claimed from `starts_at`.',
    }),
    starts_at: time('When the offer opens or opened; `null` if no start is set.'),
    ends_at: time('When the offer ends; `null` if no end is set.'),
    claims_left: z.int().nullable().meta({
      description:
        'The number of claims left; `null` unless at least half of the claim limit is used or few codes are left.',
    }),
    link: z.string().meta({ description: "The URL of the app's page with this offer first." }),
  })
  .openapi('CatalogueOffer');

const catalogueListing = z
  .strictObject({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    summary: z.string().nullable(),
    url: z.string().meta({ description: 'The website of the app.' }),
    category: z
      .string()
      .nullable()
      .meta({ description: 'The name of the category on the front page; `null` if the app has none.' }),
    featured: z.int().nullable().meta({
      description:
        'The place in the featured row of the front page, from 1; `null` if the app is not featured. Hidden apps keep their place, so the numbers can have gaps.',
    }),
    icon: picture('square PNG', ICON_WIDTH),
    cover: picture('JPEG in 16:9', COVER_WIDTH),
    owner: z.string().meta({ description: 'The name of the owner, who publishes the app.' }),
    share_link: z.string().meta({ description: "The URL of the app's page on the marketplace." }),
    offers: z.array(catalogueOffer).meta({
      description: 'The offers that can be claimed now or later, in order of creation.',
    }),
  })
  .openapi('CatalogueListing');

const cataloguePage = z
  .strictObject({
    listings: z.array(catalogueListing),
    next: z.string().nullable().meta({
      description: 'The `after` of the next page; `null` if there are no more listings.',
    }),
  })
  .openapi('CataloguePage');

const EXAMPLE: z.input<typeof cataloguePage> = {
  listings: [
    {
      id: '0199f7a2-5b1c-7d3e-8f40-9a1b2c3d4e5f',
      slug: 'ada-notes',
      name: 'Ada Notes',
      summary: 'Notes that write themselves',
      url: 'https://ada-notes.example',
      category: 'Writing',
      featured: 1,
      icon: 'https://claims.example.com/pictures/3f9a1c5e7b2d4f6081a3c5e7092b4d6f.png',
      cover: 'https://claims.example.com/pictures/8d2b4f6a0c1e3d5f7092b4d6f8a1c3e5.jpg',
      owner: 'Ada Acme',
      share_link: 'https://claims.example.com/l/ada-notes?via=partner',
      offers: [
        {
          id: '0199f7a2-6c2d-7e4f-9051-ab2c3d4e5f60',
          offer: '20% off the first year',
          kind: 'discount',
          conditions: 'New customers only.',
          picture: null,
          state: 'open',
          starts_at: null,
          ends_at: '2026-12-31T23:00:00.000Z',
          claims_left: 38,
          link: 'https://claims.example.com/l/ada-notes/offers/0199f7a2-6c2d-7e4f-9051-ab2c3d4e5f60?via=partner',
        },
      ],
    },
  ],
  next: null,
};

const READ_CATALOGUE = {
  id: 'readCatalogue',
  method: 'get',
  path: '/api/v1/catalogue',
  tag: 'catalogue',
  summary: 'List apps and their offers',
  description:
    'All live listings that everyone may see, with the offers that can be claimed now or that will open later. No key is needed, and scripts on other sites may call this operation. The order is fixed, so a client that follows `next` gets each listing once.',
  caller: PUBLIC_CALLER,
  input: {
    query: z.object({
      via: z
        .string()
        .regex(LABEL, { error: 'must be 1 to 64 lowercase letters, digits, hyphens and underscores' })
        .optional()
        .meta({
          description: 'A campaign label to add to all links, so that owners see which claims came from you.',
          pattern: LABEL.source,
          example: 'partner',
        }),
      after: z.string().max(64).optional().meta({ description: 'The `next` of the previous page.' }),
      limit: limitParameter(CATALOGUE_PAGE_SIZE, MAX_CATALOGUE_PAGE_SIZE),
    }),
  },
  outputs: {
    200: {
      description: 'A page of listings.',
      schema: cataloguePage,
      headers: PUBLIC_HEADERS,
      examples: { page: EXAMPLE },
    },
  },
  errors: { invalid_request: { headers: READABLE } },
} as const satisfies Operation;

interface CatalogueServices extends Pick<Context, 'db' | 'now'> {
  readonly baseUrl: string;
}

export const readCatalogueRoute = operationRoute<typeof READ_CATALOGUE, null, CatalogueServices>(
  READ_CATALOGUE,
  async ({ query: { after, via = null, limit = CATALOGUE_PAGE_SIZE } }, { db, now, baseUrl }) => {
    if (after !== undefined && !isUuid(after)) {
      throw invalid('The query parameter `after` must be the `next` of an earlier page.');
    }
    const rights = await readStrangerRights(db.read);
    const [{ listings, next }, categories] = await Promise.all([
      listCatalogue(db.read, { rights, now: now(), after: after?.toLowerCase() ?? null, limit }),
      readCategories(db.read),
    ]);
    const site = { via, baseUrl, categories };
    return { listings: listings.map((one) => describe(one, site)), next };
  },
);

function describe(
  { id, slug, name, summary, url, category, featured, owner, pictures, offers }: CatalogueListing,
  site: { readonly via: string | null; readonly baseUrl: string; readonly categories: readonly Category[] },
): z.input<typeof catalogueListing> {
  const { via, baseUrl, categories } = site;
  const pictureUrl = (one: Picture | undefined, width: number) =>
    one === undefined ? null : baseUrl + picturePath(plainFileOf(one, width).name);
  return {
    id,
    slug,
    name,
    summary,
    url,
    category: categories.find((each) => each.id === category)?.name ?? null,
    featured,
    icon: pictureUrl(pictures.icon, ICON_WIDTH),
    cover: pictureUrl(pictures.cover, COVER_WIDTH),
    owner,
    share_link: baseUrl + sharePath({ slug, via }),
    offers: offers.map((offer) => ({
      id: offer.id,
      offer: offer.offer,
      kind: offer.kind,
      conditions: offer.conditions,
      picture: pictureUrl(offer.pictures.offer, OFFER_PICTURE_WIDTH),
      state: offer.state,
      starts_at: offer.startsAt,
      ends_at: offer.endsAt,
      claims_left: scarceClaims(offer),
      link: baseUrl + sharePath({ slug, via, offerId: offer.id }),
    })),
  };
}
