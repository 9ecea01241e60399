/**
 * Buttons. A page has at most one `primary` button. A `danger` button performs a destructive action or opens its
 * confirmation; the confirmation has a `danger-solid` button.
 */
import type { Child } from 'hono/jsx';
import { t } from '../../platform/languages/translate.ts';
import { tokenList } from './markup.ts';

export type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-solid';

export interface AnyButtonProps {
  readonly tone?: ButtonTone | undefined;
  /** For table rows. On a phone, the button has the height of other buttons. */
  readonly small?: boolean | undefined;
  readonly wide?: boolean | undefined;
  /** Single-key shortcut: a lower-case letter or `?`. Disabled while a text field has focus. */
  readonly shortcut?: string | undefined;
  /** Accessible name. It must begin with the visible text. */
  readonly label?: string | undefined;
  readonly children: Child;
}

export const buttonClass = ({ tone = 'plain', small, wide }: AnyButtonProps) =>
  tokenList('button', tone !== 'plain' && tone, small && 'small', wide && 'wide');

interface ButtonProps extends AnyButtonProps {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
  readonly form?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly formaction?: string | undefined;
  readonly autofocus?: boolean | undefined;
}

export const Button = (props: ButtonProps) => (
  <button
    type="submit"
    class={buttonClass(props)}
    name={props.name}
    value={props.value}
    form={props.form}
    formaction={props.formaction}
    disabled={props.disabled}
    autofocus={props.autofocus}
    data-key={props.shortcut}
    aria-label={props.label}
  >
    {props.children}
    {props.shortcut && <ShortcutKey letter={props.shortcut} />}
  </button>
);

export interface ButtonLinkProps extends AnyButtonProps {
  readonly href: string;
  readonly download?: boolean | undefined;
  readonly newTab?: boolean | undefined;
}

export const ButtonLink = (props: ButtonLinkProps) => (
  <a
    class={buttonClass(props)}
    href={props.href}
    download={props.download}
    target={props.newTab ? '_blank' : undefined}
    rel={props.newTab ? 'noopener' : undefined}
    data-key={props.shortcut}
    aria-label={props.label}
  >
    {props.children}
    {props.shortcut && <ShortcutKey letter={props.shortcut} />}
  </a>
);

/** Leaves a form without saving. `DialogCancel` does the same in a dialog. */
export const CancelLink = ({ href }: { href: string }) => (
  <ButtonLink href={href} tone="quiet">
    {t('Cancel')}
  </ButtonLink>
);

interface CopyingLinkProps extends AnyButtonProps {
  readonly href: string;
  readonly text: string;
  /** The label if the browser can copy. Otherwise, `children` is the label. */
  readonly copyWords: string;
}

/** Copies text and opens another site in a new tab. Without JavaScript, the link only opens the site. */
export const CopyingLink = (props: CopyingLinkProps) => (
  <a
    class={buttonClass(props)}
    href={props.href}
    target="_blank"
    rel="noopener noreferrer nofollow"
    data-copies={props.text}
  >
    <span data-with-copy hidden>
      {props.copyWords}
    </span>
    <span data-without-copy>{props.children}</span>
    <span class="visually-hidden"> {t('(another site)')}</span>
  </a>
);

/** Hidden until the script shows it. CSS inserts the letter, which keeps it out of the button's accessible name. */
export const ShortcutKey = ({ letter }: { letter: string }) => (
  <span class="key" data-letter={letter.toUpperCase()} data-shortcut hidden />
);

export interface PostButtonProps extends AnyButtonProps, Pick<ButtonProps, 'disabled'> {
  readonly action: string;
  readonly values?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether the response redirects to another site. `send.ts` leaves such a form to the browser, because the CSP
   * directive `form-action` limits the redirects of a form, but not the navigations of a script.
   */
  readonly leaves?: boolean | undefined;
}

export const PostButton = ({ action, values = {}, leaves, ...button }: PostButtonProps) => (
  <form method="post" action={action} data-leaves={leaves ? '' : undefined}>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <Button {...button} />
  </form>
);
