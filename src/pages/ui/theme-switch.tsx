import { THEME_PATH } from '../../base/paths.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { HiddenField } from './field.tsx';
import { Icon, type IconName } from './icon.tsx';
import { useTheme } from './site.tsx';
import type { Theme } from './viewer.ts';

/** Values of the field `theme`. */
const CHOICES: readonly (readonly [value: Theme | 'auto', label: Message, icon: IconName])[] = [
  ['auto', message('theme|Automatic'), 'automatic'],
  ['light', message('theme|Light'), 'light'],
  ['dark', message('theme|Dark'), 'dark'],
];

/**
 * Replaced in place (`data-part`), so that nothing typed on the page is lost. `next`: path to show after the switch;
 * `null`: the current page.
 */
export function ThemeSwitch({ next }: { next: string | null }) {
  const theme = useTheme() ?? 'auto';
  return (
    <form
      class="segments"
      method="post"
      action={THEME_PATH}
      id="theme-switch"
      aria-label={t('Theme')}
      data-part
    >
      {next !== null && <HiddenField name="next" value={next} />}
      {CHOICES.map(([value, label, icon]) => (
        <button
          type="submit"
          name="theme"
          value={value}
          aria-pressed={value === theme ? 'true' : 'false'}
          title={t(label)}
        >
          <Icon name={icon} />
          <span class="visually-hidden">{t(label)}</span>
        </button>
      ))}
    </form>
  );
}
