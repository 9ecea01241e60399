import { raw } from 'hono/html';
import { currentLanguage } from '../../platform/languages/language.ts';
import type { Site } from './viewer.ts';

/** The size in pixels that social networks recommend for preview pictures. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

export interface PageHead {
  /** Canonical path, without irrelevant parameters; `null` excludes the page from search engines. */
  readonly path: string | null;
  /** Title for previews. Omits the marketplace's name, because previews show the name separately. */
  readonly title: string;
  readonly description: string | null;
  /** A PNG of `PREVIEW_SIZE`. */
  readonly picture: { readonly path: string; readonly alt: string } | null;
  /** Structured data (schema.org) with absolute URLs. */
  readonly data?: object | undefined;
  readonly feed?: string | undefined;
}

/** What chats and social networks show for a link to a listing. */
export interface LinkPreview extends Pick<PageHead, 'title' | 'description' | 'picture'> {
  /** An open offer of the listing; `null` if there is none. */
  readonly openOffer: string | null;
}

/** Returns `null` if the listing isn't live. */
export type FindLinkPreview = (slug: string, baseUrl: string) => Promise<LinkPreview | null>;

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
          {/* X reads only this one. */}
          <meta name="twitter:image:alt" content={picture.alt} />
        </>
      )}
      <meta name="twitter:card" content={picture === null ? 'summary' : 'summary_large_image'} />
      {feed !== undefined && <link rel="alternate" type="application/atom+xml" href={feed} />}
      {data !== undefined && <script type="application/ld+json">{raw(scriptText(data))}</script>}
    </>
  );
}

/** The current language with its most likely region, in the format of Open Graph: `de_DE`. */
const localeName = (): string => {
  const { language, region } = new Intl.Locale(currentLanguage().code).maximize();
  return `${language}_${region}`;
};

/** Escapes `<`, so that JSON can't close the script element. Browsers don't execute this type. */
const scriptText = (data: object): string => JSON.stringify(data).replaceAll('<', '\\u003c');
