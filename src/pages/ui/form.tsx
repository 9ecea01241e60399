import type { Child } from 'hono/jsx';
import { t, wordsOf } from '../../platform/languages/translate.ts';
import type { FormProblem, FormState } from './form-state.ts';
import { Icon } from './icon.tsx';
import { Sentence } from './site.tsx';

export interface FormProps {
  readonly form: FormState;
  readonly action: string;
  readonly children: Child;
  /** Prefix of the field IDs, for pages with several forms. The fields need the same `idPrefix`. */
  readonly idPrefix?: string | undefined;
  readonly id?: string | undefined;
  readonly isLine?: boolean | undefined;
  readonly hasFile?: boolean | undefined;
  /** Whether a script sends the form once it has filled in the code of a link. Only for forms that change nothing. */
  readonly sendsCode?: boolean | undefined;
}

/** Browser validation is off, because its messages disappear and differ from the server's. */
export const Form = (props: FormProps) => (
  <form
    class={props.isLine ? 'form line' : 'form'}
    method="post"
    action={props.action}
    id={props.id}
    enctype={props.hasFile ? 'multipart/form-data' : undefined}
    data-sends-code={props.sendsCode ? '' : undefined}
    novalidate
  >
    <FormProblems form={props.form} idPrefix={props.idPrefix} />
    {props.children}
  </form>
);

export const FormActions = ({ children }: { children: Child }) => <div class="form-actions">{children}</div>;

/**
 * Summarizes the problems. The summary gets the focus, so that a screen reader reads it first. If the form's only
 * visible field has the only problem, that field gets the focus instead and there is no summary.
 */
export function FormProblems(props: { form: FormState; idPrefix?: string | undefined }) {
  const { problems, isSoleProblem } = props.form;
  if (problems.length === 0 || isSoleProblem) return null;
  return (
    <FormNotice title={headingOf(problems)} autofocus>
      <ul>
        {problems.map(({ field, sentence }) => (
          <li>
            {field === null ? (
              <Sentence text={sentence} />
            ) : (
              <a href={`#${fieldId(field, props.idPrefix)}`}>{wordsOf(sentence)}</a>
            )}
          </li>
        ))}
      </ul>
    </FormNotice>
  );
}

/** A notice above the fields of a form. `send.ts` inserts one if no response arrives or the response is a failure. */
export const FormNotice = (props: { title: string; autofocus?: boolean; children: Child }) => (
  <div class="bad notice" role="alert" tabindex={-1} autofocus={props.autofocus}>
    <Icon name="warning" />
    <div>
      <h2>{props.title}</h2>
      {props.children}
    </div>
  </div>
);

function headingOf(problems: readonly FormProblem[]): string {
  const ofFields = problems.filter(({ field }) => field !== null).length;
  if (ofFields === 0) return t('That did not work');
  return t('{count, plural, one {Please check this field} other {Please check these fields}}', {
    count: ofFields,
  });
}

export const fieldId = (name: string, prefix?: string): string => `${prefix ?? 'field'}-${name}`;
