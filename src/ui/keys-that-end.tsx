/** For pages that end a membership: the API keys that the member created, and a choice of when the keys expire. */
import { message, t } from '../languages/translate.ts';
import { SelectField } from './field.tsx';
import type { FormState } from './form-state.ts';
import { KeyName } from './keys-page.tsx';
import { stateText } from './state-badge.tsx';
import { Table } from './table.tsx';
import { Time } from './time.tsx';

interface KeyThatEnds {
  readonly name: string;
  readonly start: string;
  readonly mode: 'live' | 'test';
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

const CHOICES = [
  { value: 'now', label: message('Now') },
  { value: '24h', label: message('In 24 hours') },
  { value: '7d', label: message('In 7 days') },
];

export const KeysThatEnd = ({ keys, form }: { keys: readonly KeyThatEnds[]; form: FormState }) => (
  <>
    <Table
      caption={t('API keys that will stop working')}
      rows={keys}
      columns={[
        { header: t('Key'), isName: true, cell: ({ name, start }) => <KeyName name={name} start={start} /> },
        { header: t('Mode'), cell: ({ mode }) => stateText(mode) },
        {
          header: t('Last used'),
          cell: ({ last_used_at }) => (last_used_at === null ? t('Never') : <Time at={last_used_at} />),
        },
      ]}
    />
    <SelectField
      form={form}
      name="keys"
      label={t('Keys stop working')}
      choices={CHOICES}
      hint={t(
        'A server that uses one of these keys needs a new key before then. Choose “Now” if the person who created these keys must no longer be able to use them.',
      )}
    />
  </>
);
