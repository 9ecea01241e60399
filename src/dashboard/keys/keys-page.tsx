import { type Plan, planHasApiKeys } from '../../accounts/account.ts';
import { type Mode, otherMode } from '../../keys/key.ts';
import type { KeyView } from '../../keys/view.ts';
import { amountOf, isolated } from '../../text/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { type KeyNotice, KeysPage, type KeyWords, revokeId, rollId } from '../../ui/keys-page.tsx';
import { SwitchTo } from '../../ui/mode-switch.tsx';
import { Notice } from '../../ui/notice.tsx';
import { usePlansWithKeys } from '../../ui/site.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { OWN_LISTINGS_PATH, PLAN_PATH } from '../paths.ts';

export const API_KEY_WORDS: KeyWords = {
  path: '/dashboard/settings/keys',
  title: 'API keys',
  noun: 'API key',
  roll: 'Roll',
  rolled: 'rolled',
  kept: 'name, mode and lifetime',
  lost: 'cannot verify claims',
  nameHint: 'Which server it is for, such as “shop server”.',
  createLead: 'Its secret is shown once, on the next page.',
  file: 'claimcheck.env',
};

interface ApiKeysPageProps {
  readonly keys: readonly KeyView[];
  readonly plan: Plan;
  readonly mode: Mode;
  readonly notice: KeyNotice | null;
}

export function ApiKeysPage({ keys, plan, mode, notice }: ApiKeysPageProps) {
  const hasKeys = planHasApiKeys(plan);
  const listed = keys.filter((key) => key.mode === mode);
  const activeElsewhere = keys.filter((key) => key.mode !== mode && isActive(key));
  return (
    <KeysPage
      words={API_KEY_WORDS}
      keys={listed}
      notice={notice}
      badge={mode === 'test' && <StateBadge state="test" />}
      lead="Your server sends a key with every verification. A key belongs on a server, never in a page or an app."
      canCreate={hasKeys}
      createPath={mode === 'live' ? `${API_KEY_WORDS.path}/new?mode=live` : undefined}
      canRoll={() => hasKeys}
      overlap={({ seen_in_browser_at }) => (seen_in_browser_at === null ? '24h' : 'now')}
      empty={`No ${mode} keys yet. Your server needs one to verify ${claimsOf(mode)}.`}
      example={`cck_${mode}_4hT9`}
      noneActive={`Your server cannot verify ${claimsOf(mode)} until you create one.`}
      above={
        <>
          {listed.filter(isExposed).map((view) => (
            <SeenInBrowser view={view} canRoll={hasKeys} />
          ))}
          {!hasKeys && <WithoutKeys hasAny={keys.some(isActive)} />}
        </>
      }
      below={activeElsewhere.length > 0 && <OtherKeys keys={activeElsewhere} mode={otherMode(mode)} />}
    />
  );
}

const claimsOf = (mode: Mode): string => (mode === 'test' ? 'test claims' : 'claims');

const isActive = ({ state }: KeyView): boolean => state === 'active';

/** An active key that a browser has sent and that hasn't been rolled since. */
const isExposed = (key: KeyView): boolean =>
  isActive(key) && key.seen_in_browser_at !== null && key.rolled_to_id === null;

function OtherKeys({ keys, mode }: { keys: readonly KeyView[]; mode: Mode }) {
  const show = <SwitchTo mode={mode}>Show {mode} keys</SwitchTo>;
  return keys.some(isExposed) ? (
    <Notice tone="bad" title={`A ${mode} key was sent by a browser`} actions={show}>
      Anyone who opened that page can read the key. Remove it from the page, then roll it.
    </Notice>
  ) : (
    <div class="row">
      <p class="soft-text">You also have {amountOf(keys.length, `active ${mode} key`)}.</p>
      {show}
    </div>
  );
}

function SeenInBrowser({ view, canRoll }: { view: KeyView; canRoll: boolean }) {
  const verb = canRoll ? 'Roll' : 'Revoke';
  return (
    <Notice
      tone="bad"
      title={`A browser sent the API key “${isolated(view.name)}”`}
      actions={
        <DialogButton id={canRoll ? rollId(view) : revokeId(view)} label={`${verb}… ${view.name} now`}>
          {verb}…
        </DialogButton>
      }
    >
      A call with <Mono>{view.start}…</Mono> came from a web page on <Time at={view.seen_in_browser_at!} />.
      It was refused, but anyone who opened that page can read the key. Remove it from the page, then{' '}
      {canRoll ? 'roll it and end the old key now' : 'revoke it'}.
    </Notice>
  );
}

const WithoutKeys = ({ hasAny }: { hasAny: boolean }) => (
  <section class="card narrow">
    <h2>Your plan works with codes</h2>
    <div class="prose">
      <p>
        Give an offer a shared code: people claim it, see the code and enter it at your checkout, and you
        don’t have to build anything. API keys come with {usePlansWithKeys('and')}: with one, your server
        verifies each claim, and each claim can be redeemed only once.
      </p>
      {hasAny && (
        <p>
          Your keys are not deleted. Until you have one of these plans again, calls with them are refused with{' '}
          <a href="/docs/errors/plan_without_api_keys">plan_without_api_keys</a>.
        </p>
      )}
    </div>
    <div class="row top-space">
      <ButtonLink href={PLAN_PATH} tone="primary">
        Compare plans
      </ButtonLink>
      <ButtonLink href={OWN_LISTINGS_PATH}>Your listings</ButtonLink>
    </div>
  </section>
);
