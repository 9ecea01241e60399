import { errorPagePath, OWN_KEYS_PATH, OWN_LISTINGS_PATH, PLAN_PATH } from '../../../base/paths.ts';
import { type Plan, planHasApiKeys } from '../../../people/accounts/account.ts';
import { MAX_KEY_NETWORKS, type Mode, otherMode } from '../../../people/keys/key.ts';
import type { KeyView } from '../../../people/keys/view.ts';
import { message, t } from '../../../platform/languages/translate.ts';
import { isolated } from '../../../platform/text/text.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Mono } from '../../ui/code.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import {
  type KeyNotice,
  KeysPage,
  type KeyWords,
  revokeId,
  rollId,
  type ShownKey,
} from '../../ui/keys-page.tsx';
import { SwitchTo } from '../../ui/mode-switch.tsx';
import { Notice } from '../../ui/notice.tsx';
import { linkTo, usePlansWithKeys } from '../../ui/site.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';

export const API_KEY_WORDS: KeyWords = {
  path: OWN_KEYS_PATH,
  title: message('API keys'),
  noun: message('API key'),
  roll: 'Roll',
  keptProperties: message('name, mode, networks and lifetime'),
  lost: message('cannot verify claims'),
  nameHint: message('The server that uses the key, such as “shop server”.'),
  createLead: message('The key is shown once, on the next page.'),
  maxNetworks: MAX_KEY_NETWORKS,
  file: 'claimcheck.env',
  listCommand: 'claimcheck keys list',
};

export type KeyWithCalls = KeyView & Pick<ShownKey, 'outsideCalls'>;

interface ApiKeysPageProps {
  readonly keys: readonly KeyWithCalls[];
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
      badge={<StateBadge state={mode} />}
      lead={t(
        'Your server sends a key with every verification. A key belongs on a server, never in a page or an app.',
      )}
      canCreate={hasKeys}
      createPath={mode === 'live' ? `${API_KEY_WORDS.path}/new?mode=live` : undefined}
      canRoll={() => hasKeys}
      isExposed={isExposed}
      empty={
        mode === 'test'
          ? t('No test keys yet. Your server needs one to verify test claims.')
          : t('No live keys yet. Your server needs one to verify claims.')
      }
      example={`cck_${mode}_4hT9`}
      noneActive={
        mode === 'test'
          ? t('Your server cannot verify test claims until you create one.')
          : t('Your server cannot verify claims until you create one.')
      }
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

const isActive = ({ state }: KeyView): boolean => state === 'active';

const isExposed = (key: KeyView): boolean =>
  isActive(key) && key.seen_in_browser_at !== null && key.rolled_to_id === null;

function OtherKeys({ keys, mode }: { keys: readonly KeyView[]; mode: Mode }) {
  const show = (
    <SwitchTo mode={mode}>{t('Show {mode, select, test {test} other {live}} keys', { mode })}</SwitchTo>
  );
  return keys.some(isExposed) ? (
    <Notice
      tone="bad"
      title={t('A {mode, select, test {test} other {live}} key was sent by a browser', { mode })}
      actions={show}
    >
      {t(
        'A web page sent the key, and anyone who opened that page can read the key. Remove the key from the page, then roll it.',
      )}
    </Notice>
  ) : (
    <div class="row">
      <p class="soft-text">
        {t(
          'You also have {count, plural, one {# active {mode, select, test {test} other {live}} key} other {# active {mode, select, test {test} other {live}} keys}}.',
          { count: keys.length, mode },
        )}
      </p>
      {show}
    </div>
  );
}

function SeenInBrowser({ view, canRoll }: { view: KeyView; canRoll: boolean }) {
  return (
    <Notice
      tone="bad"
      title={t('A browser sent the API key “{name}”', { name: isolated(view.name) })}
      actions={
        <DialogButton
          id={canRoll ? rollId(view) : revokeId(view)}
          tone={canRoll ? 'primary' : 'danger'}
          label={
            canRoll ? t('Roll key… {name}', { name: view.name }) : t('Revoke… {name}', { name: view.name })
          }
        >
          {canRoll ? t('Roll key…') : t('Revoke…')}
        </DialogButton>
      }
    >
      {t(
        'On {time}, a web page sent a call with {mono}. The call was refused, but anyone who opened that page can read the key. Remove the key from the page, then {verb, select, roll {roll the key and choose to revoke the old one immediately} other {revoke it}}.',
        {
          mono: <Mono>{view.start}…</Mono>,
          time: <Time at={view.seen_in_browser_at!} />,
          verb: canRoll ? 'roll' : 'revoke',
        },
      )}
    </Notice>
  );
}

const WithoutKeys = ({ hasAny }: { hasAny: boolean }) => (
  <section class="card narrow">
    <h2>{t('Your plan has codes, but no API keys')}</h2>
    <div class="prose">
      <p>
        {t(
          'Give an offer a shared code. People claim the offer, see the code and enter the code at your checkout. You don’t have to build anything. API keys are included in {plans}. With a key, your server verifies each claim, and each claim can be redeemed only once.',
          { plans: usePlansWithKeys('and') },
        )}
      </p>
      {hasAny && (
        <p>
          {t(
            'Your keys are not deleted. Calls with your keys are refused with <a>plan_without_api_keys</a> until your plan has API keys again.',
            { a: linkTo(errorPagePath('plan_without_api_keys')) },
          )}
        </p>
      )}
    </div>
    <div class="row top-space">
      <ButtonLink href={PLAN_PATH} tone="primary">
        {t('Compare plans')}
      </ButtonLink>
      <ButtonLink href={OWN_LISTINGS_PATH}>{t('Your listings')}</ButtonLink>
    </div>
  </section>
);
