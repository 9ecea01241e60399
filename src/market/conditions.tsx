/** What an owner asks of the people who claim an offer. */
import type { Markup } from '../ui/markup.ts';

export const Conditions = ({ text }: { text: string }): Markup => (
  <div class="small-text">
    <strong>Conditions</strong>
    <p class="plain-text" dir="auto">
      {text}
    </p>
  </div>
);
