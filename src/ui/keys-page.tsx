/** The list of keys: the API keys of an owner, or operator keys. */
import type { Child } from 'hono/jsx';
import { isolated } from '../text/text.ts';
import type { TimePrecision } from '../text/time-text.ts';
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

/** The wording of the pages for one kind of key. */
export interface KeyWords {
  readonly path: string;
  readonly title: string;
  readonly noun: string;
  readonly roll: 'Roll' | 'Replace';
  readonly rolled: 'rolled' | 'replaced';
  /** What a rolled key and the new one share. */
  readonly kept: string;
  /** What a server cannot do once its key is revoked: `cannot verify claims`. */
  readonly lost: string;
  readonly nameHint: string;
  readonly createLead: string;
  readonly file: string;
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
}

/** Why a form was refused. `made-before`: it was sent before, and its key was shown then. */
export type KeyNotice =
  | { readonly what: 'made-before'; readonly name: string }
  | { readonly what: 'refused'; readonly sentence: string };

interface KeysPageProps<Key extends ShownKey> {
  readonly words: KeyWords;
  readonly keys: readonly Key[];
  readonly notice: KeyNotice | null;
  readonly lead: Child;
  readonly badge?: Child | undefined;
  readonly canCreate: boolean;
  readonly canRoll: (key: Key) => boolean;
  /** The overlap selected by default; a day if not given. */
  readonly overlap?: ((key: Key) => 'now' | '24h') | undefined;
  readonly holder?: ((key: Key) => Child) | undefined;
  readonly column?: Column<Key> | undefined;
  readonly empty: string;
  readonly example: string;
  /** What does not work without an active key. */
  readonly noneActive: string;
  /** `/new` below the path of the keys by default. */
  readonly createPath?: string | undefined;
  readonly above?: Child | undefined;
  readonly below?: Child | undefined;
}

export function KeysPage<Key extends ShownKey>(props: KeysPageProps<Key>) {
  const { words, keys, notice, canCreate } = props;
  const active = keys.filter(isActive);
  const ended = keys.filter((key) => !isActive(key));
  const create = (
    <ButtonLink href={props.createPath ?? `${words.path}/new`} tone="primary">
      Create {words.noun}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={words.title}
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
            example={
              <>
                It will look like <Mono>{props.example}…</Mono>
              </>
            }
          />
        )}
        {active.length > 0 && <KeyTable {...props} caption={words.title} keys={active} />}
        {canCreate && active.length === 0 && ended.length > 0 && (
          <Notice tone="warn" title="No key is active">
            {props.noneActive}
          </Notice>
        )}
        {ended.length > 0 && (
          <More summary={`Keys that have ended (${ended.length})`}>
            <KeyTable {...props} caption="Keys that have ended" keys={ended} />
          </More>
        )}
        {props.below}
      </div>
    </>
  );
}

const isActive = ({ state }: ShownKey): boolean => state === 'active' || state === 'suspended';

const KeyNoticeBlock = ({ notice, words }: { notice: KeyNotice; words: KeyWords }) =>
  notice.what === 'refused' ? (
    <Notice tone="bad" title="Nothing was changed">
      {notice.sentence}
    </Notice>
  ) : (
    <Notice tone="warn" title="That was sent twice">
      The first submission created the key “{isolated(notice.name)}” and showed its secret. If you did not see
      it, {words.roll.toLowerCase()} that key to get a new one.
    </Notice>
  );

function KeyTable<Key extends ShownKey>(props: KeysPageProps<Key> & { caption: string }) {
  const { words, keys, caption, canRoll, overlap, holder, column } = props;
  const columns: Column<Key>[] = [
    {
      header: 'Name',
      isName: true,
      cell: (key) => <KeyName name={key.name} start={key.start} holder={holder?.(key)} />,
    },
    ...(column === undefined ? [] : [column]),
    {
      header: 'State',
      cell: (key) => (
        <>
          <StateBadge state={key.endsSoon ? 'expiring' : key.state} />
          <KeyEnd view={key} words={words} />
        </>
      ),
    },
    ...keyTimes('minute'),
  ];
  if (keys.some(isActive)) {
    columns.push({
      header: 'Actions',
      isActions: true,
      cell: (key) => (
        <>
          {canRoll(key) && key.rolled_to_id === null && (
            <Roll view={key} words={words} overlap={overlap?.(key) ?? '24h'} />
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
    {name}
    <span class={holder ? 'sub' : 'sub nowrap'}>
      <Mono>{start}…</Mono> {holder}
    </span>
  </>
);

export const keyTimes = (
  precision: TimePrecision,
): readonly Column<Pick<ShownKey, 'created_at' | 'last_used_at'>>[] => [
  {
    header: 'Created',
    cell: ({ created_at }) => <Time at={created_at} precision={precision} />,
    isNowrap: true,
  },
  {
    header: 'Last used',
    cell: ({ last_used_at }) =>
      last_used_at === null ? (
        <span class="quiet-text">never</span>
      ) : (
        <Time at={last_used_at} precision={precision} />
      ),
    isNowrap: true,
  },
];

interface OfKey {
  readonly view: ShownKey;
  readonly words: KeyWords;
}

function KeyEnd({ view, words }: OfKey) {
  const at = view.revoked_at ?? view.expires_at;
  if (view.state === 'suspended') return <span class="sub">with its operator</span>;
  if (at === null) return null;
  return (
    <span class="sub">
      {view.rolled_to_id !== null && `${words.rolled}, `}
      {view.state === 'active' && 'until '}
      <Time at={at} />
    </span>
  );
}

export const rollId = ({ id }: Pick<ShownKey, 'id'>): string => `roll-${id}`;
export const revokeId = ({ id }: Pick<ShownKey, 'id'>): string => `revoke-${id}`;

const Roll = ({ view, words, overlap }: OfKey & { overlap: string }) => (
  <Confirm
    id={rollId(view)}
    action={`${words.path}/${view.id}/${words.roll.toLowerCase()}`}
    openerLabel={`${words.roll}… ${view.name}`}
    small
    title={`${words.roll} “${isolated(view.name)}”?`}
    confirm={`${words.roll} key`}
    isHarmless
  >
    <p>You get a new key with the same {words.kept}. It is shown once.</p>
    <RadioField
      form={newForm({ keep: overlap })}
      name="keep"
      label="When should the old key end?"
      choices={OVERLAPS}
      idPrefix={rollId(view)}
    />
  </Confirm>
);

const OVERLAPS = [
  {
    value: 'now',
    label: 'Now',
    hint: 'If it may have leaked. Calls fail until your server has the new key.',
  },
  { value: '1h', label: 'In an hour' },
  { value: '24h', label: 'In a day', hint: 'Leaves time to put the new key on every server.' },
  { value: '7d', label: 'In a week' },
];

const Revoke = ({ view, words }: OfKey) => (
  <Confirm
    id={revokeId(view)}
    action={`${words.path}/${view.id}/revoke`}
    openerLabel={`Revoke… ${view.name}`}
    small
    title={`Revoke “${isolated(view.name)}”?`}
    confirm="Revoke key"
  >
    <p>
      Calls with <Mono>{view.start}…</Mono> will be refused immediately, and this can’t be undone. A server
      that still sends it {words.lost}.
    </p>
  </Confirm>
);
