/** Helpers for tests of the public lists, badges and posters. */
import { SaxesParser } from 'saxes';
import { beforeAll } from 'vitest';
import type { Context } from '../../../../src/base/context.ts';
import { issueClaims } from '../../../../src/claims/creation/issue.ts';
import { createListing } from '../../../../src/marketplace/listings/create.ts';
import { createOffer } from '../../../../src/marketplace/offers/create.ts';
import { createAccount } from '../../../../src/people/accounts/create.ts';
import { shareSite } from '../../../support/shared.ts';

const ACTOR = 'operator' as const;

/** Names that try to break out of markup or are hard to render. */
export const HOSTILE_NAMES = [
  '</script><script>alert(1)</script>',
  `"'><img src=x onerror=alert(1)> & ]]> <!--`,
  '🎉 Größte Fête 👩‍👩‍👧 ﷽',
  'مفكرة 20% خصم',
  'x'.repeat(80),
  '日本語テスト ไทย हिन्दी',
] as const;

interface AppToMake {
  readonly name?: string;
  readonly summary?: string;
  readonly offer?: string;
  readonly conditions?: string;
  readonly claim_limit?: string;
  readonly starts_at?: string;
  readonly ends_at?: string;
  /** Number of claims to issue. */
  readonly claims?: number;
  readonly draft?: true;
}

/** Creates an app with one offer and returns the offer's ID. */
export async function addApp(
  context: Context,
  account: string,
  slug: string,
  { name = slug, summary, claims = 0, draft, ...offer }: AppToMake = {},
): Promise<string> {
  await createListing(context, {
    account,
    slug,
    name,
    summary,
    url: `https://${slug}.example`,
    ...(draft ? {} : { upTo: 'approved' }),
    actor: ACTOR,
  });
  const made = await createOffer(context, {
    listing: slug,
    offer: 'Half off',
    kind: 'discount',
    ...offer,
    redemption_link: `https://${slug}.example/in?claim={claim}`,
    actor: ACTOR,
  });
  if (claims > 0) {
    const issue = { offerId: made.id, count: claims, mode: 'live', via: null } as const;
    for await (const _ of issueClaims(context, issue));
  }
  return made.id;
}

export const addOwner = async (context: Context, name: string): Promise<string> =>
  (await createAccount(context, { email: `${name.replaceAll(' ', '.')}@example.com`, name, actor: ACTOR }))
    .id;

/** A service with an operator and an owner. */
export function shareMarket(env?: Readonly<Record<string, string>>) {
  const site = shareSite('sqlite', env);
  const market = { operator: '', owner: '' };
  beforeAll(async () => {
    const boss = { email: 'boss@example.com', name: 'Boss', operator: true, actor: ACTOR } as const;
    market.operator = (await createAccount(site.context, boss)).id;
    market.owner = await addOwner(site.context, 'Ada Acme');
  });
  const ask = (path: string, init?: RequestInit) =>
    fetch(site.baseUrl + path, { redirect: 'manual', ...init });
  return Object.assign(market, { site, ask });
}

/**
 * Returns the texts of elements by path (`urlset/url/loc`), and the values of attributes by path and name
 * (`urlset@xmlns`). Throws if the XML is malformed.
 */
export function readXml(xml: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (path: string, text: string) => found.getOrInsert(path, []).push(text);
  const way: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    way.push(name);
    for (const [attribute, { value }] of Object.entries(attributes))
      add(`${way.join('/')}@${attribute}`, value);
  });
  parser.on('text', (text) => text.trim() !== '' && add(way.join('/'), text));
  parser.on('closetag', () => void way.pop());
  parser.write(xml).close();
  return found;
}

/** Returns the caching headers of a response, and the results of conditional requests and of a HEAD request. */
export async function cachingOf(ask: (path: string, init?: RequestInit) => Promise<Response>, path: string) {
  const answer = await ask(path);
  const tag = answer.headers.get('etag') ?? '';
  const [again, head, signedIn] = await Promise.all([
    ask(path, { headers: { 'If-None-Match': `"other", ${tag}` } }),
    ask(path, { method: 'HEAD' }),
    ask(path, { headers: { 'If-None-Match': tag, Cookie: 'claimcheck.session_token=x' } }),
  ]);
  return {
    status: answer.status,
    again: again.status,
    signedIn: signedIn.status,
    head: [head.status, head.headers.get('etag') === tag, (await head.text()) === ''],
    control: answer.headers.get('cache-control'),
    cookies: answer.headers.getSetCookie(),
  };
}

export const CACHED = { status: 200, again: 304, signedIn: 304, head: [200, true, true], cookies: [] };
