/** The demo's pictures. Lumen Sketch has no icon, so that the demo also has a listing that shows initials. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { EncodedFile } from '../../marketplace/pictures/encode.ts';
import { siblingModule } from '../../platform/store/batch.ts';
import type { Drawing } from './picture-process.ts';

interface DemoPicture extends Drawing {
  /** Slug of the listing, or name of the offer. */
  readonly of: string;
}

const svg = (width: number, height: number, view: string, inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${view}">${inside}</svg>`;

const icon = (of: string, back: string, inside: string): DemoPicture => ({
  of,
  kind: 'icon',
  svg: svg(256, 256, '64 64', `<path fill="${back}" d="M0 0h64v64H0z"/>${inside}`),
});

const wide = (
  of: string,
  kind: 'cover' | 'offer',
  from: string,
  to: string,
  inside: string,
): DemoPicture => ({
  of,
  kind,
  svg: svg(
    800,
    450,
    '800 450',
    `<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><path fill="url(#g)" d="M0 0h800v450H0z"/>${inside}`,
  ),
});

const lines = (x: number, y: number, width: number, gap: number): string =>
  [1, 0.86, 0.94, 0.52]
    .map(
      (part, line) =>
        `<rect x="${x}" y="${y + line * gap}" width="${width * part}" height="${gap / 3}" rx="${gap / 6}"/>`,
    )
    .join('');
const HILLS = `<circle cx="610" cy="130" r="56" fill="#ffe3a8"/><path fill="#2c5a66" d="M0 450V330l150-120 130 110 110-150 190 190 100-70 120 90v70z"/><path fill="#173b45" d="M0 450v-60l210-90 190 100 170-80 230 90v40z"/>`;
const RAYS = Array.from(
  { length: 12 },
  (_, ray) => `<path d="M400 -90v-70" transform="translate(0 225) rotate(${ray * 30} 400 0)"/>`,
).join('');

const STROKE = 'stroke-width="4.500" stroke-linecap="round" stroke-linejoin="round"';

/** Slug → colours of the background and the lines, the icon's lines, and the second colour of the cover, if any. */
const APPS: Readonly<
  Record<string, readonly [back: string, front: string, drawing: string, coverEnd: string | null]>
> = {
  marginalia: ['#6b3f5b', '#fff', '<path d="M14 14h24v36H14zM20 24h12M20 32h12M48 18v28l4 6"/>', '#b98aa7'],
  quire: [
    '#2f3a4a',
    '#f3e9d2',
    '<path d="M16 50V18q16-10 16 2q0-12 16-2v32q-16-8-16 0q0-8-16 0zM32 20v30"/>',
    null,
  ],
  'contact-sheet': [
    '#1f1f24',
    '#f2b632',
    '<path d="M12 14h40v36H12zM12 26h40M12 38h40M25 14v36M39 14v36"/>',
    '#5b5b66',
  ],
  'night-sky': [
    '#14213d',
    '#ffe3a8',
    '<path d="M40 14a18 18 0 1 0 10 26a14 14 0 0 1-10-26zM50 14v6M47 17h6M16 16v4M14 18h4"/>',
    '#4a5f94',
  ],
  'morning-post': ['#a8462f', '#fff', '<path d="M12 20h40v28H12zM12 20l20 16l20-16M22 12h20"/>', null],
  footnote: ['#275d57', '#fff', '<path d="M14 18h36M14 28h28M14 46h36M46 28v6M43 31h6"/>', null],
  tessera: [
    '#c98d3c',
    '#221f1a',
    '<path d="M32 10l19 11v22L32 54L13 43V21zM32 10v44M13 21l38 22M51 21L13 43"/>',
    '#e8c98f',
  ],
  swatchbook: ['#4b6b3a', '#fff', '<path d="M14 50L22 14h12L26 50zM26 50L42 20l9 6L26 50zM14 50h38"/>', null],
  vokabel: [
    '#8a2f4d',
    '#ffe3a8',
    '<path d="M14 18h36v22H34L24 50V40H14zM23 29h.1M32 29h.1M41 29h.1"/>',
    '#c77f95',
  ],
  darkroom: [
    '#5a1f1f',
    '#ffd9c7',
    '<path d="M14 18h36v28H14zM14 36l10-9l9 8l6-5l11 10M41 25h.1M20 12v6M32 12v6M44 12v6"/>',
    '#a8503f',
  ],
  'chord-garden': [
    '#3f6b4f',
    '#ffe3a8',
    '<path d="M32 54V26M32 38q-14 0-14-14q14 0 14 14M32 30q0-16 14-16q0 16-14 16"/>',
    null,
  ],
  'field-guide': [
    '#3a5a7a',
    '#fff',
    '<path d="M12 38q4-16 20-16q4-8 12-6l6 4l-6 3q2 21-18 21H12l10-8M42 20h.1"/>',
    '#9db9d1',
  ],
};

export const DRAWN_APPS = Object.keys(APPS);

export const DEMO_PICTURES: readonly DemoPicture[] = [
  icon('lumen-notes', '#17594d', `<g fill="#fff">${lines(15, 17, 34, 8.5)}</g>`),
  icon(
    'lumen-photos',
    '#3d4f8a',
    '<circle cx="43" cy="21" r="7" fill="#ffe3a8"/><path fill="#fff" d="M8 50l16-22 11 14 7-8 14 16z"/>',
  ),
  icon(
    'brightside',
    '#f2b632',
    '<circle cx="32" cy="32" r="11" fill="#fff"/><g stroke="#fff" stroke-width="4" stroke-linecap="round"><path d="M32 9v5M32 50v5M9 32h5M50 32h5M16 16l3.500 3.500M44.500 44.500L48 48M48 16l-3.500 3.500M19.500 44.500L16 48"/></g>',
  ),
  icon(
    'brightside-fonts',
    '#8f2f22',
    '<path fill="none" stroke="#fff" stroke-width="6" d="M16 50L32 14l16 36M22 38h20"/>',
  ),
  wide(
    'lumen-notes',
    'cover',
    '#123f38',
    '#3a8a78',
    `<g fill="#fff"><g fill-opacity=".16"><rect x="430" y="60" width="290" height="360" rx="18" transform="rotate(7 575 240)"/></g><rect x="190" y="70" width="330" height="400" rx="18"/></g><g fill="#b9d6cf">${lines(230, 130, 250, 42)}${lines(230, 318, 250, 42)}</g>`,
  ),
  wide('lumen-photos', 'cover', '#7fa9c9', '#f3c98b', HILLS),
  wide(
    'brightside',
    'cover',
    '#f6d365',
    '#f0883e',
    `<circle cx="400" cy="225" r="64" fill="#fff"/><g fill="none" stroke="#fff" stroke-width="14" stroke-linecap="round">${RAYS}</g>`,
  ),
  wide(
    'credit',
    'offer',
    '#3d4f8a',
    '#9aa9dd',
    '<rect x="300" y="40" width="200" height="290" fill="#fff"/><path fill="#3d4f8a" d="M320 250l50-80 34 50 22-30 54 60v60H320z"/><circle cx="440" cy="110" r="24" fill="#f2b632"/>',
  ),
  ...Object.entries(APPS).flatMap(([slug, [back, front, drawing, coverEnd]]) => [
    icon(slug, back, `<g fill="none" stroke="${front}" ${STROKE}>${drawing}</g>`),
    ...(coverEnd === null
      ? []
      : [
          wide(
            slug,
            'cover',
            back,
            coverEnd,
            `<g fill="none" stroke="${front}" ${STROKE} transform="translate(255 80) scale(4.500)">${drawing}</g>`,
          ),
        ]),
  ]),
];

/** Files of each picture, in the order of `DEMO_PICTURES`; `null` if this machine cannot encode pictures. */
export type DemoFiles = readonly (readonly EncodedFile[])[] | null;

export async function encodeDemoPictures(): Promise<DemoFiles> {
  const child = fork(fileURLToPath(siblingModule(import.meta.url, 'picture-process')), {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const response = Promise.withResolvers<DemoFiles>();
  child.once('message', (files: DemoFiles) => response.resolve(files));
  // The message comes first if the process succeeds.
  for (const failure of ['error', 'exit']) child.once(failure, () => response.resolve(null));
  child.send(DEMO_PICTURES satisfies readonly Drawing[], () => {});
  const files = await response.promise;
  child.kill('SIGKILL');
  return files;
}
