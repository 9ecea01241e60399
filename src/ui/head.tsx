import { raw } from 'hono/html';
import { currentLanguage } from '../languages/language.ts';
import type { Site } from './viewer.ts';

/** Size of every preview picture in pixels, as social networks recommend. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

export interface PageHead {
  /** The canonical address, without parameters that don't matter; `null` if search engines should skip the page. */
  readonly path: string | null;
  /** For previews, which show the marketplace's name next to the title. */
  readonly title: string;
  readonly description: string | null;
  /** A PNG of `PREVIEW_SIZE`. */
  readonly picture: { readonly path: string; readonly alt: string } | null;
  /** An object of schema.org; its URLs are absolute. */
  readonly data?: object | undefined;
  readonly feed?: string | undefined;
}

export function HeadElements({ head, baseUrl }: { head: PageHead; baseUrl: Site['baseUrl'] }) {
  const { path, title, description, picture, data, feed } = head;
  return (
    <>
      {path === null ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={baseUrl + path} />
          <meta property="og:url" content={baseUrl + path} />
        </>
      )}
      <meta property="og:type" content="website" />
      <meta property="og:locale" content={localeName()} />
      <meta property="og:title" content={title} />
      {description !== null && (
        <>
          <meta name="description" content={description} />
          <meta property="og:description" content={description} />
        </>
      )}
      {picture !== null && (
        <>
          <meta property="og:image" content={baseUrl + picture.path} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content={String(PREVIEW_SIZE.width)} />
          <meta property="og:image:height" content={String(PREVIEW_SIZE.height)} />
          <meta property="og:image:alt" content={picture.alt} />
        </>
      )}
      <meta name="twitter:card" content={picture === null ? 'summary' : 'summary_large_image'} />
      {feed !== undefined && <link rel="alternate" type="application/atom+xml" href={feed} />}
      {data !== undefined && <script type="application/ld+json">{raw(scriptText(data))}</script>}
    </>
  );
}

/** The current language with the region where it is mostly spoken, as Open Graph wants it: `de_DE`. */
const localeName = (): string => {
  const { language, region } = new Intl.Locale(currentLanguage().code).maximize();
  return `${language}_${region}`;
};

/**
 * JSON without a `<`, which could end the script element. Browsers don't execute blocks of this type, so the content
 * security policy doesn't apply.
 */
const scriptText = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c');
