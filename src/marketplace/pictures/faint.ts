import { wcagLuminance } from 'culori';
import type { Theme } from '../../base/brand/brand.ts';
import { DARK, LIGHT } from '../../platform/colour/palette.ts';

/** Contrast below which a shape is hard to make out. WCAG asks for 3, but soft colors of a logo may have less. */
const LEAST_CONTRAST = 2;
/** Share of the visible pixels that may lack contrast, such as a light part of a colorful logo. */
const MAX_FAINT_SHARE = 1 / 3;
/** A picture with fewer transparent pixels has a background. */
const LEAST_TRANSPARENT_SHARE = 0.02;
const VISIBLE_ALPHA = 128;

const LINEAR = Float64Array.from({ length: 256 }, (_, value) =>
  wcagLuminance({ mode: 'rgb', r: value / 255, g: value / 255, b: value / 255 }),
);
const [RED, GREEN, BLUE] = [0.2126, 0.7152, 0.0722];

const contrast = (a: number, b: number): number => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

const BACKGROUNDS: Readonly<Record<Theme, number>> = {
  light: wcagLuminance(LIGHT.surface),
  dark: wcagLuminance(DARK.surface),
};

/** Where a picture with a transparent background is hardly visible; `null`: nowhere. `data`: RGBA bytes. */
export function faintIn(data: Uint8Array): Theme | null {
  const pixels = data.length / 4;
  let visible = 0;
  const faint: Record<Theme, number> = { light: 0, dark: 0 };
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3]! < VISIBLE_ALPHA) continue;
    visible += 1;
    const luminance =
      RED * LINEAR[data[at]!]! + GREEN * LINEAR[data[at + 1]!]! + BLUE * LINEAR[data[at + 2]!]!;
    for (const theme of ['light', 'dark'] as const) {
      if (contrast(luminance, BACKGROUNDS[theme]) < LEAST_CONTRAST) faint[theme] += 1;
    }
  }
  if (visible === 0 || visible > pixels * (1 - LEAST_TRANSPARENT_SHARE)) return null;
  const theme = faint.light > faint.dark ? 'light' : 'dark';
  return faint[theme] > visible * MAX_FAINT_SHARE ? theme : null;
}
