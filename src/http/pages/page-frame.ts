/** The frame of every page: its headers, the check of the request's origin, and the signed-in viewer. */
import { ERRORS, NO_ROOM, Refusal } from '../../errors.ts';
import type { SecurityEvent } from '../../process/security-log.ts';
import type { Site } from '../../ui/viewer.ts';
import { compressPages } from '../server/compress.ts';
import { refuseOtherAccount } from './form-account.tsx';
import { mangledCode } from './mangled-code.ts';
import {
  type AdmitChange,
  contentPolicy,
  type FindViewer,
  isSentInPlace,
  missing,
  type PageApp,
  type PageContext,
  redirect,
  shellOf,
  wantsFragment,
} from './pages.ts';
import { isOwnRequest } from './same-origin.ts';
import { spelledPlainly } from './typed-paths.ts';

export interface PageFrameOptions {
  readonly site: Omit<Site, 'isSetUp'>;
  readonly isSetUp: () => Promise<boolean>;
  readonly findViewer: FindViewer;
  readonly admitChange: AdmitChange;
  /** False while the disk is nearly full. */
  readonly hasRoom: () => boolean;
  /** Items that wait for an operator's decision. */
  readonly countWaiting: () => Promise<number>;
  readonly noteSecurity: (c: PageContext, event: SecurityEvent, accountId?: string) => void;
}

/** U+0000 in an address. */
const ENCODED_NUL = '%00';

/** A form sends filters that were left empty too. A flag such as `?saved` has no equals sign and stays. */
const EMPTY_PARAMETER = /(?<=[?&])[^&=]*=(?:&|$)/g;

const withoutEmptyParameters = (search: string): string =>
  search.replaceAll(EMPTY_PARAMETER, '').replace(/[?&]$/, '');

const SIGNS_IN_OR_OUT = /^\/sign-(?:in|out)(?:\/|$)/;

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Headers of every answer without its own. `same-origin`, since with `no-referrer` a browser sends `Origin: null` with
 * our own forms. The server adds Cache-Control: no-store and nosniff.
 */
const PAGE_HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Security-Policy', contentPolicy()],
  ['Referrer-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['X-Frame-Options', 'DENY'],
];

/** Call before the pages are added, and after every other route. */
export function framePages(
  app: PageApp,
  { site, isSetUp, findViewer, admitChange, hasRoom, countWaiting, noteSecurity }: PageFrameOptions,
): void {
  const ownOrigin = new URL(site.baseUrl).origin;

  app.use(async (c, next) => {
    // The documentation is served while the database is away.
    c.set('site', { ...site, isSetUp: await isSetUp().catch(() => true) });
    c.set('viewer', null);
    c.set('waiting', null);
    c.set('noteSecurity', (event, accountId) => noteSecurity(c, event, accountId));
    await next();
    // The script of forms cannot see where a redirect leads.
    if (isSentInPlace(c) && c.res.status === 303) c.res = new Response(null, { status: 204 });
    for (const [name, value] of PAGE_HEADERS) {
      if (!c.res.headers.has(name)) c.header(name, value);
    }
  });

  app.use(compressPages);

  // Separate from the one above, so that errors thrown here get its headers too.
  app.use(async (c, next) => {
    // PostgreSQL fails on this character, and no address of this service has it.
    const { pathname, search } = new URL(c.req.url);
    if (pathname.includes(ENCODED_NUL)) throw missing();
    if (search.includes(ENCODED_NUL)) {
      throw new Refusal('invalid_request', 'The address holds the character U+0000.');
    }
    // The framework serves `/%64ocs` too. The answer to a missing address redirects to `/docs`.
    if (SAFE_METHODS.has(c.req.method) && spelledPlainly(pathname) !== pathname) throw missing();
    // A redirect would lose the code of a mangled link.
    const mayRedirect = c.req.method === 'GET' && mangledCode(c.env.incoming) === '';
    if (mayRedirect && search !== withoutEmptyParameters(search)) {
      const address = pathname + withoutEmptyParameters(search);
      if (!wantsFragment(c)) return redirect(c, address);
      c.header('HX-Push-Url', address);
    }
    if (!SAFE_METHODS.has(c.req.method)) {
      const from = {
        secFetchSite: c.req.header('sec-fetch-site'),
        origin: c.req.header('origin'),
        host: c.req.header('host'),
        cookie: c.req.header('cookie'),
      };
      if (!isOwnRequest(from, ownOrigin)) {
        noteSecurity(c, 'foreign_request');
        throw new Refusal('foreign_request', ERRORS.foreign_request.meaning);
      }
    }
    const viewer = await findViewer(c.req.raw);
    c.set('viewer', viewer);
    if (!SAFE_METHODS.has(c.req.method)) {
      // Operators stop abuse, and sign in for that; whoever turns out to be none is refused by the sign-in.
      const isUrgent = viewer?.isOperator === true || SIGNS_IN_OR_OUT.test(pathname);
      if (!isUrgent && !hasRoom()) throw new Refusal('unavailable', NO_ROOM);
      const refused = viewer === null ? null : await refuseOtherAccount(c, viewer);
      if (refused !== null) return refused;
      if (viewer !== null) await admitChange(viewer, pathname);
    }
    if (viewer?.isOperator && c.req.method === 'GET' && shellOf(pathname, viewer) === 'desk') {
      c.set('waiting', await countWaiting());
    }
    await next();
  });
}
