import { THEME_PATH } from '../../base/paths.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { HiddenField } from './field.tsx';
import { useTheme } from './site.tsx';
import type { Theme } from './viewer.ts';

/** Values of the field `theme`. */
const CHOICES: readonly (readonly [value: Theme | 'auto', label: Message])[] = [
  ['auto', message('theme|Automatic')],
  ['light', message('theme|Light')],
  ['dark', message('theme|Dark')],
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
      {CHOICES.map(([value, label]) => (
        <button type="submit" name="theme" value={value} aria-pressed={value === theme ? 'true' : 'false'}>
          {t(label)}
        </button>
      ))}
    </form>
  );
}
