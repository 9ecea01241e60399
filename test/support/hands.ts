/** How a person uses a page: with a mouse, or with the keyboard alone. */
import type { Locator, Page } from 'playwright-core';

export interface Hands {
  /** A link or a button. */
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** A radio button. */
  choose(target: Locator): Promise<void>;
}

export const mouse = (): Hands => ({
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
  choose: (target) => target.check(),
});

/** More stops than any page has. */
const MAX_STOPS = 150;

/** What the functions that run in the page know of it: the compiler of the tests knows no DOM. */
interface Control {
  readonly type?: string;
  readonly name?: string;
}
interface Window {
  readonly document: { readonly activeElement: Control | null };
}

const hasFocus = (element: unknown): boolean =>
  element === (globalThis as unknown as Window).document.activeElement;
/** Whether the focus is in the group of a radio button, which Tab takes for one stop. */
const groupHasFocus = (element: unknown): boolean => {
  const active = (globalThis as unknown as Window).document.activeElement;
  return active?.type === 'radio' && active.name === (element as Control).name;
};

/** Nothing but keys: what Tab does not reach cannot be used. */
export function keyboard(page: Page): Hands {
  const reach = async (target: Locator, isThere = hasFocus) => {
    await target.waitFor();
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      if (await target.evaluate(isThere)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${target}.`);
  };
  return {
    press: async (target) => {
      await reach(target);
      await page.keyboard.press('Enter');
    },
    type: async (target, text) => {
      await reach(target);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    choose: async (target) => {
      await reach(target, groupHasFocus);
      for (let step = 0; step < MAX_STOPS && !(await target.isChecked()); step++) {
        await page.keyboard.press((await target.evaluate(hasFocus)) ? 'Space' : 'ArrowDown');
      }
    },
  };
}
