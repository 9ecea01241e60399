import { termsVersion } from '../../base/brand/brand.ts';
import type { Context } from '../../base/context.ts';
import { type Actor, appendEvent } from '../../base/events/queries.ts';
import { invalid } from '../../platform/errors.ts';
import { message } from '../../platform/languages/translate.ts';
import type { Transaction } from '../../platform/store/database.ts';
import { changeAccount } from './edit.ts';
import { type Account, updateAccount } from './queries.ts';

type Brand = Context['marketplace']['brand'];

export function termsToAccept(brand: Brand, account: Pick<Account, 'terms_version'>): string | null {
  const version = termsVersion(brand);
  return version === account.terms_version ? null : version;
}

export function requireConsent(brand: Brand, hasTicked: boolean): void {
  if (brand.terms !== null && brand.asksConsent && !hasTicked)
    throw invalid(message('Accept the terms to continue.'));
}

export const acceptTerms = (
  context: Context,
  input: { readonly accountId: string; readonly actor: Actor; readonly version: string },
): Promise<void> =>
  changeAccount(context, { account: input.accountId, ...input }, async ({ tx, account }) => {
    const due = termsToAccept(context.marketplace.brand, account);
    if (due === null) return;
    if (due !== input.version)
      throw invalid(message('The terms have changed again. Read them, then accept them.'));
    await accept(context, tx, { ...input, account });
  });

/** The publishing forms say that continuing accepts the terms. Throws if the operator requires a ticked box. */
export async function acceptByPublishing(
  context: Context,
  tx: Transaction,
  { account, actor }: { readonly account: Account; readonly actor: Actor },
): Promise<void> {
  const { brand } = context.marketplace;
  const version = termsToAccept(brand, account);
  if (version === null) return;
  if (brand.asksConsent) {
    throw invalid(message('The terms must be accepted first. You can accept them on your dashboard.'));
  }
  await accept(context, tx, { account, actor, version });
}

async function accept(
  context: Pick<Context, 'at' | 'now'>,
  tx: Transaction,
  input: { readonly account: Account; readonly actor: Actor; readonly version: string },
): Promise<void> {
  const { account, actor, version } = input;
  const at = context.at();
  await updateAccount(tx, account.id, { terms_version: version, terms_accepted_at: at });
  const about = { accountId: account.id, subjectId: account.id, actor, at };
  await appendEvent(tx, { ...about, type: 'account.terms_accepted', data: { version } });
}
