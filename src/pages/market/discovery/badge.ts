import { BADGE_HEIGHT as HEIGHT } from '../../../marketplace/campaigns/badge.ts';
import { accentsOf } from '../../../platform/colour/accent.ts';
import { DARK, LIGHT } from '../../../platform/colour/palette.ts';
import { t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { shortened, textWidth } from '../../../platform/text/text-width.ts';
import { timeTextWithZone } from '../../../platform/text/time-zone.ts';
import { escapeXml } from '../../../platform/text/xml.ts';
import { MARK } from '../../ui/icon.tsx';
import { type PublicListing, scarceClaims } from '../queries.ts';

export const BADGE_THEMES = ['light', 'dark'] as const;
type BadgeTheme = (typeof BADGE_THEMES)[number];

interface BadgeBrand {
  readonly name: string;
  readonly accent: string | null;
  readonly timeZone: string;
}

const RADIUS = 8;
const FONT_SIZE = 13;
const BASELINE = 20.5;
const PAD = 11;
const MARK_SIDE = 16;
const MARK_GAP = 6;
const MAX_BRAND_LENGTH = 28;
const MAX_OFFER_LENGTH = 44;

/** All named fonts have the character widths listed in `text-width.ts`. */
const FONTS = "Arial, Helvetica, 'Liberation Sans', Arimo, sans-serif";

/** Works with any font, because `textLength` scales the words to the widths that the layout expects. */
export function badgeSvg(brand: BadgeBrand, listing: PublicListing, theme: BadgeTheme): string {
  const { surface, ink, line } = theme === 'dark' ? DARK : LIGHT;
  const accent = accentsOf(brand.accent)[theme];
  const name = shortened(brand.name, MAX_BRAND_LENGTH);
  const words = badgeText(listing, brand.timeZone);
  const left = PAD + MARK_SIDE + MARK_GAP;
  const tear = left + widthOf(name) + PAD;
  const width = tear + widthOf(words) + 2 * PAD;
  const title = `${isolated(listing.name)}: ${words} · ${isolated(brand.name)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" font-family="${FONTS}" font-size="${FONT_SIZE}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="${RADIUS}" fill="${surface}" stroke="${line}"/>`,
    `<path d="M${tear} 0H${RADIUS}a${RADIUS} ${RADIUS} 0 0 0-${RADIUS} ${RADIUS}v${HEIGHT - 2 * RADIUS}a${RADIUS} ${RADIUS} 0 0 0 ${RADIUS} ${RADIUS}H${tear}z" fill="${accent.accent}"/>`,
    `<g transform="translate(${PAD} ${(HEIGHT - MARK_SIDE) / 2}) scale(${MARK_SIDE / 32})" fill="${accent['on-accent']}">${MARK}</g>`,
    textAt(left, name, accent['on-accent']),
    textAt(tear + PAD, words, ink),
    '</svg>',
  ].join('');
}

/** For example `20% off · 38 left`. Shows the oldest open offer and counts the other open offers. */
function badgeText({ offers }: Pick<PublicListing, 'offers'>, timeZone: string): string {
  const open = offers.filter(({ state }) => state === 'open');
  const [first] = open;
  if (first === undefined) return t('No offers at the moment');
  const left = scarceClaims(first);
  return [
    isolated(shortened(first.offer, MAX_OFFER_LENGTH)),
    ...(left === null ? [] : [t('{left, number} left', { left })]),
    ...(left === null && first.endsAt !== null
      ? [t('until {day}', { day: timeTextWithZone(timeZone, first.endsAt) })]
      : []),
    ...(open.length > 1
      ? [t('{more, plural, one {# more offer} other {# more offers}}', { more: open.length - 1 })]
      : []),
  ].join(' · ');
}

const widthOf = (text: string): number => Math.ceil((textWidth(text) * FONT_SIZE) / 1000);

const textAt = (x: number, text: string, colour: string): string =>
  `<text x="${x}" y="${BASELINE}" textLength="${widthOf(text)}" lengthAdjust="spacingAndGlyphs" fill="${colour}">${escapeXml(isolated(text))}</text>`;
