/** What each start of the demo prints: sign-in links, a test key and test claims. */
import { issueSignInLink } from '../accounts/sign-in.ts';
import { issueClaims } from '../claims/issue.ts';
import type { Context } from '../context.ts';
import { createKey } from '../keys/create.ts';
import { listKeys } from '../keys/queries.ts';
import { revokeKey } from '../keys/revoke.ts';
import { findListing } from '../listings/queries.ts';
import { listOffers } from '../offers/queries.ts';
import { MARKET, NOTES } from './market.ts';

export interface DemoLinks {
  readonly operator: string;
  readonly owner: string;
  readonly claimant: string;
}

/** Each link works once, within a day; the links of an earlier start stop working. */
export async function createLinks(context: Context, baseUrl: string): Promise<DemoLinks> {
  const link = ({ email: account }: { readonly email: string }, next: string) =>
    issueSignInLink(context, { account, baseUrl, next });
  return {
    operator: await link(MARKET.operator, '/desk'),
    owner: await link(MARKET.owners['lumen']!, '/dashboard'),
    claimant: await link(MARKET.claimant, '/claims'),
  };
}

export interface DemoTrial {
  readonly key: string;
  /** Test tokens, not yet redeemed. */
  readonly tokens: readonly string[];
}

const TRIAL_TOKENS = 3;
const TRIAL_KEY_NAME = 'demo terminal';
/** Short, since the key is printed on a terminal. */
const TRIAL_KEY_LIFE = '24h';

/** Creates a test key, replacing the one from the last start, and test claims on the first offer. */
export async function createTrial(context: Context): Promise<DemoTrial> {
  const listing = await findListing(context.db.read, NOTES);
  const [offer] = await listOffers(context.db.read, listing);
  if (offer === undefined) throw new Error(`The listing ${NOTES} of the demo has no offer.`);
  for (const { id, name } of await listKeys(context.db.read, listing.account_id)) {
    if (name === TRIAL_KEY_NAME) await revokeKey(context, { keyId: id, actor: 'operator' });
  }
  const { key } = await createKey(context, {
    account: listing.account_id,
    name: TRIAL_KEY_NAME,
    mode: 'test',
    expiresIn: TRIAL_KEY_LIFE,
    actor: 'operator',
  });
  const tokens: string[] = [];
  const input = { offerId: offer.id, count: TRIAL_TOKENS, mode: 'test', via: 'newsletter' } as const;
  for await (const claims of issueClaims(context, input)) tokens.push(...claims.map(({ token }) => token));
  return { key, tokens };
}
