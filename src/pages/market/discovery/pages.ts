/** Routes for search engines, feed readers, owners' sites and social networks: sitemap, feed, badges and posters. */

import { LRUCache } from 'lru-cache';
import type { Context } from '../../../base/context.ts';
import {
  badgePath,
  FEED_PATH,
  PLAIN_TOUCH_ICON_PATH,
  posterFile,
  posterPath,
  SITEMAP_PATH,
  type Subject,
  sitemapPath,
  TOUCH_ICON_PATH,
} from '../../../base/paths.ts';
import type { PictureEncoder } from '../../../marketplace/pictures/encoder.ts';
import { findPictureFile } from '../../../marketplace/pictures/queries.ts';
import { createSystemFonts, type SystemFonts } from '../../../marketplace/pictures/system-fonts.ts';
import { readStrangerRights } from '../../../people/visibility/read-rights.ts';
import { Refusal } from '../../../platform/errors.ts';
import { isKnownTag, tagOf } from '../../../platform/http/server/entity-tags.ts';
import { isShared, share } from '../../../platform/http/server/page-cache.ts';
import { releaseSlot } from '../../../platform/http/server/slots.ts';
import { yieldToEventLoop } from '../../../platform/process/yielding.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/text/durations.ts';
import { FOR_EVER } from '../../frame/assets.ts';
import type { PageRouter } from '../../frame/page-router.ts';
import type { PageContext } from '../../frame/pages.ts';
import { largestIconOf, touchIconSvg } from '../../ui/brand-parts.tsx';
import { findPublicListing } from '../queries.ts';
import { BADGE_THEMES, badgeSvg } from './badge.ts';
import { atomFeed, FEED_LENGTH } from './feed.ts';
import { advertisedOffer, appPoster, hashOf, sitePoster } from './heads.ts';
import { machineCharacters, type Poster, posterSvg } from './poster.ts';
import { listForSitemap, listNewOffers, listPageStarts } from './queries.ts';
import { parseSitemapName, SITEMAP_PAGE_SIZE, sitemapIndex, sitemapPage } from './sitemap.ts';

const SITEMAP_AGE_S = HOUR_MS / SECOND_MS;
const FEED_AGE_S = (5 * MINUTE_MS) / SECOND_MS;
/** Short, because a badge shows how many claims are left. */
const BADGE_AGE_S = (5 * MINUTE_MS) / SECOND_MS;
/** Short, because the page has changed since the link to this picture was written. */
const OUTDATED_POSTER_AGE_S = (5 * MINUTE_MS) / SECOND_MS;
/** A poster that needs fonts of the machine looks different once they are installed. */
const MACHINE_POSTER_AGE_S = DAY_MS / SECOND_MS;
/** Short, because the operator may change the accent colour or upload an icon. */
const ICON_AGE_S = HOUR_MS / SECOND_MS;
/** `Retry-After` if a poster can't be drawn, for example because too many are waiting. */
const DRAWING_RETRY_S = 30;

/** Headers for pictures that other sites embed. The pictures can't run scripts or load resources. */
const EMBEDDED = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

interface DiscoveryServices {
  readonly context: Pick<Context, 'db' | 'now' | 'marketplace'>;
  readonly pictureEncoder: Pick<PictureEncoder, 'draw'>;
  readonly baseUrl: string;
  readonly systemFonts?: SystemFonts;
}

export function discoveryPages(app: PageRouter, services: DiscoveryServices): void {
  listPages(app, services);
  badgePages(app, services);
  posterPages(app, services);
  touchIconPages(app, services);
}

const XML = 'application/xml; charset=utf-8';

function listPages(app: PageRouter, { context, baseUrl }: DiscoveryServices): void {
  const { db, now, marketplace } = context;
  // These documents are the same for everybody, so they show nothing that is for members only.
  const strangers = () => readStrangerRights(db.read);

  app.get(SITEMAP_PATH, { for: 'anyone' }, async (c) => {
    const starts = await listPageStarts(db.read, await strangers(), SITEMAP_PAGE_SIZE);
    return sendDocument(c, sitemapIndex(starts, baseUrl), { type: XML, maxAgeS: SITEMAP_AGE_S });
  });

  app.get(sitemapPath(':page'), { for: 'anyone' }, async (c) => {
    const after = parseSitemapName(c.req.param('page'));
    if (after === undefined) return nothing(c, 'page of the sitemap');
    const page = { rights: await strangers(), after, limit: SITEMAP_PAGE_SIZE };
    const entries = await listForSitemap(db.read, page);
    if (after !== null && entries.length === 0) return nothing(c, 'page of the sitemap');
    await yieldToEventLoop();
    const text = sitemapPage(entries, after === null, baseUrl);
    return sendDocument(c, text, { type: XML, maxAgeS: SITEMAP_AGE_S });
  });

  app.get(FEED_PATH, { for: 'anyone' }, async (c) => {
    const offers = await listNewOffers(db.read, {
      rights: await strangers(),
      now: now(),
      limit: FEED_LENGTH,
    });
    const text = atomFeed({ name: marketplace.brand.name, baseUrl, offers });
    return sendDocument(c, text, { type: 'application/atom+xml; charset=utf-8', maxAgeS: FEED_AGE_S });
  });
}

function badgePages(app: PageRouter, { context: { db, now, marketplace } }: DiscoveryServices): void {
  app.get(badgePath(':slug'), { for: 'anyone' }, async (c) => {
    const rights = await readStrangerRights(db.read);
    const listing = await findPublicListing(db.read, rights, c.req.param('slug') ?? '', now());
    if (listing?.state !== 'approved') return nothing(c, 'badge');
    const theme = BADGE_THEMES.find((each) => each === c.req.query('theme')) ?? 'light';
    return sendDocument(c, badgeSvg(marketplace.brand, listing, theme), {
      type: 'image/svg+xml',
      maxAgeS: BADGE_AGE_S,
      reads: ['theme'],
      headers: EMBEDDED,
    });
  });
}

/** Maximum total size of the cached posters. A poster takes about 50 KB. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Draws a poster after all earlier drawings are done. Throws a refusal if too many are waiting or if drawing fails. */
type Draw = () => Promise<Uint8Array>;

/** A cache of poster PNGs, keyed by `hashOf`. Concurrent requests for one poster share one drawing. */
export const createPosters = () =>
  new LRUCache<string, Uint8Array<ArrayBuffer>, Draw>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ length }) => length,
    fetchMethod: async (_hash, _old, { context: draw }) => new Uint8Array(await draw()),
    // A poster is sent even if its cache entry is evicted during the drawing.
    ignoreFetchAbort: true,
  });

function posterPages(
  app: PageRouter,
  { context, pictureEncoder, systemFonts = createSystemFonts() }: DiscoveryServices,
): void {
  const { db, now, marketplace } = context;
  const posters = createPosters();
  const draw = async (poster: Poster): Promise<Uint8Array> => {
    const { brand } = poster;
    const [logo, icon, face] = await Promise.all(
      [brand.logo, brand.icon, poster.face?.icon ?? null].map((picture) =>
        picture === null ? null : findPictureFile(db.read, picture.name),
      ),
    );
    const { files, hasGlyphs } = await systemFonts.choose(machineCharacters(poster));
    await yieldToEventLoop();
    const svg = posterSvg(poster, { logo: logo!, icon: icon!, face: face! }, hasGlyphs);
    return await pictureEncoder.draw(svg, files);
  };

  /**
   * The current poster, with its subject; `null` if the listing isn't live or the offer isn't public. For an
   * offer that has ended, it is the poster of its listing.
   */
  async function findPoster(subject: Subject): Promise<{ poster: Poster; subject: Subject } | null> {
    const { slug, offerId } = subject;
    const { look } = marketplace;
    if (slug === undefined) return { poster: sitePoster(look), subject };
    const listing = await findPublicListing(db.read, await readStrangerRights(db.read), slug, now());
    if (listing?.state !== 'approved') return null;
    if (offerId !== undefined && !listing.offers.some(({ id }) => id === offerId)) return null;
    const offer = offerId === undefined ? null : advertisedOffer(listing, offerId);
    return offer === null
      ? { poster: appPoster(look, listing), subject: { slug } }
      : { poster: appPoster(look, listing, offer), subject };
  }

  /** Cached pages may link to an earlier version of the poster. They get the current one, without a redirect. */
  function lifetimeOf(poster: Poster, isCurrent: boolean): Readonly<Record<string, string>> {
    if (!isCurrent) return { 'Cache-Control': `public, max-age=${OUTDATED_POSTER_AGE_S}` };
    if (machineCharacters(poster).length > 0) {
      return { 'Cache-Control': `public, max-age=${MACHINE_POSTER_AGE_S}` };
    }
    return { 'Cache-Control': FOR_EVER, ETag: `"${hashOf(poster)}"` };
  }

  async function sendPoster(c: PageContext, requested: Subject): Promise<Response> {
    const current = await findPoster(requested);
    if (current === null) return nothing(c, 'picture');
    const { poster, subject } = current;
    const hash = hashOf(poster);
    const headers: Readonly<Record<string, string>> = {
      ...EMBEDDED,
      ...lifetimeOf(poster, c.req.path === posterPath(subject, hash)),
    };
    const tag = headers['ETag'];
    if (tag !== undefined && isKnownTag(c.req.header('if-none-match'), tag))
      return c.body(null, 304, headers);
    // Frees this request's slot (`slots.ts`), so that other requests don't wait for the drawing.
    releaseSlot(c.env.outgoing);
    try {
      const png = await posters.forceFetch(hash, { context: () => draw(poster) });
      return c.body(png, 200, { ...headers, 'Content-Type': 'image/png' });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return notDrawn(c);
    }
  }

  for (const route of [{}, { slug: ':slug' }, { slug: ':slug', offerId: ':offer' }]) {
    app.get(posterFile(route, ':file'), { for: 'anyone' }, (c) =>
      sendPoster(c, { slug: c.req.param('slug'), offerId: c.req.param('offer') }),
    );
  }
}

function touchIconPages(
  app: PageRouter,
  { context: { marketplace }, pictureEncoder }: DiscoveryServices,
): void {
  let drawn: { readonly svg: string; readonly png: Promise<Uint8Array> } | null = null;
  /** Draws once for each accent colour. */
  const draw = (svg: string): Promise<Uint8Array> => {
    if (drawn?.svg !== svg) {
      const png = pictureEncoder.draw(svg);
      drawn = { svg, png };
      png.catch(() => {
        drawn = null;
      });
    }
    return drawn.png;
  };
  for (const path of [TOUCH_ICON_PATH, PLAIN_TOUCH_ICON_PATH]) {
    app.get(path, { for: 'anyone' }, async (c) => {
      const { accent, icon } = marketplace.look;
      if (icon !== null) return c.redirect(largestIconOf(icon), 302);
      releaseSlot(c.env.outgoing);
      try {
        const png = new Uint8Array(await draw(touchIconSvg(accent)));
        const control = `public, max-age=${ICON_AGE_S}`;
        return c.body(png, 200, { ...EMBEDDED, 'Cache-Control': control, 'Content-Type': 'image/png' });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return notDrawn(c);
      }
    });
  }
}

const notDrawn = (c: PageContext): Response =>
  c.text('The picture cannot be drawn at the moment. Try again later.\n', 503, {
    'Retry-After': String(DRAWING_RETRY_S),
  });

const nothing = (c: PageContext, what: string): Response => c.text(`There is no such ${what}.\n`, 404);

interface DocumentOptions {
  readonly type: string;
  readonly maxAgeS: number;
  /** Query parameters that the document depends on. */
  readonly reads?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Responds with a document that is the same for everybody, such as a sitemap or a badge. */
function sendDocument(
  c: PageContext,
  text: string,
  { type, maxAgeS, reads = [], headers = {} }: DocumentOptions,
): Response {
  share(c.env.outgoing, { reads, lifetime: 'briefly', forSignedIn: true });
  const tag = tagOf(text);
  const all = { ...headers, 'Cache-Control': `public, max-age=${maxAgeS}`, ETag: tag };
  const isKnown = !isShared(c.env.outgoing) && isKnownTag(c.req.header('if-none-match'), tag);
  return isKnown ? c.body(null, 304, all) : c.body(text, 200, { ...all, 'Content-Type': type });
}
