import type { Child } from 'hono/jsx';

export interface Step {
  readonly title: Child;
  /** Derived from data, never from a click. `now`: the next step to do. */
  readonly state: 'done' | 'now' | 'later';
  readonly body?: Child | undefined;
}

export interface CheckItem {
  readonly title: Child;
  /** `note`: fine, with something to know; `later`: behind a step that has not happened. */
  readonly state: 'good' | 'note' | 'bad' | 'waiting' | 'later';
  readonly body?: Child | undefined;
}

/** The class of each state, and what screen readers say before the title. */
const STEPS = { done: ['done', 'Done: '], now: ['now', 'Next: '], later: ['', ''] } as const;
const CHECKS = {
  good: ['check-good', 'Passed: '],
  note: ['check-note', 'Note: '],
  bad: ['check-bad', 'Failed: '],
  waiting: ['check-waiting', 'Waiting: '],
  later: ['check-later', 'Not known yet: '],
} as const;

export const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="steps">
    {steps.map(({ state, ...step }) => (
      <Item {...step} look={STEPS[state]} isCurrent={state === 'now'} />
    ))}
  </ol>
);

export const CheckList = ({ items }: { items: readonly CheckItem[] }) => (
  <ol class="steps">
    {items.map(({ state, ...item }) => (
      <Item {...item} look={CHECKS[state]} />
    ))}
  </ol>
);

interface ItemProps extends Pick<Step, 'title' | 'body'> {
  readonly look: readonly [className: string, spoken: string];
  readonly isCurrent?: boolean;
}

const Item = ({ title, body, look: [className, spoken], isCurrent }: ItemProps) => (
  <li class={`step ${className}`.trim()} aria-current={isCurrent ? 'step' : undefined}>
    <h2 class="step-title">
      {spoken !== '' && <span class="visually-hidden">{spoken}</span>}
      {title}
    </h2>
    {body && <div class="step-body">{body}</div>}
  </li>
);
