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

/** Nothing but keys, from a focused control: `keyboardFindings` tests that Tab reaches every control. */
export const keyboard = (page: Page): Hands => ({
  press: async (target) => {
    await target.press('Enter');
    await answered(page);
  },
  type: async (target, text) => {
    await target.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  },
  choose: (target) => target.press('Space'),
});
