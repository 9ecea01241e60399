/** Pages to manage one kind of key: an owner's API keys, or operator keys. */

import type { Child } from 'hono/jsx';
import { KeyMadeBefore } from '../../platform/errors.ts';
import { message, t, wordsOf } from '../../platform/languages/translate.ts';
import { capital, isolated } from '../../platform/text/text.ts';
import { Button, ButtonLink, CancelLink } from '../ui/button.tsx';
import { Section } from '../ui/card.tsx';
import { Code, CopyLine, SaveButton } from '../ui/code.tsx';
import { FormId, SelectField, TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { type FormInput, type FormState, newForm } from '../ui/form-state.ts';
import type { KeyNotice, KeyWords, ShownKey } from '../ui/keys-page.tsx';
import { Notice } from '../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { TimeWithZone } from '../ui/time.tsx';
import type { Viewer } from '../ui/viewer.ts';
import { isFreshlyProven, requireProof } from './kept-forms.tsx';
import { KeyNetworksPage, NetworksField } from './key-networks-page.tsx';
import type { PageRouter } from './page-router.ts';
import { type PageContext, page, readForm, redirect, requireFound } from './pages.ts';

interface CreatedKey {
  readonly key: string;
  readonly expires_at: string | null;
  /** After a roll: when the old key expires; `null` if it has already expired. */
  readonly old_expires_at?: string | null | undefined;
}

interface KeyPages<Key extends ShownKey, NewKey extends CreatedKey> {
  readonly for: 'owner' | 'operator';
  readonly words: KeyWords;
  readonly list: (viewer: Viewer) => Promise<readonly Key[]>;
  readonly listPage: (keys: readonly Key[], viewer: Viewer, notice: KeyNotice | null) => Child;
  readonly emptyForm: (c: PageContext, viewer: Viewer) => FormState | Promise<FormState>;
  /** Form fields specific to this kind of key. */
  readonly fields: (form: FormState) => Child;
  /**
   * `null`: the form was rejected and has the error. May throw `KeyMadeBefore`. `next`: by default the list of keys.
   */
  readonly create: (
    c: PageContext,
    viewer: Viewer,
    form: FormInput,
  ) => Promise<{ readonly newKey: NewKey; readonly name: string; readonly next?: string } | null>;
  readonly describe: (newKey: NewKey, baseUrl: string) => KeyDescription;
  /** Whether rolling the key or changing its networks requires proof of identity, so that a stolen session can't get the new key. */
  readonly needsProof: (key: Key) => boolean;
  readonly roll: (viewer: Viewer, keyId: string, keepOld: string) => Promise<NewKey>;
  readonly revoke: (viewer: Viewer, keyId: string) => Promise<unknown>;
  readonly changeNetworks: (viewer: Viewer, keyId: string, networks: string) => Promise<unknown>;
}

interface KeyDescription {
  readonly about: string;
  readonly variables: string;
  readonly whileBoth?: string;
  readonly below?: Child;
}

export function addKeyPages<Key extends ShownKey, NewKey extends CreatedKey>(
  app: PageRouter,
  kind: KeyPages<Key, NewKey>,
): void {
  const { words } = kind;
  const showKeys = async (c: PageContext, viewer: Viewer, notice: KeyNotice | null) =>
    page(c, kind.listPage(await kind.list(viewer), viewer, notice), {
      title: wordsOf(words.title),
      status: notice === null ? 200 : 409,
    });
  const showForm = (c: PageContext, form: FormState) =>
    page(c, <CreateKeyPage words={words} form={form} children={kind.fields(form)} />, {
      title: t('Create an {noun}', { noun: words.noun }),
      status: form.status,
    });
  const showNew = (c: PageContext, newKey: NewKey, name: string, next = words.path) => {
    const { baseUrl } = c.get('site');
    const props = { words, newKey, name, next, baseUrl, ...kind.describe(newKey, baseUrl) };
    return page(c, <NewKeyPage {...props} />, { title: t('Your new {noun}', { noun: words.noun }) });
  };
  /** Another account's key gets the same response as a missing one. */
  const find = async (c: PageContext, viewer: Viewer): Promise<Key> =>
    requireFound((await kind.list(viewer)).find(({ id }) => id === c.req.param('id')));

  app.get(words.path, { for: kind.for }, (c, viewer) => showKeys(c, viewer, null));

  app.get(`${words.path}/new`, { for: kind.for }, async (c, viewer) =>
    showForm(c, await kind.emptyForm(c, viewer)),
  );

  app.post(words.path, { for: kind.for }, async (c, viewer) => {
    const form = await readForm(c);
    try {
      const result = await kind.create(c, viewer, form);
      return result === null ? showForm(c, form) : showNew(c, result.newKey, result.name, result.next);
    } catch (error) {
      if (!(error instanceof KeyMadeBefore)) throw error;
      return showKeys(c, viewer, { what: 'made-before', name: error.keyName });
    }
  });

  app.post(`${words.path}/:id/${words.roll.toLowerCase()}`, { for: kind.for }, async (c, viewer) => {
    const key = await find(c, viewer);
    const form = await readForm(c);
    if (kind.needsProof(key)) await requireProof(c, isFreshlyProven);
    const newKey = await form.attempt(null, () => kind.roll(viewer, key.id, form.text('keep')));
    if (newKey !== null) return showNew(c, newKey, key.name);
    // If the form was sent twice, the first request has already rolled the key. Read the key again to find out.
    const isRolled = (await find(c, viewer)).rolled_to_id !== null;
    const refused = { what: 'refused', sentence: form.refusal } as const;
    return showKeys(c, viewer, isRolled ? { what: 'made-before', name: key.name } : refused);
  });

  const showNetworks = (c: PageContext, key: Key, form: FormState) =>
    page(c, <KeyNetworksPage words={words} view={key} form={form} />, {
      title: t('Networks of “{name}”', { name: key.name }),
      status: form.status,
    });

  app.get(`${words.path}/:id/networks`, { for: kind.for }, async (c, viewer) => {
    const key = await find(c, viewer);
    const networks = key.networks.join('\n');
    return showNetworks(c, key, newForm({ networks }));
  });

  app.post(`${words.path}/:id/networks`, { for: kind.for }, async (c, viewer) => {
    const key = await find(c, viewer);
    const form = await readForm(c);
    if (kind.needsProof(key)) await requireProof(c, isFreshlyProven);
    await form.attempt('networks', () => kind.changeNetworks(viewer, key.id, form.text('networks')));
    return form.isFine ? redirect(c, words.path) : showNetworks(c, key, form);
  });

  // No `requireProof`, so that a leaked key can be revoked quickly.
  app.post(`${words.path}/:id/revoke`, { for: kind.for, counts: false }, async (c, viewer) => {
    await kind.revoke(viewer, (await find(c, viewer)).id);
    return redirect(c, words.path);
  });
}

interface CreateKeyPageProps {
  readonly words: KeyWords;
  readonly form: FormState;
  readonly children: Child;
}

const CreateKeyPage = ({ words, form, children }: CreateKeyPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[words.title, words.path]]} />}
      title={t('Create an {noun}', { noun: words.noun })}
      lead={wordsOf(words.createLead)}
    />
    <Form form={form} action={words.path}>
      <FormId form={form} />
      <TextField form={form} name="name" label={t('Name')} hint={words.nameHint} autofocus />
      {children}
      <NetworksField form={form} words={words} />
      <SelectField form={form} name="expires" label={t('Expires')} choices={EXPIRIES} />
      <FormActions>
        <Button tone="primary">{t('Create {noun}', { noun: words.noun })}</Button>
        <CancelLink href={words.path} />
      </FormActions>
    </Form>
  </>
);

const EXPIRIES = [
  { value: '', label: message('expires|Never') },
  { value: '30d', label: message('In 30 days') },
  { value: '90d', label: message('In 90 days') },
  { value: '365d', label: message('In a year') },
];

interface NewKeyPageProps extends KeyDescription {
  readonly words: KeyWords;
  readonly name: string;
  readonly newKey: CreatedKey;
  readonly baseUrl: string;
  readonly next: string;
}

/** The only page that shows the secret of a key. */
function NewKeyPage(props: NewKeyPageProps) {
  const { words, name, next } = props;
  const { key, expires_at, old_expires_at } = props.newKey;
  const env = `# ${capital(String(words.noun))} "${name}" of ${props.baseUrl}. Keep it on your server, and out of version control.\n${props.variables}`;
  return (
    <>
      <PageHeader
        above={<Breadcrumb trail={[[words.title, words.path]]} />}
        title={
          old_expires_at === undefined
            ? t('Your new {noun}', { noun: words.noun })
            : t('The key is {roll, select, Roll {rolled} other {replaced}}', { roll: words.roll })
        }
        lead={
          <>
            {t('“{name}”, {about}.', { name: isolated(name), about: props.about })}{' '}
            {expires_at === null
              ? t('It does not expire.')
              : t('It expires on {time}.', { time: <TimeWithZone at={expires_at} /> })}
          </>
        }
      />
      <div class="stack-loose narrow">
        <Notice tone="good" title={t('Save the key now. It is shown only once')}>
          <div class="stack">
            <p>
              {t(
                'Only a hash of the key is stored here. If you lose the key, {roll, select, Roll {roll} other {replace}} it.',
                { roll: words.roll },
              )}
            </p>
            <CopyLine text={key} what={t('the {noun}', { noun: words.noun })} />
          </div>
        </Notice>
        {old_expires_at !== undefined && <OldKey expiresAt={old_expires_at}>{props.whileBoth}</OldKey>}
        <Section
          title={t('Environment variables')}
          action={
            <SaveButton text={env} file={words.file}>
              {t('Download {file}', { file: words.file })}
            </SaveButton>
          }
        >
          <Code text={env} what={t('the lines of the file')} />
        </Section>
        {props.below}
        <p>
          <ButtonLink href={next} tone="primary">
            {t('I have saved it')}
          </ButtonLink>
        </p>
      </div>
    </>
  );
}

const OldKey = ({ expiresAt, children }: { expiresAt: string | null; children?: Child }) =>
  expiresAt === null ? (
    <Notice tone="warn" title={t('The old key no longer works')}>
      {t('Calls with it are refused from now on. Put the new key on your server.')}
    </Notice>
  ) : (
    <Notice title={t('The old key works for a while')}>
      {t('Until {time}, both keys work. Put the new one on every server by then.', {
        time: <TimeWithZone at={expiresAt} />,
      })}{' '}
      {children}
    </Notice>
  );
