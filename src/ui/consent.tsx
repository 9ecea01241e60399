import { t } from '../languages/translate.ts';
import { CheckboxesField } from './field.tsx';
import type { FormState } from './form-state.ts';
import { ConsentSentence, useConsentLabel } from './site.tsx';

/** The field of a ticked box. */
export const ACCEPTS_TERMS = 'acceptsTerms';
/** The group of the box, which shows the problem. */
export const CONSENT = 'terms';

interface ConsentProps {
  readonly form: FormState;
  readonly idPrefix?: string | undefined;
}

/** In a form that may create an account: a sentence, or a box where the operator asks for explicit consent. */
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
