/** A link that signs in to an account, once, within a day. */
import type { Context } from '../context.ts';
import { issueCode } from './one-time-code-queries.ts';
import { findAccount } from './queries.ts';

export interface SignInLink {
  /** Id or e-mail address. */
  readonly account: string;
  /** Address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Path of the service to continue at. */
  readonly next: string;
}

/** An earlier link of the account stops working. The code is in the fragment, which no server sees. */
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
