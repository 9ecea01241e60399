/** Checks keyboard access to a page: Tab must reach every control in document order, with a visible focus. */
import type { Page } from 'playwright-core';
import { KEY_OF } from './axe.ts';

// Code that runs in the page is in strings, because the tests are compiled without the DOM types.

/** Returns the focused element with its index among the controls (-1: not a control); `null` if nothing is focused. */
const FOCUSED = `() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return {
    stop: Number(element.dataset.stop ?? -1),
    element: element.outerHTML.slice(0, 140),
    hasRing: (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none',
    isOnScreen: box.bottom > 0 && box.top < innerHeight && box.width > 0 && box.height > 0,
  };
}`;

const PREPARE = `(() => {
  const controls = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
    .filter((element) => !element.disabled && !element.closest('[inert]') && element.checkVisibility({ visibilityProperty: true }))
    // A group of radio buttons is one tab stop.
    .filter((element) => element.type !== 'radio' || element.checked ||
      (document.querySelector('input[type=radio][name="' + element.name + '"]') === element &&
        document.querySelector('input[type=radio][name="' + element.name + '"]:checked') === null));
  const stops = controls.map((element) => ({ element: element.outerHTML.slice(0, 140), key: ${KEY_OF}(element) }));
  controls.forEach((element, index) => { element.dataset.stop = String(index); });
  // The browser moves the focus after keydown, so each entry is the focus that the previous Tab set.
  window.focused = [];
  document.addEventListener('keydown', () => focused.push((${FOCUSED})()), true);
  return stops;
})()`;

/** Sets the focus to a control, or, with -1, to the top of the page even if a field has autofocus. */
const FOCUS = (stop: number) => `(() => {
  scrollTo(0, 0);
  const control = document.querySelector('[data-stop="${stop}"]');
  if (control !== null) return control.focus();
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
})()`;

interface Control {
  readonly element: string;
  /** What decides whether Tab reaches the control: its HTML and the elements around it. */
  readonly key: string;
}

interface Focused {
  readonly stop: number;
  readonly element: string;
  readonly hasRing: boolean;
  readonly isOnScreen: boolean;
}

/** Maximum number of tab stops in a control: a date field has day, month, year and calendar. */
const MAX_STOPS_OF_CONTROL = 4;

/** The keys of controls that had no findings on earlier pages. */
const fine = new Set<string>();

/**
 * Returns one line per problem: a control that Tab misses, a focus that is not visible, or a wrong tab order. Tab starts
 * after the first controls and ends at the last controls if these had no findings on earlier pages, because most pages
 * share their header and footer.
 */
export async function keyboardFindings(page: Page): Promise<readonly string[]> {
  const findings: string[] = [];
  const controls = await page.evaluate<Control[]>(PREPARE);
  const isNew = ({ key }: Control) => !fine.has(key);
  const first = controls.findIndex(isNew);
  if (first === -1) return [];
  const end = controls.findLastIndex(isNew) + 1;
  const reached = first === 0 ? [] : [first - 1];
  await page.evaluate(FOCUS(first - 1));
  for (const focused of await pressTab(page, first, end)) {
    if (focused?.stop === -1 || focused?.stop === reached.at(-1)) continue;
    if (focused === null || focused.stop >= end || reached.includes(focused.stop)) break;
    reached.push(focused.stop);
    if (!focused.hasRing) findings.push(`no visible focus: ${focused.element}`);
    if (!focused.isOnScreen) findings.push(`focus off screen: ${focused.element}`);
  }
  for (let stop = first; stop < end; stop++) {
    if (!reached.includes(stop)) findings.push(`not reached by Tab: ${controls[stop]!.element}`);
  }
  const sorted = [...reached].sort((a, b) => a - b);
  if (reached.join() !== sorted.join()) findings.push('Tab does not follow the document order');
  if (findings.length === 0) for (const { key } of controls) fine.add(key);
  return findings;
}

/**
 * Returns the focus after each press of Tab, until the focus reaches the control `end` or returns to an earlier one. The
 * page records the focus, and this function reads the record once per batch of presses, because a read after every
 * press would be slow.
 */
async function pressTab(page: Page, first: number, end: number): Promise<readonly (Focused | null)[]> {
  const count = end - first;
  let focused: readonly (Focused | null)[] = [];
  const isLast = (one: Focused | null, index: number) =>
    one === null ||
    one.stop >= end ||
    (one.stop !== -1 && one.stop < Math.max(first - 1, focused[index - 1]?.stop ?? 0));
  while (!focused.some(isLast) && focused.length <= count * MAX_STOPS_OF_CONTROL) {
    await Promise.all(Array.from({ length: count + 2 }, () => page.keyboard.down('Tab')));
    // The first entry is the focus before any press.
    focused = (await page.evaluate<(Focused | null)[]>('focused')).slice(1);
  }
  await page.keyboard.up('Tab');
  return focused;
}
