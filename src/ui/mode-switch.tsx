/** The switch of the dashboard between live and test data, and the banner of test mode. */
import type { Child } from 'hono/jsx';
import { Button } from './button.tsx';
import type { Viewer } from './viewer.ts';

type Mode = Viewer['mode'];

/** POST: `mode`, and `next`: the path of the page to show then, if it is not the page that sends the form. */
export const MODE_PATH = '/dashboard/mode';

const MODES: readonly (readonly [Mode, string])[] = [
  ['live', 'Live'],
  ['test', 'Test'],
];

export interface ModeSwitchProps {
  readonly mode: Mode;
  /** `null`: the page itself is shown in the other mode. */
  readonly next: string | null;
}

const Next = ({ next }: Pick<ModeSwitchProps, 'next'>) =>
  next === null ? null : <input type="hidden" name="next" value={next} />;

export const ModeSwitch = ({ mode, next }: ModeSwitchProps) => (
  <form class="mode-switch" method="post" action={MODE_PATH} aria-label="Mode">
    <Next next={next} />
    {MODES.map(([value, label]) => (
      <button type="submit" name="mode" value={value} aria-pressed={value === mode ? 'true' : 'false'}>
        {label}
      </button>
    ))}
  </form>
);

export const TestModeBanner = ({ next }: Pick<ModeSwitchProps, 'next'>) => (
  <aside class="test-mode" aria-label="Test mode">
    <p>
      <strong>Test mode.</strong> Claims, API keys and requests are test data. Everything else is live.
    </p>
    <SwitchTo mode="live" next={next}>
      Leave test mode
    </SwitchTo>
  </aside>
);

export const SwitchTo = ({
  mode,
  next = null,
  children,
}: {
  readonly mode: Mode;
  readonly next?: string | null | undefined;
  readonly children: Child;
}) => (
  <form method="post" action={MODE_PATH}>
    <Next next={next} />
    <Button name="mode" value={mode} small>
      {children}
    </Button>
  </form>
);
