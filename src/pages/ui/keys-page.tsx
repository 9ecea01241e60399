import type { Child } from 'hono/jsx';
import { message, t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import type { TimePrecision } from '../../platform/text/time-text.ts';
import { ButtonLink } from './button.tsx';
import { Mono, More } from './code.tsx';
import { Confirm } from './dialog.tsx';
import { RadioField } from './field.tsx';
import { newForm } from './form-state.ts';
import { EmptyState, Notice } from './notice.tsx';
import { PageHeader } from './page-header.tsx';
import { StateBadge } from './state-badge.tsx';
import { type Column, Table } from './table.tsx';
import { Time } from './time.tsx';

export interface KeyWords {
  readonly path: string;
  readonly title: Words;
  readonly noun: Words;
  readonly roll: 'Roll' | 'Replace';
  /** Completes “a new key with the same …”. */
  readonly keptProperties: Words;
  /** Completes “A server that still uses this key …”: `cannot verify claims`. */
  readonly lost: Words;
  readonly nameHint: Words;
  readonly createLead: Words;
  readonly maxNetworks: number;
  readonly file: string;
  readonly listCommand: string;
}

export interface ShownKey {
  readonly id: string;
  readonly name: string;
  readonly start: string;
  readonly state: 'active' | 'expired' | 'revoked' | 'suspended';
  readonly endsSoon: boolean;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly rolled_to_id: string | null;
  readonly networks: readonly string[];
  /** Calls from outside the networks, newest first. */
  readonly outsideCalls: readonly OutsideCall[];
}

/** A call with a key from outside the key's networks. */
export interface OutsideCall {
  readonly at: string;
  readonly ip: string | null;
  /** The page of the call, if the request log has one. */
  readonly href?: string | undefined;
}

export const networksPath = ({ path }: Pick<KeyWords, 'path'>, { id }: Pick<ShownKey, 'id'>): string =>
  `${path}/${id}/networks`;

/** Why a form was refused. `made-before`: an earlier submission of the same form created the key and showed it. */
export type KeyNotice =
  | { readonly what: 'made-before'; readonly name: string }
  | { readonly what: 'refused'; readonly sentence: string | null };

interface KeysPageProps<Key extends ShownKey> {
  readonly words: KeyWords;
  readonly keys: readonly Key[];
  readonly notice: KeyNotice | null;
  readonly lead: Child;
  readonly badge?: Child | undefined;
  readonly canCreate: boolean;
  readonly canRoll: (key: Key) => boolean;
  /** Whether a browser has sent the key and the key has not been rolled since. */
  readonly isExposed?: ((key: Key) => boolean) | undefined;
  readonly holder?: ((key: Key) => Child) | undefined;
  readonly column?: Column<Key> | undefined;
  readonly empty: string;
  readonly example: string;
  readonly noneActive: string;
  readonly createPath?: string | undefined;
  readonly above?: Child | undefined;
  readonly below?: Child | undefined;
}

/** Enough for all active keys of an account. Active keys come first, then the newest. */
const MAX_KEYS_SHOWN = 300;

export function KeysPage<Key extends ShownKey>(props: KeysPageProps<Key>) {
  const { words, notice, canCreate } = props;
  const keys = props.keys.slice(0, MAX_KEYS_SHOWN);
  const active = keys.filter(isActive);
  const ended = keys.filter((key) => !isActive(key));
  const create = (
    <ButtonLink
      href={props.createPath ?? `${words.path}/new`}
      tone={props.isExposed && active.some(props.isExposed) ? 'plain' : 'primary'}
    >
      {t('Create {noun}', { noun: words.noun })}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={wordsOf(words.title)}
        badge={props.badge}
        lead={props.lead}
        actions={canCreate && keys.length > 0 && create}
      />
      <div class="stack-loose">
        {notice !== null && <KeyNoticeBlock notice={notice} words={words} />}
        {props.above}
        {canCreate && keys.length === 0 && (
          <EmptyState
            sentence={props.empty}
            action={create}
            example={t('It will look like {mono}', { mono: <Mono>{props.example}…</Mono> })}
          />
        )}
        {active.length > 0 && <KeyTable {...props} caption={wordsOf(words.title)} keys={active} />}
        {canCreate && active.length === 0 && ended.length > 0 && (
          <Notice tone="warn" title={t('No key is active')}>
            {props.noneActive}
          </Notice>
        )}
        {ended.length > 0 && (
          <More summary={t('Revoked and expired keys ({count})', { count: ended.length })}>
            <KeyTable {...props} caption={t('Revoked and expired keys')} keys={ended} />
          </More>
        )}
        {props.keys.length > keys.length && (
          <p class="soft-text">
            {t(
              'Only {max} keys are shown: active keys, then the newest. The command line lists all: {command}',
              { max: MAX_KEYS_SHOWN, command: <Mono>{words.listCommand}</Mono> },
            )}
          </p>
        )}
        {props.below}
      </div>
    </>
  );
}

const isActive = ({ state }: ShownKey): boolean => state === 'active' || state === 'suspended';

const KeyNoticeBlock = ({ notice, words }: { notice: KeyNotice; words: KeyWords }) =>
  notice.what === 'refused' ? (
    <Notice tone="bad" title={t('Nothing was changed')}>
      {notice.sentence}
    </Notice>
  ) : (
    <Notice tone="warn" title={t('The form was sent twice')}>
      {t(
        'The first submission created the key “{name}” and showed its secret. If you did not see the secret, {roll, select, Roll {roll} other {replace}} that key to get a new secret.',
        { name: isolated(notice.name), roll: words.roll },
      )}
    </Notice>
  );

function KeyTable<Key extends ShownKey>(props: KeysPageProps<Key> & { caption: string }) {
  const { words, keys, caption, canRoll, isExposed = () => false, holder, column } = props;
  const columns: Column<Key>[] = [
    {
      header: t('Name'),
      isName: true,
      cell: (key) => (
        <>
          <KeyName name={key.name} start={key.start} holder={holder?.(key)} />
          <span class="sub">
            {t('created {time}', { time: <Time at={key.created_at} precision="day" /> })}
          </span>
          <Networks view={key} words={words} />
        </>
      ),
    },
    ...(column === undefined ? [] : [column]),
    {
      header: t('State'),
      cell: (key) => (
        <>
          <StateBadge state={isExposed(key) ? 'exposed' : key.endsSoon ? 'expiring' : key.state} />
          <KeyEnd view={key} words={words} />
        </>
      ),
    },
    lastUsed('minute', isExposed, (key) => <Refused view={key} words={words} />),
  ];
  if (keys.some(isActive)) {
    columns.push({
      header: t('Actions'),
      isActions: true,
      cell: (key) => (
        <>
          {canRoll(key) && key.rolled_to_id === null && (
            <Roll view={key} words={words} isExposed={isExposed(key)} />
          )}{' '}
          <Revoke view={key} words={words} />
        </>
      ),
    });
  }
  return <Table caption={caption} columns={columns} rows={keys} />;
}

export const KeyName = ({ name, start, holder }: { name: string; start: string; holder?: Child }) => (
  <>
    <bdi>{name}</bdi>
    <span class={holder ? 'sub' : 'sub nowrap'}>
      <Mono>{start}…</Mono> {holder}
    </span>
  </>
);

type KeyUse = Pick<ShownKey, 'created_at' | 'last_used_at'>;

/** Refused calls from browsers don't count as uses: an exposed, unused key was sent only by browsers. */
const lastUsed = <Key extends KeyUse>(
  precision: TimePrecision,
  isExposed?: (key: Key) => boolean,
  below?: (key: Key) => Child,
): Column<Key> => ({
  header: t('Last used'),
  cell: (key) => (
    <>
      {key.last_used_at === null ? (
        <span class="quiet-text">{isExposed?.(key) ? t('only by a browser') : t('never')}</span>
      ) : (
        <Time at={key.last_used_at} precision={precision} />
      )}
      {below?.(key)}
    </>
  ),
  isNowrap: true,
});

const NETWORKS_IN_LIST = 2;

/** Links to the page on which the networks can be changed. */
function Networks({ view, words }: OfKey) {
  const all = view.networks;
  const first = <Mono>{all.slice(0, NETWORKS_IN_LIST).join(', ')}</Mono>;
  const more = all.length - NETWORKS_IN_LIST;
  const text =
    all.length === 0
      ? t('works from everywhere')
      : more > 0
        ? t('works only from {first} and {more} more', { first, more })
        : t('works only from {first}', { first });
  if (isActive(view)) {
    return (
      <span class="sub">
        <a href={networksPath(words, view)}>{text}</a>
      </span>
    );
  }
  return all.length > 0 && <span class="sub">{text}</span>;
}

function Refused({ view, words }: OfKey) {
  const call = view.outsideCalls[0];
  if (call === undefined || !isActive(view)) return null;
  const time = <Time at={call.at} precision="minute" />;
  return (
    <span class="sub">
      <a href={networksPath(words, view)}>{t('a call was refused {time}', { time })}</a>
    </span>
  );
}

export const keyTimes = <Key extends KeyUse>(precision: TimePrecision): readonly Column<Key>[] => [
  {
    header: t('Created'),
    cell: ({ created_at }) => <Time at={created_at} precision={precision} />,
    isNowrap: true,
  },
  lastUsed<Key>(precision),
];

interface OfKey {
  readonly view: ShownKey;
  readonly words: KeyWords;
}

function KeyEnd({ view, words }: OfKey) {
  const at = view.revoked_at ?? view.expires_at;
  if (view.state === 'suspended') {
    return <span class="sub">{t('because its operator is suspended')}</span>;
  }
  if (at === null) return null;
  const isActive = view.state === 'active';
  const time = <Time at={at} hasZone={isActive} />;
  if (view.rolled_to_id === null) {
    return <span class="sub">{isActive ? t('until {time}', { time }) : time}</span>;
  }
  const { roll } = words;
  return (
    <span class="sub">
      {isActive
        ? t('{roll, select, Roll {rolled} other {replaced}}, until {time}', { roll, time })
        : t('{roll, select, Roll {rolled} other {replaced}}, {time}', { roll, time })}
    </span>
  );
}

export const rollId = ({ id }: Pick<ShownKey, 'id'>): string => `roll-${id}`;
export const revokeId = ({ id }: Pick<ShownKey, 'id'>): string => `revoke-${id}`;

const Roll = ({ view, words, isExposed }: OfKey & { isExposed: boolean }) => (
  <Confirm
    id={rollId(view)}
    action={`${words.path}/${view.id}/${words.roll.toLowerCase()}`}
    opener={t('{roll, select, Roll {Roll} other {Replace}} key…', { roll: words.roll })}
    openerLabel={t('{roll, select, Roll {Roll} other {Replace}} key… {name}', {
      roll: words.roll,
      name: view.name,
    })}
    small
    title={t('{roll, select, Roll {Roll} other {Replace}} “{name}”?', {
      roll: words.roll,
      name: isolated(view.name),
    })}
    confirm={t('{roll, select, Roll {Roll} other {Replace}} key', { roll: words.roll })}
    isHarmless
  >
    <p>
      {t('You get a new key with the same {kept}. The new key is shown once.', {
        kept: words.keptProperties,
      })}
    </p>
    <RadioField
      form={newForm({ keep: isExposed ? 'now' : '24h' })}
      name="keep"
      label={t('When should the old key stop working?')}
      choices={OVERLAPS}
      idPrefix={rollId(view)}
    />
  </Confirm>
);

const OVERLAPS = [
  {
    value: 'now',
    label: message('Now'),
    hint: message('Choose this if the key may have leaked. Calls fail until your server has the new key.'),
  },
  { value: '1h', label: message('In an hour') },
  {
    value: '24h',
    label: message('In a day'),
    hint: message('Leaves time to put the new key on every server.'),
  },
  { value: '7d', label: message('In a week') },
];

const Revoke = ({ view, words }: OfKey) => (
  <Confirm
    id={revokeId(view)}
    action={`${words.path}/${view.id}/revoke`}
    opener={t('Revoke…')}
    openerLabel={t('Revoke… {name}', { name: view.name })}
    small
    title={t('Revoke “{name}”?', { name: isolated(view.name) })}
    confirm={t('Revoke key')}
  >
    <p>
      {t(
        'Calls with {mono} will be refused immediately, and this can’t be undone. A server that still uses this key {lost}.',
        { mono: <Mono>{view.start}…</Mono>, lost: words.lost },
      )}
    </p>
  </Confirm>
);
