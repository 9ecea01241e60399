/** Joins the files of `styles/` to style sheets: one for all pages, and others for those that need more. */
import { readFileSync } from 'node:fs';
import { DARK, DARK_ACCENT, LIGHT, LIGHT_ACCENT } from '../../platform/colour/palette.ts';

type Layers = Readonly<Record<string, readonly string[]>>;

/** The files of each cascade layer, in order. A later layer wins regardless of specificity. */
const LAYERS: Layers = {
  reset: ['reset'],
  tokens: ['tokens'],
  base: ['base'],
  layout: ['shell', 'segments', 'site', 'menu', 'page-header', 'columns'],
  components: [
    ...['button', 'form', 'input', 'choice', 'filter-bar', 'tabs', 'dialog'],
    ...['card', 'badge', 'notice', 'ticket', 'picture', 'plan', 'app-card', 'market', 'ordered-list'],
    ...['empty', 'steps', 'facts', 'code', 'difference', 'breadcrumb', 'live', 'more'],
    ...['table', 'table-narrow', 'table-cards'],
  ],
  utilities: ['utilities'],
};

/** Sheets that only some pages load, after the sheet of all pages. */
const MORE_LAYERS = {
  /** The dashboard and the desk. */
  work: { layout: ['work-shell', 'account-switch'], components: ['exchange', 'preview', 'chart'] },
  docs: { components: ['docs', 'snippets'] },
} satisfies Readonly<Record<string, Layers>>;

export type MoreStyles = keyof typeof MORE_LAYERS;

export const STYLE_FILES: readonly string[] = [LAYERS, ...Object.values<Layers>(MORE_LAYERS)].flatMap(
  (layers) => Object.values(layers).flat(),
);

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

/** Rules that set colours of both themes. If they load after the style sheet, they override its colours. */
export const colourStyles = <Name extends string>(
  light: Readonly<Record<Name, string>>,
  dark: Readonly<Record<Name, string>>,
): string =>
  `@layer tokens{:root{${(Object.keys(light) as Name[])
    .map((name) => `--${name}:light-dark(${light[name]},${dark[name]});`)
    .join('')}}}`;

/** `--plate` is the background of pictures that are hardly visible on the background of the theme. */
const COLOURS = colourStyles(
  { ...LIGHT, ...LIGHT_ACCENT, plate: DARK.surface },
  { ...DARK, ...DARK_ACCENT, plate: LIGHT.surface },
);

const rulesOf = (layers: Layers): string =>
  Object.entries(layers)
    .map(([layer, names]) => `@layer ${layer} {\n${names.map(textOf).join('')}}\n`)
    .join('');

/** Strips comments, and white space between rules and declarations. */
const minified = (text: string): string =>
  text
    .replaceAll(/\/\*.*?(?:\*\/|$)/gs, '')
    .replaceAll(/\n\s*/g, '\n')
    .replaceAll(/^([\w-]+): /gm, '$1:')
    .replaceAll(/ (\{)\n|(,)\n/g, '$1$2')
    .replaceAll(/;?\n?\}\n?/g, '}')
    .replaceAll(';\n', ';');

export const STYLES: string = minified(
  `@layer ${Object.keys(LAYERS).join(', ')};\n${COLOURS}${rulesOf(LAYERS)}`,
);

export const MORE_STYLES: Readonly<Record<MoreStyles, string>> = {
  work: minified(rulesOf(MORE_LAYERS.work)),
  docs: minified(rulesOf(MORE_LAYERS.docs)),
};
