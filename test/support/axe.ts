/** Runs axe on pages. Rules that depend on colors or on the window width run separately. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const requireFromHere = createRequire(import.meta.url);
const requireFromPlaywright = createRequire(requireFromHere.resolve('@axe-core/playwright'));
const AXE = readFileSync(requireFromPlaywright.resolve('axe-core/axe.min.js'), 'utf8');

// axe runs directly in the page, because Playwright's AxeBuilder opens another page each time and takes five times as
// long.
const runAxe = (options: object, where = 'document'): string => `axe
  .run(${where}, ${JSON.stringify({ resultTypes: ['violations'], ...options })})
  .then(({ violations }) => violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) =>
    id + ' (' + help + ') at ' + target.join(' ') + ': ' + failureSummary)))`;
const TAGS = { type: 'tag', values: AXE_TAGS };
/** Rules that depend on colors, and therefore on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/** Rules that depend on the window width, even for elements that are visible at every width. */
const LAYOUT_RULES = ['target-size', 'scrollable-region-focusable'];
const only = (values: readonly string[]) => ({ runOnly: { type: 'rule', values } });
const allBut = (rules: readonly string[]) => ({
  runOnly: TAGS,
  rules: Object.fromEntries(rules.map((rule) => [rule, { enabled: false }])),
});

export const KEEP_VISIBLE = `void (window.visibleBefore = new Set(
  [...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility())))`;
/**
 * Script that returns the findings on elements that have become visible since `KEEP_VISIBLE` ran. Excludes the color
 * and layout rules.
 */
export const ON_APPEARED = `(() => {
  const include = [...document.body.querySelectorAll('*')]
    .filter((element) => element.checkVisibility() && !visibleBefore.has(element));
  return include.length === 0 ? [] : ${runAxe(allBut([...COLOR_RULES, ...LAYOUT_RULES]), '{ include }')};
})()`;

/**
 * Script that returns the visible elements that contain text, each with its look. A look contains everything that the
 * color rules depend on. The color rules exempt text of disabled controls, allow a lower contrast for large text, and
 * compare links with the surrounding text.
 */
const LOOKS = `(() => {
  const isLarge = ({ fontSize, fontWeight }) => parseFloat(fontSize) >= (fontWeight >= 700 ? 18.6 : 24);
  const fontOf = ({ color, fontSize, fontWeight, textDecorationLine }) => [color, fontSize, fontWeight, textDecorationLine];
  const layers = new Map();
  const layerOf = (element) => {
    if (!layers.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      layers.set(element, {
        isOpaque: backgroundColor.startsWith('rgb('),
        back: backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' ? '' : backgroundColor + backgroundImage,
        opacity: opacity === '1' ? '' : 'opacity ' + opacity,
      });
    }
    return layers.get(element);
  };
  const behind = (element) => {
    let seen = '';
    let isCovered = false;
    for (let around = element; around !== null; around = around.parentElement) {
      const { isOpaque, back, opacity } = layerOf(around);
      seen += opacity + (isCovered ? '' : back);
      isCovered ||= isOpaque;
    }
    return seen;
  };
  const isAlone = (element) => element.innerText.trim() === element.parentElement.innerText.trim();
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element instanceof HTMLElement && [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== ''))
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const style = getComputedStyle(element);
      const ofLink = element.matches('a, [role=link]') &&
        [isAlone(element), fontOf(style), fontOf(getComputedStyle(element.parentElement))];
      const mayBeExempt = element.matches('label, label *, :disabled, :disabled *, [aria-disabled], [aria-disabled] *');
      return [element, [style.color, isLarge(style), mayBeExempt, ofLink, behind(element)].join()];
    });
})()`;
const LOOKS_OF_PAGE = `[...new Set(${LOOKS}.map(([, look]) => look))]`;
const colorsOf = (looks: readonly string[]): string => `(() => {
  const looks = new Set(${JSON.stringify(looks)});
  return ${runAxe(only(COLOR_RULES), `{ include: ${LOOKS}.filter(([, look]) => looks.has(look)).map(([element]) => element) }`)};
})()`;

export const LAYOUT = runAxe(only(LAYOUT_RULES));

/** Pages with axe as an init script. axe is sent to a page only once, because sending takes far longer than running. */
const withAxe = new WeakSet<Page>();

export async function runInPage(page: Page, script: string): Promise<readonly string[]> {
  if (!withAxe.has(page)) {
    withAxe.add(page);
    await page.addInitScript({ content: AXE });
  }
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  return page.evaluate<string[]>(script);
}

/** One line per finding (WCAG 2.2 AA and best practices). The page must not contain frames. */
export const axeFindings = async (page: Page): Promise<readonly string[]> => [
  ...(await runInPage(page, runAxe(allBut(COLOR_RULES)))),
  ...(await colorFindings(page)),
];

/** Looks that had no findings on earlier pages in this process. */
const fineLooks = new Set<string>();

/** Findings of the color rules. Skips looks that had no findings on earlier pages. */
export async function colorFindings(page: Page): Promise<readonly string[]> {
  const looks = await page.evaluate<string[]>(LOOKS_OF_PAGE);
  const newLooks = looks.filter((look) => !fineLooks.has(look));
  if (newLooks.length === 0) return [];
  const findings = await runInPage(page, colorsOf(newLooks));
  if (findings.length === 0) for (const look of newLooks) fineLooks.add(look);
  return findings;
}
