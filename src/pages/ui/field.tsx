/** Form fields: label, hint, control and error message. After an error, the typed text is shown again. */
import type { Child } from 'hono/jsx';
import { type Message, t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { fieldId } from './form.tsx';
import type { FormState } from './form-state.ts';
import { tokenList } from './markup.ts';
import { Sentence } from './site.tsx';

export interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: Child | Message;
  readonly hint?: Child | Message | undefined;
  /** Fields are required by default. `depends`: required only in some cases, so the label has no "(optional)" mark. */
  readonly optional?: boolean | 'depends' | undefined;
  readonly describedBy?: string | undefined;
  readonly autofocus?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** For pages with several forms. */
  readonly idPrefix?: string | undefined;
}

function controlAttributes(props: FieldProps & Pick<TextFieldProps, 'after'>) {
  const id = fieldId(props.name, props.idPrefix);
  const isRefused = props.form.problemOf(props.name) !== null;
  return {
    id,
    name: props.name,
    'aria-describedby': tokenList(
      props.describedBy,
      props.after ? `${id}-after` : null,
      props.hint ? `${id}-hint` : null,
      isRefused ? `${id}-problem` : null,
    ),
    'aria-invalid': isRefused ? ('true' as const) : undefined,
    required: !props.optional,
    // After an error, the summary of problems gets the focus. If there is no summary, the field gets the focus.
    autofocus: props.form.problems.length === 0 ? props.autofocus : isRefused && props.form.isSoleProblem,
    disabled: props.disabled,
  };
}

function Field(props: FieldProps & { children: Child }) {
  const id = fieldId(props.name, props.idPrefix);
  return (
    <div class="field">
      <label for={id}>
        {wordsOf(props.label)}
        {props.optional === true && <OptionalMark />}
      </label>
      <FieldWords {...props} id={id} />
      {props.children}
    </div>
  );
}

const OptionalMark = () => <span class="optional"> {t('(optional)')}</span>;

/** Hint and error message, placed before the control, so that screen readers read them first. */
function FieldWords(props: FieldProps & { id: string }) {
  const problem = props.form.problemOf(props.name);
  return (
    <>
      {props.hint && (
        <p class="hint" id={`${props.id}-hint`}>
          {wordsOf(props.hint)}
        </p>
      )}
      {problem !== null && (
        <p
          class="field-problem"
          id={`${props.id}-problem`}
          role={props.form.isSoleProblem ? 'alert' : undefined}
        >
          <span>
            <Sentence text={problem} />
          </span>
        </p>
      )}
    </>
  );
}

export interface FileFieldProps extends FieldProps {
  readonly accept: string;
  /** The script `picture` rejects a larger file before the upload and shows `tooLarge`. */
  readonly maxBytes: number;
  readonly tooLarge: Words;
}

/**
 * A field to upload a picture. The script `picture` hides the control and uploads a picture as soon as it is chosen; its
 * progress is shown here. The form needs `hasFile`.
 */
export const FileField = (props: FileFieldProps) => (
  <Field {...props}>
    <input
      {...controlAttributes(props)}
      class="input"
      type="file"
      accept={props.accept}
      data-max-bytes={props.maxBytes}
    />
    <p class="bad-text" role="alert" data-too-large={wordsOf(props.tooLarge)} hidden />
    <progress max={1} hidden aria-label={t('Uploading')} />
  </Field>
);

export interface TextFieldProps extends FieldProps {
  /** `text` by default. The value of a password field is never sent back to the browser. */
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'date' | 'datetime-local' | undefined;
  readonly autocomplete?: string | undefined;
  /** Omits seconds from a `datetime-local` field. */
  readonly isToMinute?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly inputmode?: 'numeric' | 'email' | 'url' | undefined;
  /** For links, codes and labels: monospace, without spell check, autocorrection or automatic capitals. */
  readonly mono?: boolean | undefined;
  readonly short?: boolean | undefined;
  /** Wraps long text onto several lines. The server rejects text that contains line breaks. */
  readonly wraps?: boolean | undefined;
  readonly prefix?: string | undefined;
  /** A unit or other content after a narrow control. */
  readonly after?: Child | undefined;
}

/** Longer text gets two rows. Browsers with `field-sizing` ignore rows and fit the field to its text. */
const LINE_LENGTH = 40;

export function TextField(props: TextFieldProps) {
  const text = props.form.typed(props.name);
  const shared = {
    ...controlAttributes(props),
    dir: props.mono ? 'ltr' : 'auto',
    class: tokenList('input', props.mono && 'mono', props.short && 'short', props.wraps && 'wraps'),
    autocomplete: props.autocomplete ?? 'off',
    ...((props.mono || props.type === 'search') && VERBATIM),
  } as const;
  return (
    <Field {...props}>
      {props.wraps ? (
        <textarea {...shared} rows={text.length > LINE_LENGTH ? 2 : 1}>
          {contentOf(text)}
        </textarea>
      ) : (
        <InputLine {...props} id={shared.id}>
          <input
            {...shared}
            type={props.type ?? 'text'}
            value={props.type === 'password' ? undefined : text}
            placeholder={props.placeholder}
            inputmode={props.inputmode}
            step={props.type === 'datetime-local' && !props.isToMinute ? 1 : undefined}
          />
        </InputLine>
      )}
    </Field>
  );
}

/** Set `autocomplete` to `username` if a password manager should fill in the address. */
export const EmailField = (props: Pick<TextFieldProps, 'form'> & Partial<TextFieldProps>) => (
  <TextField name="email" type="email" label={t('Email address')} inputmode="email" {...props} />
);

type InputLineProps = Pick<TextFieldProps, 'type' | 'prefix' | 'after'> & { id: string; children: Child };

/** Adds a unit, a prefix or a "Show password" button to a control. */
function InputLine({ type, prefix, after, id, children }: InputLineProps) {
  if (after) {
    return (
      <div class="row">
        {children}
        <span id={`${id}-after`}>{after}</span>
      </div>
    );
  }
  if (prefix !== undefined) {
    return (
      <div class="affixed" dir="ltr">
        <span class="affix">{prefix}</span>
        {children}
      </div>
    );
  }
  return (
    <>
      {children}
      {type === 'password' && (
        <button
          type="button"
          class="button quiet reveal"
          data-reveal={id}
          data-hide={t('Hide password')}
          hidden
        >
          {t('Show password')}
        </button>
      )}
    </>
  );
}

const VERBATIM = { spellcheck: false, autocapitalize: 'none', autocorrect: 'off' } as const;

/** HTML parsers drop a line break at the start of a textarea, so an extra one is added. */
const contentOf = (text: string): string => `\n${text}`;

/** `rows`: initial height in lines. The field grows with its text. */
export const TextAreaField = (
  props: FieldProps & Pick<TextFieldProps, 'placeholder'> & { rows?: number | undefined },
) => (
  <Field {...props}>
    <textarea
      {...controlAttributes(props)}
      dir="auto"
      class="input"
      rows={props.rows ?? 4}
      placeholder={props.placeholder}
    >
      {contentOf(props.form.typed(props.name))}
    </textarea>
  </Field>
);

/** An integer. Doesn't use `type=number`, which drops invalid input and reacts to the mouse wheel. */
export const NumberField = (props: FieldProps & Pick<TextFieldProps, 'after' | 'placeholder'>) => (
  <TextField {...props} inputmode="numeric" short />
);

export interface Choice {
  readonly value: string;
  readonly label: Child | Message;
  /** A sentence below the label. A select doesn't show hints. */
  readonly hint?: Child | Message | undefined;
  /** In a select, the heading of the choices with the same group. */
  readonly group?: Message | undefined;
}

interface ChoiceFieldProps extends FieldProps {
  readonly choices: readonly Choice[];
}

export function SelectField(props: ChoiceFieldProps) {
  const option = ({ value, label }: Choice) => (
    <option value={value} selected={props.form.typed(props.name) === value}>
      {isolated(wordsOf(label))}
    </option>
  );
  return (
    <Field {...props}>
      <div class="select">
        <select {...controlAttributes(props)} class="input">
          {[...Map.groupBy(props.choices, ({ group }) => group)].map(([group, choices]) =>
            group === undefined ? (
              choices.map(option)
            ) : (
              <optgroup label={t(group)}>{choices.map(option)}</optgroup>
            ),
          )}
        </select>
      </div>
    </Field>
  );
}

export const RadioField = (props: ChoiceFieldProps & { boxed?: boolean | undefined }) => (
  <Choices
    {...props}
    control={(value) => ({
      type: 'radio',
      name: props.name,
      value,
      checked: props.form.typed(props.name) === value,
      disabled: props.disabled,
      'aria-invalid': controlAttributes(props)['aria-invalid'],
    })}
  />
);

/** Each checkbox is a separate field with the value `yes`. */
export const CheckboxesField = (props: ChoiceFieldProps & { boxed?: boolean | undefined }) => (
  <Choices {...props} control={(name) => checkbox(props.form, name)} />
);

export const CheckboxField = ({
  form,
  name,
  label,
  hint,
}: Pick<FieldProps, 'form' | 'name' | 'label' | 'hint'>) => (
  <ChoiceControl id={fieldId(name)} control={checkbox(form, name)} label={label} hint={hint} />
);

const checkbox = (form: FormState, name: string) =>
  ({ type: 'checkbox', name, value: 'yes', checked: form.typed(name) === 'yes' }) as const;

interface ChoiceGroup {
  readonly label: Message;
  readonly choices: readonly Choice[];
}

export const GroupedCheckboxesField = (props: FieldProps & { groups: readonly ChoiceGroup[] }) => (
  <Choices
    {...props}
    choices={props.groups.flatMap(({ choices }) => choices)}
    control={(name) => checkbox(props.form, name)}
  />
);

interface ChoicesProps extends ChoiceFieldProps {
  readonly groups?: readonly ChoiceGroup[];
  readonly boxed?: boolean | undefined;
  readonly control: (value: string) => object;
}

const ChoiceControl = (props: Pick<Choice, 'label' | 'hint'> & { id: string; control: object }) => (
  <div class="choice">
    <input {...props.control} id={props.id} aria-describedby={props.hint ? `${props.id}-about` : undefined} />
    <label for={props.id}>{isolated(wordsOf(props.label))}</label>
    {props.hint && (
      <p class="hint" id={`${props.id}-about`}>
        {wordsOf(props.hint)}
      </p>
    )}
  </div>
);

/** The first choice gets the field's ID, which the summary of problems links to. */
function Choices(props: ChoicesProps) {
  const { id, 'aria-describedby': describedBy } = controlAttributes(props);
  const control = (choice: Choice) => {
    const index = props.choices.indexOf(choice);
    return (
      <ChoiceControl
        {...choice}
        id={index === 0 ? id : `${id}-${index}`}
        control={props.control(choice.value)}
      />
    );
  };
  return (
    <fieldset class="field" aria-describedby={describedBy}>
      <legend>
        {wordsOf(props.label)}
        {props.optional === true && <OptionalMark />}
      </legend>
      <FieldWords {...props} id={id} />
      {props.groups === undefined ? (
        <div class={props.boxed ? 'choices boxed' : 'choices'}>{props.choices.map(control)}</div>
      ) : (
        <div class="stack">
          {props.groups.map(({ label, choices }) => (
            <fieldset class="choices">
              <legend class="kind">{t(label)}</legend>
              {choices.map(control)}
            </fieldset>
          ))}
        </div>
      )}
    </fieldset>
  );
}

export const HiddenField = (props: { name: string; value: string }) => (
  <input type="hidden" name={props.name} value={props.value} />
);

/** Identifies a form that creates something, so that a form that is sent twice creates it once. */
export const FormId = ({ form }: { form: FormState }) =>
  form.typed('form') === '' ? null : <HiddenField name="form" value={form.typed('form')} />;
