import { t } from '../languages/translate.ts';
import { CheckboxesField } from './field.tsx';
import type { FormState } from './form-state.ts';
import { ConsentSentence, useConsentLabel } from './site.tsx';

/** Name of the checkbox's field. */
export const ACCEPTS_TERMS = 'acceptsTerms';
/** Name of the group of checkboxes, which shows the problem. */
export const CONSENT = 'terms';

interface ConsentProps {
  readonly form: FormState;
  readonly idPrefix?: string | undefined;
}

/** For forms that may create an account: a sentence, or a checkbox if the operator asks for explicit consent. */
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
