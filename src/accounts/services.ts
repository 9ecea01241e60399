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
  /** False while the disk is nearly full. Only operators can sign in then. */
  readonly hasRoom: () => boolean;
  readonly hasProvider: boolean;
  /** The offer that people claim on the page at `path`; `null` if it is not a claim page. */
  readonly findIntended: (path: string) => Promise<IntendedOffer | null>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

export interface Caller {
  readonly cookie: string;
  readonly userAgent: string;
  readonly address: string | null;
}

/** The text fields of a request, by name, and the request's caller. */
export type Sent<Name extends string> = Readonly<Record<Name, string>> & { readonly caller: Caller };
