/** Design tokens as custom properties: the colours of `src/platform/colour/palette.ts`, fonts, sizes and spacing. */
import type { Accents } from '../../../platform/colour/accent.ts';
import { type Accent, DARK, DARK_ACCENT, LIGHT, LIGHT_ACCENT } from '../../../platform/colour/palette.ts';

const propertiesOf = (colours: Readonly<Record<string, string>>): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');

export const TOKENS = `
@layer tokens {
:root {
  color-scheme: light dark;

  ${propertiesOf({ ...LIGHT, ...LIGHT_ACCENT })}
  --shadow: 0 1px 2px rgb(60 50 30 / .06), 0 2px 8px rgb(60 50 30 / .05);
  --shadow-high: 0 4px 12px rgb(60 50 30 / .1), 0 16px 40px rgb(60 50 30 / .16);
  --veil: rgb(34 31 26 / .35);

  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1rem; --s5: 1.5rem; --s6: 2rem; --s7: 3rem; --s8: 4.5rem;
  --text-xs: .75rem; --text-s: .875rem; --text-m: 1rem; --text-l: 1.125rem; --text-xl: 1.375rem; --text-2xl: 1.75rem; --text-3xl: 2.25rem;
  --radius-s: 5px; --radius: 8px; --radius-l: 12px;
  --sans: Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'Segoe UI Mono', Menlo, Consolas, monospace;
  --control: 2.25rem;
  --measure: 42rem;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    ${propertiesOf({ ...DARK, ...DARK_ACCENT })}
    --shadow: 0 1px 2px rgb(0 0 0 / .4);
    --shadow-high: 0 4px 12px rgb(0 0 0 / .4), 0 16px 40px rgb(0 0 0 / .5);
    --veil: rgb(0 0 0 / .55);
  }
}
@media (max-width: 48rem) {
  :root { --control: 2.75rem; --text-3xl: 1.75rem; --text-2xl: 1.5rem; }
}
}
`;

/** The style sheet of a brand's accent colour. Must load after the main style sheet, to override its accent tokens. */
export const accentStyles = ({ light, dark }: Accents): string =>
  `@layer tokens { ${rootOf(light)} @media screen and (prefers-color-scheme: dark) { ${rootOf(dark)} } }`;

const rootOf = (accent: Accent): string => `:root { ${propertiesOf(accent)} }`;
