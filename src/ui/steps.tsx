import type { Child } from 'hono/jsx';
import type { Markup } from './markup.ts';

export interface Step {
  readonly title: Child;
  /** Derived from data, never from a click. `now`: the next step to do. */
  readonly state: 'done' | 'now' | 'later';
  readonly body?: Child | undefined;
}

const SPOKEN = { done: 'Done: ', now: 'Next: ', later: '' } as const;

export const Steps = ({ steps }: { steps: readonly Step[] }): Markup => (
  <ol class="steps">
    {steps.map(({ title, state, body }) => (
      <li
        class={state === 'later' ? 'step' : `step ${state}`}
        aria-current={state === 'now' ? 'step' : undefined}
      >
        <h2 class="step-title">
          {SPOKEN[state] !== '' && <span class="visually-hidden">{SPOKEN[state]}</span>}
          {title}
        </h2>
        {body && <div class="step-body">{body}</div>}
      </li>
    ))}
  </ol>
);
