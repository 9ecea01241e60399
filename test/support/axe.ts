/**
 * Runs axe on pages. Rules that depend on colors or on the window width run separately. Elements that had no findings on
 * earlier pages are skipped if nothing that the rules depend on has changed: most of a page is on other pages too.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const requireFromHere = createRequire(import.meta.url);
const requireFromPlaywright = createRequire(requireFromHere.resolve('@axe-core/playwright'));
/** Without HTML in the results: axe would serialize every element that a rule checks. Findings have selectors. */
const AXE = `${readFileSync(requireFromPlaywright.resolve('axe-core/axe.min.js'), 'utf8')}; axe.configure({ noHtml: true });`;

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
const SIZE_RULES = ['target-size'];
const SCROLL_RULES = ['scrollable-region-focusable'];
const only = (values: readonly string[]) => ({ runOnly: { type: 'rule', values } });
const CONTENT_RULES = {
  runOnly: TAGS,
  rules: Object.fromEntries(
    [...COLOR_RULES, ...SIZE_RULES, ...SCROLL_RULES].map((rule) => [rule, { enabled: false }]),
  ),
};

/** Rules that depend on the words of an author: headings, links, lists, tables and pictures. */
const AUTHORED_RULES = `
  document-title page-has-heading-one heading-order empty-heading region landmark-unique duplicate-id-aria
  link-name image-alt image-redundant-alt svg-img-alt valid-lang aria-valid-attr-value
  list listitem definition-list dlitem
  td-has-header td-headers-attr th-has-data-cells scope-attr-valid empty-table-header table-duplicate-name`
  .trim()
  .split(/\s+/);

/** Remembers which elements are visible, for `APPEARED`. */
export const KEEP_VISIBLE = `void (window.visibleBefore = new Set(
  [...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility())))`;

// The following scripts return elements, each with a key that contains everything that the rules depend on.

/** In a key, an element without its numbers and IDs, and with the elements around it. */
export const KEY_OF = `((element) => {
  const around = [];
  for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
    around.push(outer.tagName, outer.className, outer.role, outer.ariaHidden);
  }
  return around.join() + element.outerHTML.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]+/g, '0');
})`;

/** The elements that have become visible since `KEEP_VISIBLE` ran. */
const APPEARED = `(() => {
  const hasAppeared = (element) => element.checkVisibility() && !visibleBefore.has(element);
  return [...document.body.querySelectorAll('*')]
    .filter((element) => hasAppeared(element) && !hasAppeared(element.parentElement))
    .map((element) => [element, ${KEY_OF}(element)]);
})()`;

/** The regions with a scroll bar that are not focusable themselves. */
const SCROLLABLE = `[...document.body.querySelectorAll('*')]
  .filter((element) => element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight)
  .filter((element) => element.tabIndex < 0 && /auto|scroll/.test(getComputedStyle(element).overflow))
  .map((element) => [element, ${KEY_OF}(element)])`;

/**
 * The controls that overlap another control or, if they are smaller than 24 pixels, are near one. WCAG 2.2 (2.5.8)
 * allows the others, by their size or their distance.
 */
const TARGETS = `(() => {
  const controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]')]
    .filter((element) => element.checkVisibility())
    .map((element) => [element, element.getBoundingClientRect()]);
  const overlap = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const distance = ([x, y], box) =>
    Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
  const areClose = (one, other) =>
    distance(middle(one), other) < 13 || Math.hypot(...middle(one).map((at, axis) => at - middle(other)[axis])) < 25;
  const placed = (box, from) =>
    [box.left - from.left, box.top - from.top, box.width, box.height].map((length) => length.toFixed(1)).join(' ');
  return controls.flatMap(([element, box]) => {
    const isSmall = box.width < 24 || box.height < 24;
    const near = controls
      .filter(([other, otherBox]) => other !== element && (overlap(box, otherBox) || (isSmall && areClose(box, otherBox))))
      .filter(([other]) => !other.contains(element) && !element.contains(other))
      .map(([, otherBox]) => placed(otherBox, box));
    const { display } = getComputedStyle(element);
    return near.length === 0 ? [] : [[element, [element.tagName, display, element.parentElement.tagName, placed(box, box), ...near].join()]];
  });
})()`;

/**
 * The visible elements that contain text, each with its look. The color rules exempt text of disabled controls, allow a
 * lower contrast for large text, and compare links with the surrounding text. Leaves out most text: opaque on an opaque
 * background, with enough contrast even for small text. A run of axe takes far longer than this script.
 */
const LOOKS = `(() => {
  const isLarge = ({ fontSize, fontWeight }) => parseFloat(fontSize) >= (fontWeight >= 700 ? 18.6 : 24);
  // Links may differ from the text around them by any of these; sizes and weights only have to differ.
  const linkIn = (own, outer) => [
    outer.color,
    own.textDecorationLine,
    outer.textDecorationLine,
    own.fontSize === outer.fontSize,
    own.fontWeight === outer.fontWeight,
  ];
  const layers = new Map();
  // An opaque background covers the backgrounds behind it, but not their opacity. plain: the only color behind the text;
  // null if there may be others, or a picture.
  const layerOf = (element) => {
    if (element === null) return { backs: '', opacities: '', plain: null };
    if (!layers.has(element)) {
      const { backgroundColor, backgroundImage, filter, mixBlendMode, opacity, position } = getComputedStyle(element);
      const behind = layerOf(element.parentElement);
      const back = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' ? '' : backgroundColor + backgroundImage;
      const own = (opacity === '1' ? '' : 'opacity ' + opacity) + (filter + mixBlendMode).replace('nonenormal', '');
      const opacities = own + behind.opacities;
      const isOpaque = backgroundColor.startsWith('rgb(');
      const isInFlow = position !== 'absolute' && position !== 'fixed';
      const plain = back !== '' ? backgroundColor : isInFlow ? behind.plain : null;
      layers.set(element, {
        backs: own + back + (isOpaque ? behind.opacities : behind.backs),
        opacities,
        plain: opacities === '' && backgroundImage === 'none' ? plain : null,
      });
    }
    return layers.get(element);
  };
  const isAlone = (element) => element.innerText.trim() === element.parentElement.innerText.trim();
  /** Relative luminance (WCAG 2.2) of an opaque color; NaN for other colors. */
  const luminance = (color) => {
    const [, ...bytes] = /^rgb\\((\\d+), (\\d+), (\\d+)\\)$/.exec(color) ?? [];
    const shares = /^color\\(srgb ([\\d.]+) ([\\d.]+) ([\\d.]+)\\)$/.exec(color)?.slice(1) ?? bytes.map((byte) => byte / 255);
    const [red, green, blue] = shares.map((share) => share <= 0.04045 ? share / 12.92 : ((Number(share) + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isReadable = ({ color, textShadow, webkitTextFillColor }, { plain }) => {
    const [dark, light] = [luminance(color), luminance(plain)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05) >= 4.5 && textShadow === 'none' && webkitTextFillColor === color;
  };
  const isInLine = ({ display }) => /^(?:inline|inline-flex|inline-grid|contents)$/.test(display);
  const isUnderlined = ({ textDecorationLine }) => textDecorationLine === 'underline';
  const blockAround = (element) => isInLine(getComputedStyle(element)) ? blockAround(element.parentElement) : element;
  /** Whether a link is distinguishable from the text around it. */
  const standsOut = (element, style) =>
    !isInLine(style) || (isUnderlined(style) && !isUnderlined(getComputedStyle(blockAround(element.parentElement))));
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element instanceof HTMLElement && [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== ''))
    .filter((element) => element.checkVisibility() && element.closest('.visually-hidden') === null)
    .map((element) => [element, getComputedStyle(element), element.matches('a, [role=link]')])
    .filter(([element, style, isLink]) =>
      !isReadable(style, layerOf(element)) || (isLink && !standsOut(element, style)))
    .map(([element, style, isLink]) => {
      const ofLink = isLink && [isAlone(element), linkIn(style, getComputedStyle(element.parentElement))];
      const mayBeExempt = element.matches('label, label *, :disabled, :disabled *, [aria-disabled], [aria-disabled] *');
      return [element, [style.color, isLarge(style), mayBeExempt, ofLink, layerOf(element).backs].join()];
    });
})()`;

/** Pages with axe as an init script. axe is sent to a page only once, because sending takes far longer than running. */
const withAxe = new WeakSet<Page>();

async function runWithAxe(page: Page, script: string): Promise<readonly string[]> {
  if (!withAxe.has(page)) {
    withAxe.add(page);
    await page.addInitScript({ content: AXE });
  }
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  return page.evaluate<string[]>(script);
}

/** Returns a function that returns the findings on the elements of a page whose keys had none on earlier pages. */
function onNew(keyed: string, options: object) {
  const fine = new Set<string>();
  return async (page: Page): Promise<readonly string[]> => {
    const keys = await page.evaluate<string[]>(`[...new Set(${keyed}.map(([, key]) => key))]`);
    const newKeys = keys.filter((key) => !fine.has(key));
    if (newKeys.length === 0) return [];
    const findings = await runWithAxe(
      page,
      `(() => {
        const keys = new Set(${JSON.stringify(newKeys)});
        // One element per key.
        const include = ${keyed}.filter(([, key]) => keys.delete(key)).map(([element]) => element);
        return ${runAxe(options, '{ include }')};
      })()`,
    );
    if (findings.length === 0) for (const key of newKeys) fine.add(key);
    return findings;
  };
}

const contentFindings = (page: Page) => runWithAxe(page, runAxe(CONTENT_RULES));
/** Findings of the rules that depend on neither colors nor the window width, on elements that have appeared. */
export const appearedFindings = onNew(APPEARED, CONTENT_RULES);
export const colorFindings = onNew(LOOKS, only(COLOR_RULES));
const sizeFindings = onNew(TARGETS, only(SIZE_RULES));
const scrollFindings = onNew(SCROLLABLE, only(SCROLL_RULES));

export const layoutFindings = async (page: Page): Promise<readonly string[]> => [
  ...(await sizeFindings(page)),
  ...(await scrollFindings(page)),
];

/** For pages made from text by components whose other rules are checked on another page. */
export const authoredFindings = async (page: Page): Promise<readonly string[]> => [
  ...(await runWithAxe(page, runAxe(only(AUTHORED_RULES)))),
  ...(await layoutFindings(page)),
  ...(await colorFindings(page)),
];

/** One line per finding (WCAG 2.2 AA and best practices). The page must not contain frames. */
export const axeFindings = async (page: Page): Promise<readonly string[]> => [
  ...(await contentFindings(page)),
  ...(await layoutFindings(page)),
  ...(await colorFindings(page)),
];
