import type { Context } from '../context.ts';
import type { Mailer } from '../mail/mail.ts';
import type { Background } from '../process/background.ts';
import type { SecurityLog } from '../process/security-log.ts';
import type { CrowdTransaction } from '../store/crowd.ts';
import type { IntendedOffer } from './letters.ts';

export interface SignInServices {
  readonly context: Context;
  readonly crowd: CrowdTransaction;
  readonly mailer: Mailer;
  readonly securityLog: SecurityLog;
  readonly background: Background;
  /** False while the disk is nearly full; then only operators can sign in. */
  readonly hasRoom: () => boolean;
  readonly hasProvider: boolean;
  /** The offer that a person claims on the page at `path`; `null`: that page doesn't claim an offer. */
  readonly findIntended: (path: string) => Promise<IntendedOffer | null>;
  /** Address of the service, without a trailing slash; links in mails begin with it. */
  readonly baseUrl: string;
}

export interface Caller {
  readonly cookie: string;
  readonly userAgent: string;
  readonly address: string | null;
}

/** Texts from a request, by name, and the sender of the request. */
export type Sent<Name extends string> = Readonly<Record<Name, string>> & { readonly caller: Caller };
