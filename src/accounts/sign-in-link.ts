/** A link that signs its holder in as the person of an account, once, within a day. */
import type { Context } from '../context.ts';
import { issueCode } from './one-time-code-queries.ts';
import { findAccount } from './queries.ts';

export interface SignInLink {
  /** Id or e-mail address. */
  readonly account: string;
  /** Of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Where to go on once signed in: a path of the service. */
  readonly next: string;
}

/** An earlier link of the account stops working. The code stands in the fragment, which no server sees. */
export async function issueSignInLink(
  context: Context,
  { account: reference, baseUrl, next }: SignInLink,
): Promise<string> {
  const code = await context.db.transaction(async (tx) => {
    const account = await findAccount(tx, reference);
    return await issueCode(tx, context, { purpose: 'sign-in', accountId: account.id });
  });
  return `${baseUrl}/sign-in/link?next=${encodeURIComponent(next)}#${code}`;
}
