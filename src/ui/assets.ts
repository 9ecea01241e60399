/** Styles and scripts of the pages: what each holds and the address that its content gives it. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { STYLES } from './styles/styles.ts';

/** Our own scripts, one file each in `client/`; `app` is on every page. */
const CLIENT_SCRIPTS = ['app'] as const;

export type ScriptName = 'htmx' | (typeof CLIENT_SCRIPTS)[number];

export interface Asset {
  /** `/assets/<name>.<hash>.<ending>`: another content has another address, so it may be kept for ever. */
  readonly path: string;
  readonly contentType: string;
  readonly text: string;
}

export const ASSETS_PATH = '/assets';

/** Hexadecimal characters of the content's SHA-256 in its address. */
const HASH_CHARACTERS = 12;

function asset(name: string, ending: 'css' | 'js', text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS);
  const contentType = ending === 'css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  return { path: `${ASSETS_PATH}/${name}.${hash}.${ending}`, contentType, text };
}

/** Built, the script lies beside as JavaScript; from the sources its types are taken out here. */
function clientScript(name: string): string {
  const isSource = import.meta.url.endsWith('.ts');
  const text = readFileSync(new URL(`client/${name}.${isSource ? 'ts' : 'js'}`, import.meta.url), 'utf8');
  return isSource ? stripTypeScriptTypes(text) : text;
}

const htmx = readFileSync(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js'), 'utf8');

export const STYLE_SHEET: Asset = asset('claimcheck', 'css', STYLES);

export const SCRIPTS: Readonly<Record<ScriptName, Asset>> = {
  htmx: asset('htmx', 'js', htmx),
  app: asset('app', 'js', clientScript('app')),
};

export const ASSETS: readonly Asset[] = [STYLE_SHEET, ...Object.values(SCRIPTS)];
