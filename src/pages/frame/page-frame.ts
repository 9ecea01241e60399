/** Middleware for all pages: response headers, CSRF protection, and the signed-in viewer. */

import type { MiddlewareHandler } from 'hono';
import { ONE_CLICK_PATHS } from '../../base/paths.ts';
import { Refusal } from '../../platform/errors.ts';
import {
  compressQuickly,
  MIN_COMPRESSED_BYTES,
  preferredEncoding,
} from '../../platform/http/server/encoding.ts';
import { isShared } from '../../platform/http/server/page-cache.ts';
import { message } from '../../platform/languages/translate.ts';
import type { SecurityEvent } from '../../platform/network/security-log.ts';
import type { FieldLengths } from '../ui/form-state.ts';
import type { Site } from '../ui/viewer.ts';
import {
  type ConfirmIdentity,
  contentPolicy,
  type FindDisplay,
  type FindViewer,
  type IsStillAllowed,
  isLanguageSwitched,
  isOfForm,
  isSentInPlace,
  type PageApp,
  type PageContext,
  type PageEnv,
  redirect,
  shellOf,
  wantsFragment,
} from './pages.ts';
import { mangledCode } from './typed-paths.ts';

export interface PageFrameOptions {
  readonly site: () => Omit<Site, 'isSetUp' | 'theme' | 'hasLanguageSwitch'>;
  readonly isSetUp: () => Promise<boolean>;
  readonly findViewer: FindViewer;
  readonly findDisplay: FindDisplay;
  readonly isStillAllowed: IsStillAllowed;
  readonly confirmIdentity: ConfirmIdentity;
  readonly fieldLengths: FieldLengths;
  readonly countWaiting: () => Promise<number>;
  readonly noteSecurity: (c: PageContext, event: SecurityEvent, accountId?: string) => void;
}

/** Without empty parameters, such as unused filters. A flag such as `?saved` has no equals sign and stays. */
function withoutEmptyParameters(search: string): string {
  const parameters = search.slice(1).split('&');
  const remaining = parameters.filter(
    (parameter) => parameter === '' || parameter.indexOf('=') !== parameter.length - 1,
  );
  if (remaining.length === parameters.length) return search;
  return remaining.length === 0 ? '' : `?${remaining.join('&')}`;
}

/** Long enough for the response of an identity provider. The query is percent-encoded, so its values are shorter. */
const MAX_QUERY_LENGTH = 8_192;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Defaults for responses. With the policy `no-referrer`, browsers would send `Origin: null` with forms. */
const PAGE_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', contentPolicy()],
  ['Referrer-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['X-Frame-Options', 'DENY'],
];

/** Call after all other routes are registered, and before the pages are registered. */
export function framePages(
  app: PageApp,
  {
    site,
    isSetUp,
    findViewer,
    findDisplay,
    isStillAllowed,
    confirmIdentity,
    fieldLengths,
    countWaiting,
    noteSecurity,
  }: PageFrameOptions,
): void {
  const ownOrigin = new URL(site().baseUrl).origin;

  app.use(async (c, next) => {
    // If the database is unavailable, assume that the service is set up, so that the documentation can be served.
    const current = site();
    c.set('site', {
      ...current,
      isSetUp: await isSetUp().catch(() => true),
      theme: findDisplay(c.req.header('cookie')).theme,
      hasLanguageSwitch: isLanguageSwitched(c.req.path, current.brand),
    });
    c.set('viewer', null);
    c.set('waiting', null);
    c.set('fieldLengths', fieldLengths);
    c.set('confirmIdentity', confirmIdentity);
    c.set('noteSecurity', (event, accountId) => noteSecurity(c, event, accountId));
    await next();
    // A script's `fetch` can't see the target of a redirect, so the script gets 204 with a `Location` header. Hono
    // copies that header from the old response when `c.res` is assigned.
    if (isSentInPlace(c) && c.res.status === 303) c.res = new Response(null, { status: 204 });
    for (const [name, value] of PAGE_HEADERS) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });

  app.use(compressPages);

  // A separate middleware, so that the first one adds its headers even if this one throws.
  app.use(async (c, next) => {
    // PostgreSQL rejects U+0000.
    const { pathname, search } = new URL(c.req.url);
    if (search.includes('%00')) {
      throw new Refusal('invalid_request', message('The address contains the character U+0000.'));
    }
    if (search.length > MAX_QUERY_LENGTH) {
      throw new Refusal(
        'invalid_request',
        message(
          'The address has a query of {length, number} characters; at most {max, number} are allowed.',
          {
            length: search.length,
            max: MAX_QUERY_LENGTH,
          },
        ),
      );
    }
    // The code in a mangled link was already moved out of the URL (`takeMangledCode`), so a redirect would lose it.
    const mayRedirect = c.req.method === 'GET' && mangledCode(c.env.incoming) === '';
    const withoutEmpty = withoutEmptyParameters(search);
    if (mayRedirect && search !== withoutEmpty) {
      const address = pathname + withoutEmpty;
      if (!wantsFragment(c)) return redirect(c, address);
      // A part that polls must not change the browser's address or history.
      if (isOfForm(c)) c.header('HX-Push-Url', address);
    }
    if (!SAFE_METHODS.has(c.req.method)) {
      const from = {
        secFetchSite: c.req.header('sec-fetch-site'),
        origin: c.req.header('origin'),
        host: c.req.header('host'),
        cookie: c.req.header('cookie'),
      };
      if (!isOwnRequest(from, ownOrigin) && !isOneClick(c.req.path, from)) {
        noteSecurity(c, 'foreign_request');
        throw new Refusal('foreign_request', FROM_ELSEWHERE);
      }
    }
    const viewer = await findViewer({ cookie: c.req.header('cookie') ?? null, path: c.req.path });
    c.set('viewer', viewer);
    c.set('isStillAllowed', async () => viewer === null || (await isStillAllowed(viewer)));
    // A POST needs this count too, because the response to a rejected form is a page with the menu.
    if (viewer?.isOperator && shellOf(c.req.path, viewer) === 'desk') c.set('waiting', await countWaiting());
    await next();
  });
}

const FROM_ELSEWHERE = message(
  'The request did not come from a page of this service, so nothing was changed.',
);

export type OriginHeaders = Readonly<
  Record<'secFetchSite' | 'origin' | 'host' | 'cookie', string | undefined>
>;

/**
 * Whether to accept a state-changing request. All browsers have sent `Sec-Fetch-Site` since 2023. If it is
 * `same-origin`, the request is accepted. If it is `none` or missing, an Origin must be `ownOrigin` or match Host. A
 * request with neither header is accepted only if it has no cookie: without a cookie, it acts for no account.
 */
export function isOwnRequest(headers: OriginHeaders, ownOrigin: string): boolean {
  const { secFetchSite, origin } = headers;
  if (secFetchSite === 'same-origin') return true;
  if (secFetchSite !== undefined && secFetchSite !== 'none') return false;
  if (origin !== undefined) return isOwnOrigin(origin, headers.host, ownOrigin);
  return secFetchSite === 'none' || headers.cookie === undefined;
}

/** The code in the path is the only permission, and without a cookie, the request acts for no account. */
const isOneClick = (path: string, { cookie }: OriginHeaders): boolean =>
  cookie === undefined && ONE_CLICK_PATHS.includes(path.slice(0, path.lastIndexOf('/')));

function isOwnOrigin(origin: string, host: string | undefined, ownOrigin: string): boolean {
  if (origin === ownOrigin) return true;
  const url = URL.parse(origin);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.host === host;
}

/** Matches HTML. Other types are not compressed here: exports are streams, and compression would buffer them. */
const PAGE_TYPE = /^text\/html(?:;|$)/;

/**
 * The length of a compressed page can reveal a secret in it (the BREACH attack). So responses that may contain a secret
 * are not compressed: responses to a POST, and responses with `no-transform` (`PageOptions.holdsSecret`).
 */
const compressPages: MiddlewareHandler<PageEnv> = async (c, next) => {
  await next();
  // Shared pages are compressed in `page-cache.ts`.
  if (isShared(c.env.outgoing)) return;
  if (!PAGE_TYPE.test(c.res.headers.get('Content-Type') ?? '')) return;
  c.header('Vary', 'Accept-Encoding', { append: true });
  if (c.req.method !== 'GET' || c.res.headers.get('Cache-Control')?.includes('no-transform')) return;
  const encoding = preferredEncoding(c.req.header('accept-encoding') ?? '');
  if (encoding === null) return;
  const { status, headers } = c.res;
  const text = await c.res.text();
  const isShort = Buffer.byteLength(text) < MIN_COMPRESSED_BYTES;
  const body = isShort ? text : await compressQuickly(encoding, text);
  if (!isShort) headers.set('Content-Encoding', encoding);
  headers.delete('Content-Length');
  c.res = new Response(body, { status, headers });
};
