import { message, t } from '../../platform/languages/translate.ts';
import { HiddenField } from './field.tsx';
import { fieldId } from './form.tsx';
import type { FormState } from './form-state.ts';
import { Sentence } from './site.tsx';

export const SOLUTION = 'solution';

const NEEDS_SCRIPTS = message(
  'Many emails or accounts were requested here recently, so this form currently works only with JavaScript and over https. If you can’t use them, contact <operator>the operator of this marketplace</operator>.',
);

/** The script `challenge` solves it while the person types, and resubmits, once, a form sent without it. */
export const ChallengeField = ({ challenge, form }: { challenge: string; form: FormState }) => {
  const problem = form.problemOf(SOLUTION);
  return (
    <div
      class="field"
      data-challenge={challenge}
      id={fieldId(SOLUTION)}
      tabindex={-1}
      data-submits={problem !== null && form.typed(SOLUTION) === '' ? '' : undefined}
      autofocus={problem !== null}
    >
      {problem !== null && (
        <p class="field-problem" role="alert">
          <span>
            <Sentence text={problem} />
          </span>
        </p>
      )}
      <HiddenField name={SOLUTION} value="" />
      <p
        class="hint"
        role="status"
        data-status
        data-solving={t('Checking that you’re a person. You can keep typing.')}
        data-solved={t('Check complete. You can continue.')}
      />
      <p class="hint" data-failed hidden>
        <Sentence text={NEEDS_SCRIPTS} />
      </p>
      <noscript>
        <p class="hint">
          <Sentence text={NEEDS_SCRIPTS} />
        </p>
      </noscript>
    </div>
  );
};
