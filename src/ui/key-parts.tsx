/** Parts of the pages of keys, alike for the API keys of owners and the keys of operators. */
import type { Child } from 'hono/jsx';
import { isolated } from '../text.ts';
import { Code, CopyLine } from './code.tsx';
import { RadioField, SelectField } from './field.tsx';
import type { FormState } from './form-state.ts';
import type { Markup } from './markup.ts';
import { Notice } from './notice.tsx';
import { SaveButton } from './save-button.tsx';
import type { Column } from './table.tsx';
import { Time } from './time.tsx';

/** Why a form was refused. `made-before`: the form was sent before, and its key was shown then. */
export type KeyNotice =
  | { readonly what: 'made-before'; readonly name: string }
  | { readonly what: 'refused'; readonly sentence: string };

export interface KeyNoticeBlockProps {
  readonly notice: KeyNotice;
  /** How to get a key that is shown, such as `roll the key`. */
  readonly instead: string;
}

export const KeyNoticeBlock = ({ notice, instead }: KeyNoticeBlockProps): Markup =>
  notice.what === 'refused' ? (
    <Notice tone="bad" title="Nothing was changed">
      {notice.sentence}
    </Notice>
  ) : (
    <Notice tone="warn" title="That was sent twice">
      The first answer made the key “{isolated(notice.name)}” and showed its secret. If you did not see it,{' '}
      {instead}: the page shows the new one.
    </Notice>
  );

/** When a key was made, and last used. */
export const KEY_TIME_COLUMNS: readonly Column<{
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}>[] = [
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, isNowrap: true },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span class="quiet-text">never</span> : <Time at={lastUsedAt} />,
    isNowrap: true,
  },
];

const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: '30d', label: 'In 30 days' },
  { value: '90d', label: 'In 90 days' },
  { value: '365d', label: 'In a year' },
];

export const ExpiresField = ({ form }: { form: FormState }): Markup => (
  <SelectField form={form} name="expires" label="Expires" choices={EXPIRIES} />
);

const OVERLAPS = [
  { value: 'now', label: 'Now', hint: 'It may have leaked. Calls fail until your server has the new key.' },
  { value: '1h', label: 'In an hour' },
  { value: '24h', label: 'In a day', hint: 'Time to put the new key on every server.' },
  { value: '7d', label: 'In a week' },
];

/** How long an old key works beside the new one. */
export const OverlapField = ({ form, idPrefix }: { form: FormState; idPrefix: string }): Markup => (
  <RadioField
    form={form}
    name="keep"
    label="When should the old key end?"
    choices={OVERLAPS}
    idPrefix={idPrefix}
  />
);

export const Expiry = ({ at }: { at: string | null }): Markup =>
  at === null ? (
    <>It does not expire.</>
  ) : (
    <>
      It expires on <Time at={at} />.
    </>
  );

export interface SecretNoticeProps {
  /** The whole key. */
  readonly secret: string;
  /** What kind of key, such as `API key`. */
  readonly what: string;
  /** How to get another, such as `roll the key`. */
  readonly instead: string;
}

export const SecretNotice = ({ secret, what, instead }: SecretNoticeProps): Markup => (
  <Notice tone="good" title="Save it now. It is shown once">
    <div class="stack">
      <p>Only its fingerprint is stored here. If it gets lost, {instead}.</p>
      <CopyLine text={secret} what={`the ${what}`} />
    </div>
  </Notice>
);

export interface OldKeyProps {
  /** `null`: it has ended. */
  readonly expiresAt: string | null;
  /** What else to know while both keys work. */
  readonly children?: Child;
}

export const OldKey = ({ expiresAt, children }: OldKeyProps): Markup =>
  expiresAt === null ? (
    <Notice tone="warn" title="The old key has ended">
      Calls with it are refused from now on. Put the new key on your server.
    </Notice>
  ) : (
    <Notice title="The old key works for a while">
      Until <Time at={expiresAt} /> both keys work. Put the new one on every server by then{children}.
    </Notice>
  );

/** The lines of a file for the environment, to copy or to save. */
export const EnvFile = ({ text, file }: { text: string; file: string }): Markup => (
  <section class="section">
    <div class="spread">
      <h2>For the environment of your server</h2>
      <SaveButton text={text} file={file}>
        Download {file}
      </SaveButton>
    </div>
    <Code text={text} what="the lines of the file" />
  </section>
);
