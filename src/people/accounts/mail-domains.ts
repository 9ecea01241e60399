/** Large providers limit how many mailboxes one person can create. A domain of one's own has any number. */
const PERSONAL_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com outlook.de outlook.fr hotmail.com hotmail.de hotmail.fr hotmail.co.uk
  live.com live.de msn.com yahoo.com yahoo.de yahoo.fr yahoo.co.uk yahoo.co.jp ymail.com aol.com icloud.com
  me.com mac.com proton.me protonmail.com gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de
  bluewin.ch orange.fr wanadoo.fr free.fr laposte.net libero.it seznam.cz wp.pl o2.pl comcast.net
  btinternet.com mail.ru yandex.ru qq.com 163.com 126.com naver.com rediffmail.com uol.com.br bol.com.br`.split(
    /\s+/,
  ),
);

export const mailDomainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

/** Prefix of a domain in a list of domains: matches all its subdomains. */
export const SUBDOMAINS = '*.';

/** `domain`: the domain of a normalized email address. */
export const isListedDomain = (list: readonly string[], domain: string): boolean =>
  list.some((one) => (one.startsWith(SUBDOMAINS) ? domain.endsWith(one.slice(1)) : domain === one));

export const isPersonalMailDomain = (domain: string): boolean => PERSONAL_MAIL_DOMAINS.has(domain);

/** Labels that registries use below a country's domain, such as the one in `example.co.uk`. */
const SECOND_LEVEL: ReadonlySet<string> = new Set('ac co com edu gov ne net or org'.split(' '));

/** The part of a domain that a person registers, in most cases: a person can have any number of subdomains. */
export function registrableDomainOf(domain: string): string {
  const labels = domain.split('.');
  const isBelowCountry = labels.at(-1)?.length === 2 && SECOND_LEVEL.has(labels.at(-2) ?? '');
  return labels.slice(isBelowCountry ? -3 : -2).join('.');
}
