import { wcagContrast } from 'culori';
import { expect, test } from 'vitest';
import { initialsOf, Monogram } from './monogram.tsx';
import { Picture, ThemedPicture } from './picture.tsx';

const hash = (digit: number) => String(digit).repeat(32);
const FILES = [
  { name: `${hash(1)}.avif`, width: 400, height: 225 },
  { name: `${hash(2)}.avif`, width: 800, height: 450 },
  { name: `${hash(3)}.webp`, width: 800, height: 450 },
  { name: `${hash(4)}.jpg`, width: 400, height: 225 },
  { name: `${hash(5)}.jpg`, width: 800, height: 450 },
];

test('a picture offers every format and size, and reserves space while it loads', () => {
  const markup = String(Picture({ files: FILES, alt: 'Notes "&" <more>', width: 320 }));
  expect(markup).toContain(
    `<source type="image/avif" srcset="/pictures/${hash(1)}.avif 400w, /pictures/${hash(2)}.avif 800w" sizes="(max-width: 320px) 100vw, 320px"/>`,
  );
  expect(markup.indexOf('image/avif')).toBeLessThan(markup.indexOf('image/webp'));
  expect(markup).toContain(`<img src="/pictures/${hash(5)}.jpg"`);
  expect(markup).toContain('width="320" height="180"');
  expect(markup).toContain('alt="Notes &quot;&amp;&quot; &lt;more&gt;"');
  expect(markup).toContain('loading="lazy"');
  expect(String(Picture({ files: FILES, alt: '', width: 320, isFirst: true }))).toContain('loading="eager"');
});

test('a picture has a plate in the theme in which it is faint, unless that theme shows another picture', () => {
  const faint = FILES.map((file) => ({ ...file, faintIn: 'dark' as const }));
  expect(String(Picture({ files: faint, alt: '', width: 64, shape: 'icon' }))).toContain(
    '<picture class="icon faint-in-dark">',
  );
  expect(String(Picture({ files: FILES, alt: '', width: 64 }))).toContain('<picture><source');
  const themed = (dark: typeof FILES | null) =>
    String(ThemedPicture({ picture: { light: faint, dark }, alt: '', height: 32, most: 200 }));
  expect(themed(null)).toContain('<picture class="themed faint-in-dark">');
  expect(themed(FILES)).toContain('<picture class="themed">');
});

test.each([
  ['acme tools for teams', 'AT'],
  ['  3D-Print', '3P'],
  ['élan', 'É'],
  ['e\u0301lan', 'É'],
  ['ßeta', 'SS'],
  ['日本語 ツール', '日ツ'],
  ['हिन्दी ऐप', 'हऐ'],
  ['Z̸̧̢̛ä̷l̴g̷o̶', 'Z'],
  ['🎟️', '?'],
  ['', '?'],
  ['\u202eevil', 'E'],
  ['<script>', 'S'],
])('the monogram of %j is %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('a monogram has a stable colour with enough contrast for white text', () => {
  const colours = new Set<string>();
  for (let at = 0; at < 200; at += 1) {
    const markup = String(Monogram({ name: `App ${at}`, size: 48 }));
    expect(markup).toBe(String(Monogram({ name: `App ${at}`, size: 48 })));
    expect(markup).not.toContain('style');
    colours.add(/fill="(#[0-9a-f]{6})"/.exec(markup)![1]!);
  }
  expect(colours.size).toBe(8);
  for (const colour of colours) expect(wcagContrast(colour, '#fff'), colour).toBeGreaterThan(7);
});
