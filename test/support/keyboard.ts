/** Checks keyboard access to a page: Tab must reach every control in document order, with a visible focus. */
import type { Page } from 'playwright-core';

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
  controls.forEach((element, index) => { element.dataset.stop = String(index); });
  // Start at the top of the page even if a field has autofocus.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  scrollTo(0, 0);
  // The browser moves the focus after keydown, so each entry is the focus that the previous Tab set.
  window.focused = [];
  document.addEventListener('keydown', () => focused.push((${FOCUSED})()), true);
  return controls.map((element) => element.outerHTML.slice(0, 140));
})()`;

interface Focused {
  readonly stop: number;
  readonly element: string;
  readonly hasRing: boolean;
  readonly isOnScreen: boolean;
}

/** Maximum number of tab stops in a control: a date field has day, month, year and calendar. */
const MAX_STOPS_OF_CONTROL = 4;

/** Returns one line per problem: a control that Tab misses, a focus that is not visible, or a wrong tab order. */
export async function keyboardFindings(page: Page): Promise<readonly string[]> {
  const findings: string[] = [];
  const controls = await page.evaluate<string[]>(PREPARE);
  const reached: number[] = [];
  for (const focused of await pressTab(page, controls.length)) {
    if (focused?.stop === -1 || focused?.stop === reached.at(-1)) continue;
    if (focused === null || reached.includes(focused.stop)) break;
    reached.push(focused.stop);
    if (!focused.hasRing) findings.push(`no visible focus: ${focused.element}`);
    if (!focused.isOnScreen) findings.push(`focus off screen: ${focused.element}`);
  }
  const missed = controls.filter((_, index) => !reached.includes(index));
  const sorted = [...reached].sort((a, b) => a - b);
  return [
    ...findings,
    ...missed.map((element) => `not reached by Tab: ${element}`),
    ...(reached.join() === sorted.join() ? [] : ['Tab does not follow the document order']),
  ];
}

/**
 * Returns the focus after each press of Tab, until the focus returns to the first stop. The page records the focus, and
 * this function reads the record once per batch of presses, because a read after every press would be slow.
 */
async function pressTab(page: Page, controls: number): Promise<readonly (Focused | null)[]> {
  let focused: readonly (Focused | null)[] = [];
  const isRound = () => focused.some((one, index) => index > 0 && one?.stop === focused[0]?.stop);
  while (!isRound() && focused.length <= controls * MAX_STOPS_OF_CONTROL) {
    await Promise.all(Array.from({ length: controls + 2 }, () => page.keyboard.down('Tab')));
    // The first entry is the focus before any press.
    focused = (await page.evaluate<(Focused | null)[]>('focused')).slice(1);
  }
  await page.keyboard.up('Tab');
  return focused;
}
