/** Builds dist/: program, page scripts, styles, fonts, and the licences and the list of libraries. Doesn't check types. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleClient, bundleProgram, NATIVE_LIBRARIES } from './bundle.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');
const CLIENT = join(DIST, 'client');
const { resolve } = createRequire(import.meta.url);
const STYLES = fileURLToPath(new URL('../src/pages/ui/styles/', import.meta.url));
const HTMX = resolve('htmx.org/dist/htmx.min.js');

/** Fonts for posters. Keep in sync with `src/marketplace/pictures/fonts/fonts.conf`, which is used in a checkout. */
const FONTS = [
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf',
  '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
  '@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf',
  '@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf',
  '@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
].map((name) => resolve(name));
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">.</dir></fontconfig>
`;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The folder of the package that contains a file; `null` for this project's files. */
const packageFolder = (file: string): string | null =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null;

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Name, version and licence of a package, with the texts of its licence and notice files. */
function licenceOf(folder: string): string {
  const { name, version, license } = manifestIn(folder);
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/** A package as a component of the bill of materials. */
function componentOf(folder: string) {
  const { name, version, license } = manifestIn(folder);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', name, version, purl, 'bom-ref': purl, licenses: [{ expression: license }] };
}

/**
 * In the format CycloneDX. `npm sbom --omit=dev` leaves out libraries that development tools use too, and adds
 * libraries that others could use.
 */
const billOfMaterials = (folders: readonly string[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { component: { ...componentOf(ROOT), type: 'application' } },
  components: folders.map(componentOf),
});

rmSync(DIST, { recursive: true, force: true });
const [chunks] = await Promise.all([bundleProgram(DIST), bundleClient(CLIENT)]);
cpSync(HTMX, join(CLIENT, 'htmx.js'));
cpSync(STYLES, join(DIST, 'styles'), { recursive: true });
const fonts = join(DIST, 'fonts');
for (const font of FONTS) cpSync(font, join(fonts, basename(font)));
writeFileSync(join(fonts, 'fonts.conf'), FONTS_CONF);
const natives = NATIVE_LIBRARIES.map((name) => resolve(name));
const files = [HTMX, ...FONTS, ...natives, ...chunks.flatMap(({ moduleIds }) => moduleIds)];
const folders = new Set(files.map(packageFolder).filter((folder) => folder !== null));
const libraries = [...folders].sort();
const rule = `\n\n${'-'.repeat(80)}\n\n`;
writeFileSync(join(DIST, 'LICENSES.txt'), `${libraries.map(licenceOf).join(rule)}\n`);
writeFileSync(join(DIST, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(libraries), null, 2)}\n`);
