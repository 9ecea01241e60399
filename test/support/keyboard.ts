/** A page used only with the keyboard: Tab reaches every control in the order of the page, and the focus is visible. */
import type { Page } from 'playwright-core';

// Code that runs in the page is written as strings, because the tests are compiled without the DOM types.

/** The stop that has the focus: -1 for an element that is not a stop, `null` for the page itself. */
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
    // A group of radio buttons is one stop.
    .filter((element) => element.type !== 'radio' || element.checked ||
      (document.querySelector('input[type=radio][name="' + element.name + '"]') === element &&
        document.querySelector('input[type=radio][name="' + element.name + '"]:checked') === null));
  controls.forEach((element, index) => { element.dataset.stop = String(index); });
  // Start at the top even if a field has the focus at first.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  scrollTo(0, 0);
  // When a key is pressed, the focus is still where the previous key moved it.
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

/** Stops within one control: a date has day, month, year and its calendar. */
const MAX_STOPS_OF_CONTROL = 4;

/** One line for each control that Tab does not reach, that it reaches out of order, or that has no visible focus. */
export async function keyboardFindings(page: Page): Promise<readonly string[]> {
  const findings: string[] = [];
  const controls = await page.evaluate<string[]>(PREPARE);
  const reached: number[] = [];
  for (const focused of await pressTab(page, controls.length)) {
    if (focused?.stop === -1 || focused?.stop === reached.at(-1)) continue;
    if (focused === null || reached.includes(focused.stop)) break;
    reached.push(focused.stop);
    if (!focused.hasRing) findings.push(`no visible focus: ${focused.element}`);
    if (!focused.isOnScreen) findings.push(`focus off the screen: ${focused.element}`);
  }
  const missed = controls.filter((_, index) => !reached.includes(index));
  const sorted = [...reached].sort((a, b) => a - b);
  return [
    ...findings,
    ...missed.map((element) => `not reached by Tab: ${element}`),
    ...(reached.join() === sorted.join() ? [] : ['Tab leaves the order of the page']),
  ];
}

/**
 * What has the focus after each press, until the focus is back where the first press led. The page is asked once for
 * many presses: asking after each one would take most of the time.
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
