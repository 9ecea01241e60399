import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { accentsOf } from '../../platform/colour/accent.ts';
import { MARK } from './icon.tsx';
import { colourStyles, MORE_STYLES, type MoreStyles, STYLES } from './style-sheet.ts';

/** Scripts in `client/`. Every page loads `app` and `send`. */
const CLIENT_SCRIPTS = ['app', 'challenge', 'chart', 'code', 'codes', 'passkey', 'picture', 'send'] as const;

export type ScriptName = 'htmx' | (typeof CLIENT_SCRIPTS)[number];

interface Asset {
  /** `/assets/<name>.<hash>.<ending>`. The path changes with the content, so browsers may cache the file forever. */
  readonly path: string;
  readonly contentType: string;
  readonly text: string;
}

export const ASSETS_PATH = '/assets';

const HASH_CHARACTERS = 12;

const CONTENT_TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

function asset(name: string, ending: keyof typeof CONTENT_TYPES, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS);
  return { path: `${ASSETS_PATH}/${name}.${hash}.${ending}`, contentType: CONTENT_TYPES[ending], text };
}

const IS_SOURCE = import.meta.url.endsWith('.ts');

/** In a build, the scripts are JavaScript. In a source checkout, they are TypeScript, and the types are stripped. */
function clientScript(name: string): string {
  const text = readFileSync(new URL(`client/${name}.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url), 'utf8');
  return IS_SOURCE ? stripTypeScriptTypes(text) : text;
}

const htmxFile = IS_SOURCE
  ? createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')
  : new URL('client/htmx.js', import.meta.url);

export const STYLE_SHEET: Asset = asset('claimcheck', 'css', STYLES);

export const MORE_STYLE_SHEETS: Readonly<Record<MoreStyles, Asset>> = {
  work: asset('work', 'css', MORE_STYLES.work),
  docs: asset('docs', 'css', MORE_STYLES.docs),
};

const icon = (name: string, colour: string): Asset =>
  asset(
    name,
    'svg',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="${colour}">${MARK}</svg>`,
  );

const FAVICON: Asset = icon('ticket', '#2f8571');

export const SCRIPTS = Object.fromEntries([
  ['htmx', asset('htmx', 'js', readFileSync(htmxFile, 'utf8'))],
  ...CLIENT_SCRIPTS.map((name) => [name, asset(name, 'js', clientScript(name))]),
]) as Readonly<Record<ScriptName, Asset>>;

/** `accent`: `#rrggbb`; `null` for the default colour. */
export const iconOf = (accent: string | null): Asset =>
  accent === null ? FAVICON : icon(`ticket-${accent.slice(1)}`, accent);

/** Loaded after the style sheet if the brand has an accent colour. */
export function accentSheet(accent: string): Asset {
  const { light, dark } = accentsOf(accent);
  return asset(`accent-${accent.slice(1)}`, 'css', colourStyles(light, dark));
}

const ACCENT_PATH = new RegExp(`^${ASSETS_PATH}/(accent|ticket)-([0-9a-f]{6})\\.`);

/** Generates the file from the colour in the path, so every process can serve every colour. `null`: unknown path. */
export function accentAssetAt(path: string): Asset | null {
  const [, name, colour] = ACCENT_PATH.exec(path) ?? [];
  if (colour === undefined) return null;
  const asset = name === 'accent' ? accentSheet(`#${colour}`) : iconOf(`#${colour}`);
  return asset.path === path ? asset : null;
}

export const ASSETS: readonly Asset[] = [
  STYLE_SHEET,
  ...Object.values(MORE_STYLE_SHEETS),
  FAVICON,
  ...Object.values(SCRIPTS),
];
