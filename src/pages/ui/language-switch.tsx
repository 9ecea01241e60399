import { LANGUAGE_PATH } from '../../base/paths.ts';
import { currentLanguage, offeredLanguages } from '../../platform/languages/language.ts';
import { t } from '../../platform/languages/translate.ts';
import { HiddenField } from './field.tsx';

/** Not replaced in place, because all texts of the page change. `next`: see `ThemeSwitch`. */
export function LanguageSwitch({ next }: { next: string | null }) {
  const current = currentLanguage().code;
  return (
    <form class="segments" method="post" action={LANGUAGE_PATH} aria-label={t('Language')}>
      {next !== null && <HiddenField name="next" value={next} />}
      {offeredLanguages().map(({ code, name }) => (
        <button
          type="submit"
          name="language"
          value={code}
          lang={code}
          aria-pressed={code === current ? 'true' : 'false'}
        >
          {name}
        </button>
      ))}
    </form>
  );
}
