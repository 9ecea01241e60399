import type { Child } from 'hono/jsx';
import type { Markup } from './markup.ts';

export interface CheckItem {
  readonly title: Child;
  /** `note`: fine, with something to know; `later`: behind a step that has not happened. */
  readonly state: 'good' | 'note' | 'bad' | 'waiting' | 'later';
  readonly body?: Child | undefined;
}

const SPOKEN = {
  good: 'Fine: ',
  note: 'Note: ',
  bad: 'Wrong: ',
  waiting: 'Waiting: ',
  later: 'Not known yet: ',
} as const;

export const CheckList = ({ items }: { items: readonly CheckItem[] }): Markup => (
  <ol class="steps">
    {items.map(({ title, state, body }) => (
      <li class={`step check-${state}`}>
        <h2 class="step-title">
          <span class="visually-hidden">{SPOKEN[state]}</span>
          {title}
        </h2>
        {body && <div class="step-body">{body}</div>}
      </li>
    ))}
  </ol>
);
