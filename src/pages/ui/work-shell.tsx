import {
  ACCOUNT_PATH,
  AUDIT_PATH,
  CAMPAIGNS_PATH,
  DASHBOARD_PATH,
  DASHBOARD_SETUP_PATH,
  DESK_ACCOUNTS_PATH,
  DESK_LISTINGS_PATH,
  DESK_PATH,
  DESK_SEARCH_PATH,
  DESK_WEBHOOKS_PATH,
  DOCS_PATH,
  LINK_CHECKS_PATH,
  MEMBERS_PATH,
  MY_CLAIMS_PATH,
  OPERATOR_KEYS_PATH,
  OUTBOX_PATH,
  OWN_KEYS_PATH,
  OWN_LISTINGS_PATH,
  OWN_OFFERS_PATH,
  OWNER_CLAIMS_PATH,
  PLAN_PATH,
  QUEUE_PATH,
  REQUESTS_PATH,
  SETTINGS_PATH,
  SYSTEM_PATH,
  WEBHOOKS_PATH,
} from '../../base/paths.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { AccountSwitch } from './account-switch.tsx';
import { BrandLink } from './brand-parts.tsx';
import { Icon, type IconName } from './icon.tsx';
import { ModeSwitch, TestModeBanner } from './mode-switch.tsx';
import { Banners, Footer, Main, NavLink, type ShellProps, SignOut } from './shell-parts.tsx';
import type { Viewer } from './viewer.ts';

type MenuItem = readonly [label: Message, href: string, icon: IconName, folders?: readonly string[]];

interface Menu {
  readonly title: Message;
  readonly isForOwners?: true;
  readonly items: readonly MenuItem[];
}

const MENUS: Readonly<Record<'dashboard' | 'desk', readonly Menu[]>> = {
  dashboard: [
    {
      title: message('Dashboard'),
      items: [
        [message('Start'), DASHBOARD_PATH, 'start', [DASHBOARD_SETUP_PATH]],
        [message('Listings'), OWN_LISTINGS_PATH, 'listings', [OWN_LISTINGS_PATH, OWN_OFFERS_PATH]],
        [message('Claims'), OWNER_CLAIMS_PATH, 'claims'],
        [message('Campaigns'), CAMPAIGNS_PATH, 'campaigns'],
      ],
    },
    {
      title: message('Developers'),
      items: [
        [message('Requests'), REQUESTS_PATH, 'requests'],
        [message('Webhooks'), WEBHOOKS_PATH, 'webhooks'],
        [message('Link check'), LINK_CHECKS_PATH, 'linkCheck'],
      ],
    },
    {
      title: message('Settings'),
      isForOwners: true,
      items: [
        [message('API keys'), OWN_KEYS_PATH, 'keys'],
        [message('Members'), MEMBERS_PATH, 'accounts'],
        [message('Plan'), PLAN_PATH, 'plan'],
      ],
    },
  ],
  desk: [
    {
      title: message('Desk'),
      items: [
        [message('Overview'), DESK_PATH, 'start', []],
        [message('Queue'), QUEUE_PATH, 'queue'],
        [message('Listings'), DESK_LISTINGS_PATH, 'listings'],
        [message('Accounts'), DESK_ACCOUNTS_PATH, 'accounts'],
        [message('Audit log'), AUDIT_PATH, 'events'],
      ],
    },
    {
      title: message('Service'),
      items: [
        [message('System'), SYSTEM_PATH, 'system'],
        [message('Outbox'), OUTBOX_PATH, 'outbox'],
        [message('Webhooks'), DESK_WEBHOOKS_PATH, 'webhooks'],
        [message('Settings'), SETTINGS_PATH, 'settings'],
        [message('Operator keys'), OPERATOR_KEYS_PATH, 'keys'],
      ],
    },
  ],
};

type WorkShellProps = ShellProps & { readonly audience: 'dashboard' | 'desk' };

export const WorkShell = (props: WorkShellProps) => (
  <div class="work">
    <header class="side">
      <div>
        <BrandLink brand={props.site.brand} href={props.audience === 'desk' ? DESK_PATH : DASHBOARD_PATH} />
        <button type="button" class="button quiet menu-button" popovertarget="side-menu">
          <Icon name="menu" />
          {t('Menu')}
        </button>
        <SideMenu {...props} />
      </div>
    </header>
    <div class="work-page">
      <Banners site={props.site} audience={props.audience} />
      {props.audience === 'dashboard' && props.mode === 'test' && <TestModeBanner next={props.formPath} />}
      {props.audience === 'desk' && <FindAnything />}
      <Main>{props.children}</Main>
      <Footer site={props.site} formPath={props.formPath} isForDevelopers />
    </div>
  </div>
);

/** Uses POST, because the search text may be a secret, and secrets must not appear in URLs. */
const FindAnything = () => (
  <search class="find">
    <form method="post" action={DESK_SEARCH_PATH}>
      <label class="visually-hidden" for="find-anything">
        {t('Find a person, listing, claim, key or API call')}
      </label>
      <Icon name="search" />
      <input
        id="find-anything"
        name="q"
        type="search"
        placeholder={t('Person, listing, claim, key…')}
        autocomplete="off"
        spellcheck={false}
        maxlength={2_100}
      />
      <button type="submit" class="button quiet">
        {t('Find')}
      </button>
    </form>
  </search>
);

function SideMenu({ viewer, path, audience, mode, formPath, waiting }: WorkShellProps) {
  const isDesk = audience === 'desk';
  const elsewhere: readonly MenuItem[] = [
    ...(isDesk ? [[message('Dashboard'), DASHBOARD_PATH, 'start'] as const] : []),
    ...(!isDesk && viewer?.isOperator ? [[message('Desk'), DESK_PATH, 'queue'] as const] : []),
    [message('Marketplace'), '/', 'marketplace'],
    [message('My claims'), MY_CLAIMS_PATH, 'claims'],
    [message('Docs'), DOCS_PATH, 'docs'],
    [message('Account'), ACCOUNT_PATH, 'person'],
  ];
  const hide = { popovertarget: 'side-menu', popovertargetaction: 'hide' } as const;
  return (
    <nav class="side-menu" id="side-menu" popover="auto" aria-label={isDesk ? t('Desk') : t('Dashboard')}>
      <button type="button" class="button quiet menu-button" {...hide}>
        {t('Close')}
      </button>
      {!isDesk && viewer !== null && <ModeSwitch mode={mode} next={formPath} />}
      {!isDesk && viewer !== null && <AccountSwitch viewer={viewer} />}
      {menuOf(audience, viewer).map(({ title, items }) => (
        <div>
          <p class="side-title">{t(title)}</p>
          <SideLinks items={items} path={path} waiting={waiting} />
        </div>
      ))}
      <div class="side-end">
        <SideLinks items={elsewhere} path={path} waiting={null} />
        {viewer !== null && (
          <div class="side-person">
            <strong>{isolated(viewer.name)}</strong>
            <span class="sub">{viewer.email}</span>
            <SignOut />
          </div>
        )}
      </div>
    </nav>
  );
}

const menuOf = (audience: 'dashboard' | 'desk', viewer: Viewer | null) =>
  MENUS[audience].filter(({ isForOwners }) => !isForOwners || (viewer?.worksIn ?? null)?.role !== 'member');

const SideLinks = (props: { items: readonly MenuItem[]; path: string; waiting: number | null }) => (
  <ul>
    {props.items.map(([label, href, icon, folders]) => (
      <li>
        <NavLink
          {...{ href, path: props.path, icon, folders }}
          label={t(label)}
          count={href === QUEUE_PATH ? props.waiting : null}
        />
      </li>
    ))}
  </ul>
);
