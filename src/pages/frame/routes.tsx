import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  ACCOUNT_PATH,
  DASHBOARD_PATH,
  DESK_PATH,
  HOME_PATH,
  INVITATION_PATH,
  MY_CLAIMS_PATH,
  SETUP_PATH,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
  SITEMAP_PATH,
} from '../../base/paths.ts';
import { ERRORS, type ErrorCode, invalid, Refusal } from '../../platform/errors.ts';
import {
  AUDIENCES,
  type Audience,
  RETRY_AFTER_UNAVAILABLE_S,
  SERVER_ERRORS,
} from '../../platform/http/operations/operation.ts';
import type { OperationFrame } from '../../platform/http/operations/operation-routes.ts';
import { problemResponse, withHeaders } from '../../platform/http/operations/problem.ts';
import { JWKS_HEADERS, JWKS_PATH, SECURITY_TXT_PATH } from '../../platform/http/operations/well-known.ts';
import { clientAddressOf, isFromThisMachine } from '../../platform/http/server/client-address.ts';
import type { Drain } from '../../platform/http/server/drain.ts';
import { readHeaders } from '../../platform/http/server/headers.ts';
import type { Metrics } from '../../platform/http/server/metrics.ts';
import { share } from '../../platform/http/server/page-cache.ts';
import { routedPath } from '../../platform/http/server/request-path.ts';
import { requestIdOf } from '../../platform/http/server/response-headers.ts';
import type { Words } from '../../platform/languages/translate.ts';
import { networkOf } from '../../platform/network/network.ts';
import { PICTURES_PATH } from '../../platform/network/picture-address.ts';
import type { SecurityEvent, SecurityLog } from '../../platform/network/security-log.ts';
import { withTimeout } from '../../platform/process/background.ts';
import { faviconOf, MANIFEST_PATH, manifestOf } from '../ui/brand-parts.tsx';
import type { Markup } from '../ui/markup.ts';
import type { SiteAnnouncement, SiteBrand, SitePlans } from '../ui/viewer.ts';
import { assetRoutes } from './assets.ts';
import { FailureOfForm, FailurePage, failureTitle } from './failure-page.tsx';
import { signInFirst } from './kept-forms.tsx';
import { framePages, type PageFrameOptions } from './page-frame.ts';
import { type PageGate, type PageGroup, PageRouter, rulesOf } from './page-router.ts';
import {
  EarlyResponse,
  fragment,
  isSentInPlace,
  NotSignedIn,
  type PageApp,
  type PageContext,
  page,
} from './pages.ts';
import { type FindPicture, pictureRoutes } from './pictures.ts';
import { mangledCode, typedPath } from './typed-paths.ts';

/** Paths that crawlers should not visit. */
const PRIVATE_PATHS = [
  ACCOUNT_PATH,
  '/api/',
  MY_CLAIMS_PATH,
  DASHBOARD_PATH,
  DESK_PATH,
  HOME_PATH,
  INVITATION_PATH,
  SETUP_PATH,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
];

const robotsTxt = (baseUrl: string): string =>
  [
    'User-agent: *',
    ...PRIVATE_PATHS.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${baseUrl}${SITEMAP_PATH}`,
    '',
  ].join('\n');

/** Some load balancers check health with `OPTIONS`. */
const PROBE_METHODS = ['GET', 'OPTIONS'];

const METRICS_NEED_TOKEN = 'Send METRICS_TOKEN as a bearer token.\n';
const METRICS_ARE_LOCAL =
  'METRICS_TOKEN is not set, so only programs on this machine can read metrics. They must connect directly, not through a proxy, to localhost or a loopback address. Set METRICS_TOKEN to read metrics from elsewhere, and send the token as a bearer token.\n';

export const READY_TIMEOUT_MS = 2_000;

export interface RoutesOptions extends OperationFrame {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Named in the error for an unknown path. */
  readonly verifyPath: string;
  readonly drain: Drain;
  /** Whether all parts of the database accept writes. Throws if no part does. */
  readonly checkWritable: () => Promise<boolean>;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly securityTxt: () => string | null;
  readonly api: {
    readonly keySet: () => Promise<object>;
    readonly document: (audience?: Audience) => object;
    readonly serve: (app: PageApp, frame: OperationFrame) => void;
  };
  readonly pages: PagesOptions;
  readonly securityLog: SecurityLog;
}

export interface PagesOptions
  extends Pick<
      PageFrameOptions,
      | 'findViewer'
      | 'findDisplay'
      | 'isStillAllowed'
      | 'confirmIdentity'
      | 'countWaiting'
      | 'isSetUp'
      | 'fieldLengths'
    >,
    Pick<PageGate, 'limitChange'> {
  readonly groups: readonly PageGroup[];
  readonly findPicture: FindPicture;
  /** Shown on the page for an unknown path. */
  readonly renderOpenOffers: () => Promise<Markup>;
  readonly isDemo: boolean;
  readonly hasSignUp: boolean;
  readonly marketplace: LiveBrand;
}

/** `version` increases with each change of the brand, the plans or the announcement. */
interface LiveBrand {
  readonly look: SiteBrand;
  readonly plans: SitePlans;
  readonly announcement: SiteAnnouncement | null;
  readonly version: number;
  /** Reloads values that are older than a second. Returns `null` if there is no reload to wait for. */
  refresh(): Promise<void> | null;
}

export function createRoutes(options: RoutesOptions): PageApp {
  const { baseUrl, log, pages, isUnavailable, diskIsFull } = options;
  const app: PageApp = new Hono({ getPath: (_, given) => routedPath(given!.env!.incoming.url!) });
  const noteSecurity = (c: PageContext, event: SecurityEvent, accountId?: string): void => {
    const { incoming, outgoing } = c.env;
    options.securityLog(event, {
      network: networkOf(clientAddressOf(incoming)),
      requestId: requestIdOf(outgoing),
      ...(accountId !== undefined && { accountId }),
    });
  };

  machineRoutes(app, options, noteSecurity);

  const problems = withHeaders(options.problems, SERVER_ERRORS);
  const apiProblem = (c: PageContext, code: ErrorCode, detail: string): Response =>
    problemResponse(problems(code, detail, requestIdOf(c.env.outgoing)));
  const failure = (c: PageContext, code: ErrorCode, detail: Words) =>
    renderFailure(c, code, detail, pages.renderOpenOffers);
  // A request with a bearer key is an API call with a wrong path, even outside `/api`.
  const notFound = (c: PageContext): Response | Promise<Response> =>
    isApiPath(sentPath(c)) || /^bearer /i.test(c.req.header('Authorization') ?? '')
      ? apiProblem(
          c,
          'unknown_path',
          `There is nothing at ${sentPath(c)}. A claim is verified by POST ${options.verifyPath}; all paths are in /openapi.json.`,
        )
      : (elsewhere(app, c) ?? failure(c, 'unknown_path', ''));
  app.notFound(notFound);

  options.api.serve(app, { problems: options.problems, isUnavailable, diskIsFull, log });
  assetRoutes(app);
  pictureRoutes(app, pages.findPicture);
  const site = () => {
    const { look, plans, announcement } = pages.marketplace;
    return { baseUrl, isDemo: pages.isDemo, hasSignUp: pages.hasSignUp, brand: look, plans, announcement };
  };
  framePages(app, { ...pages, site, noteSecurity });
  const router = new PageRouter(app, { limitChange: pages.limitChange, diskIsFull });
  const framed = app.routes.length;
  for (const group of pages.groups) group(router);
  const open = app.routes.slice(framed).find(({ handler }) => rulesOf(handler) === undefined);
  if (open !== undefined) throw new Error(`${open.method} ${open.path} doesn’t declare who may use it.`);

  app.onError((error, c) => {
    if (error instanceof EarlyResponse) return error.response;
    if (error instanceof NotSignedIn) return signInFirst(c);
    // The client disconnected while the body was being read, so it gets no response.
    if (error === c.env.incoming.errored)
      return new Response(null, { status: ERRORS.invalid_request.status });
    const problem = (code: ErrorCode, sentence: Words) =>
      isApiPath(sentPath(c)) || isPlainPath(c.req.path)
        ? apiProblem(c, code, String(sentence))
        : failure(c, code, sentence);
    if (error instanceof Refusal) {
      const moved = error.code === 'unknown_path' && !isApiPath(sentPath(c)) ? elsewhere(app, c) : null;
      return moved ?? problem(error.code, error.sentence);
    }
    const code = isUnavailable(error) ? 'unavailable' : 'internal_error';
    const bindings = { requestId: requestIdOf(c.env.outgoing), err: error };
    if (code === 'unavailable') log.warn(bindings, 'database unavailable');
    else log.error(bindings, 'request failed');
    return problem(code, ERRORS[code].meaning);
  });
  return app;
}

function machineRoutes(
  app: PageApp,
  { drain, metrics, log, diskIsFull, securityTxt, api, pages, ...options }: RoutesOptions,
  noteSecurity: (c: PageContext, event: SecurityEvent) => void,
): void {
  const writable = withTimeout(options.checkWritable, READY_TIMEOUT_MS);

  app.on(PROBE_METHODS, '/healthz', (c) => c.json({ status: 'ok' }));

  const sendReadiness = async (c: PageContext): Promise<Response> => {
    if (drain.draining) return c.json({ status: 'draining' }, 503);
    try {
      // Stay ready while a part of the database is down or the disk is nearly full, so that a load balancer does not
      // cut off the redemptions that still work.
      return c.json({ status: (await writable()) && !diskIsFull() ? 'ready' : 'ready in part' });
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      return c.json({ status: 'database not writable' }, 503);
    }
  };
  app.on(PROBE_METHODS, '/readyz', sendReadiness);
  // HAProxy's `option httpchk` sends `OPTIONS /`.
  app.options('/', sendReadiness);

  app.get('/metrics', async (c) => {
    if (!mayReadMetrics(c.env.incoming, options.metricsToken)) {
      noteSecurity(c, 'metrics_refused');
      const sentence = options.metricsToken === undefined ? METRICS_ARE_LOCAL : METRICS_NEED_TOKEN;
      return c.text(sentence, 401, { 'WWW-Authenticate': 'Bearer realm="metrics"' });
    }
    const { contentType, text } = await metrics.render();
    return c.body(text, 200, { 'Content-Type': contentType });
  });

  app.get(SECURITY_TXT_PATH, (c, next) => {
    const text = securityTxt();
    return text === null ? next() : c.text(text);
  });

  app.get(JWKS_PATH, async (c) => c.body(JSON.stringify(await api.keySet()), 200, JWKS_HEADERS));

  // Browsers and crawlers request these paths automatically and cannot use an error page.
  app.get('/favicon.ico', (c) => c.redirect(faviconOf(pages.marketplace.look), 302));
  app.get('/robots.txt', (c) => c.text(robotsTxt(options.baseUrl)));
  app.get('/.well-known/change-password', (c) => c.redirect(ACCOUNT_PATH, 302));

  // Generated on the first request, because generating it at startup would lengthen startup by a tenth.
  const openApi = new Map<Audience | undefined, { readonly text: string; readonly version: number }>();
  app.get('/openapi.json', (c) => {
    const audience = parseAudience(c.req.query('audience'));
    const { version } = pages.marketplace;
    let document = openApi.get(audience);
    if (document?.version !== version) {
      document = { text: JSON.stringify(api.document(audience)), version };
      openApi.set(audience, document);
    }
    share(c.env.outgoing, OPENAPI_RULE);
    return c.body(document.text, 200, { 'Content-Type': 'application/json' });
  });

  app.get(MANIFEST_PATH, (c) => {
    c.header('Cache-Control', 'public, max-age=300');
    return c.body(JSON.stringify(manifestOf(pages.marketplace.look)), 200, {
      'Content-Type': 'application/manifest+json',
    });
  });
}

/** Without `audience`, the document describes everything. */
function parseAudience(text: string | undefined): Audience | undefined {
  if (text === undefined) return undefined;
  if (Object.hasOwn(AUDIENCES, text)) return text as Audience;
  const names = Object.keys(AUDIENCES).join(', ');
  throw invalid(`The query parameter \`audience\` must be one of: ${names}.`);
}

const OPENAPI_RULE = { reads: ['audience'], lifetime: 'always', forSignedIn: true } as const;

/** A permanent redirect to the page that the person probably meant; `null` if there is no such page. */
function elsewhere(app: PageApp, c: PageContext): Response | null {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return null;
  const { pathname, search } = new URL(c.req.url);
  const path = typedPath(pathname, search);
  if (path === null || !isServed(app, path.split(/[?#]/, 1)[0]!)) return null;
  const code = mangledCode(c.env.incoming);
  return c.redirect(code === '' ? path : `${path}#${code}`, 308);
}

/** Every API path counts as served, because the API has its own error for unknown paths. */
const isServed = (app: PageApp, path: string): boolean =>
  isApiPath(path) || app.router.match('GET', path)[0].some(([[, route]]) => route.method === 'GET');

/** Paths that programs request. Errors on these paths are problem documents, not pages. */
const PLAIN_PATHS = new Set(['/healthz', '/readyz', '/metrics', '/openapi.json', JWKS_PATH]);

const isPlainPath = (path: string): boolean => PLAIN_PATHS.has(path) || path.startsWith(`${PICTURES_PATH}/`);

/** The path as it was sent. Unlike `c.req.path`, it may be in another spelling than the path of a route. */
const sentPath = (c: PageContext): string => new URL(c.req.url).pathname;

const isApiPath = (path: string): boolean => path === '/api' || path.startsWith('/api/');

async function renderFailure(
  c: PageContext,
  code: ErrorCode,
  detail: Words,
  renderOpenOffers: PagesOptions['renderOpenOffers'],
): Promise<Response> {
  const { status } = ERRORS[code];
  if (status === 503) c.header('Retry-After', String(RETRY_AFTER_UNAVAILABLE_S));
  const props = { code, detail, requestId: requestIdOf(c.env.outgoing) };
  if (isSentInPlace(c)) return fragment(c, <FailureOfForm {...props} />, status as ContentfulStatusCode);
  // Without the database, the page is shown without offers.
  const openOffers = code === 'unknown_path' ? await renderOpenOffers().catch(() => null) : null;
  return page(c, <FailurePage {...props} isSignedIn={c.get('viewer') !== null} openOffers={openOffers} />, {
    title: failureTitle(code),
    status: status as ContentfulStatusCode,
    audience: 'public',
  });
}

/** With METRICS_TOKEN, only the token counts. */
function mayReadMetrics(request: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined) return isFromThisMachine(request);
  const { authorization } = readHeaders(request.rawHeaders);
  return authorization !== undefined && sameSecret(authorization, `Bearer ${token}`);
}

const sameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());
