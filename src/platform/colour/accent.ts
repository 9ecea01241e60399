/** Derives the shades of an accent colour, with enough contrast for text. */
import {
  clampChroma,
  converter,
  formatHex,
  modeLrgb,
  modeOklab,
  modeOklch,
  modeRgb,
  type Oklch,
  parse,
  useMode,
  wcagContrast,
} from 'culori/fn';
import { type Message, message } from '../../platform/languages/translate.ts';
import { invalid } from '../errors.ts';
import { quote } from '../text/text.ts';
import { type Accent, DARK, DARK_ACCENT, LIGHT, LIGHT_ACCENT } from './palette.ts';

for (const mode of [modeRgb, modeLrgb, modeOklab, modeOklch]) useMode(mode as typeof modeRgb);
const toOklch = converter('oklch');

/** Minimum contrast of text (4.5 in WCAG 2.2, criterion 1.4.3) plus a margin for rounding. */
const TEXT_CONTRAST = 4.55;
/** Difference in lightness between consecutive colours that `readable` tries. Lightness ranges from 0 to 1. */
const STEP = 0.005;

export interface Accents {
  readonly light: Accent;
  readonly dark: Accent;
}

const DEFAULT: Accents = { light: LIGHT_ACCENT, dark: DARK_ACCENT };

const MAX_COLOUR_LENGTH = 60;

/** Converts a CSS colour (hexadecimal, named, rgb, oklab or oklch) to `#rrggbb`. Throws `invalid_request`. */
export function parseAccent(text: string): string {
  const typed = text.trim();
  const hex = /^[0-9a-f]{3}(?:[0-9a-f]{3})?$/i.test(typed) ? `#${typed}` : typed;
  const colour = hex.length > MAX_COLOUR_LENGTH ? undefined : parse(hex);
  if (colour === undefined || (colour.alpha ?? 1) < 1) {
    throw invalid(
      message('The accent colour must be a solid colour such as #17594d; found {text}.', {
        text: quote(typed),
      }),
    );
  }
  return formatHex(clampChroma(colour, 'oklch'));
}

/** Caches the last result, because every page needs the shades of the same accent colour. */
let last: { readonly accent: string; readonly accents: Accents } | null = null;

/** `accent`: a result of `parseAccent`, or `null` for the default. */
export function accentsOf(accent: string | null): Accents {
  if (accent === null || accent === LIGHT_ACCENT.accent) return DEFAULT;
  if (last?.accent !== accent) {
    const colour = toOklch(accent)!;
    last = { accent, accents: { light: lightAccent(accent, colour), dark: darkAccent(accent, colour) } };
  }
  return last.accents;
}

/** A sentence for each theme in which the colour is adjusted. */
export function accentAdjustments(accent: string | null): readonly Message[] {
  const { light, dark } = accentsOf(accent);
  if (accent === null) return [];
  return [
    light.accent !== accent &&
      message('{accent} is too light for white text, so buttons use {shade}.', {
        accent,
        shade: light.accent,
      }),
    dark.accent !== accent &&
      message('{accent} is too dark for dark pages, so buttons there use {shade}.', {
        accent,
        shade: dark.accent,
      }),
  ].filter((sentence) => sentence !== false);
}

const backgroundsOf = (theme: typeof LIGHT | typeof DARK, soft: string): readonly string[] => [
  soft,
  ...(['paper', 'surface', 'sunken', 'hover', 'good-soft', 'warn-soft', 'bad-soft'] as const).map(
    (name) => theme[name],
  ),
];

function lightAccent(accent: string, colour: Oklch): Accent {
  const soft = tint(colour, 0.935, 0.035);
  const main = readable(accent, -STEP, ['#ffffff']);
  const ink = readable(main, -STEP, backgroundsOf(LIGHT, soft));
  const { l } = toOklch(main)!;
  return {
    accent: main,
    'accent-hover': shifted(main, l > 0.2 ? -0.07 : 0.12),
    'on-accent': '#ffffff',
    'accent-ink': ink,
    'accent-soft': soft,
    'accent-line': tint(colour, 0.81, 0.06),
    focus: ink,
    'chart-1': main,
  };
}

function darkAccent(accent: string, colour: Oklch): Accent {
  const soft = tint(colour, 0.3, 0.045);
  const onAccent = tint(colour, 0.22, 0.034);
  const main = readable(accent, STEP, [onAccent, DARK.paper, DARK.surface]);
  const ink = readable(main, STEP, backgroundsOf(DARK, soft));
  const { l } = toOklch(main)!;
  return {
    accent: main,
    'accent-hover': shifted(main, l < 0.93 ? 0.06 : -0.08),
    'on-accent': onAccent,
    'accent-ink': ink,
    'accent-soft': soft,
    'accent-line': tint(colour, 0.46, 0.065),
    focus: ink,
    'chart-1': main,
  };
}

const hexOf = (colour: Oklch): string => formatHex(clampChroma(colour, 'oklch'));

/** The same hue with lightness `l` and a chroma of at most `maxChroma`. */
const tint = (colour: Oklch, l: number, maxChroma: number): string =>
  hexOf({ ...colour, l, c: Math.min(colour.c, maxChroma) });

function shifted(hex: string, by: number): string {
  const colour = toOklch(hex)!;
  return hexOf({ ...colour, l: Math.min(1, Math.max(0, colour.l + by)) });
}

/** The colour, or the nearest darker (negative `step`) or lighter one with enough contrast; else black or white. */
function readable(hex: string, step: number, backgrounds: readonly string[]): string {
  const fits = (text: string) => backgrounds.every((back) => wcagContrast(text, back) >= TEXT_CONTRAST);
  if (fits(hex)) return hex;
  const colour = toOklch(hex)!;
  for (let l = colour.l + step; l > 0 && l < 1; l += step) {
    const tried = hexOf({ ...colour, l });
    if (fits(tried)) return tried;
  }
  return step < 0 ? '#000000' : '#ffffff';
}
