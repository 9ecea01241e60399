/** What parts of a page know about the marketplace that they are on. */

import type { Child } from 'hono/jsx';
import { createContext, useContext } from 'hono/jsx';
import { Message, t, type Words } from '../languages/translate.ts';
import { OPERATOR } from '../text/text.ts';
import { TimeZone } from './time.tsx';
import type { SiteBrand } from './viewer.ts';

const Brand = createContext<Pick<SiteBrand, 'contact' | 'terms' | 'privacy'>>({
  contact: null,
  terms: null,
  privacy: null,
});

/** Around every page, and every part of one that is sent as a whole response. */
export const OnSite = ({ brand, children }: { brand: SiteBrand; children: Child }) => (
  <TimeZone.Provider value={brand.timeZone}>
    <Brand.Provider value={brand}>{children}</Brand.Provider>
  </TimeZone.Provider>
);

/** Words that name the operator, as a link to their contact if there is one. */
export function Operator({ children }: { children?: Child }) {
  const { contact } = useContext(Brand);
  const words = children ?? t('the operator of this marketplace');
  if (contact === null) return <>{words}</>;
  return (
    <a href={contact} rel="noopener noreferrer nofollow">
      {words}
    </a>
  );
}

/** A sentence of a verb, which may name the operator: in a message, between tags. */
export function Sentence({ text }: { text: Words }) {
  if (text instanceof Message) {
    return <>{t(text, { operator: (words: Child) => <Operator>{words}</Operator> })}</>;
  }
  const [before = '', ...rest] = text.split(OPERATOR);
  return (
    <>
      {before}
      {rest.map((after) => (
        <>
          <Operator />
          {after}
        </>
      ))}
    </>
  );
}

/** Below a form that may make an account, where the operator has terms. */
export function Consent() {
  const { terms, privacy } = useContext(Brand);
  if (terms === null) return null;
  const links = {
    terms: (words: Child) => <a href={terms}>{words}</a>,
    privacy: (words: Child) => <a href={privacy ?? ''}>{words}</a>,
  };
  return (
    <p class="hint">
      {privacy === null
        ? t('By continuing you accept the <terms>terms</terms>.', links)
        : t(
            'By continuing you accept the <terms>terms</terms> and have read the <privacy>privacy policy</privacy>.',
            links,
          )}
    </p>
  );
}
