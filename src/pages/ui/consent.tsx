/** Consent to the operator's terms, for forms that create an account or publish a listing. */
import { t } from '../../platform/languages/translate.ts';
import { CheckboxesField } from './field.tsx';
import type { FormState } from './form-state.ts';
import { linkTo, useBrand } from './site.tsx';

export const ACCEPTS_TERMS = 'acceptsTerms';
/** Name of the field group that shows the error about missing consent. */
export const CONSENT = 'terms';

interface ConsentProps {
  readonly form: FormState;
  readonly idPrefix?: string | undefined;
}

/** A checkbox if the operator requires explicit consent, otherwise a sentence. */
export function Consent({ form, idPrefix }: ConsentProps) {
  const { terms, asksConsent, privacy } = useBrand();
  if (terms === null || !asksConsent) return <ConsentSentence />;
  const links = linksTo(terms, privacy);
  const label =
    privacy === null
      ? t('I accept the <terms>terms</terms>.', links)
      : t('I accept the <terms>terms</terms> and have read the <privacy>privacy policy</privacy>.', links);
  return (
    <CheckboxesField
      form={form}
      idPrefix={idPrefix}
      name={CONSENT}
      label={t('Terms')}
      choices={[{ value: ACCEPTS_TERMS, label }]}
    />
  );
}

export function ConsentSentence() {
  const { terms, asksConsent, privacy } = useBrand();
  if (terms === null || asksConsent) return null;
  const links = linksTo(terms, privacy);
  return (
    <p class="hint">
      {privacy === null
        ? t('By continuing, you accept the <terms>terms</terms>.', links)
        : t(
            'By continuing, you accept the <terms>terms</terms> and confirm that you have read the <privacy>privacy policy</privacy>.',
            links,
          )}
    </p>
  );
}

const linksTo = (terms: string, privacy: string | null) => ({
  terms: linkTo(terms),
  privacy: linkTo(privacy ?? ''),
});
