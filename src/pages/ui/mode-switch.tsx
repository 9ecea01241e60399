import type { Child } from 'hono/jsx';
import { MODE_PATH } from '../../base/paths.ts';
import { t } from '../../platform/languages/translate.ts';
import { Button } from './button.tsx';
import { HiddenField } from './field.tsx';
import { strong } from './site.tsx';
import { stateText } from './state-badge.tsx';
import type { Viewer } from './viewer.ts';

type Mode = Viewer['mode'];

interface SwitchProps {
  readonly mode: Mode;
  /** Path to show after the switch; `null`: the current page. */
  readonly next: string | null;
}

export const ModeSwitch = ({ mode, next }: SwitchProps) => (
  <form class="segments" method="post" action={MODE_PATH} aria-label={t('Mode')}>
    {next !== null && <HiddenField name="next" value={next} />}
    {(['live', 'test'] as const).map((value) => (
      <button type="submit" name="mode" value={value} aria-pressed={value === mode ? 'true' : 'false'}>
        {stateText(value)}
      </button>
    ))}
  </form>
);

export const TestModeBanner = ({ next }: Pick<SwitchProps, 'next'>) => (
  <aside class="test-mode" aria-label={t('Test mode')}>
    <p>
      {t(
        '<strong>Test mode.</strong> Claims, API keys and requests are test data. Everything else is live.',
        { strong },
      )}
    </p>
    <SwitchTo mode="live" next={next}>
      {t('Leave test mode')}
    </SwitchTo>
  </aside>
);

export const SwitchTo = ({
  mode,
  next = null,
  children,
}: Pick<SwitchProps, 'mode'> & { next?: string | null | undefined; children: Child }) => (
  <form method="post" action={MODE_PATH}>
    {next !== null && <HiddenField name="next" value={next} />}
    <Button name="mode" value={mode} small>
      {children}
    </Button>
  </form>
);
