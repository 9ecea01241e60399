/** Joins the files of `styles/` to the style sheet of every page. */
import { readFileSync } from 'node:fs';
import { DARK, DARK_ACCENT, LIGHT, LIGHT_ACCENT } from '../../platform/colour/palette.ts';

/** The files of each cascade layer, in order. A later layer wins regardless of specificity. */
export const LAYERS = {
  reset: ['reset'],
  tokens: ['tokens'],
  base: ['base'],
  layout: ['shell', 'mode-switch', 'site', 'work-shell', 'account-switch', 'menu', 'page-header', 'columns'],
  components: [
    ...['button', 'form', 'input', 'choice', 'filter-bar', 'tabs', 'dialog'],
    ...['card', 'badge', 'notice', 'ticket', 'picture', 'plan', 'app-card', 'market', 'ordered-list'],
    ...['empty', 'steps', 'facts', 'code', 'exchange', 'difference', 'breadcrumb', 'live', 'more', 'preview'],
    ...['table', 'table-narrow', 'table-cards', 'chart'],
    ...['docs', 'snippets'],
  ],
  utilities: ['utilities'],
};

/**
 * Kinds of tables, and the widths up to which their columns are narrow and their rows are cards. CSS has no variables
 * in conditions, so the rules of `table-narrow.css` are repeated for each kind.
 */
export const TABLES = [
  { table: '.table-box.several', narrow: '60rem', cards: '45.3rem' },
  { table: '.table-box.some', narrow: '48rem', cards: '32.5rem' },
  { table: '.table-box', narrow: '33rem', cards: '26rem' },
];

function textOf(name: string): string {
  const text = readFileSync(new URL(`styles/${name}.css`, import.meta.url), 'utf8');
  if (name !== 'table-narrow') return text;
  return TABLES.map(({ table, narrow, cards }) =>
    text.replaceAll('.table-box', table).replaceAll('33rem', narrow).replaceAll('26rem', cards),
  ).join('');
}

type Colours = Readonly<Record<string, string>>;

const rootOf = (colours: Colours): string =>
  `:root { ${Object.entries(colours)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ')} }`;

/** Rules that set colours of both themes. If they load after the style sheet, they override its colours. */
export const colourStyles = (light: Colours, dark: Colours): string =>
  `@layer tokens { ${rootOf(light)} @media screen and (prefers-color-scheme: dark) { ${rootOf(dark)} } }`;

/** `--plate` is the background of pictures that are hardly visible on the background of the theme. */
const COLOURS = colourStyles(
  { ...LIGHT, ...LIGHT_ACCENT, plate: DARK.surface },
  { ...DARK, ...DARK_ACCENT, plate: LIGHT.surface },
);

const layers = Object.entries(LAYERS).map(
  ([layer, names]) => `@layer ${layer} {\n${names.map(textOf).join('')}}\n`,
);

export const STYLES: string = [`@layer ${Object.keys(LAYERS).join(', ')};\n`, COLOURS, ...layers]
  .join('')
  // Strips comments, indentation, and white space in and after declarations.
  .replaceAll(/\/\*.*?(?:\*\/|$)/gs, '')
  .replaceAll(/\n\s*/g, '\n')
  .replaceAll(/^([\w-]+): /gm, '$1:')
  .replaceAll(';\n', ';');
