/** Finds a claim by what people paste: its token or id, or a link that carries one of them. */
import type { DatabaseReader } from '../store/database.ts';
import { isUuid } from '../store/uuid.ts';
import { type ClaimKey, type FoundClaim, findClaim } from './queries.ts';
import { hashToken, MAX_TOKEN_LENGTH } from './token.ts';

/** How many query values of a pasted link are tried as tokens. */
const MAX_LINK_VALUES = 10;

/**
 * What a text may refer to, most likely first. Only a token's hash is passed on. An imported token may be a UUID, so
 * each text is tried as a token too.
 */
export function claimKeysOf(text: string): readonly ClaimKey[] {
  const trimmed = text.trim();
  const link = isLink(trimmed) ? URL.parse(trimmed) : null;
  if (link !== null) return keysOfLink(link);
  return [...tokenKey(trimmed), ...idKey(trimmed)];
}

export const isLink = (text: string): boolean => /^https?:\/\//i.test(text);

/** The redemption link has its token in its query; the pages of a claim have its id in their path. */
function keysOfLink(link: URL): readonly ClaimKey[] {
  const tokens = [...link.searchParams.values()].slice(0, MAX_LINK_VALUES).flatMap(tokenKey);
  return [...tokens, ...idKey(link.pathname.split('/').at(-1) ?? '')];
}

const idKey = (text: string): readonly ClaimKey[] => (isUuid(text) ? [{ id: text.toLowerCase() }] : []);

const tokenKey = (text: string): readonly ClaimKey[] =>
  text !== '' && text.length <= MAX_TOKEN_LENGTH && text.isWellFormed()
    ? [{ tokenHash: hashToken(text) }]
    : [];

/** The claim that a text refers to, in this account or, if `accountId` is `null`, in any; `null` if there is none. */
export async function findClaimNamed(
  { db }: { readonly db: DatabaseReader },
  { accountId, text }: { readonly accountId: string | null; readonly text: string },
): Promise<FoundClaim | null> {
  for (const key of claimKeysOf(text)) {
    const claim = await findClaim(db, accountId, key);
    if (claim !== undefined) return claim;
  }
  return null;
}
