/** The keys that a person created who leaves an account, and the choice when they end. */
import { SelectField } from './field.tsx';
import type { FormState } from './form-state.ts';
import { KeyName } from './keys-page.tsx';
import { Table } from './table.tsx';
import { Time } from './time.tsx';

interface KeyThatEnds {
  readonly name: string;
  readonly start: string;
  readonly mode: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

const CHOICES = [
  { value: 'now', label: 'Now' },
  { value: '24h', label: 'In 24 hours' },
  { value: '7d', label: 'In 7 days' },
];

export const KeysThatEnd = ({ keys, form }: { keys: readonly KeyThatEnds[]; form: FormState }) => (
  <>
    <Table
      caption="API keys that end"
      rows={keys}
      columns={[
        { header: 'Key', isName: true, cell: ({ name, start }) => <KeyName name={name} start={start} /> },
        { header: 'Mode', cell: ({ mode }) => mode },
        {
          header: 'Last used',
          cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Time at={last_used_at} />),
        },
      ]}
    />
    <SelectField
      form={form}
      name="keys"
      label="These keys end"
      choices={CHOICES}
      hint="A server that uses one of them needs a new key before then. Choose “Now” if the person must not be able to use them any more."
    />
  </>
);
