/** From the HTML of an owner's page: who else can learn the token in its address. */
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { isWellFormedKey, SANDBOX_KEY } from '../keys/key.ts';
import { MAX_ADDRESS_LENGTH } from '../web-address.ts';

type Element = Token.TagToken;

/** Most addresses of a page that are examined. Each takes some microseconds of the thread that serves. */
export const MAX_ADDRESSES = 2_000;
/** Most other hosts that are named. */
const MAX_HOSTS = 20;
/** Characters of a host name with its port; nobody can reach a longer one. */
const MAX_HOST_LENGTH = 260;

export interface PageFacts {
  /** The policy in force for what the page loads; browsers use the default where it names none. */
  readonly referrerPolicy: string;
  /** Other hosts that are sent the whole address of the page, token and all, in `Referer`. */
  readonly toldByReferer: readonly string[];
  /** Other hosts in whose addresses on the page the token is. */
  readonly toldByAddress: readonly string[];
  /** Other hosts whose scripts run on the page: they can read its address. */
  readonly scriptHosts: readonly string[];
  /** The host that the page leads on to by itself, with `<meta http-equiv="refresh">`; `null`: it stays. */
  readonly refreshHost: string | null;
  /** An API key of this service is in the page. */
  readonly holdsKey: boolean;
}

/** The default of browsers: other sites are told the origin alone. */
const DEFAULT_POLICY = 'strict-origin-when-cross-origin';
/** Referrer Policy, section 3. */
const POLICIES = new Set([
  'no-referrer',
  'no-referrer-when-downgrade',
  'origin',
  'origin-when-cross-origin',
  'same-origin',
  'strict-origin',
  DEFAULT_POLICY,
  'unsafe-url',
]);
/** Policies that send the path and query to other sites. */
const TELLING = new Set(['unsafe-url', 'no-referrer-when-downgrade']);

/** Attributes whose address a browser loads by itself. */
const LOADED: Readonly<Record<string, readonly string[]>> = {
  audio: ['src'],
  embed: ['src'],
  iframe: ['src'],
  img: ['src', 'srcset'],
  input: ['src'],
  link: ['href'],
  object: ['data'],
  script: ['src'],
  source: ['src', 'srcset'],
  track: ['src'],
  video: ['src', 'poster'],
};
/** Attributes whose address a browser opens when a person acts. */
const FOLLOWED: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  button: ['formaction'],
  form: ['action'],
};

const KEY = /cck_(?:live|test)_[0-9A-Za-z]{38}/g;

export interface ReceivedPage {
  readonly html: string;
  /** With the token. */
  readonly url: string;
  readonly token: string;
  /** The `Referrer-Policy` header. */
  readonly policyHeader: string | undefined;
}

export function factsOfPage({ html, url, token, policyHeader }: ReceivedPage): PageFacts {
  const page = new URL(url);
  const elements = elementsOf(html);
  const base = baseOf(elements, page);
  const policy = policyOf(elements, policyHeader);
  // A redirect may have taken the token out of the address.
  const isTelling = url.includes(token);
  const told = { referer: new Set<string>(), address: new Set<string>(), scripts: new Set<string>() };
  let looked = 0;
  for (const { element, text, isLoaded } of addressesIn(elements)) {
    looked += 1;
    if (looked > MAX_ADDRESSES) break;
    const address = URL.parse(text, base);
    if (address === null || !/^https?:$/.test(address.protocol)) continue;
    const { host, href } = address;
    if (host === page.host || host.length > MAX_HOST_LENGTH) continue;
    if (href.includes(token)) told.address.add(host);
    if (!isLoaded || !isTelling) continue;
    const own = attribute(element, 'referrerpolicy')?.trim().toLowerCase();
    if (TELLING.has(own !== undefined && POLICIES.has(own) ? own : policy)) told.referer.add(host);
    if (element.tagName === 'script') told.scripts.add(host);
  }
  const listed = (hosts: ReadonlySet<string>) => [...hosts].sort().slice(0, MAX_HOSTS);
  return {
    referrerPolicy: policy,
    toldByReferer: listed(told.referer),
    toldByAddress: listed(told.address),
    scriptHosts: listed(told.scripts),
    refreshHost: refreshHostOf(elements, base),
    holdsKey: (html.match(KEY) ?? []).some((text) => text !== SANDBOX_KEY && isWellFormedKey(text)),
  };
}

/** Elements whose content is text and no elements, as in a browser that runs scripts. */
const CONTENTS: Readonly<Record<string, number>> = {
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
  xmp: TokenizerMode.RAWTEXT,
};

/** Reads tags only: half a millisecond for 10 KiB. Building a tree takes ten times as long for a hostile page. */
function elementsOf(html: string): readonly Element[] {
  const found: Element[] = [];
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag: (tag) => {
        found.push(tag);
        if (Object.hasOwn(CONTENTS, tag.tagName)) tokenizer.state = CONTENTS[tag.tagName]!;
      },
      onEndTag: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  );
  tokenizer.write(html, true);
  return found;
}

const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value;

function baseOf(elements: readonly Element[], page: URL): URL {
  const base = elements.find(({ tagName }) => tagName === 'base');
  const href = (base && attribute(base, 'href')) ?? '';
  return (href.length > MAX_ADDRESS_LENGTH ? null : URL.parse(href, page)) ?? page;
}

function refreshHostOf(elements: readonly Element[], base: URL): string | null {
  const text = elements.map(refreshOf).find((each) => each !== null);
  const address = text === undefined || text.length > MAX_ADDRESS_LENGTH ? null : URL.parse(text, base);
  return address === null || address.host.length > MAX_HOST_LENGTH ? null : address.host;
}

/** Seconds and an address (HTML, section 4.2.5.3). Without an address the page loads itself anew. */
const REFRESH = /^\s*\d[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|([^\s"'].*))/is;

/** The address in a `<meta http-equiv="refresh">`; `null`: the element is no such thing or has none. */
function refreshOf(element: Element): string | null {
  if (element.tagName !== 'meta' || attribute(element, 'http-equiv')?.toLowerCase() !== 'refresh')
    return null;
  const content = attribute(element, 'content')?.slice(0, 2 * MAX_ADDRESS_LENGTH) ?? '';
  const [, double, single, bare] = REFRESH.exec(content) ?? [];
  return (double ?? single ?? bare)?.trim() ?? null;
}

/** The last valid policy: those of the page's elements come after those of the header. */
function policyOf(elements: readonly Element[], header: string | undefined): string {
  const metas = elements.filter(
    (element) => element.tagName === 'meta' && attribute(element, 'name')?.toLowerCase() === 'referrer',
  );
  const named = [header ?? '', ...metas.map((meta) => attribute(meta, 'content') ?? '')]
    .flatMap((text) => text.split(','))
    .map((text) => text.trim().toLowerCase());
  return named.findLast((text) => POLICIES.has(text)) ?? DEFAULT_POLICY;
}

interface Address {
  readonly element: Element;
  readonly text: string;
  /** A browser loads it by itself. */
  readonly isLoaded: boolean;
}

function* addressesIn(elements: readonly Element[]): Generator<Address> {
  for (const element of elements) {
    const { tagName, attrs } = element;
    const loaded = Object.hasOwn(LOADED, tagName) ? LOADED[tagName]! : [];
    const followed = Object.hasOwn(FOLLOWED, tagName) ? FOLLOWED[tagName]! : [];
    if (tagName === 'link' && !isLoadedLink(element)) continue;
    const refresh = refreshOf(element);
    if (refresh !== null && refresh.length <= MAX_ADDRESS_LENGTH) {
      yield { element, text: refresh, isLoaded: true };
    }
    for (const { name, value } of attrs) {
      const isLoaded = loaded.includes(name);
      if (!isLoaded && !followed.includes(name)) continue;
      const texts = name === 'srcset' ? value.split(',').map(firstWord) : [value];
      for (const text of texts) if (text.length <= MAX_ADDRESS_LENGTH) yield { element, text, isLoaded };
    }
  }
}

const firstWord = (text: string): string => text.trim().split(/\s/, 1)[0] ?? '';

/** The kinds of `<link>` that a browser loads; `canonical`, `alternate` and the like are not loaded. */
const LOADED_LINKS =
  /(?:^|\s)(?:stylesheet|icon|apple-touch-icon|mask-icon|manifest|preload|modulepreload|prefetch|prerender)(?:\s|$)/i;

const isLoadedLink = (element: Element): boolean => LOADED_LINKS.test(attribute(element, 'rel') ?? '');
