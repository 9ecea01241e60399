import type { Child } from 'hono/jsx';
import { message, t } from '../../platform/languages/translate.ts';
import { tokenList } from './markup.ts';

const STATES = {
  // Tasks. Their state is derived from data, not set by a click.
  done: ['done', message('Done:')],
  now: ['now', message('Next:')],
  open: [null, null],
  // Checks. `note`: passed with a remark. `later`: depends on a step that has not happened yet.
  good: ['check-good', message('Passed:')],
  note: ['check-note', message('Note:')],
  bad: ['check-bad', message('Failed:')],
  waiting: ['check-waiting', message('Waiting:')],
  later: ['check-later', message('Not known yet:')],
} as const;

export type StepState = keyof typeof STATES;

interface Step {
  readonly title: Child;
  readonly state: StepState;
  readonly body?: Child | undefined;
}

interface StepsProps {
  readonly steps: readonly Step[];
  /** Places the steps next to each other if there is room. */
  readonly isAcross?: boolean;
}

export const Steps = ({ steps, isAcross = false }: StepsProps) => (
  <ol class={tokenList('steps', isAcross && 'across')}>
    {steps.map(({ title, state, body }) => {
      const [className, spoken] = STATES[state];
      return (
        <li class={tokenList('step', className)} aria-current={state === 'now' ? 'step' : undefined}>
          <h2 class="step-title">
            {spoken !== null && <span class="visually-hidden">{t(spoken)} </span>}
            {title}
          </h2>
          {body && <div class="step-body">{body}</div>}
        </li>
      );
    })}
  </ol>
);
