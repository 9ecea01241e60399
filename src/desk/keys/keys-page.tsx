/** The page of operator keys: those of all operators, with what each may do. */
import { SCOPES } from '../../operator-keys/operator-key.ts';
import type { OperatorKeyView } from '../../operator-keys/view.ts';
import { isolated } from '../../text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono, More } from '../../ui/code.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { HiddenField } from '../../ui/field.tsx';
import { newForm } from '../../ui/form-state.ts';
import { KEY_TIME_COLUMNS, type KeyNotice, KeyNoticeBlock, OverlapField } from '../../ui/key-parts.tsx';
import type { Markup } from '../../ui/markup.ts';
import { EmptyState } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { accountPath } from '../accounts/paths.ts';
import { NEW_OPERATOR_KEY_PATH, OPERATOR_KEYS_PATH } from './paths.ts';

export interface OperatorKeysPageProps {
  readonly keys: readonly OperatorKeyView[];
  /** The operator who reads the page: they replace their own keys alone. */
  readonly accountId: string;
  readonly notice: KeyNotice | null;
  /** A UUIDv7 for each form of the page. */
  readonly newFormId: () => string;
}

export function OperatorKeysPage(props: OperatorKeysPageProps): Markup {
  const { keys, notice } = props;
  const active = keys.filter(isActive);
  const ended = keys.filter((key) => !isActive(key));
  const create = (
    <ButtonLink href={NEW_OPERATOR_KEY_PATH} tone="primary">
      Create operator key
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Operator keys"
        lead={
          <>
            With an operator key the server of a marketplace calls{' '}
            <a href="/docs/operator-api">the operator’s API</a>, in the name of an operator.
          </>
        }
        actions={keys.length > 0 && create}
      />
      <div class="stack-loose">
        {notice !== null && <KeyNoticeBlock notice={notice} instead="replace that key" />}
        {keys.length === 0 && (
          <EmptyState
            sentence="There is no operator key yet. A marketplace that exists already issues its claims with one."
            action={create}
            example={
              <>
                It will look like <Mono>cko_4hT9…</Mono>
              </>
            }
          />
        )}
        {active.length > 0 && <KeyTable {...props} caption="Operator keys" keys={active} />}
        {ended.length > 0 && (
          <More summary={`Keys that have ended (${ended.length})`}>
            <KeyTable {...props} caption="Keys that have ended" keys={ended} />
          </More>
        )}
      </div>
    </>
  );
}

const isActive = ({ state }: OperatorKeyView): boolean => state === 'active' || state === 'suspended';

interface KeyTableProps extends OperatorKeysPageProps {
  readonly caption: string;
}

function KeyTable({ caption, keys, accountId, newFormId }: KeyTableProps): Markup {
  const columns: Column<OperatorKeyView>[] = [
    {
      header: 'Name',
      isName: true,
      cell: ({ name, start, operator, accountId: id }) => (
        <>
          {name}
          <span class="sub">
            <Mono>{start}…</Mono> <a href={accountPath({ id })}>{operator}</a>
          </span>
        </>
      ),
    },
    {
      header: 'Scopes',
      cell: ({ scopes }) => <Scopes scopes={scopes} />,
    },
    {
      header: 'State',
      cell: (key) => (
        <>
          <StateBadge state={key.endsSoon ? 'expiring' : key.state} />
          <KeyEnd view={key} />
        </>
      ),
    },
    ...KEY_TIME_COLUMNS,
  ];
  if (keys.some(isActive)) {
    columns.push({
      header: 'Actions',
      isActions: true,
      cell: (key) => (
        <>
          {key.accountId === accountId && <Replace view={key} formId={newFormId()} />} <Revoke view={key} />
        </>
      ),
    });
  }
  return <Table caption={caption} columns={columns} rows={keys} />;
}

/** Each kind of thing once: `claims` for reading and writing, `claims (read)` for one of them. */
function Scopes({ scopes }: { scopes: readonly string[] }): Markup {
  if (scopes.length === SCOPES.length) return <>everything</>;
  const things = [...new Set(scopes.map((scope) => scope.split(':', 1)[0]!))];
  const shown = things.map((thing) => {
    const own = scopes.filter((scope) => scope.startsWith(`${thing}:`));
    return own.length === 1 ? `${thing} (${own[0]!.slice(thing.length + 1)})` : thing;
  });
  return <>{shown.join(', ')}</>;
}

function KeyEnd({ view }: { view: OperatorKeyView }): Markup | null {
  const at = view.revokedAt ?? view.expiresAt;
  if (view.state === 'suspended') return <span class="sub">as its operator</span>;
  if (at === null) return null;
  return (
    <span class="sub">
      {view.state === 'active' && 'until '}
      <Time at={at} />
    </span>
  );
}

function Replace({ view, formId }: { view: OperatorKeyView; formId: string }): Markup {
  const id = `replace-${view.id}`;
  return (
    <Confirm
      id={id}
      action={`${OPERATOR_KEYS_PATH}/${view.id}/replace`}
      opener="Replace…"
      openerLabel={`Replace… ${view.name}`}
      openerTone="plain"
      small
      title={`Replace “${isolated(view.name)}”?`}
      confirm="Replace key"
      confirmTone="primary"
    >
      <HiddenField name="form" value={formId} />
      <p>You get a new key of the same name, scopes and lifetime, shown once.</p>
      <OverlapField form={newForm({ keep: '24h' })} idPrefix={id} />
    </Confirm>
  );
}

const Revoke = ({ view }: { view: OperatorKeyView }): Markup => (
  <Confirm
    id={`revoke-${view.id}`}
    action={`${OPERATOR_KEYS_PATH}/${view.id}/revoke`}
    opener="Revoke…"
    openerLabel={`Revoke… ${view.name}`}
    small
    title={`Revoke “${isolated(view.name)}”?`}
    confirm="Revoke key"
  >
    <p>
      From the next call on <Mono>{view.start}…</Mono> is refused, and it never works again. A program that
      still sends it issues no claims.
    </p>
  </Confirm>
);
