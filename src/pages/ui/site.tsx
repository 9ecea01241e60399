import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { createContext, useContext } from 'hono/jsx';
import { currentLanguage, ENGLISH, inLanguage } from '../../platform/languages/language.ts';
import { listText, Message, t, type Words } from '../../platform/languages/translate.ts';
import { ButtonLink } from './button.tsx';
import { TimeZone } from './time.tsx';
import type { Site, SiteBrand, SitePlans, Theme, Viewer } from './viewer.ts';

const Brand = createContext<Pick<SiteBrand, 'contact' | 'terms' | 'asksConsent' | 'privacy' | 'language'>>({
  contact: null,
  terms: null,
  asksConsent: false,
  privacy: null,
  language: ENGLISH.code,
});

const Plans = createContext<SitePlans>({
  starter: { name: 'Starter', isHidden: false },
  studio: { name: 'Studio', isHidden: false },
  everything: { name: 'Everything', isHidden: false },
});

const HasSignUp = createContext(true);

const ChosenTheme = createContext<Theme | null>(null);

/** Whether people can sign up with a form. */
export const useSignUp = () => useContext(HasSignUp);

export const useBrand = () => useContext(Brand);

/** The theme that the person has chosen in this browser; `null`: the device's. */
export const useTheme = () => useContext(ChosenTheme);

export const DARK_DEVICE = '(prefers-color-scheme: dark)';

/** The media for which a page shows the picture for the dark theme; `null`: for none. */
export function useDarkMedia(): string | null {
  const theme = useTheme();
  if (theme === null) return DARK_DEVICE;
  return theme === 'dark' ? 'screen' : null;
}

/** Must wrap every response that is a page or a fragment of a page. */
export const OnSite = ({
  site,
  children,
}: {
  site: Pick<Site, 'brand' | 'plans' | 'theme' | 'hasSignUp'>;
  children: Child;
}) => (
  <TimeZone.Provider value={site.brand.timeZone}>
    <Brand.Provider value={site.brand}>
      <Plans.Provider value={site.plans}>
        <HasSignUp.Provider value={site.hasSignUp}>
          <ChosenTheme.Provider value={site.theme}>{children}</ChosenTheme.Provider>
        </HasSignUp.Provider>
      </Plans.Provider>
    </Brand.Provider>
  </TimeZone.Provider>
);

/** Renders `children` in the marketplace's language, not the page's. For previews of what claimants see. */
export function InMarketLanguage({ children }: { children: Child }) {
  const { language } = useBrand();
  const written = () => (
    <div lang={language} dir={currentLanguage().direction}>
      {children}
    </div>
  );
  return raw(inLanguage(language, () => written().toString()));
}

export const usePlanName = (): ((plan: Viewer['plan']) => string) => {
  const plans = useContext(Plans);
  return (plan) => plans[plan].name;
};

export function PlanName({ of }: { of: Viewer['plan'] }) {
  return <>{usePlanName()(of)}</>;
}

/** Names the offered plans with API keys, such as “Studio or Everything”. Names both plans if neither is offered. */
export function usePlansWithKeys(conjunction: 'and' | 'or'): string {
  const { studio, everything } = useContext(Plans);
  const offered = [studio, everything].filter(({ isHidden }) => !isHidden);
  const names = (offered.length === 0 ? [studio, everything] : offered).map(({ name }) => name);
  return listText(names, conjunction === 'or' ? 'disjunction' : 'conjunction');
}

function Operator({ children }: { children: Child }) {
  const { contact } = useBrand();
  if (contact === null) return <>{children}</>;
  return (
    <a href={contact} rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Elements for the tags in translated texts (see `t`). */
export const linkTo = (href: string) => (words: Child) => <a href={href}>{words}</a>;
export const strong = (words: Child) => <strong>{words}</strong>;
export const toOperator = (words: Child) => <Operator>{words}</Operator>;

export function ContactButton() {
  const { contact } = useBrand();
  return contact === null ? null : <ButtonLink href={contact}>{t('Contact the operator')}</ButtonLink>;
}

/** Renders the sentence of a refusal. The tag `operator` becomes a link to the operator's contact. */
export const Sentence = ({ text }: { text: Words }) => (
  <>{text instanceof Message ? t(text, { operator: toOperator }) : text}</>
);
