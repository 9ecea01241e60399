/** The form for a new key and the page that shows its secret, for both API keys and operator keys. */
import type { Child } from 'hono/jsx';
import { capital, isolated } from '../text/text.ts';
import { Button, ButtonLink } from './button.tsx';
import { Code, CopyLine, SaveButton } from './code.tsx';
import { HiddenField, SelectField, TextField } from './field.tsx';
import { Form, FormActions } from './form.tsx';
import type { FormState } from './form-state.ts';
import type { KeyWords } from './keys-page.tsx';
import { Notice } from './notice.tsx';
import { Breadcrumb, PageHeader } from './page-header.tsx';
import { Time } from './time.tsx';

interface CreateKeyPageProps {
  readonly words: KeyWords;
  readonly form: FormState;
  readonly children: Child;
}

export const CreateKeyPage = ({ words, form, children }: CreateKeyPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[words.title, words.path]]} />}
      title={createTitle(words)}
      lead={words.createLead}
    />
    <Form form={form} action={words.path}>
      <HiddenField name="form" value={form.text('form')} />
      <TextField form={form} name="name" label="Name" hint={words.nameHint} autofocus />
      {children}
      <SelectField form={form} name="expires" label="Expires" choices={EXPIRIES} />
      <FormActions>
        <Button tone="primary">Create {words.noun}</Button>
        <ButtonLink href={words.path} tone="quiet">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  </>
);

export const createTitle = ({ noun }: KeyWords): string => `Create an ${noun}`;
export const newTitle = ({ noun }: KeyWords): string => `Your new ${noun}`;

const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: '30d', label: 'In 30 days' },
  { value: '90d', label: 'In 90 days' },
  { value: '365d', label: 'In a year' },
];

interface NewKeyPageProps {
  readonly words: KeyWords;
  readonly name: string;
  readonly made: {
    readonly key: string;
    readonly expires_at: string | null;
    /** After a roll: when the old key ends; `null`: it has ended. */
    readonly old_expires_at?: string | null | undefined;
  };
  readonly about: string;
  readonly baseUrl: string;
  readonly variables: string;
  readonly next: string;
  readonly whileBoth?: Child | undefined;
  readonly children?: Child | undefined;
}

/** The only answer that ever contains the secret of a key. */
export function NewKeyPage(props: NewKeyPageProps) {
  const { words, name, next } = props;
  const { key, expires_at, old_expires_at } = props.made;
  const env = `# ${capital(words.noun)} "${name}" of ${props.baseUrl}. Keep it on your server, and out of version control.\n${props.variables}`;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[[words.title, words.path]]} />}
        title={old_expires_at === undefined ? newTitle(words) : `The key is ${words.rolled}`}
        lead={
          <>
            “{isolated(name)}”, {props.about}.{' '}
            {expires_at === null ? (
              'It does not expire.'
            ) : (
              <>
                It expires on <Time at={expires_at} />.
              </>
            )}
          </>
        }
      />
      <div class="stack-loose narrow">
        <Notice tone="good" title="Save it now. It is shown once">
          <div class="stack">
            <p>Only its hash is stored here. If you lose it, {words.roll.toLowerCase()} the key.</p>
            <CopyLine text={key} what={`the ${words.noun}`} />
          </div>
        </Notice>
        {old_expires_at !== undefined && <OldKey expiresAt={old_expires_at}>{props.whileBoth}</OldKey>}
        <section class="section">
          <div class="spread">
            <h2>Environment variables</h2>
            <SaveButton text={env} file={words.file}>
              Download {words.file}
            </SaveButton>
          </div>
          <Code text={env} what="the lines of the file" />
        </section>
        {props.children}
        <p>
          <ButtonLink href={next}>I have saved it</ButtonLink>
        </p>
      </div>
    </>
  );
}

const OldKey = ({ expiresAt, children }: { expiresAt: string | null; children?: Child }) =>
  expiresAt === null ? (
    <Notice tone="warn" title="The old key has ended">
      Calls with it are refused from now on. Put the new key on your server.
    </Notice>
  ) : (
    <Notice title="The old key works for a while">
      Until <Time at={expiresAt} /> both keys work. Put the new one on every server by then{children}.
    </Notice>
  );
