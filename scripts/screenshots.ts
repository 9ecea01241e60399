/**
 * Takes the screenshots for the README and the tour in the documentation: starts the demo in a temporary folder, opens its sign-in links in Chromium and
 * saves each page, light and dark, to docs/screenshots/. `npm run screenshots` builds first. CHROMIUM_PATH selects a
 * different Chromium.
 */
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { serving } from '../test/app/cli/support.ts';
import { openBrowser, openProfile } from '../test/support/browser.ts';

const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));
const THEMES = ['light', 'dark'] as const;
/** Expression that waits two frames. By then, the browser has laid out tables for the new window size. */
const NEXT_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
/** Expression that waits until the images in the window are drawn. */
const IMAGES =
  'Promise.all([...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight).map((image) => image.decode()))';
const WIDTH = 1280;
/** Minimum and maximum height of a picture, in pixels. Taller pages are cropped. */
const MIN_HEIGHT = 680;
const MAX_HEIGHT = 1_000;
/** Maximum total size of the pictures. The size matters, because every clone of the repository contains them. */
const MAX_BYTES = 2_500_000;

type Role = 'stranger' | 'owner' | 'operator';

interface Picture {
  /** File name without theme and extension. */
  readonly name: string;
  readonly role: Role;
  /** Path of the first page. */
  readonly path: string;
  /** Links to follow, starting on that page. Each entry is part of a link's text. */
  readonly follow?: readonly string[];
}

const PICTURES: readonly Picture[] = [
  { name: 'marketplace', role: 'stranger', path: '/' },
  { name: 'claims', role: 'owner', path: '/dashboard/claims' },
  { name: 'campaigns', role: 'owner', path: '/dashboard/campaigns?listing=lumen-notes' },
  { name: 'keys', role: 'owner', path: '/dashboard/settings/keys' },
  { name: 'desk-listing', role: 'operator', path: '/desk/queue', follow: ['Brightside Fonts'] },
];

/** The fields of the demo's JSON output that this script uses. */
interface Demo {
  readonly url: string;
  readonly sign_in: Readonly<Record<Exclude<Role, 'stranger'>, string>>;
}

const dataDir = await mkdtemp(join(tmpdir(), 'claimcheck-screenshots-'));
try {
  const server = await serving(['demo'], { DATA_DIR: dataDir });
  const browser = await openBrowser({ machineFonts: true });
  try {
    await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    await takeAll(browser, JSON.parse(server.stdout()) as Demo);
  } finally {
    await browser.close();
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function takeAll(browser: Browser, demo: Demo): Promise<void> {
  let bytes = 0;
  const profiles = new Map<Role, BrowserContext>();
  for (const picture of PICTURES) {
    let profile = profiles.get(picture.role);
    if (profile === undefined) {
      profile = await openProfile(browser, { baseUrl: demo.url });
      profiles.set(picture.role, profile);
      if (picture.role !== 'stranger') await signIn(profile, demo.sign_in[picture.role]);
    }
    const page = await profile.newPage();
    await open(page, picture);
    for (const theme of THEMES) bytes += await take(page, picture.name, theme);
    await page.close();
  }
  process.stdout.write(`${PICTURES.length * THEMES.length} pictures, ${Math.ceil(bytes / 1024)} KiB\n`);
  if (bytes > MAX_BYTES)
    throw new Error(`The pictures take up ${bytes} bytes, more than the limit of ${MAX_BYTES}.`);
}

async function signIn(profile: BrowserContext, link: string): Promise<void> {
  const page = await profile.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in/link');
  await page.close();
}

async function open(page: Page, { path, follow = [] }: Picture): Promise<void> {
  const answer = await page.goto(path);
  if (answer?.status() !== 200) throw new Error(`GET ${path} returned ${answer?.status()}.`);
  for (const text of follow) {
    await page.locator('main').getByRole('link', { name: text }).first().click();
    await page.waitForLoadState('networkidle');
  }
}

/** Returns the size of the file in bytes. */
async function take(page: Page, name: string, theme: (typeof THEMES)[number]): Promise<number> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width: WIDTH, height: MIN_HEIGHT });
  const height = Math.min(MAX_HEIGHT, await page.evaluate<number>('document.body.scrollHeight'));
  await page.setViewportSize({ width: WIDTH, height });
  await page.evaluate(NEXT_FRAMES);
  await page.evaluate(IMAGES);
  const path = join(FOLDER, `${name}-${theme}.png`);
  await page.screenshot({ path, scale: 'css' });
  return (await stat(path)).size;
}
