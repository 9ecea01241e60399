import { t } from '../languages/translate.ts';
import { CheckboxesField } from './field.tsx';
import type { FormState } from './form-state.ts';
import { ConsentSentence, useConsentLabel } from './site.tsx';

export const ACCEPTS_TERMS = 'acceptsTerms';
/** Name of the group of checkboxes. The error message about missing consent is shown at this group. */
export const CONSENT = 'terms';

interface ConsentProps {
  readonly form: FormState;
  readonly idPrefix?: string | undefined;
}

export function Consent({ form, idPrefix }: ConsentProps) {
  const label = useConsentLabel();
  if (label === null) return <ConsentSentence />;
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
