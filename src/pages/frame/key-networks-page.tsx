/** The page on which owners and operators choose the networks from which a key may be used. */
import { t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { Button, CancelLink } from '../ui/button.tsx';
import { Section } from '../ui/card.tsx';
import { Mono } from '../ui/code.tsx';
import { TextAreaField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import type { FormState } from '../ui/form-state.ts';
import { type KeyWords, networksPath, type OutsideCall, type ShownKey } from '../ui/keys-page.tsx';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';

export const NetworksField = ({ form, words }: { form: FormState; words: KeyWords }) => (
  <TextAreaField
    form={form}
    name="networks"
    label={t('Networks')}
    hint={t(
      'IP addresses or networks such as {example} with which your servers reach the internet, at most {max}. If the field is empty, the key can be used from everywhere.',
      { example: <Mono>203.0.113.0/24</Mono>, max: words.maxNetworks },
    )}
    rows={2}
    optional
  />
);

interface KeyNetworksPageProps {
  readonly words: KeyWords;
  readonly view: ShownKey;
  readonly form: FormState;
}

export const KeyNetworksPage = ({ words, view, form }: KeyNetworksPageProps) => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[[words.title, words.path]]} />}
      title={t('Networks of “{name}”', { name: isolated(view.name) })}
      lead={t(
        'Calls with {mono} from all other addresses get the same response as calls with an unknown key. A change takes effect with the next call.',
        { mono: <Mono>{view.start}…</Mono> },
      )}
    />
    <div class="stack-loose">
      <Form form={form} action={networksPath(words, view)}>
        <NetworksField form={form} words={words} />
        <FormActions>
          <Button tone="primary">{t('Save')}</Button>
          <CancelLink href={words.path} />
        </FormActions>
      </Form>
      {view.outsideCalls.length > 0 && (
        <Section title={t('Refused calls')} isStack>
          <p>
            {t(
              'If an address belongs to your server, add it above. Otherwise, somebody else has the key: {roll, select, Roll {roll} other {replace}} it.',
              { roll: words.roll },
            )}
          </p>
          <Table caption={t('Refused calls')} columns={COLUMNS()} rows={view.outsideCalls} />
        </Section>
      )}
    </div>
  </>
);

const COLUMNS = (): readonly Column<OutsideCall>[] => [
  {
    header: t('From'),
    isName: true,
    cell: ({ ip }) => (ip === null ? t('unknown') : <Mono>{ip}</Mono>),
  },
  {
    header: t('Time'),
    isNowrap: true,
    cell: ({ at, href }) =>
      href === undefined ? (
        <Time at={at} />
      ) : (
        <a href={href}>
          <Time at={at} />
        </a>
      ),
  },
];
