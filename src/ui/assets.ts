/** Styles, scripts and the icon of the pages, each at an address made from its content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { MARK } from './icon.tsx';
import { STYLES } from './styles/styles.ts';

/** Our scripts, one file each in `client/`; `app` and `send` are on every page. */
const CLIENT_SCRIPTS = ['app', 'code', 'codes', 'passkey', 'send'] as const;

export type ScriptName = 'htmx' | (typeof CLIENT_SCRIPTS)[number];

export interface Asset {
  /** `/assets/<name>.<hash>.<ending>`: changed content has a new address, so browsers may cache it for ever. */
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

/** In the build the script is JavaScript already; from the sources its types are removed here. */
function clientScript(name: string): string {
  const text = readFileSync(new URL(`client/${name}.${IS_SOURCE ? 'ts' : 'js'}`, import.meta.url), 'utf8');
  return IS_SOURCE ? stripTypeScriptTypes(text) : text;
}

const htmxFile = IS_SOURCE
  ? createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')
  : new URL('client/htmx.js', import.meta.url);

export const STYLE_SHEET: Asset = asset('claimcheck', 'css', STYLES);

export const FAVICON: Asset = asset(
  'ticket',
  'svg',
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#2f8571">${MARK}</svg>`,
);

export const SCRIPTS = Object.fromEntries([
  ['htmx', asset('htmx', 'js', readFileSync(htmxFile, 'utf8'))],
  ...CLIENT_SCRIPTS.map((name) => [name, asset(name, 'js', clientScript(name))]),
]) as Readonly<Record<ScriptName, Asset>>;

export const ASSETS: readonly Asset[] = [STYLE_SHEET, FAVICON, ...Object.values(SCRIPTS)];
