/** For pages that end a role: what ends, and what the person who ends it may choose. */
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { Breakable } from './breakable.tsx';
import { HiddenField, RadioField, SelectField } from './field.tsx';
import type { FormState } from './form-state.ts';
import { KeyName } from './keys-page.tsx';
import { Badge, stateText } from './state-badge.tsx';
import { Table } from './table.tsx';
import { Time } from './time.tsx';

interface KeyThatEnds {
  readonly name: string;
  readonly start: string;
  readonly mode: 'live' | 'test';
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

interface EndpointThatEnds {
  readonly url: string;
  readonly description: string | null;
  readonly disabled_at: string | null;
}

interface RoleEndFieldsProps {
  readonly form: FormState;
  /** What ends, as sentences. */
  readonly what: readonly Message[];
  readonly keys: readonly KeyThatEnds[];
  /** Whether the keys may keep working, because the person remains a member. */
  readonly canKeepKeys?: boolean;
  readonly endpoints: readonly EndpointThatEnds[];
  /** Whether the endpoints may be handed over instead of being paused. */
  readonly canHandOver?: boolean;
}

const KEY_CHOICES = [
  { value: 'now', label: message('Now') },
  { value: '24h', label: message('In 24 hours') },
  { value: '7d', label: message('In 7 days') },
];

const NEVER = { value: 'never', label: message('Never: the person may keep using them') };

const ENDPOINT_CHOICES = [
  {
    value: 'pause',
    label: message('Pause them'),
    hint: message('Events are held until somebody checks an endpoint and enables it.'),
  },
  {
    value: 'keep',
    label: message('Hand them over to me'),
    hint: message('They keep sending. Check that each URL belongs to this account, and roll the secrets.'),
  },
];

export const RoleEndFields = ({ form, what, keys, endpoints, ...may }: RoleEndFieldsProps) => (
  <>
    <div class="prose">
      <p>{t('This ends:')}</p>
      <ul>
        {what.map((sentence) => (
          <li>{t(sentence)}</li>
        ))}
      </ul>
    </div>
    {keys.length === 0 ? (
      <HiddenField name="keys" value="now" />
    ) : (
      <Keys form={form} keys={keys} canKeep={may.canKeepKeys === true} />
    )}
    {endpoints.length > 0 && (
      <Endpoints form={form} endpoints={endpoints} canHandOver={may.canHandOver === true} />
    )}
  </>
);

interface KeysProps extends Pick<RoleEndFieldsProps, 'form' | 'keys'> {
  readonly canKeep: boolean;
}

const Keys = ({ form, keys, canKeep }: KeysProps) => (
  <section class="section stack">
    <h2>{t('API keys that were created or rolled with this role')}</h2>
    <Table
      caption={t('API keys that were created or rolled with this role')}
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
      choices={canKeep ? [...KEY_CHOICES, NEVER] : KEY_CHOICES}
      hint={t(
        'A server that uses one of these keys needs a new key before then. Choose “Now” if the person who created these keys must no longer be able to use them.',
      )}
    />
  </section>
);

interface EndpointsProps extends Pick<RoleEndFieldsProps, 'form' | 'endpoints'> {
  readonly canHandOver: boolean;
}

const Endpoints = ({ form, endpoints, canHandOver }: EndpointsProps) => (
  <section class="section stack">
    <h2>{t('Webhook endpoints that were set up with this role')}</h2>
    <Table
      caption={t('Webhook endpoints that were set up with this role')}
      rows={endpoints}
      columns={[
        {
          header: t('Endpoint'),
          isName: true,
          cell: ({ url, description, disabled_at }) => (
            <>
              <Breakable text={description ?? url} />{' '}
              {disabled_at !== null && <Badge tone="plain">{t('Disabled')}</Badge>}
              {description !== null && (
                <span class="sub">
                  <Breakable text={url} />
                </span>
              )}
            </>
          ),
        },
      ]}
    />
    {canHandOver && (
      <RadioField
        form={form}
        name="endpoints"
        label={t('These endpoints')}
        choices={ENDPOINT_CHOICES}
        boxed
      />
    )}
  </section>
);
