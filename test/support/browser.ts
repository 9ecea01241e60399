/** Opens pages in Chromium and checks how they look in every theme and width. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { appearedFindings, axeFindings, colorFindings, KEEP_VISIBLE, layoutFindings } from './axe.ts';

/**
 * Usual paths of Chromium; CHROMIUM_PATH overrides them. The headless shell comes first, because it uses half the CPU
 * time.
 */
const KNOWN_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Arguments that allow connections only to this machine and keep the number of processes low. Optimizing compilers don't
 * pay off on pages that close within a second, and the bytecode of axe is kept for the next page.
 */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--no-zygote',
  '--process-per-site',
  '--renderer-process-limit=1',
  '--js-flags=--no-opt --no-maglev --no-flush-bytecode',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.*, EXCLUDE localhost',
];

/** Path of Chromium; `null` if it is not installed. */
export const CHROMIUM: string | null =
  [process.env['CHROMIUM_PATH'], ...KNOWN_PATHS].find((path) => path !== undefined && existsSync(path)) ??
  null;

if (CHROMIUM === null) {
  process.stderr.write(
    '\nChromium was not found: browser tests are skipped. Install it, or set CHROMIUM_PATH.\n\n',
  );
}

/** Fontconfig settings that make the tests independent of the machine's fonts. */
const FONTS = fileURLToPath(new URL('fonts.conf', import.meta.url));

/** Window widths in CSS pixels that every page must fit, from a full screen to a phone. */
const WIDTHS = [1280, 1100, 1024, 820, 700, 320] as const;
/** Widths at which axe checks a page. The colors are checked in both themes. */
const DESK_WIDTH = 1280;
const PHONE_WIDTH = 320;

const heightOf = (width: number): number => (width < 640 ? 640 : 900);

interface BrowserOptions {
  /** If true, the browser uses the machine's fonts, for screenshots that people look at. */
  readonly machineFonts?: boolean;
  /**
   * If false, no frames are drawn, which saves a quarter of the CPU time. Clicks then hang, because they wait for a
   * frame; layout, styles, scripts and the keyboard still work.
   */
  readonly drawsFrames?: boolean;
}

/** The browsers of this process. Key: whether the browser draws frames. */
const launched = new Map<boolean, Promise<Browser>>();

/**
 * Returns a shared Chromium that exits with this process, so callers close only their profiles. Throws if Chromium is
 * not installed: skip the tests with `describe.skipIf(CHROMIUM === null)`.
 */
export async function openBrowser(options: BrowserOptions = {}): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('Chromium is not installed.');
  const { machineFonts = false, drawsFrames = true } = options;
  const running = await launched.get(drawsFrames);
  if (running?.isConnected() === true) return running;
  const args = drawsFrames ? ARGUMENTS : [...ARGUMENTS, '--enable-begin-frame-control'];
  const own = machineFonts ? {} : { FONTCONFIG_FILE: FONTS };
  const env = { ...process.env, ...own } as Record<string, string>;
  const browser = chromium.launch({ executablePath: CHROMIUM, args, env, headless: true });
  launched.set(drawsFrames, browser);
  return browser;
}

/** A browser for tests that do not click. It draws frames only if screenshots are saved. */
export const openLooker = (): Promise<Browser> =>
  openBrowser({ drawsFrames: process.env['SCREENSHOTS'] !== undefined });

interface ProfileOptions {
  readonly javaScript?: boolean;
  readonly baseUrl: string;
}

/** Opens a new browser profile without cookies. */
export const openProfile = (browser: Browser, options: ProfileOptions): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: options.baseUrl,
    viewport: { width: 1280, height: heightOf(1280) },
    javaScriptEnabled: options.javaScript ?? true,
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });

interface OpenPage {
  readonly page: Page;
  /** Errors reported by the browser so far. */
  readonly faults: readonly string[];
  /** Resets the window for the next page. */
  leave(): Promise<void>;
}

export interface Visitor {
  open(path: string, javaScript?: boolean, cookies?: Cookies): Promise<OpenPage>;
  /** Opens a path, runs `work` on the page and leaves the page. */
  visit<T>(
    path: string,
    work: (page: Page, faults: readonly string[]) => Promise<T>,
    javaScript?: boolean,
    cookies?: Cookies,
  ): Promise<T>;
  /** Returns the findings of `pageFindings` and the errors reported by the browser. */
  look(path: string, name: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

type Cookies = Parameters<BrowserContext['addCookies']>[0];

/**
 * Reuses one window with JavaScript and one without, because opening a window takes several times as long as opening a
 * page. Cookies, storage, permissions, routes and listeners are cleared between visits. The browser is launched at the
 * first visit.
 */
export function createVisitor(baseUrl: string, launch: () => Promise<Browser> = openBrowser): Visitor {
  let looker: Visitor | null = null;
  const windows = new Map<boolean, Page>();
  /** Windows with an open page. If a test failed before it left its page, the next visit resets the window. */
  const inUse = new Set<Page>();
  const windowOf = async (javaScript: boolean): Promise<Page> => {
    const page = windows.get(javaScript);
    if (page !== undefined) {
      if (inUse.has(page)) await forget(page);
      return page;
    }
    const opened = await (await openProfile(await launch(), { baseUrl, javaScript })).newPage();
    windows.set(javaScript, opened);
    return opened;
  };
  const open: Visitor['open'] = async (path, javaScript = true, cookies = []) => {
    const page = await windowOf(javaScript);
    inUse.add(page);
    const faults = collectFaults(page);
    await page.context().addCookies(cookies);
    await page.goto(path);
    return {
      page,
      faults,
      leave: async () => {
        await forget(page);
        inUse.delete(page);
      },
    };
  };
  return {
    open,
    visit: async (path, work, javaScript, cookies) => {
      const { page, faults, leave } = await open(path, javaScript, cookies);
      try {
        return await work(page, faults);
      } finally {
        await leave();
      }
    },
    look: (path, name) => {
      looker ??= createVisitor(baseUrl, openLooker);
      return looker.visit(path, async (page, faults) => [...(await pageFindings(page, name)), ...faults]);
    },
    close: async () => {
      await looker?.close();
      for (const page of windows.values()) await page.context().close();
    },
  };
}

async function forget(page: Page): Promise<void> {
  for (const event of ['console', 'pageerror', 'request', 'response', 'dialog'] as const) {
    page.removeAllListeners(event);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // The script throws on the browser's own pages, because these pages have no storage.
  await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => {});
  await openBlank(page);
  await page.context().clearCookies();
  await page.context().clearPermissions();
  await page.setViewportSize({ width: 1280, height: heightOf(1280) });
  await page.emulateMedia({ colorScheme: null });
}

const MAX_INTERRUPTIONS = 5;

/** Leaves the page even if it is still loading another page, for example after a click or a redirect of its script. */
async function openBlank(page: Page): Promise<void> {
  for (let interruptions = 1; ; interruptions += 1) {
    try {
      await page.goto('about:blank');
      return;
    } catch (error) {
      const isInterrupted = /interrupted by another navigation|ERR_ABORTED/.test(String(error));
      if (!isInterrupted || interruptions === MAX_INTERRUPTIONS) throw error;
      // The other navigation may still be in progress. It ends with a page, an error or a download.
      await page.waitForLoadState().catch(() => {});
    }
  }
}

/** Collects errors reported by the browser: policy violations, script errors and assets that fail to load. */
export function collectFaults(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  return faults;
}

/** Waits until the page's script has shown the response to a form, or the browser has followed a redirect. */
export const answered = (page: Page): Promise<void> =>
  page.locator('form[data-sent]').waitFor({ state: 'detached' });

/** Clicks a button of a form and waits for the response. */
export async function press(page: Page, button: Locator): Promise<void> {
  await button.click();
  await answered(page);
}

export interface Looks {
  /** Resets the number of requests to zero. */
  begin(): void;
  /**
   * Returns the maximum time since `begin` on a machine without delays: the number of requests times the polling
   * interval, but at least one interval plus 50 ms. A verification may reach the request log only after 50 ms, and the
   * page's next request may follow a full interval later.
   */
  elapsedMs(): number;
}

/** Counts how often the page polls `path`. */
export async function countLooks(page: Page, path: string): Promise<Looks> {
  const trigger = await page.locator('[hx-trigger]').getAttribute('hx-trigger');
  const everyMs = Number(/every (\d+)ms/.exec(trigger!)![1]);
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes(path)) count += 1;
  });
  return {
    begin: () => {
      count = 0;
    },
    elapsedMs: () => Math.max(count * everyMs, 50 + everyMs),
  };
}

// Code that runs in the page is written as strings, because the tests are compiled without DOM types.
const OVERFLOWS = `(() => {
  const width = document.documentElement.clientWidth;
  const pageWidth = document.documentElement.scrollWidth;
  const shown = (element) => element.outerHTML.slice(0, 120);
  const isWide = (element) => {
    const { left, right } = element.getBoundingClientRect();
    return right > width + 0.5 || left < -0.5;
  };
  const boxes = [...document.querySelectorAll('.table-box, .card, .notice, .steps, .badge, .button, main')];
  return [
    ...(pageWidth <= width ? [] : [
      'The page is ' + pageWidth + ' pixels wide in a window of ' + width + '.',
      ...[...document.querySelectorAll('body *')].filter(isWide).slice(0, 5).map(shown),
    ]),
    ...boxes
      .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
      .map((box) => box.scrollWidth - box.clientWidth + ' pixels too wide for its box: ' + shown(box)),
  ];
})()`;

const OPEN_DETAILS = `for (const more of document.querySelectorAll('details:not([open])')) {
  more.open = true;
  more.dataset.opened = '';
}`;
const CLOSE_DETAILS = `for (const more of document.querySelectorAll('details[data-opened]')) {
  more.open = false;
  delete more.dataset.opened;
}`;

/** One line per control less than 44 px high (WCAG 2.2, 2.5.5). Links in text are exempt. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, summary, select, input:not([type=hidden], [type=checkbox], [type=radio]), a.button')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().height < 43.5)
  .map((element) => 'less than 44 pixels high: ' + element.outerHTML.slice(0, 120))`;

/** One line per field with text below 16 px, because iPhones zoom into such a field and don't zoom out again. */
const SMALL_FIELDS = `[...document.querySelectorAll('select, textarea:read-write, input:read-write')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && parseFloat(getComputedStyle(element).fontSize) < 16)
  .map((element) => 'text smaller than 16 pixels: ' + element.outerHTML.slice(0, 120))`;

/** One line per element that is wider than the page or its box. */
export const overflows = (page: Page): Promise<readonly string[]> => page.evaluate(OVERFLOWS);

export async function overflowsOnPhone(page: Page): Promise<readonly string[]> {
  await page.setViewportSize({ width: PHONE_WIDTH, height: heightOf(PHONE_WIDTH) });
  return overflows(page);
}

/**
 * Checks the layout at every width, and accessibility and colors at `DESK_WIDTH` and `PHONE_WIDTH`, with all `details`
 * open. The colors are checked in both themes. Returns one line per finding. Saves screenshots if SCREENSHOTS names a
 * folder.
 */
export async function pageFindings(page: Page, name: string): Promise<readonly string[]> {
  const findings: string[] = [];
  await keepPictures(page, name);
  await page.evaluate(OPEN_DETAILS);
  const say = (seen: readonly string[], where: string) =>
    findings.push(...seen.map((finding) => `${where}: ${finding}`));
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: heightOf(width) });
    say(await overflows(page), `light ${width}`);
    if (width === DESK_WIDTH) {
      say(await axeFindings(page), `light ${width}`);
      await page.evaluate(KEEP_VISIBLE);
    } else if (width === PHONE_WIDTH) {
      for (const small of [SMALL_TARGETS, SMALL_FIELDS])
        say(await page.evaluate<string[]>(small), `light ${width}`);
      for (const find of [layoutFindings, appearedFindings, colorFindings])
        say(await find(page), `light ${width}`);
    }
  }
  // The theme changes twice per page, not at every width, because each change recalculates all styles.
  await page.emulateMedia({ colorScheme: 'dark' });
  say(await colorFindings(page), `dark ${PHONE_WIDTH}`);
  await page.setViewportSize({ width: DESK_WIDTH, height: heightOf(DESK_WIDTH) });
  say(await colorFindings(page), `dark ${DESK_WIDTH}`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(CLOSE_DETAILS);
  return findings;
}

async function keepPictures(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] === undefined) return;
  for (const width of [DESK_WIDTH, PHONE_WIDTH]) {
    await page.setViewportSize({ width, height: heightOf(width) });
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await keepPicture(page, `${name} ${width} ${theme}`);
    }
  }
}

/** Saves a screenshot of the full page if SCREENSHOTS names a folder. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const file = `${name.replaceAll(/[^\w-]+/g, '-').replace(/^-/, '')}.png`;
  await page.screenshot({ path: join(folder, file), fullPage: true });
}
