/** How a person uses a page: with a mouse, or with the keyboard alone. */
import type { Locator, Page } from 'playwright-core';
import { answered } from './browser.ts';

export interface Hands {
  /** A link or a button. */
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** A radio button. */
  choose(target: Locator): Promise<void>;
}

export const mouse = (): Hands => ({
  press: async (target) => {
    await target.click();
    await answered(target.page());
  },
  type: (target, text) => target.fill(text),
  // The label of a choice in a box lies over its button.
  choose: (target) => target.check({ force: true }),
});

/** More stops than any page has. */
const MAX_STOPS = 150;

/** Presses sent at once: asking the page after each one would take most of the time. */
const PRESSES_AT_ONCE = 10;

/** The types that functions in the page need: the compiler of the tests has no types of the DOM. */
interface Control {
  readonly type?: string;
  readonly name?: string;
}
interface Key {
  readonly key: string;
  preventDefault(): void;
}
interface Window {
  readonly document: {
    readonly activeElement: Control | null;
    addEventListener(type: 'keydown', listener: (key: Key) => void, capture: true): void;
    removeEventListener(type: 'keydown', listener: (key: Key) => void, capture: true): void;
  };
  /** Ends what `holdFocus` began. */
  releaseFocus?: () => void;
}

const hasFocus = (element: unknown): boolean =>
  element === (globalThis as unknown as Window).document.activeElement;

/**
 * Whether the focus is on an element, or in the group of a radio button, which is one stop for Tab. If it is not, Tab
 * stays on the element as soon as it gets there.
 */
function holdFocus(element: unknown, isGroup: boolean): boolean {
  const window = globalThis as unknown as Window;
  const isThere = () => {
    const active = window.document.activeElement;
    return isGroup
      ? active?.type === 'radio' && active.name === (element as Control).name
      : active === element;
  };
  const hold = (key: Key) => {
    if (key.key === 'Tab' && isThere()) key.preventDefault();
  };
  window.releaseFocus?.();
  delete window.releaseFocus;
  if (isThere()) return true;
  window.document.addEventListener('keydown', hold, true);
  window.releaseFocus = () => window.document.removeEventListener('keydown', hold, true);
  return false;
}

/** Nothing but keys: what Tab does not reach cannot be used. */
export function keyboard(page: Page): Hands {
  const reach = async (target: Locator, isGroup = false) => {
    await target.waitFor();
    for (let pressed = 0; !(await target.evaluate(holdFocus, isGroup)); pressed += PRESSES_AT_ONCE) {
      if (pressed >= MAX_STOPS) throw new Error(`Tab does not reach ${target}.`);
      await Promise.all(Array.from({ length: PRESSES_AT_ONCE }, () => page.keyboard.press('Tab')));
    }
  };
  return {
    press: async (target) => {
      await reach(target);
      await page.keyboard.press('Enter');
      await answered(page);
    },
    type: async (target, text) => {
      await reach(target);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    choose: async (target) => {
      await reach(target, true);
      for (let step = 0; step < MAX_STOPS && !(await target.isChecked()); step++) {
        await page.keyboard.press((await target.evaluate(hasFocus)) ? 'Space' : 'ArrowDown');
      }
    },
  };
}
