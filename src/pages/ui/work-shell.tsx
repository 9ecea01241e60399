import { type Message, message, t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { AccountSwitch } from './account-switch.tsx';
import { BrandLink } from './brand-parts.tsx';
import { Icon, type IconName } from './icon.tsx';
import { ModeSwitch, TestModeBanner } from './mode-switch.tsx';
import { DemoBanner, Footer, Main, NavLink, type ShellProps, SignOut } from './shell-parts.tsx';
import type { Viewer } from './viewer.ts';

type Place = readonly [label: Message, href: string, icon: IconName, folders?: readonly string[]];

interface Menu {
  readonly title: Message;
  readonly isForOwners?: true;
  readonly places: readonly Place[];
}

const PLACES: Readonly<Record<'dashboard' | 'desk', readonly Menu[]>> = {
  dashboard: [
    {
      title: message('Dashboard'),
      places: [
        [message('Start'), '/dashboard', 'start', ['/dashboard/set-up']],
        [
          message('Listings'),
          '/dashboard/listings',
          'listings',
          ['/dashboard/listings', '/dashboard/offers'],
        ],
        [message('Claims'), '/dashboard/claims', 'claims'],
        [message('Campaigns'), '/dashboard/campaigns', 'campaigns'],
      ],
    },
    {
      title: message('Developers'),
      places: [
        [message('Requests'), '/dashboard/requests', 'requests'],
        [message('Webhooks'), '/dashboard/webhooks', 'webhooks'],
        [message('Link check'), '/dashboard/link-checks', 'linkCheck'],
      ],
    },
    {
      title: message('Settings'),
      isForOwners: true,
      places: [
        [message('API keys'), '/dashboard/settings/keys', 'keys'],
        [message('Members'), '/dashboard/settings/members', 'accounts'],
        [message('Plan'), '/dashboard/settings/plan', 'plan'],
      ],
    },
  ],
  desk: [
    {
      title: message('Desk'),
      places: [
        [message('Overview'), '/desk', 'start', []],
        [message('Queue'), '/desk/queue', 'queue'],
        [message('Listings'), '/desk/listings', 'listings'],
        [message('Accounts'), '/desk/accounts', 'accounts'],
        [message('Audit log'), '/desk/events', 'events'],
      ],
    },
    {
      title: message('Service'),
      places: [
        [message('System'), '/desk/system', 'system'],
        [message('Outbox'), '/desk/outbox', 'outbox'],
        [message('Settings'), '/desk/settings', 'settings'],
        [message('Operator keys'), '/desk/keys', 'keys'],
      ],
    },
  ],
};

type WorkShellProps = ShellProps & { readonly audience: 'dashboard' | 'desk' };

export const WorkShell = (props: WorkShellProps) => (
  <div class="work">
    <header class="side">
      <div>
        <BrandLink brand={props.site.brand} href={props.audience === 'desk' ? '/desk' : '/dashboard'} />
        <button type="button" class="button quiet menu-button" popovertarget="side-menu">
          <Icon name="menu" />
          {t('Menu')}
        </button>
        <SideMenu {...props} />
      </div>
    </header>
    <div class="work-page">
      {props.site.isDemo && <DemoBanner />}
      {props.audience === 'dashboard' && props.mode === 'test' && <TestModeBanner next={props.formPath} />}
      {props.audience === 'desk' && <FindAnything />}
      <Main>{props.children}</Main>
      <Footer brand={props.site.brand} isForDevelopers />
    </div>
  </div>
);

/** Uses POST, because the search text may be a secret, and secrets must not appear in URLs. */
const FindAnything = () => (
  <search class="find">
    <form method="post" action="/desk/search">
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
  const elsewhere: readonly Place[] = [
    ...(isDesk ? [[message('Dashboard'), '/dashboard', 'start'] as const] : []),
    ...(!isDesk && viewer?.isOperator ? [[message('Desk'), '/desk', 'queue'] as const] : []),
    [message('Marketplace'), '/', 'marketplace'],
    [message('My claims'), '/claims', 'claims'],
    [message('Docs'), '/docs', 'docs'],
    [message('Account'), '/account', 'person'],
  ];
  const hide = { popovertarget: 'side-menu', popovertargetaction: 'hide' } as const;
  return (
    <nav class="side-menu" id="side-menu" popover="auto" aria-label={isDesk ? t('Desk') : t('Dashboard')}>
      <button type="button" class="button quiet menu-button" {...hide}>
        {t('Close')}
      </button>
      {!isDesk && viewer !== null && <ModeSwitch mode={mode} next={formPath} />}
      {!isDesk && viewer !== null && <AccountSwitch viewer={viewer} />}
      {menuOf(audience, viewer).map(({ title, places }) => (
        <div>
          <p class="side-title">{t(title)}</p>
          <SideLinks places={places} path={path} waiting={waiting} />
        </div>
      ))}
      <div class="side-end">
        <SideLinks places={elsewhere} path={path} waiting={null} />
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
  PLACES[audience].filter(({ isForOwners }) => !isForOwners || (viewer?.worksIn ?? null)?.role !== 'member');

const SideLinks = (props: { places: readonly Place[]; path: string; waiting: number | null }) => (
  <ul>
    {props.places.map(([label, href, icon, folders]) => (
      <li>
        <NavLink
          {...{ href, path: props.path, icon, folders }}
          label={t(label)}
          count={href === '/desk/queue' ? props.waiting : null}
        />
      </li>
    ))}
  </ul>
);
