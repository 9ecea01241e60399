import { raw } from 'hono/html';
import {
  ACCOUNT_PATH,
  DASHBOARD_PATH,
  DESK_PATH,
  DOCS_PATH,
  HELP_PATH,
  LISTINGS_PATH,
  MY_CLAIMS_PATH,
  SETUP_PATH,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
} from '../../base/paths.ts';
import { currentLanguage } from '../../platform/languages/language.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { isolated } from '../../platform/text/text.ts';
import { SCRIPTS, type ScriptName } from './assets.ts';
import { BrandLink, BrandLinks } from './brand-parts.tsx';
import { FormNotice } from './form.tsx';
import { HeadElements } from './head.tsx';
import { Icon } from './icon.tsx';
import { Banners, Footer, Main, NavLink, type ShellProps, SignOut } from './shell-parts.tsx';
import { linkTo, OnSite, strong } from './site.tsx';
import type { MoreStyles } from './style-sheet.ts';
import type { Viewer } from './viewer.ts';
import { WorkShell } from './work-shell.tsx';

/** Keeps htmx from injecting styles, and from replacing content with an error response. */
const HTMX_CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  history: 'reload',
  noSwap: [204, 304, '4xx', '5xx'],
});

/** Scripts of every page. */
const EVERYWHERE: readonly ScriptName[] = ['app', 'send'];

/** A classic script: loaded as a module, htmx would not define the global `htmx`. */
const HTMX_ELEMENT = `<script src="${SCRIPTS.htmx.path}" defer></script>`;

/** Matches only elements of this service, because text from users is escaped. */
const HTMX_ATTRIBUTE = / hx-(?:get|post)="/;

/** Adds htmx, which is larger than all other scripts together, to a page that uses it. */
export const withHtmx = (html: string): string =>
  HTMX_ATTRIBUTE.test(html) ? html.replace('</head>', () => `${HTMX_ELEMENT}</head>`) : html;

export function Shell(props: ShellProps) {
  const { brand, theme } = props.site;
  const language = currentLanguage();
  return (
    <OnSite site={props.site}>
      {raw('<!doctype html>')}
      <html lang={language.code} dir={language.direction} data-theme={theme ?? undefined}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content={theme ?? 'light dark'} />
          <title>{`${isolated(props.title)} · ${isolated(brand.name)}`}</title>
          <BrandLinks brand={brand} theme={theme} moreStyles={moreStylesOf(props)} />
          {props.head !== undefined && <HeadElements head={props.head} baseUrl={props.site.baseUrl} />}
          {props.markdown !== undefined && (
            <link rel="alternate" type="text/markdown" href={props.markdown} />
          )}
          <meta name="htmx-config" content={HTMX_CONFIG} />
          {[...EVERYWHERE, ...(props.scripts ?? [])].map((name) => (
            <script type="module" src={SCRIPTS[name].path} />
          ))}
        </head>
        <body data-your-time={t('Your time:')}>
          <a class="skip" href="#main-content">
            {t('Skip to the content')}
          </a>
          {props.audience === 'dashboard' || props.audience === 'desk' ? (
            <WorkShell {...props} audience={props.audience} />
          ) : (
            <PublicShell {...props} />
          )}
          <template data-no-answer>
            <FormNotice title={t('No response arrived')}>
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

const moreStylesOf = (props: ShellProps): MoreStyles | null => {
  if (props.audience === 'dashboard' || props.audience === 'desk') return 'work';
  return isInDocs(props) ? 'docs' : null;
};

const NotSetUpBanner = () => (
  <aside class="demo" aria-label={t('Set-up')}>
    {t('<b>Not set up yet.</b> The terminal that started the service shows a setup link. <a>Set up</a>', {
      b: strong,
      a: linkTo(SETUP_PATH),
    })}
  </aside>
);

function PublicShell(props: ShellProps) {
  const { viewer, path, audience } = props;
  const query = props.next === null ? '' : `?next=${encodeURIComponent(props.next)}`;
  return (
    <div class={audience === 'bare' ? 'public bare' : 'public'}>
      <div>
        <Banners site={props.site} audience={audience} />
        {isForVisitors(props) && !props.site.isSetUp && <NotSetUpBanner />}
        <header class="site-header">
          <div>
            <BrandLink brand={props.site.brand} href="/" />
            {audience !== 'bare' && (
              <>
                <nav class="site-nav" aria-label={t('Site')}>
                  {menuItemsOf(viewer).map(([label, href]) => (
                    <NavLink
                      {...{ href, path }}
                      label={t(label)}
                      folders={[href === '/' ? LISTINGS_PATH : href]}
                    />
                  ))}
                </nav>
                <div class="site-actions">
                  {viewer === null ? (
                    <>
                      {props.site.hasSignUp && (
                        <a class="button quiet wide-only" href={SIGN_UP_PATH + query}>
                          {t('Sign up')}
                        </a>
                      )}
                      <a class="button" href={SIGN_IN_PATH + query}>
                        {t('Sign in')}
                      </a>
                      <VisitorMenu query={query} hasSignUp={props.site.hasSignUp} />
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
      {props.menu === undefined ? (
        <Main>{props.children}</Main>
      ) : (
        <div class="with-menu">
          {props.menu}
          <Main>{props.children}</Main>
        </div>
      )}
      <Footer site={props.site} formPath={props.formPath} isForDevelopers={isInDocs(props)} />
    </div>
  );
}

/** `false` for the setup page, and for the documentation, which developers may read before the service is set up. */
const isForVisitors = (props: ShellProps): boolean => props.path !== SETUP_PATH && !isInDocs(props);

const isInDocs = ({ path }: ShellProps): boolean => path === DOCS_PATH || path.startsWith(`${DOCS_PATH}/`);

type MenuItems = readonly (readonly [label: Message, href: string])[];

const menuItemsOf = (viewer: Viewer | null): MenuItems => [
  [message('Marketplace'), '/'],
  ...(viewer === null
    ? []
    : ([
        [message('My claims'), MY_CLAIMS_PATH],
        [message('Dashboard'), DASHBOARD_PATH],
      ] as const)),
  ...(viewer?.isOperator ? ([[message('Desk'), DESK_PATH]] as const) : []),
  [message('Docs'), DOCS_PATH],
];

/** Replaces the navigation on phones. */
const VisitorMenu = ({ query, hasSignUp }: { query: string; hasSignUp: boolean }) => (
  <>
    <button type="button" class="button quiet menu-button" popovertarget="site-menu">
      <Icon name="menu" />
      <span class="visually-hidden">{t('Menu')}</span>
    </button>
    <nav class="menu" id="site-menu" popover="auto" aria-label={t('Menu')}>
      <MenuLinks
        items={[
          ...menuItemsOf(null),
          [message('Help'), HELP_PATH],
          ...(hasSignUp ? ([[message('Sign up'), SIGN_UP_PATH + query]] as const) : []),
          [message('Sign in'), SIGN_IN_PATH + query],
        ]}
      />
    </nav>
  </>
);

const MenuLinks = ({ items }: { items: MenuItems }) => (
  <ul>
    {items.map(([label, href]) => (
      <li>
        <a href={href}>{t(label)}</a>
      </li>
    ))}
  </ul>
);

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
          <span class="sub">{viewer.email}</span>
        </p>
        <MenuLinks items={[...menuItemsOf(viewer), [message('Account'), ACCOUNT_PATH]]} />
        <SignOut isItem />
      </nav>
    </>
  );
}
