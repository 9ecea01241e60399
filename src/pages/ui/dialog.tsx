import type { Child } from 'hono/jsx';
import { currentLanguage } from '../../platform/languages/language.ts';
import { t } from '../../platform/languages/translate.ts';
import { type AnyButtonProps, Button, type ButtonTone, buttonClass } from './button.tsx';
import type { FieldProps } from './field.tsx';
import { Form, FormActions } from './form.tsx';
import type { FormState } from './form-state.ts';

export interface DialogProps {
  readonly id: string;
  readonly opener: Child;
  readonly openerTone?: ButtonTone | undefined;
  readonly openerLabel?: string | undefined;
  readonly small?: boolean | undefined;
  readonly shortcut?: string | undefined;
  readonly title: Child;
  readonly children: Child;
}

/** Uses the Popover API, so it works without JavaScript and with the keyboard. */
export const Dialog = (props: DialogProps) => (
  <>
    <DialogButton
      id={props.id}
      label={props.openerLabel}
      tone={props.openerTone}
      small={props.small}
      shortcut={props.shortcut}
    >
      {props.opener}
    </DialogButton>
    <div class="dialog" id={props.id} popover="auto" role="dialog" aria-labelledby={`${props.id}-title`}>
      <h2 id={`${props.id}-title`}>{props.title}</h2>
      {props.children}
    </div>
  </>
);

export const DialogButton = (props: AnyButtonProps & { id: string }) => (
  <button
    type="button"
    class={buttonClass(props)}
    popovertarget={props.id}
    aria-haspopup="dialog"
    aria-label={props.label}
    data-key={props.shortcut}
  >
    {props.children}
  </button>
);

/** Closes the dialog. Gets the focus when the dialog opens. */
export const DialogCancel = ({ id, children }: { id: string; children?: Child }) => (
  <button type="button" class="button" popovertarget={id} popovertargetaction="hide" autofocus>
    {children ?? t('Cancel')}
  </button>
);

interface ConfirmProps
  extends Pick<DialogProps, 'openerTone' | 'openerLabel' | 'small' | 'title' | 'children'> {
  readonly action: string;
  readonly confirm: string;
  /** Defaults to the first word of `confirm` in English, and to all of it elsewhere: the verb may come last. */
  readonly opener?: Child;
  /** Default: the last segment of `action`. */
  readonly id?: string;
  readonly isHarmless?: boolean;
}

/** Asks for confirmation. `children`: one or two sentences about the consequences, and any fields. */
export function Confirm(props: ConfirmProps) {
  const { action, confirm, isHarmless, id = action.split('/').at(-1)! } = props;
  const named = currentLanguage().code === 'en' ? confirm.split(' ', 1)[0]! : confirm;
  const { opener = t('{words}…', { words: named }), openerTone = isHarmless ? 'plain' : 'danger' } = props;
  return (
    <Dialog {...props} {...{ id, opener, openerTone }}>
      <form method="post" action={action}>
        <div class="stack">{props.children}</div>
        <FormActions>
          <DialogCancel id={id} />
          <Button tone={isHarmless ? 'primary' : 'danger-solid'}>{confirm}</Button>
        </FormActions>
      </form>
    </Dialog>
  );
}

interface DialogFormProps extends Omit<DialogProps, 'children'> {
  readonly form: FormState;
  readonly action: string;
  readonly confirm: string;
  readonly isHarmless?: boolean | undefined;
  readonly fields: (props: Pick<FieldProps, 'form' | 'idPrefix'>) => Child;
}

/** A form in a dialog. After an error, the page shows the form outside a dialog, with the submitted values. */
export function DialogForm({ form, action, confirm, isHarmless, fields, ...dialog }: DialogFormProps) {
  const { id, openerTone = isHarmless ? 'plain' : 'danger' } = dialog;
  const isRefused = form.problems.length > 0;
  const content = (
    <Form form={form} action={action} idPrefix={id}>
      {fields({ form, idPrefix: id })}
      <FormActions>
        {!isRefused && <DialogCancel id={id} />}
        <Button tone={isHarmless ? 'primary' : 'danger-solid'}>{confirm}</Button>
      </FormActions>
    </Form>
  );
  if (isRefused) return content;
  return (
    <Dialog {...dialog} openerTone={openerTone}>
      {content}
    </Dialog>
  );
}

const ID = 'shortcut-help';

export const ShortcutHelp = ({ keys }: { keys: readonly (readonly [key: string, does: string])[] }) => (
  <div data-shortcut-switch hidden>
    <Dialog
      id={ID}
      opener={t('Shortcuts')}
      openerLabel={t('Shortcuts: single keys')}
      openerTone="quiet"
      shortcut="?"
      title={t('Single-key shortcuts')}
    >
      <dl class="keys">
        {[...keys, ['?', t('Show this list')] as const].map(([key, does]) => (
          <div>
            <dt>
              <kbd>{key.toUpperCase()}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="choice" data-shortcut-switch hidden>
        <input type="checkbox" id="shortcut-switch" />
        <label for="shortcut-switch">{t('Use shortcuts in this browser')}</label>
      </div>
      <p class="hint">{t('Shortcuts are off while you type. This browser remembers your choice.')}</p>
      <FormActions>
        <DialogCancel id={ID}>{t('Close')}</DialogCancel>
      </FormActions>
    </Dialog>
  </div>
);
