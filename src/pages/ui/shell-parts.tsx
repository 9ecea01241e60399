import type { Child } from 'hono/jsx';
import { DEMO_MAILS_PATH, DOCS_PATH, HELP_PATH, PRIVACY_PATH, SIGN_OUT_PATH } from '../../base/paths.ts';
import { ERROR_PAGES_PATH } from '../../platform/errors.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { isolated, SOFTWARE } from '../../platform/text/text.ts';
import { zoneText } from '../../platform/text/time-zone.ts';
import type { ScriptName } from './assets.ts';
import { Lines, Paragraph } from './breakable.tsx';
import type { PageHead } from './head.tsx';
import { Icon, type IconName } from './icon.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { tokenList } from './markup.ts';
import { linkTo, strong } from './site.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { numberText } from './time.tsx';
import type { Site, SiteAnnouncement, SiteBrand, Viewer } from './viewer.ts';

/** `bare`: pages without navigation, for a single task such as signing in. */
export type Audience = 'public' | 'dashboard' | 'desk' | 'bare';

export interface ShellProps {
  readonly title: string;
  readonly site: Site;
  readonly viewer: Viewer | null;
  /** Path of the page. The navigation highlights the link to this path. */
  readonly path: string;
  readonly next: string | null;
  readonly audience: Audience;
  /** Number of items in the review queue; `null` on pages that don't show it. */
  readonly waiting: number | null;
  readonly scripts?: readonly ScriptName[];
  readonly menu?: Child;
  /** Path of the Markdown version of the page. */
  readonly markdown?: string;
  /** Metadata for search engines and link previews. */
  readonly head?: PageHead;
  readonly mode: Viewer['mode'];
  /** If the page is the response to a form, the path of the page with that form; otherwise `null`. */
  readonly formPath: string | null;
  readonly children: Child;
}

const DemoBanner = () => (
  <aside class="demo" aria-label={t('Demo data')}>
    {t('<b>Demo data.</b> The people, apps and claims here are made up, and <a>emails</a> aren’t sent.', {
      b: strong,
      a: linkTo(DEMO_MAILS_PATH),
    })}
  </aside>
);

const ANNOUNCEMENT_LOOKS: Readonly<
  Record<
    SiteAnnouncement['level'],
    { readonly icon: IconName; readonly tone: string; readonly name: Message }
  >
> = {
  info: { icon: 'info', tone: '', name: message('Information') },
  warning: { icon: 'warning', tone: 'warn', name: message('Warning') },
  incident: { icon: 'warning', tone: 'bad', name: message('Incident') },
};

export function AnnouncementText({ text, level }: Pick<SiteAnnouncement, 'text' | 'level'>) {
  const { icon, tone, name } = ANNOUNCEMENT_LOOKS[level];
  return (
    <p class={tokenList('announcement', tone)}>
      <Icon name={icon} />
      <span>
        <span class="visually-hidden">{t(name)}: </span>
        <Lines>{isolated(text)}</Lines>
      </span>
    </p>
  );
}

/** What is above the header of every page. */
export const Banners = ({ site, audience }: Pick<ShellProps, 'site' | 'audience'>) => {
  const { announcement } = site;
  const isForThisPage = announcement?.audience === 'everyone' || audience === 'dashboard';
  return (
    <>
      {site.isDemo && <DemoBanner />}
      {announcement !== null && isForThisPage && (
        <aside aria-label={t('Announcement')}>
          <AnnouncementText {...announcement} />
        </aside>
      )}
    </>
  );
};

export const Main = ({ children }: { children: Child }) => (
  <main id="main-content" tabindex={-1}>
    {children}
  </main>
);

/** `isItem`: styled as an item of a menu. */
export const SignOut = ({ isItem }: { isItem?: boolean }) => (
  <form method="post" action={SIGN_OUT_PATH}>
    <button type="submit" class={isItem ? undefined : 'button small quiet'}>
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
  readonly count?: number | null;
}

export function NavLink({ href, label, path, icon, folders = [href], count }: NavLinkProps) {
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

interface FooterProps {
  readonly site: Pick<Site, 'brand' | 'hasLanguageSwitch'>;
  readonly isForDevelopers: boolean;
  /** If the page is the response to a form, the path of the page with that form; otherwise `null`. */
  readonly formPath: string | null;
}

export const Footer = ({ site: { brand, hasLanguageSwitch }, isForDevelopers, formPath }: FooterProps) => (
  <footer class="site-footer">
    <div>
      <div>
        {brand.footer !== null && <Paragraph>{isolated(brand.footer)}</Paragraph>}
        <p>
          <span class="time-zone">{t('Times in {zone}.', { zone: zoneText(brand.timeZone) })}</span>
          {brand.showsSoftware && brand.name !== SOFTWARE && (
            <small> {t('Runs on {software}.', { software: SOFTWARE })}</small>
          )}
        </p>
      </div>
      <ul>
        {[...linksOf(brand), ...(isForDevelopers ? FOR_DEVELOPERS : [])].map(([label, href]) => (
          <li>
            <a href={href}>{t(label)}</a>
          </li>
        ))}
      </ul>
      <div class="row">
        {hasLanguageSwitch && <LanguageSwitch next={formPath} />}
        <ThemeSwitch next={formPath} />
      </div>
    </div>
  </footer>
);

const FOR_DEVELOPERS = [
  [message('Docs'), DOCS_PATH],
  [message('Errors'), ERROR_PAGES_PATH],
  [message('API'), '/openapi.json'],
] as const;

const linksOf = ({ contact, imprint, privacy, terms }: SiteBrand) =>
  (
    [
      [message('Help'), HELP_PATH],
      [message('Contact'), contact],
      [message('Legal notice'), imprint],
      [message('Privacy'), privacy ?? PRIVACY_PATH],
      [message('Terms'), terms],
    ] as const
  ).flatMap(([label, href]) => (href === null ? [] : [[label, href] as const]));
