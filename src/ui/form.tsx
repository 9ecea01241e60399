/** Forms, and the summary of problems above a refused one. */
import type { Child } from 'hono/jsx';
import type { FormProblem, FormState } from './form-state.ts';
import { Icon } from './icon.tsx';
import { Sentence } from './site.tsx';

export interface FormProps {
  readonly form: FormState;
  readonly action: string;
  readonly children: Child;
  /** Prefix of the ids of its fields (their `idPrefix`), where a page has several forms. */
  readonly idPrefix?: string | undefined;
  readonly id?: string | undefined;
  /** Whether one of its fields is a file. */
  readonly hasFile?: boolean | undefined;
}

/** The browser's own validation is off: its bubbles vanish and differ from the server's messages. */
export const Form = (props: FormProps) => (
  <form
    class="form"
    method="post"
    action={props.action}
    id={props.id}
    enctype={props.hasFile ? 'multipart/form-data' : undefined}
    novalidate
  >
    <FormProblems form={props.form} idPrefix={props.idPrefix} />
    {props.children}
  </form>
);

export const FormActions = ({ children }: { children: Child }) => <div class="form-actions">{children}</div>;

/**
 * All problems, each a link to its field. Gets the focus, so that a screen reader reads it first; where it would only
 * repeat the one field below it, that field does.
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
              <a href={`#${fieldId(field, props.idPrefix)}`}>{sentence}</a>
            )}
          </li>
        ))}
      </ul>
    </FormNotice>
  );
}

/** Above the fields of a form. `send.ts` puts one there if no answer came, or an answer without the form. */
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
  if (ofFields === 0) return 'That did not work';
  return ofFields === 1 ? 'Please check this field' : 'Please check these fields';
}

export const fieldId = (name: string, prefix?: string): string => `${prefix ?? 'field'}-${name}`;
