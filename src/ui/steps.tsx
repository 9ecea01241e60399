import type { Child } from 'hono/jsx';

/** The class of each state, and what screen readers say before the title. */
const STATES = {
  // Of a step to do: derived from data, never from a click.
  done: ['done', 'Done: '],
  now: ['now', 'Next: '],
  open: ['', ''],
  // Of a check. `note`: fine, with something to know; `later`: depends on a step that has not happened.
  good: ['check-good', 'Passed: '],
  note: ['check-note', 'Note: '],
  bad: ['check-bad', 'Failed: '],
  waiting: ['check-waiting', 'Waiting: '],
  later: ['check-later', 'Not known yet: '],
} as const;

export type StepState = keyof typeof STATES;

interface Step {
  readonly title: Child;
  readonly state: StepState;
  readonly body?: Child | undefined;
}

export const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="steps">
    {steps.map(({ title, state, body }) => {
      const [className, spoken] = STATES[state];
      return (
        <li class={`step ${className}`.trim()} aria-current={state === 'now' ? 'step' : undefined}>
          <h2 class="step-title">
            {spoken !== '' && <span class="visually-hidden">{spoken}</span>}
            {title}
          </h2>
          {body && <div class="step-body">{body}</div>}
        </li>
      );
    })}
  </ol>
);
