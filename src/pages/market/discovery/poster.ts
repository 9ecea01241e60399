/** The picture that social networks and chats show with a link: a ticket in the brand's colours. */

import { accentsOf } from '../../../platform/colour/accent.ts';
import { DARK, LIGHT } from '../../../platform/colour/palette.ts';
import type { PictureFile } from '../../../platform/network/picture-address.ts';
import { joinTitle } from '../../../platform/text/text.ts';
import { escapeXml } from '../../../platform/text/xml.ts';
import { PREVIEW_SIZE } from '../../ui/head.tsx';
import { MARK } from '../../ui/icon.tsx';
import { colourOf, initialsOf } from '../../ui/monogram.tsx';
import {
  type Block,
  charactersBeyondBuild,
  cutBlock,
  drawable,
  drawBlock,
  fitted,
  type HasGlyphs,
  heightOf,
  layOut,
  type Style,
} from './drawn-text.ts';

interface Face {
  readonly name: string;
  /** A PNG; `null` for an app without an icon. */
  readonly icon: PictureFile | null;
}

export interface Poster {
  readonly brand: {
    readonly name: string;
    readonly accent: string | null;
    /** A PNG, like `icon`. A logo replaces the icon and the name. */
    readonly logo: PictureFile | null;
    readonly icon: PictureFile | null;
  };
  /** The app or the marketplace, shown on the ticket's stub. `null`: the stub shows the ticket symbol. */
  readonly face: Face | null;
  readonly title: string;
  /** Drawn below the title in one line of smaller text, most important first. */
  readonly details: readonly string[];
}

const { width: WIDTH, height: HEIGHT } = PREVIEW_SIZE;
const EDGE = 56;
const TICKET = { left: EDGE, top: 132, right: WIDTH - EDGE, bottom: HEIGHT - EDGE } as const;
/** The x coordinate of the perforation. The stub is to its right. */
const TEAR = 868;
const CORNER = 20;
const NOTCH = 26;
const TEXT = {
  left: TICKET.left + 56,
  right: TEAR - 48,
  top: TICKET.top + 40,
  bottom: TICKET.bottom - 40,
} as const;
const TEXT_WIDTH = TEXT.right - TEXT.left;
const GAP = 22;

const BRAND_SIZE = 40;
const BRAND = { left: EDGE + 76, right: WIDTH - EDGE, top: 47 } as const;
/** Position of the logo, or of the icon before the name. */
const SIGN = { top: 42, height: 56 } as const;
const SIGN_BOX = `x="${EDGE}" y="${SIGN.top}" height="${SIGN.height}"`;

const TITLE: Style = {
  weight: 700,
  colour: LIGHT.ink,
  sizes: [
    [76, 3],
    [66, 3],
    [56, 3],
    [48, 4],
    [40, 5],
  ],
};
const BELOW: Style = {
  weight: 400,
  colour: LIGHT['ink-soft'],
  sizes: [
    [42, 1],
    [34, 3],
  ],
};

/** `null`: the poster has no such picture, or the picture's file was deleted. */
export type PosterFiles = Readonly<Record<'logo' | 'icon' | 'face', Uint8Array | null>>;

export const NO_FILES: PosterFiles = { logo: null, icon: null, face: null };

/** The poster's characters that only a font of the machine may have. */
export const machineCharacters = ({ brand, face, title, details }: Poster): readonly string[] =>
  charactersBeyondBuild([brand.name, title, ...details, face?.name ?? '']);

/**
 * If the fonts can't show the title, the poster shows the first detail instead (the app's name) or, if the fonts can't show
 * that either, the brand's name. Details that the fonts can't show are left out. Social networks show the complete title
 * next to the picture anyway.
 */
export function posterSvg(
  { brand, face, title, details }: Poster,
  files: PosterFiles,
  hasGlyphs?: HasGlyphs,
): string {
  const { light } = accentsOf(brand.accent);
  const name = drawable(brand.name, hasGlyphs);
  const drawnTitle = drawable(title, hasGlyphs);
  const drawnDetails = details.map((detail) => drawable(detail, hasGlyphs));
  const below = joinTitle(drawnDetails.filter((detail) => detail !== null));
  const texts = [
    [drawnTitle ?? drawnDetails[0] ?? name, TITLE],
    [drawnTitle === null || below === '' ? null : below, BELOW],
  ] as const;
  const blocks = texts.flatMap(([each, style]) => (each === null ? [] : [layOut(each, style, TEXT_WIDTH)]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="Inter, 'DejaVu Sans'">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${light['accent-soft']}"/>`,
    files.logo === null
      ? [
          files.icon === null
            ? `<g transform="translate(${EDGE} ${SIGN.top}) scale(1.75)" fill="${light.accent}">${MARK}</g>`
            : drawPlate(brand.icon) + image(files.icon, `${SIGN_BOX} width="${SIGN.height}"`),
          name === null ? '' : drawName(name, light['accent-ink']),
        ].join('')
      : drawPlate(brand.logo) +
        image(files.logo, `${SIGN_BOX} width="${BRAND.right - EDGE}" preserveAspectRatio="xMinYMid"`),
    drawTicket(light.accent, light['accent-line']),
    drawStub(face, files.face, { colour: light['on-accent'], hasGlyphs }),
    drawTexts(blocks),
    '</svg>',
  ].join('');
}

/** Posters look like the light theme. */
const isFaint = (picture: PictureFile | null): boolean => picture?.faintIn === 'light';

const PLATE = { padding: 8, corner: 12 } as const;

/** The plate behind a logo or icon that would hardly be visible. */
function drawPlate(picture: PictureFile | null): string {
  if (picture === null || !isFaint(picture)) return '';
  const { padding, corner } = PLATE;
  const width = Math.min((SIGN.height * picture.width) / picture.height, BRAND.right - EDGE);
  return `<rect x="${EDGE - padding}" y="${SIGN.top - padding}" width="${width + 2 * padding}" height="${SIGN.height + 2 * padding}" rx="${corner}" fill="${DARK.surface}"/>`;
}

function drawName(name: string, colour: string): string {
  const style = { size: BRAND_SIZE, weight: 700, colour } as const;
  const line = fitted(name, { ...style, width: BRAND.right - BRAND.left });
  return drawBlock({ ...style, text: name, lines: [line] }, BRAND);
}

/** Draws the text below the title and centres both vertically. Omits the lines of the text that don't fit. */
function drawTexts([title, below]: readonly Block[]): string {
  const space = TEXT.bottom - TEXT.top;
  const rest = space - (title === undefined ? 0 : heightOf(title) + GAP);
  const most = below === undefined ? 0 : Math.floor((rest / heightOf(below)) * below.lines.length);
  const blocks = [title, below && cutBlock(below, most, TEXT_WIDTH)].filter(
    (block) => block !== undefined && block.lines.length > 0,
  ) as readonly Block[];
  const height = blocks.reduce((sum, block) => sum + heightOf(block), GAP * (blocks.length - 1));
  let top = TEXT.top + (space - height) / 2;
  return blocks
    .map((block) => {
      const drawn = drawBlock(block, { ...TEXT, top });
      top += heightOf(block) + GAP;
      return drawn;
    })
    .join('');
}

function drawTicket(accent: string, line: string): string {
  const { left, top, right, bottom } = TICKET;
  const corner = (x: 1 | -1, y: 1 | -1) => `a${CORNER} ${CORNER} 0 0 1 ${x * CORNER} ${y * CORNER}`;
  const bodyRight = TEAR - NOTCH;
  const stubLeft = TEAR + NOTCH;
  const rightSide = `H${right - CORNER}${corner(1, 1)}V${bottom - CORNER}${corner(-1, 1)}H${stubLeft}`;
  const body = `M${left + CORNER} ${top}H${bodyRight}a${NOTCH} ${NOTCH} 0 0 0 ${NOTCH} ${NOTCH}V${bottom - NOTCH}a${NOTCH} ${NOTCH} 0 0 0-${NOTCH} ${NOTCH}H${left + CORNER}${corner(-1, -1)}V${top + CORNER}${corner(1, -1)}z`;
  const stub = `M${TEAR} ${top + NOTCH}a${NOTCH} ${NOTCH} 0 0 0 ${NOTCH}-${NOTCH}${rightSide}a${NOTCH} ${NOTCH} 0 0 0-${NOTCH}-${NOTCH}z`;
  return `<path d="${body}" fill="${LIGHT.surface}" stroke="${line}" stroke-width="2"/><path d="${stub}" fill="${accent}"/>`;
}

const FACE_SIDE = 160;
const FACE_CORNER = 36;

const image = (png: Uint8Array, attributes: string): string =>
  `<image ${attributes} href="data:image/png;base64,${Buffer.from(png).toString('base64')}"/>`;

interface StubStyle {
  readonly colour: string;
  readonly hasGlyphs: HasGlyphs | undefined;
}

function drawStub(face: Face | null, icon: Uint8Array | null, { colour, hasGlyphs }: StubStyle): string {
  const x = (TEAR + TICKET.right) / 2;
  const y = (TICKET.top + TICKET.bottom) / 2;
  const box = `x="${x - FACE_SIDE / 2}" y="${y - FACE_SIDE / 2}" width="${FACE_SIDE}" height="${FACE_SIDE}"`;
  const tile = (fill: string) =>
    `<rect ${box} rx="${FACE_CORNER}" fill="${fill}" stroke="${colour}" stroke-opacity=".4" stroke-width="3"/>`;
  if (icon !== null) {
    return [
      `<clipPath id="face"><rect ${box} rx="${FACE_CORNER}"/></clipPath>${tile(isFaint(face?.icon ?? null) ? DARK.surface : LIGHT.surface)}`,
      image(icon, `${box} clip-path="url(#face)"`),
    ].join('');
  }
  const initials = face === null ? null : drawable(initialsOf(face.name), hasGlyphs);
  if (face === null || initials === null) {
    return `<g transform="translate(${x - 72} ${y - 72}) scale(4.5)" fill="${colour}">${MARK}</g>`;
  }
  return `${tile(colourOf(face.name))}<text x="${x}" y="${y + 24}" font-size="66" font-weight="700" text-anchor="middle" fill="#ffffff">${escapeXml(initials)}</text>`;
}
