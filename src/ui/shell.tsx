/** The shells around pages: document head, navigation and footer. */
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { accentsOf } from '../colour/accent.ts';
import { DARK } from '../colour/palette.ts';
import { currentLanguage } from '../languages/language.ts';
import { type Message, message, t } from '../languages/translate.ts';
import { filesOf, picturePath, type ThemedPicture as ThemedFiles } from '../network/picture-address.ts';
import { isolated, SOFTWARE } from '../text/text.ts';
import { AccountSwitch } from './account-switch.tsx';
import { accentSheet, iconOf, SCRIPTS, type ScriptName, STYLE_SHEET } from './assets.ts';
import { FormNotice } from './form.tsx';
import { HeadElements, type PageHead } from './head.tsx';
import { Icon, type IconName, Mark } from './icon.tsx';
import { MANIFEST_PATH } from './manifest.ts';
import { ModeSwitch, TestModeBanner } from './mode-switch.tsx';
import { ThemedPicture } from './picture.tsx';
import { OnSite } from './site.tsx';
import { numberText } from './time.tsx';
import type { Site, SiteBrand, Viewer } from './viewer.ts';

/** The readers of a page. `bare`: a single decision without navigation, such as signing in. */
export type Audience = 'public' | 'dashboard' | 'desk' | 'bare';

export interface ShellProps {
  readonly title: string;
  readonly site: Site;
  readonly viewer: Viewer | null;
  /** Path of the page, to mark it in the navigation. */
  readonly path: string;
  /** Path to return to after signing in; `null`: none. */
  readonly next: string | null;
  readonly audience: Audience;
  /** Items that wait for an operator's decision; `null` where they are not shown. */
  readonly waiting: number | null;
  readonly scripts: readonly ScriptName[];
  /** Next to the content of a public page. */
  readonly menu: Child | null;
  /** Path of the same page as Markdown. */
  readonly markdown: string | null;
  /** For search engines and previews; `null`: the page isn't for them. */
  readonly head: PageHead | null;
  readonly mode: Viewer['mode'];
  /** Path of the page whose form this page answers; `null`: this page answers no form. */
  readonly formPath: string | null;
  readonly children: Child;
}

/** No evaluation and no injected styles; a failed request of a live part leaves its content. */
const HTMX_CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  history: 'reload',
  noSwap: [204, 304, '4xx', '5xx'],
});

export function Shell(props: ShellProps) {
  const scripts: readonly ScriptName[] =
    props.audience === 'bare' ? ['app', 'send'] : ['app', 'send', 'htmx'];
  const { brand } = props.site;
  const language = currentLanguage();
  return (
    <OnSite site={props.site}>
      {raw('<!doctype html>')}
      <html lang={language.code} dir={language.direction}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${isolated(props.title)} · ${isolated(brand.name)}`}</title>
          <BrandLinks brand={brand} />
          {props.head !== null && <HeadElements head={props.head} baseUrl={props.site.baseUrl} />}
          {props.markdown !== null && <link rel="alternate" type="text/markdown" href={props.markdown} />}
          <meta name="htmx-config" content={HTMX_CONFIG} />
          {[...scripts, ...props.scripts].map((name) => (
            // No module has the name `htmx` from its script, and ours needs it.
            <script type={name === 'htmx' ? undefined : 'module'} src={SCRIPTS[name].path} defer />
          ))}
        </head>
        <body data-your-time={t('Your time:')}>
          <a class="skip" href="#content">
            {t('Skip to the content')}
          </a>
          {props.audience === 'dashboard' || props.audience === 'desk' ? (
            <WorkShell {...props} audience={props.audience} />
          ) : (
            <PublicShell {...props} />
          )}
          <template data-no-answer>
            <FormNotice title={t('No answer came')}>
              <p>
                {t(
                  'What you typed is still here. It may have been saved, so check before you send it again.',
                )}
              </p>
            </FormNotice>
          </template>
        </body>
      </html>
    </OnSite>
  );
}

/** What the brand decides in the head of a page. */
const BrandLinks = ({ brand: { name, accent, icon } }: { brand: SiteBrand }) => (
  <>
    <meta name="application-name" content={name} />
    <meta property="og:site_name" content={name} />
    <meta name="theme-color" media="(prefers-color-scheme: light)" content={accentsOf(accent).light.accent} />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content={DARK.paper} />
    {icon === null ? (
      <link rel="icon" href={iconOf(accent).path} type="image/svg+xml" />
    ) : (
      <IconLinks icon={icon} />
    )}
    <link rel="manifest" href={MANIFEST_PATH} />
    <link rel="stylesheet" href={STYLE_SHEET.path} />
    {accent !== null && <link rel="stylesheet" href={accentSheet(accent).path} />}
  </>
);

const IconLinks = ({ icon: { light, dark } }: { icon: ThemedFiles }) => {
  const link = (files: ThemedFiles['light'], media?: string) =>
    filesOf(files, 'png')
      .slice(0, 2)
      .map(({ name, width, height }) => (
        <link
          rel="icon"
          href={picturePath(name)}
          type="image/png"
          sizes={`${width}x${height}`}
          media={media}
        />
      ));
  return (
    <>
      {dark === null
        ? link(light)
        : [...link(light, '(prefers-color-scheme: light)'), ...link(dark, '(prefers-color-scheme: dark)')]}
      <link rel="apple-touch-icon" href={picturePath(filesOf(light, 'png').at(-1)!.name)} />
    </>
  );
};

const LOGO = { height: 32, most: 200 };
const ICON = { height: 28, most: 28 };

/** The logo of the marketplace; without one its name, with its icon or the drawn mark. */
export const BrandLink = (props: { brand: Pick<SiteBrand, 'name' | 'logo' | 'icon'>; href: string }) => {
  const { name, logo, icon } = props.brand;
  return (
    <a class="brand" href={props.href}>
      {logo === null ? (
        <>
          {icon === null ? <Mark /> : <ThemedPicture picture={icon} alt="" {...ICON} />}
          <span dir="auto">{name}</span>
        </>
      ) : (
        <ThemedPicture picture={logo} alt={name} {...LOGO} />
      )}
    </a>
  );
};

const strong = (words: Child) => <strong>{words}</strong>;

const DemoBanner = () => (
  <aside class="demo" aria-label={t('Demo data')}>
    {t('<b>Demo data.</b> The people, apps and claims here are made up.', { b: strong })}
  </aside>
);

const NotSetUpBanner = () => (
  <aside class="demo" aria-label={t('Set-up')}>
    {t('<b>Not set up yet.</b> The terminal that started the service shows a setup link. <a>Set up</a>', {
      b: strong,
      a: (words: Child) => <a href="/setup">{words}</a>,
    })}
  </aside>
);

const Main = ({ children }: { children: Child }) => (
  <main id="content" tabindex={-1}>
    {children}
  </main>
);

function PublicShell(props: ShellProps) {
  const { viewer, path, audience } = props;
  const query = props.next === null ? '' : `?next=${encodeURIComponent(props.next)}`;
  return (
    <div class={audience === 'bare' ? 'public bare' : 'public'}>
      <div>
        {props.site.isDemo && <DemoBanner />}
        {isForVisitors(props) && !props.site.isSetUp && <NotSetUpBanner />}
        <header class="site-header">
          <div>
            <BrandLink brand={props.site.brand} href="/" />
            {audience !== 'bare' && (
              <>
                <nav class="site-nav" aria-label={t('Site')}>
                  {placesOf(viewer).map(([label, href]) => (
                    <NavLink {...{ href, path }} label={t(label)} folders={[href === '/' ? '/l' : href]} />
                  ))}
                </nav>
                <div class="site-actions">
                  {viewer === null ? (
                    <>
                      <a class="button quiet wide-only" href={`/sign-up${query}`}>
                        {t('Sign up')}
                      </a>
                      <a class="button" href={`/sign-in${query}`}>
                        {t('Sign in')}
                      </a>
                    </>
                  ) : (
                    <AccountMenu viewer={viewer} />
                  )}
                </div>
              </>
            )}
          </div>
        </header>
      </div>
      {props.menu === null ? (
        <Main>{props.children}</Main>
      ) : (
        <div class="with-menu">
          {props.menu}
          <Main>{props.children}</Main>
        </div>
      )}
      <Footer brand={props.site.brand} isForDevelopers={isInDocs(props)} />
    </div>
  );
}

/** Developers may read the documentation before the service is set up. */
const isForVisitors = (props: ShellProps): boolean => props.path !== '/setup' && !isInDocs(props);

const isInDocs = ({ path }: ShellProps): boolean => path === '/docs' || path.startsWith('/docs/');

const placesOf = (viewer: Viewer | null): readonly (readonly [label: Message, href: string])[] => [
  [message('Marketplace'), '/'],
  ...(viewer === null
    ? []
    : ([
        [message('My claims'), '/claims'],
        [message('Dashboard'), '/dashboard'],
      ] as const)),
  ...(viewer?.isOperator ? ([[message('Desk'), '/desk']] as const) : []),
  [message('Docs'), '/docs'],
];

function AccountMenu({ viewer }: { viewer: Viewer }) {
  return (
    <>
      <button type="button" class="button quiet" popovertarget="account-menu">
        <Icon name="menu" />
        <span class="menu-name">{isolated(viewer.name)}</span>
        <span class="menu-word">{t('Menu')}</span>
      </button>
      <nav class="menu" id="account-menu" popover="auto" aria-label={t('Account')}>
        <p class="menu-who">
          <strong>{isolated(viewer.name)}</strong>
          <span>{viewer.email}</span>
        </p>
        <ul>
          {[...placesOf(viewer), [message('Account'), '/account'] as const].map(([label, href]) => (
            <li>
              <a href={href}>{t(label)}</a>
            </li>
          ))}
        </ul>
        <SignOut />
      </nav>
    </>
  );
}

const SignOut = () => (
  <form method="post" action="/sign-out">
    <button type="submit" class="button small quiet">
      {t('Sign out')}
    </button>
  </form>
);

interface NavLinkProps {
  readonly href: string;
  readonly label: string;
  readonly path: string;
  readonly icon?: IconName;
  readonly folders?: readonly string[] | undefined;
  /** What waits there; nothing is shown for 0. */
  readonly count?: number | null;
}

function NavLink({ href, label, path, icon, folders = [href], count }: NavLinkProps) {
  const isHere = path === href;
  const isWithin = folders.some((folder) => path.startsWith(`${folder}/`));
  return (
    <a href={href} aria-current={isHere ? 'page' : isWithin ? 'true' : undefined}>
      {icon && <Icon name={icon} />}
      {label}
      {count ? (
        <span class="count">
          {numberText(count)}
          <span class="visually-hidden"> {t('waiting')}</span>
        </span>
      ) : null}
    </a>
  );
}

type Place = readonly [label: Message, href: string, icon: IconName, folders?: readonly string[]];

interface Menu {
  readonly title: Message;
  readonly isForOwners?: true;
  readonly places: readonly Place[];
}

/** Settings are left to owners. */
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

const WorkShell = (props: WorkShellProps) => (
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

/** A POST: what is typed may be a secret, which must not be in a URL. */
const FindAnything = () => (
  <search class="find">
    <form method="post" action="/desk/search">
      <label class="visually-hidden" for="find-anything">
        Find a person, listing, claim, key or call
      </label>
      <Icon name="search" />
      <input
        id="find-anything"
        name="q"
        type="search"
        placeholder="Find a person, listing, claim, key or call"
        autocomplete="off"
        spellcheck={false}
        maxlength={2_100}
      />
      <button type="submit" class="button quiet">
        Find
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
            <span>{viewer.email}</span>
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

const Footer = ({ brand, isForDevelopers }: { brand: SiteBrand; isForDevelopers: boolean }) => (
  <footer class="site-footer">
    <div>
      <div>
        <p dir="auto" class="plain-text">
          {isolated(brand.footer ?? t('Each claim can be redeemed only once.'))}
        </p>
        <p>
          {t('Times in {zone}.', { zone: brand.timeZone })}
          {brand.showsSoftware && brand.name !== SOFTWARE && (
            <small> {t('Runs on {software}.', { software: SOFTWARE })}</small>
          )}
        </p>
      </div>
      <a href="/help">{t('Help')}</a>
      {operatorsLinks(brand).map(([label, href]) => (
        <a href={href}>{t(label)}</a>
      ))}
      {isForDevelopers && (
        <>
          <a href="/docs">{t('Docs')}</a>
          <a href="/docs/errors">{t('Errors')}</a>
          <a href="/openapi.json">{t('API description')}</a>
        </>
      )}
    </div>
  </footer>
);

const operatorsLinks = ({ contact, imprint, privacy, terms }: SiteBrand) =>
  (
    [
      [message('Contact'), contact],
      [message('Imprint'), imprint],
      [message('Privacy'), privacy],
      [message('Terms'), terms],
    ] as const
  ).flatMap(([label, href]) => (href === null ? [] : [[label, href] as const]));
