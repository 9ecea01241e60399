import type { Context } from '../context.ts';
import type { Mailer } from '../mail/mail.ts';
import type { Auth } from './auth.ts';

/** What signing in works with, beside the context of every verb. */
export interface SignInServices {
  readonly context: Context;
  /** The sign-in library, loaded when it is needed first. */
  readonly auth: () => Promise<Auth>;
  readonly mailer: Mailer;
  /** Of the service, without a trailing slash: links in mails begin with it. */
  readonly baseUrl: string;
}

/** Who asks: what a session remembers, and what attempts are counted by. */
export interface Caller {
  /** The `Cookie` header. */
  readonly cookie: string;
  readonly userAgent: string;
  /** `null`: not known. */
  readonly address: string | null;
}

/** As the library reads them; the address is the one that trusted proxies vouch for. */
export const headersOf = ({ cookie, userAgent, address }: Caller): Headers =>
  new Headers({
    cookie,
    'user-agent': userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    ...(address !== null && { 'x-forwarded-for': address }),
  });

/** Characters of a User-Agent that a session remembers. */
const MAX_USER_AGENT_LENGTH = 300;
