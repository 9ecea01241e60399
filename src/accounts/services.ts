import type { Background } from '../background.ts';
import type { Context } from '../context.ts';
import type { Mailer } from '../mail/mail.ts';
import type { SecurityLog } from '../security-log.ts';

/** What signing in works with, beside the context of every verb. */
export interface SignInServices {
  readonly context: Context;
  readonly mailer: Mailer;
  readonly securityLog: SecurityLog;
  readonly background: Background;
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
