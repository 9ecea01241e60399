/**
 * Finds accounts, listings, offers, claims, keys and calls by a name, ID, link, token or code. If a single object
 * matches exactly, the desk redirects to its page. Results never contain a token or a complete key.
 */

import type { Context } from '../../../base/context.ts';
import {
  callPath,
  deskAccountPath,
  deskClaimPath,
  deskListingPath,
  OPERATOR_KEYS_PATH,
} from '../../../base/paths.ts';
import { findCall } from '../../../claims/attempts/queries.ts';
import { findClaimByListCode } from '../../../claims/codes/codes-of-claims.ts';
import type { DetailedClaim } from '../../../claims/queries.ts';
import {
  findClaimNamed,
  findClaimsByReference,
  findClaimsByShortId,
  isLink,
} from '../../../claims/search/search.ts';
import { shortClaimId } from '../../../claims/short-id.ts';
import { listingKey } from '../../../marketplace/listings/listing.ts';
import type { Listing } from '../../../marketplace/listings/queries.ts';
import { findOffersByCode } from '../../../marketplace/offers/queries.ts';
import { spelledEmail } from '../../../people/accounts/account.ts';
import { KEY_PREFIXES, readKey, readOperatorKey } from '../../../people/keys/key.ts';
import { findKeysByHash, findKeysByStart, type NamedKey } from '../../../people/keys/queries.ts';
import { invalid } from '../../../platform/errors.ts';
import { type Message, message, t } from '../../../platform/languages/translate.ts';
import type { Queryable } from '../../../platform/store/database.ts';
import { searchAccounts } from '../accounts/queries.ts';
import { searchListings } from '../listings/queries.ts';
import { findListingNamed, readById } from './queries.ts';

export const KINDS = {
  accounts: message('Accounts'),
  listings: message('Listings'),
  offers: message('Offers'),
  claims: message('Claims'),
  apiKeys: message('API keys'),
  operatorKeys: message('Operator keys'),
  calls: message('API calls'),
} as const;

export interface Hit {
  readonly kind: keyof typeof KINDS;
  readonly name: string;
  readonly about: string;
  readonly href: string;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
  /** What the search looked the text up as, such as `a claim token`. The page says so if nothing was found. */
  readonly tried: readonly Message[];
  /** Whether the page may show the text. False if the text may contain a secret. */
  readonly isShown: boolean;
}

/** Maximum length of the text. Allows for a redemption link with its token. */
const MAX_LENGTH = 2_100;
export const SHOWN_PER_KIND = 10;

type Searching = Pick<Context, 'db' | 'secretBox' | 'random'>;

/**
 * If the text identifies exactly one object, returns the path of its page; otherwise returns all results. Throws
 * `invalid_request` if the text is empty, too long or malformed.
 */
export async function findAnything(context: Searching, typed: string): Promise<string | SearchResult> {
  const text = typed.trim();
  if (text === '') {
    throw invalid(message('Enter a name, an email address, a link, a token, a code or an ID.'));
  }
  if (text.length > MAX_LENGTH || !text.isWellFormed()) {
    throw invalid(message('Search for at most {count, number} characters.', { count: MAX_LENGTH }));
  }
  const result = await lookUp(context, text);
  const { hits } = result;
  const [only] = hits;
  return only !== undefined && hits.length === 1 && (result.isExact || isSame(only.name, text))
    ? only.href
    : result;
}

const isSame = (name: string, text: string): boolean => name.toLowerCase() === text.toLowerCase();

type LookupResult = SearchResult & {
  /** Whether the text is an identifier. False for a name or a part of a name. */
  readonly isExact: boolean;
};

const exactly = (hits: readonly Hit[], tried: readonly Message[], isShown = false): LookupResult => ({
  hits,
  tried,
  isShown,
  hasMore: false,
  isExact: true,
});

const KEY = new RegExp(`^(?:${Object.values(KEY_PREFIXES).join('|')})`);
const REQUEST_ID = /^req_[\w-]{1,40}$/;
const TOKEN = /^clm_/;

async function lookUp(context: Searching, text: string): Promise<LookupResult> {
  if (KEY.test(text)) return await findKeys(context, text);
  if (REQUEST_ID.test(text)) return await findLoggedCall(context, text);
  const claim = await findClaimNamed(context, { accountId: null, text });
  if (claim !== null) {
    return exactly([foundClaimHit(claim)], []);
  }
  if (TOKEN.test(text)) return exactly([], [message('a claim token')]);
  if (isLink(text)) return await findLink(context, text);
  const byId = await findById(context.db.read, text);
  if (byId !== null) {
    return exactly(byId, [message('the ID of an account, listing, offer, claim or key')], true);
  }
  return await findNamed(context, text);
}

/** `null` if the text isn't an ID. */
async function findById(db: Queryable, text: string): Promise<readonly Hit[] | null> {
  const rows = await readById(db, text);
  if (rows === null) return null;
  const { account, listing, offer, apiKey, operatorKey } = rows;
  const hits: Hit[] = [];
  if (account) {
    const { id, name, email } = account;
    hits.push({ kind: 'accounts', name, about: email, href: deskAccountPath(id) });
  }
  if (listing) hits.push(listingHit(listing));
  if (offer) {
    const { offer: name, listing: about, listing_id } = offer;
    hits.push({ kind: 'offers', name, about, href: deskListingPath(listing_id) });
  }
  if (apiKey) hits.push(keyHit(apiKey));
  if (operatorKey) hits.push(keyHit({ ...operatorKey, mode: null, account_id: '' }));
  return hits;
}

const claimHit = (id: string, about: string): Hit => ({
  kind: 'claims',
  name: t('Claim {id}', { id: shortClaimId(id) }),
  about,
  href: deskClaimPath(id),
});

const foundClaimHit = ({ id, offer, listing_name, claimant, reference }: DetailedClaim): Hit =>
  claimHit(id, [offer, listing_name, claimant, reference].filter((part) => part !== null).join(', '));

const listingHit = ({ id, name, slug }: Pick<Listing, 'id' | 'name' | 'slug'>): Hit => ({
  kind: 'listings',
  name,
  about: slug,
  href: deskListingPath(id),
});

async function findKeys({ db }: Searching, text: string): Promise<LookupResult> {
  const whole = readKey(text) ?? readOperatorKey(text);
  if (whole?.kind === 'sandbox')
    return exactly([], [message('an API key. It is the public sandbox key, which has no account')]);
  const table = text.startsWith(KEY_PREFIXES.operator) ? 'operator_keys' : 'api_keys';
  if (whole !== null) {
    const keys = await findKeysByHash(db.read, table, whole.hash);
    return exactly(keys.map(keyHit), [message('a complete key')]);
  }
  const prefix = Object.values(KEY_PREFIXES).find((each) => text.startsWith(each))!;
  const start = /^[0-9A-Za-z]{0,4}/.exec(text.slice(prefix.length))![0];
  const mode = prefix === KEY_PREFIXES.live ? 'live' : prefix === KEY_PREFIXES.test ? 'test' : null;
  const keys = await findKeysByStart(db.read, { table, mode, start, limit: SHOWN_PER_KIND + 1 });
  return {
    ...exactly(keys.slice(0, SHOWN_PER_KIND).map(keyHit), [
      message('the beginning of a key, {start}', { start: prefix + start }),
    ]),
    hasMore: keys.length > SHOWN_PER_KIND,
  };
}

type KeyToName = Pick<NamedKey, 'account_id' | 'name' | 'start' | 'mode'> & Partial<Pick<NamedKey, 'owner'>>;

function keyHit({ account_id, name, start, mode, owner }: KeyToName): Hit {
  const key = `${KEY_PREFIXES[mode ?? 'operator']}${start}…`;
  const about = owner === undefined ? key : t('{key} of {owner}', { key, owner });
  return mode === null
    ? { kind: 'operatorKeys', name, about, href: OPERATOR_KEYS_PATH }
    : { kind: 'apiKeys', name, about, href: `${deskAccountPath(account_id)}#keys` };
}

async function findLoggedCall({ db }: Searching, requestId: string): Promise<LookupResult> {
  const call = await findCall(db.read, null, requestId);
  const hits: readonly Hit[] =
    call === undefined
      ? []
      : [{ kind: 'calls', name: requestId, about: call.cause, href: callPath(requestId) }];
  return exactly(hits, [message('the request ID of a call in the request log')], true);
}

/**
 * Looks up the slug or ID in the link's path. If there is no match, searches for listings by the link's host. The page
 * never shows the link, because the link may contain a token.
 */
async function findLink(context: Searching, text: string): Promise<LookupResult> {
  const url = URL.parse(text);
  if (url === null) return exactly([], [message('a link, but it is malformed')]);
  const { pathname, host } = url;
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const slug = /^\/l\/([^/]+)/.exec(pathname)?.[1];
  const listing = slug === undefined ? undefined : await findListingNamed(context.db.read, listingKey(slug));
  if (listing !== undefined) return exactly([listingHit(listing)], []);
  const byId = await findById(context.db.read, last);
  if (byId !== null && byId.length > 0) return exactly(byId, []);
  const { hits, hasMore } = await findListings(context, host);
  return {
    ...exactly(hits, [
      message('a claim link'),
      message('the link of a listing, offer or account'),
      message('a link to a listing’s website, {host}', { host }),
    ]),
    hasMore,
    isExact: false,
  };
}

async function findNamed(context: Searching, text: string): Promise<LookupResult> {
  const { db } = context;
  const isEmail = text.includes('@');
  const search = isEmail ? spelledEmail(text) : text;
  const limit = SHOWN_PER_KIND + 1;
  const [accounts, listings, offers, claimId, byShortId, byReference] = await Promise.all([
    searchAccounts(db, { search, limit: SHOWN_PER_KIND }),
    findListings(context, text),
    findOffersByCode(db.read, text),
    findClaimByListCode(context, text),
    findClaimsByShortId(context, { accountId: null, text, limit }),
    findClaimsByReference(context, { text, limit }),
  ]);
  const quoted = [...byShortId, ...byReference];
  const hits: readonly Hit[] = [
    ...accounts.accounts.map(
      ({ id, name, email }): Hit => ({
        kind: 'accounts',
        name: isEmail ? email : name,
        about: isEmail ? name : email,
        href: deskAccountPath(id),
      }),
    ),
    ...listings.hits,
    ...offers.slice(0, SHOWN_PER_KIND).map(
      ({ offer, listing, listing_id }): Hit => ({
        kind: 'offers',
        name: offer,
        about: t('{listing}; everyone who claims this offer gets this code', { listing }),
        href: deskListingPath(listing_id),
      }),
    ),
    ...(claimId === null ? [] : [claimHit(claimId, t('was given this code'))]),
    ...quoted.slice(0, SHOWN_PER_KIND).map(foundClaimHit),
  ];
  const isOneCode = hits.length === 1 && (hits[0]!.kind === 'offers' || hits[0]!.kind === 'claims');
  return {
    hits,
    hasMore:
      accounts.next !== null ||
      listings.hasMore ||
      offers.length > SHOWN_PER_KIND ||
      quoted.length > SHOWN_PER_KIND,
    tried: TRIED,
    isShown: claimId === null && offers.length === 0,
    isExact: isOneCode,
  };
}

const TRIED = [
  message('a claim token'),
  message('the name or email address of an account, or part of it'),
  message('the name, public address or website of a listing, or part of it'),
  message('a checkout code'),
  message('the short ID of a claim'),
  message('the reference of a claim or its claimant'),
];

async function findListings({ db }: Searching, search: string) {
  const { listings, next } = await searchListings(db, { search });
  const hits = listings.slice(0, SHOWN_PER_KIND).map(
    ({ id, name, slug, owner }): Hit => ({
      kind: 'listings',
      name: isSame(slug, search) ? slug : name,
      about: t('{listing}, by {owner}', { listing: isSame(slug, search) ? name : slug, owner }),
      href: deskListingPath(id),
    }),
  );
  return { hits, hasMore: next !== null || listings.length > SHOWN_PER_KIND };
}
