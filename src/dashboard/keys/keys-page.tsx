/** The page of API keys: the keys of an account, the form for a new one, and why a plan has none. */
import type { Plan } from '../../accounts/account.ts';
import { planHasApiKeys } from '../../accounts/account.ts';
import { type Mode, otherMode } from '../../keys/key.ts';
import type { KeyView } from '../../keys/view.ts';
import { amountOf, isolated } from '../../text.ts';
import { Breadcrumb } from '../../ui/breadcrumb.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Mono, More } from '../../ui/code.tsx';
import { Confirm, DialogButton } from '../../ui/dialog.tsx';
import { HiddenField, RadioField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { type FormState, newForm } from '../../ui/form-state.ts';
import {
  ExpiresField,
  KEY_TIME_COLUMNS,
  type KeyNotice,
  KeyNoticeBlock,
  OverlapField,
} from '../../ui/key-parts.tsx';
import type { Markup } from '../../ui/markup.ts';
import { SwitchTo } from '../../ui/mode-switch.tsx';
import { EmptyState, Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

export const KEYS_PATH = '/dashboard/settings/keys';

export interface KeysPageProps {
  readonly keys: readonly KeyView[];
  readonly plan: Plan;
  /** Of the keys that are listed. */
  readonly mode: Mode;
  readonly notice: KeyNotice | null;
}

export function KeysPage({ keys, plan, mode, notice }: KeysPageProps): Markup {
  const hasKeys = planHasApiKeys(plan);
  const listed = keys.filter((key) => key.mode === mode);
  const active = listed.filter(isActive);
  const ended = listed.filter((key) => !isActive(key));
  const activeElsewhere = keys.filter((key) => key.mode !== mode && isActive(key));
  return (
    <>
      <PageHeader
        title="API keys"
        badge={mode === 'test' && <StateBadge state="test" />}
        lead="Your server sends a key with every verification. A key belongs on a server, never in a page or an app."
        actions={
          hasKeys &&
          listed.length > 0 && (
            <ButtonLink href={`${KEYS_PATH}/new`} tone="primary">
              Create API key
            </ButtonLink>
          )
        }
      />
      <div class="stack-loose">
        {notice !== null && <KeyNoticeBlock notice={notice} instead="roll the key" />}
        {active.filter(isExposed).map((view) => (
          <SeenInBrowser view={view} canRoll={hasKeys} />
        ))}
        {!hasKeys && <WithoutKeys keys={active.length + activeElsewhere.length} />}
        {hasKeys && listed.length === 0 && <NoKeys mode={mode} />}
        {active.length > 0 && <KeyTable caption="API keys" keys={active} canRoll={hasKeys} />}
        {hasKeys && active.length === 0 && ended.length > 0 && (
          <Notice tone="warn" title="No key is active">
            Your server cannot verify {mode === 'test' ? 'test claims' : 'claims'} until you create one.
          </Notice>
        )}
        {ended.length > 0 && (
          <More summary={`Keys that have ended (${ended.length})`}>
            <KeyTable caption="Keys that have ended" keys={ended} canRoll={false} />
          </More>
        )}
        {activeElsewhere.length > 0 && <OtherKeys keys={activeElsewhere} mode={otherMode(mode)} />}
      </div>
    </>
  );
}

const isActive = ({ state }: KeyView): boolean => state === 'active';

/** A browser sent the key, and no roll has replaced it since. */
const isExposed = ({ seenInBrowserAt, rolledToId }: KeyView): boolean =>
  seenInBrowserAt !== null && rolledToId === null;

/** The active keys of the mode that is not shown. */
function OtherKeys({ keys, mode }: { keys: readonly KeyView[]; mode: Mode }): Markup {
  const show = <SwitchTo mode={mode}>Show {mode} keys</SwitchTo>;
  return keys.some(isExposed) ? (
    <Notice tone="bad" title={`A ${mode} key was sent by a browser`} actions={show}>
      Anyone who opened that page can read the key. Take it out of the page and roll it, among your {mode}{' '}
      keys.
    </Notice>
  ) : (
    <div class="row">
      <p class="soft-text">You also have {amountOf(keys.length, `active ${mode} key`)}.</p>
      {show}
    </div>
  );
}

const SeenInBrowser = ({ view, canRoll }: { view: KeyView; canRoll: boolean }): Markup => (
  <Notice
    tone="bad"
    title={`“${isolated(view.name)}” was sent by a browser`}
    actions={
      canRoll ? (
        <DialogButton id={rollId(view)} label={`Roll… ${view.name} now`}>
          Roll…
        </DialogButton>
      ) : (
        <DialogButton id={revokeId(view)} label={`Revoke… ${view.name} now`}>
          Revoke…
        </DialogButton>
      )
    }
  >
    A call with <Mono>{view.start}…</Mono> came from a web page on <Time at={view.seenInBrowserAt!} />. It was
    refused, but anyone who opened that page can read the key. Take it out of the page and{' '}
    {canRoll ? 'roll it, ending the old one now' : 'revoke it'}.
  </Notice>
);

const NoKeys = ({ mode }: { mode: Mode }): Markup => (
  <EmptyState
    sentence={
      mode === 'test'
        ? 'There is no test key yet. Your server needs one to verify test claims.'
        : 'There is no live key yet. Your server needs one to verify claims.'
    }
    action={
      <ButtonLink href={`${KEYS_PATH}/new`} tone="primary">
        Create API key
      </ButtonLink>
    }
    example={
      <>
        It will look like <Mono>cck_{mode}_4hT9…</Mono>
      </>
    }
  />
);

/** For Starter: explains code-only listings. */
const WithoutKeys = ({ keys }: { keys: number }): Markup => (
  <section class="card narrow">
    <h2>The Starter plan works with codes</h2>
    <div class="prose">
      <p>
        Your offers carry a shared code. People claim an offer, see its code and enter it at your checkout;
        nothing has to be built on your side. Keys come with the Studio and Everything plans: with one, your
        server verifies each claim, and each claim can be redeemed only once.
      </p>
      {keys > 0 && (
        <p>
          Your keys are kept. Until the plan is back, every call with one of them is refused with{' '}
          <a href="/docs/errors/plan_without_api_keys">plan_without_api_keys</a>.
        </p>
      )}
      <p>
        <a href="/dashboard/settings/plan">Compare the plans</a> ·{' '}
        <a href="/dashboard/listings">Put a code on an offer</a>
      </p>
    </div>
  </section>
);

interface KeyTableProps {
  readonly caption: string;
  readonly keys: readonly KeyView[];
  readonly canRoll: boolean;
}

function KeyTable({ caption, keys, canRoll }: KeyTableProps): Markup {
  const columns: Column<KeyView>[] = [
    {
      header: 'Name',
      isName: true,
      cell: ({ name, start }) => (
        <>
          {name}
          <span class="sub nowrap">
            <Mono>{start}…</Mono>
          </span>
        </>
      ),
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
          {canRoll && key.rolledToId === null && <Roll view={key} />} <Revoke view={key} />
        </>
      ),
    });
  }
  return <Table caption={caption} columns={columns} rows={keys} />;
}

function KeyEnd({ view }: { view: KeyView }): Markup | null {
  const { revokedAt, expiresAt, rolledToId } = view;
  const at = revokedAt ?? expiresAt;
  if (at === null) return null;
  return (
    <span class="sub">
      {rolledToId !== null && 'rolled, '}
      {view.state === 'active' && 'until '}
      <Time at={at} />
    </span>
  );
}

const rollId = ({ id }: KeyView): string => `roll-${id}`;
const revokeId = ({ id }: KeyView): string => `revoke-${id}`;

function Roll({ view }: { view: KeyView }): Markup {
  const form = newForm({ keep: view.seenInBrowserAt === null ? '24h' : 'now' });
  return (
    <Confirm
      id={rollId(view)}
      action={`${KEYS_PATH}/${view.id}/roll`}
      opener="Roll…"
      openerLabel={`Roll… ${view.name}`}
      openerTone="plain"
      small
      title={`Roll “${isolated(view.name)}”?`}
      confirm="Roll key"
      confirmTone="primary"
    >
      <p>You get a new key of the same name, mode and lifetime, shown once.</p>
      <OverlapField form={form} idPrefix={rollId(view)} />
    </Confirm>
  );
}

const Revoke = ({ view }: { view: KeyView }): Markup => (
  <Confirm
    id={revokeId(view)}
    action={`${KEYS_PATH}/${view.id}/revoke`}
    opener="Revoke…"
    openerLabel={`Revoke… ${view.name}`}
    small
    title={`Revoke “${isolated(view.name)}”?`}
    confirm="Revoke key"
  >
    <p>
      From the next call on <Mono>{view.start}…</Mono> is refused, and it never works again. A server that
      still sends it cannot verify claims.
    </p>
  </Confirm>
);

const MODES = [
  { value: 'live', label: 'Live', hint: 'Verifies and redeems the claims of real people.' },
  { value: 'test', label: 'Test', hint: 'Test claims only; it cannot redeem a real one.' },
];

export const CreateKeyPage = ({ form }: { form: FormState }): Markup => (
  <>
    <PageHeader
      above={<Breadcrumb trail={[['API keys', KEYS_PATH]]} />}
      title="Create an API key"
      lead="Its secret is shown once, on the next page."
    />
    <Form form={form} action={KEYS_PATH}>
      <HiddenField name="form" value={form.text('form')} />
      <TextField
        form={form}
        name="name"
        label="Name"
        hint="Which server it is for, such as “shop server”."
        autofocus
      />
      <RadioField form={form} name="mode" label="Mode" choices={MODES} boxed />
      <ExpiresField form={form} />
      <FormActions>
        <Button tone="primary">Create API key</Button>
        <ButtonLink href={KEYS_PATH} tone="quiet">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  </>
);
