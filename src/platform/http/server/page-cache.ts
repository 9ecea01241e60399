/** Caches responses that are the same for everyone who is not signed in. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { yieldToEventLoop } from '../../process/yielding.ts';
import { compressQuickly, type Encoding, MIN_COMPRESSED_BYTES, preferredEncoding } from './encoding.ts';
import { isKnownTag, tagOf } from './entity-tags.ts';
import { requestIdOf } from './response-headers.ts';

export interface Shared {
  /** Query parameters that the response depends on. Others are removed, so that they can't fill the cache. */
  readonly reads: readonly string[];
  /** `briefly`: the response depends on the database. `always`: it changes only with `version`. */
  readonly lifetime: 'briefly' | 'always';
  /** Whether people with a session get the same response. If so, a cookie doesn't bypass the cache. */
  readonly forSignedIn?: boolean;
  /** Called for each GET that gets the response or a 304, because the handler doesn't run on a cache hit. */
  readonly onSent?: ((request: IncomingMessage) => void) | undefined;
}

/** Maximum age of a `briefly` response. Changes by this process invalidate the response immediately. */
const BRIEFLY_MS = 1_000;
/** Memory limit for each kind (`briefly` and `always`). Separate limits, so that one kind can't evict the other. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
/** Maximum number of paths whose `Shared` rule is known. At this limit, all rules are cleared and learned again. */
export const MAX_PATHS = 10_000;

/** Part of every cookie name of this service (`src/people/sign-in/sessions/cookies.ts`). */
const OWN_COOKIE = 'claimcheck.';
/** Matches the query of a URL that is redirected or rejected before a page is rendered. */
const ODD_QUERY = /=(?:&|$)|%00/;

interface Candidate {
  shared: Shared | null;
  /** Whether the request has a session, an API key or a header that changes the response. */
  readonly isPersonal: boolean;
  readonly at: number;
  readonly changes: number;
  readonly version: number;
}

interface PageCacheOptions {
  /** Headers of every response. */
  readonly headers: readonly [name: string, value: string][];
  /** A change of the version invalidates all responses, including `always`. */
  readonly version: () => number;
  /** Whether the response must not be cached. */
  readonly isSecret: (request: IncomingMessage) => boolean;
  /** What the response depends on besides the URL. */
  readonly variantOf: (request: IncomingMessage) => string;
}

interface CachedPage {
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly tag: string;
  readonly onSent: Shared['onSent'];
  readonly body: Buffer;
  /** The compressed bodies that are ready, and those that are ready or being compressed. */
  readonly compressed: Map<Encoding, Buffer>;
  readonly compressing: Map<Encoding, Promise<Buffer>>;
  readonly at: number;
  readonly changes: number;
  readonly version: number;
}

const candidates = new WeakMap<ServerResponse, Candidate>();
/** Responses to HEAD requests, which are handled as GET requests. */
const heads = new WeakSet<ServerResponse>();

/** Marks the response for caching, unless the request is personal. Call before returning the response. */
export function share(response: ServerResponse, shared: Shared): void {
  const candidate = candidates.get(response);
  if (candidate !== undefined && (shared.forSignedIn || !candidate.isPersonal)) candidate.shared = shared;
}

export const isShared = (response: ServerResponse): boolean => candidates.get(response)?.shared != null;

export function createPageCache({ headers, version, isSecret, variantOf }: PageCacheOptions) {
  const rules = new Map<string, Shared>();
  const caches = { briefly: createCache(), always: createCache() };
  const pending = new Map<string, { readonly done: Promise<void>; readonly changes: number }>();
  let changes = 0;

  /** URLs begin with a slash, which no variant contains. */
  const keyOf = (request: IncomingMessage): string => variantOf(request) + request.url!;

  const findFresh = (key: string, rule: Shared | undefined): CachedPage | null => {
    if (rule === undefined) return null;
    const cached = caches[rule.lifetime].get(key);
    if (cached === undefined) return null;
    const isFresh =
      rule.lifetime === 'always' ||
      (cached.changes === changes && performance.now() - cached.at < BRIEFLY_MS);
    return isFresh && cached.version === version() ? cached : null;
  };

  return {
    /** Sends the cached response or renders it once for all concurrent requests. `release`: see `HttpServerOptions`. */
    respond(
      request: IncomingMessage,
      response: ServerResponse,
      render: () => Promise<void>,
      release: () => void,
    ): void {
      const [path] = splitUrl(request.url!);
      const rule = rules.get(path);
      const isHead = request.method === 'HEAD';
      const isPersonal = hasSender(request);
      if (
        isSecret(request) ||
        !isCacheable(request) ||
        (isHead && rule === undefined) ||
        (isPersonal && rule !== undefined && !rule.forSignedIn)
      ) {
        void render();
        return;
      }
      // Handled as a GET, so that the cached response has a body. Node doesn't send the body in response to a HEAD.
      if (isHead) {
        request.method = 'GET';
        heads.add(response);
      }
      if (rule !== undefined) request.url = addressOf(request.url!, rule);
      const key = keyOf(request);
      const begin = () => {
        const at = performance.now();
        candidates.set(response, { shared: null, isPersonal, at, changes, version: version() });
        return render();
      };
      // The response is probably personal, so don't let others wait for it.
      if (isPersonal && rule === undefined) return void begin();
      const sendCached = (): boolean => {
        const cached = findFresh(key, rule ?? rules.get(path));
        if (cached === null) return false;
        const encoding = encodingOf(cached, request);
        if (isReady(cached, encoding)) {
          sendEncoded(cached, request, response, encoding);
          release();
        } else void send(cached, request, response).finally(release);
        return true;
      };
      if (sendCached()) return;
      const other = pending.get(key);
      if (other !== undefined && other.changes === changes) {
        void other.done.then(() => {
          if (!sendCached()) void begin();
        });
        return;
      }
      const mine = { done: begin().catch(() => {}), changes };
      pending.set(key, mine);
      void mine.done.then(() => pending.get(key) === mine && pending.delete(key));
    },

    /** Caches and sends a 200 response whose handler called `share`. Returns false for other responses. */
    async send(request: IncomingMessage, response: ServerResponse, rendered: Response): Promise<boolean> {
      const candidate = candidates.get(response);
      const shared = candidate?.shared;
      if (candidate === undefined || shared == null || rendered.status !== 200) return false;
      if (rendered.headers.has('set-cookie')) throw new Error('A response with a cookie must not be shared.');
      const body = Buffer.from(await rendered.arrayBuffer());
      const page = cachedPageOf(headers, rendered.headers, body, candidate, shared.onSent);
      if (rules.size >= MAX_PATHS) rules.clear();
      rules.set(splitUrl(request.url!)[0], shared);
      // On the first request for a path, the rule is not known yet, so the URL may have parameters that the rule
      // removes. A page with such parameters is not cached, because its links may repeat them.
      if (request.url === addressOf(request.url!, shared)) {
        caches[shared.lifetime].set(keyOf(request), page);
      }
      await send(page, request, response);
      return true;
    },

    changed(): void {
      changes += 1;
    },
  };
}

/** Whether the response may depend on who sends the request, or on a script that sends it. */
const hasSender = ({ headers }: IncomingMessage): boolean =>
  headers.authorization !== undefined ||
  headers['hx-request'] !== undefined ||
  headers.cookie?.includes(OWN_COOKIE) === true;

function isCacheable(request: IncomingMessage): boolean {
  const { method, url } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const [path, query] = splitUrl(url!);
  // Each percent-encoded spelling of a path would be cached separately.
  return !path.includes('%') && !ODD_QUERY.test(query);
}

function splitUrl(url: string): readonly [path: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
}

/** The URL with only the parameters that the page reads, in the order of `reads`. */
function addressOf(url: string, { reads }: Shared): string {
  const [path, query] = splitUrl(url);
  if (query === '') return path;
  const sent = [...new URLSearchParams(query)];
  const read = reads.flatMap((name) => {
    // In a pasted link, the name may begin with `amp;`, left over from `&amp;`.
    const parameter = sent.find(([each]) => each.replace(/^\??(?:amp;)*/i, '').toLowerCase() === name);
    return parameter === undefined ? [] : [[name, parameter[1]]];
  });
  return read.length === 0 ? path : `${path}?${new URLSearchParams(read)}`;
}

function cachedPageOf(
  common: PageCacheOptions['headers'],
  rendered: Headers,
  body: Buffer,
  { at, changes, version }: Candidate,
  onSent: Shared['onSent'],
): CachedPage {
  const tag = tagOf(body);
  const headers = new Headers([...common]);
  // The page differs after signing in, so browsers must revalidate their copy each time.
  headers.set('Cache-Control', 'private, no-cache');
  for (const [name, value] of rendered) headers.set(name, value);
  headers.delete('Content-Length');
  headers.set('Vary', 'Accept-Encoding');
  headers.set('ETag', tag);
  return {
    headers: [...headers].flat(),
    tag,
    onSent,
    body,
    compressed: new Map(),
    compressing: new Map(),
    at,
    changes,
    version,
  };
}

const encodingOf = ({ body }: CachedPage, { headers }: IncomingMessage): Encoding | null =>
  body.length < MIN_COMPRESSED_BYTES ? null : preferredEncoding(String(headers['accept-encoding'] ?? ''));

const isReady = ({ compressed }: CachedPage, encoding: Encoding | null): boolean =>
  encoding === null || compressed.has(encoding);

async function send(page: CachedPage, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const encoding = encodingOf(page, request);
  if (encoding !== null) await compress(page, encoding);
  sendEncoded(page, request, response, encoding);
}

/** The page must be `isReady`. */
function sendEncoded(
  page: CachedPage,
  request: IncomingMessage,
  response: ServerResponse,
  encoding: Encoding | null,
): void {
  const body = encoding === null ? page.body : page.compressed.get(encoding)!;
  if (response.headersSent || response.destroyed) return;
  if (page.onSent !== undefined && !heads.has(response)) page.onSent(request);
  const headers = ['X-Request-Id', requestIdOf(response), ...page.headers];
  if (isKnownTag(request.headers['if-none-match'], page.tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  if (encoding !== null) headers.push('Content-Encoding', encoding);
  headers.push('Content-Length', String(body.length));
  response.writeHead(200, headers);
  if (body.length <= PART_BYTES) response.end(body);
  else void sendInParts(response, body);
}

/** Copying a part to the socket takes about 0.1 ms. */
const PART_BYTES = 64 * 1024;
let lastPart: Promise<void> = Promise.resolve();

/** Sends one part in a turn, of one response at a time, so that verifications and pages wait for at most one part. */
async function sendInParts(response: ServerResponse, body: Buffer): Promise<void> {
  for (let from = 0; from < body.length; from += PART_BYTES) {
    lastPart = lastPart.then(yieldToEventLoop);
    await lastPart;
    if (response.destroyed) return;
    if (response.write(body.subarray(from, from + PART_BYTES))) continue;
    const drained = Promise.withResolvers<void>();
    response.once('drain', drained.resolve).once('close', drained.resolve);
    await drained.promise;
    response.off('drain', drained.resolve).off('close', drained.resolve);
  }
  response.end();
}

/** Compresses the page once, also for concurrent requests. */
async function compress({ compressed, compressing, body }: CachedPage, encoding: Encoding): Promise<void> {
  const done = compressing.getOrInsertComputed(encoding, () => compressQuickly(encoding, body));
  compressed.set(encoding, await done);
}

const createCache = () =>
  new LRUCache<string, CachedPage>({
    maxSize: MAX_CACHED_BYTES,
    // Twice the body, because all compressed copies together are smaller than the body.
    sizeCalculation: ({ body }, key) => key.length + 2 * body.length,
  });
