/** The badge of a listing on other sites: a picture that leads to the listing's page, without frames and scripts. */
import { escapeXml } from '../text/xml.ts';

/** In pixels. */
export const BADGE_HEIGHT = 32;

/** `theme`: of the page around it. */
export const badgePath = (slug: string, theme: 'light' | 'dark' = 'light'): string =>
  `/l/${slug}/badge.svg${theme === 'light' ? '' : `?theme=${theme}`}`;

interface Badge {
  /** Where it leads: a share link. */
  readonly link: string;
  /** Absolute. */
  readonly picture: string;
  /** What it says to people who don't see it. */
  readonly text: string;
}

export const badgeHtml = ({ link, picture, text }: Badge): string =>
  `<a href="${escapeXml(link)}"><img src="${escapeXml(picture)}" alt="${escapeXml(text)}" height="${BADGE_HEIGHT}"></a>`;

/** ASCII punctuation that could end the text or begin something else; a backslash before it takes that away. */
const MARKDOWN = /[\\`*_{}[\]<>()#!|~&]/g;

export const badgeMarkdown = ({ link, picture, text }: Badge): string =>
  `[![${text.replace(MARKDOWN, String.raw`\$&`)}](${picture})](${link})`;
