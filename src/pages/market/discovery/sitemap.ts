/** The sitemap (sitemaps.org): an index, and pages with the URLs of all live listings. */
import { sitemapPath, subjectPath } from '../../../base/paths.ts';
import { escapeXml } from '../../../platform/text/xml.ts';
import type { SitemapEntry } from './queries.ts';

/** Listings per page. sitemaps.org allows 50,000, but rendering a page blocks the event loop. */
export const SITEMAP_PAGE_SIZE = 2_000;

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Name of the first page. Its first URL is the front page. */
const FIRST_PAGE = 'start';

/** The id of the last listing before the page; `null` for the first page, `undefined` for an invalid name. */
export function parseSitemapName(name: string): string | null | undefined {
  if (name === `${FIRST_PAGE}.xml`) return null;
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.xml$/.exec(name)?.[1];
}

/** `starts`: for each page after the first, the id of the last listing before it. */
export function sitemapIndex(starts: readonly string[], baseUrl: string): string {
  const pages = [null, ...starts].map(
    (after) =>
      `<sitemap><loc>${escapeXml(baseUrl + sitemapPath(`${after ?? FIRST_PAGE}.xml`))}</loc></sitemap>\n`,
  );
  return `${HEADER}<sitemapindex ${NAMESPACE}>\n${pages.join('')}</sitemapindex>\n`;
}

export function sitemapPage(entries: readonly SitemapEntry[], isFirst: boolean, baseUrl: string): string {
  const urls = entries.map(({ slug, changedAt }) => urlOf(baseUrl + subjectPath({ slug }), changedAt));
  const front = isFirst ? urlOf(baseUrl + subjectPath({}), null) : '';
  return `${HEADER}<urlset ${NAMESPACE}>\n${front}${urls.join('')}</urlset>\n`;
}

const urlOf = (address: string, changedAt: string | null): string =>
  `<url><loc>${escapeXml(address)}</loc>${changedAt === null ? '' : `<lastmod>${changedAt}</lastmod>`}</url>\n`;
