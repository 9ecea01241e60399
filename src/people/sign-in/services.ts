import type { Context } from '../../base/context.ts';
import type { SecurityLog } from '../../platform/network/security-log.ts';
import type { Background } from '../../platform/process/background.ts';
import type { GroupedTransaction } from '../../platform/store/grouped-transaction.ts';
import type { Mailer } from '../mail/mail.ts';
import type { IntendedOffer } from './email/letters.ts';
import type { MailGate } from './limits/mail-gate.ts';

export interface SignInServices {
  readonly context: Context;
  readonly groupedTransaction: GroupedTransaction;
  readonly mailer: Mailer;
  readonly mailGate: MailGate;
  readonly securityLog: SecurityLog;
  readonly background: Background;
  /** Returns false while the disk is nearly full. In that state, only operators can sign in. */
  readonly diskIsFull: () => boolean;
  readonly hasProvider: boolean;
  /** Whether people can sign in only through the identity providers (`OIDC_ONLY`). */
  readonly isOidcOnly: boolean;
  /** The identity providers that say who is an operator, in both spellings (`issuerSpellings`). */
  readonly operatorIssuers: readonly string[];
  /** Returns the offer of the claim page at `path`; `null`: the path is not a claim page. */
  readonly findIntended: (path: string) => Promise<IntendedOffer | null>;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

export interface Caller {
  readonly cookie: string;
  readonly userAgent: string;
  readonly address: string | null;
  /** The solution of a challenge (`challenge.ts`), as sent. */
  readonly solution?: string;
}

/** The text fields of a request, by name, and the request's caller. */
export type Sent<Name extends string> = Readonly<Record<Name, string>> & { readonly caller: Caller };
