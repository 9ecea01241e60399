import { escapeXml } from '../../platform/text/xml.ts';

/** In pixels. */
export const BADGE_HEIGHT = 32;

interface Badge {
  readonly link: string;
  /** Absolute URL. */
  readonly picture: string;
  readonly text: string;
}

export const badgeHtml = ({ link, picture, text }: Badge): string =>
  `<a href="${escapeXml(link)}"><img src="${escapeXml(picture)}" alt="${escapeXml(text)}" height="${BADGE_HEIGHT}"></a>`;

/** Markdown's special characters, which a backslash escapes. */
const MARKDOWN = /[\\`*_{}[\]<>()#!|~&]/g;

export const badgeMarkdown = ({ link, picture, text }: Badge): string =>
  `[![${text.replace(MARKDOWN, String.raw`\$&`)}](${picture})](${link})`;
