import { Button } from '../ui/button.tsx';
import { HiddenField } from '../ui/field.tsx';
import { FormActions } from '../ui/form.tsx';
import type { Markup } from '../ui/markup.ts';

interface UsePasskeyProps {
  /** URL that receives the signed assertion. */
  readonly action: string;
  readonly text: string;
  readonly next: string;
  /** Why a passkey was refused; empty if none was. */
  readonly problem: string;
}

/** Asks for a passkey that was added before. Its script shows it if the browser supports passkeys. */
export const UsePasskey = ({ action, text, next, problem }: UsePasskeyProps): Markup => (
  <form
    class="form"
    method="post"
    action={action}
    data-passkey="use"
    data-options="/sign-in/passkey/options"
    hidden={problem === ''}
  >
    <HiddenField name="next" value={next} />
    <HiddenField name="credential" value="" />
    <PasskeyProblem sentence={problem} />
    <FormActions>
      <Button>{text}</Button>
    </FormActions>
  </form>
);

/** The problem with a passkey, set by the page or by its script. */
export const PasskeyProblem = ({ sentence }: { sentence: string }): Markup => (
  <p class="field-problem" role="alert" data-problem hidden={sentence === ''}>
    <span>{sentence}</span>
  </p>
);
