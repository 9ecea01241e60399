/** Serves a request that is not a verification: from the page cache, or with the routes. */
import { getRequestListener, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Logger } from 'pino';
import { ERRORS, type ErrorCode } from '../../platform/errors.ts';
import { type Problems, problemResponse } from '../../platform/http/operations/problem.ts';
import { createPageCache } from '../../platform/http/server/page-cache.ts';
import { commonHeaders, requestIdOf } from '../../platform/http/server/response-headers.ts';
import type { HttpServerOptions } from '../../platform/http/server/server.ts';
import { inLanguage } from '../../platform/languages/language.ts';
import { currentTrace, traceBindings } from '../../platform/process/trace.ts';
import { languageAt, type PageApp } from './pages.ts';
import type { PagesOptions } from './routes.tsx';
import { loggedPath, mangledCode, takeMangledCode } from './typed-paths.ts';

/**
 * Changes that invalidate the cached public pages, so that visitors see them immediately. Not operations on claims,
 * which would invalidate the cache constantly under load.
 */
const CHANGES_PAGES = /^\/(?:dashboard|desk|account|setup)\b|^\/api\/v1\/operator\/(?!claims\b)/;
const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Sends a cached response or calls `app`. A request without a Host (HTTP/1.0) gets the host of `baseUrl`. */
export function createFallback(
  app: PageApp,
  baseUrl: string,
  problems: Problems,
  log: Logger,
  { marketplace, findDisplay }: Pick<PagesOptions, 'marketplace' | 'findDisplay'>,
): HttpServerOptions['fallback'] {
  const headers = commonHeaders(baseUrl);
  const cache = createPageCache({
    headers,
    version: () => marketplace.version,
    // The response to a mangled URL contains the code from the URL.
    isSecret: (request) => mangledCode(request) !== '',
    variantOf: (request) => {
      const { theme, language } = findDisplay(request.headers.cookie);
      return `${theme ?? ''}.${language ?? ''}`;
    },
  });
  return (request, response, release) => {
    takeMangledCode(request);
    const startedAt = performance.now();
    const requestId = requestIdOf(response);
    const trace = currentTrace();
    if (log.isLevelEnabled('debug')) {
      response.once('finish', () => {
        const latencyUs = Math.round((performance.now() - startedAt) * 1000);
        const path = loggedPath(request.url);
        const line = { requestId, method: request.method, path, status: response.statusCode, latencyUs };
        log.debug({ ...line, ...traceBindings(trace) }, 'request');
      });
    }
    const fetch = async (...call: Parameters<typeof app.fetch>) => {
      const chosen = findDisplay(request.headers.cookie).language;
      const language = languageAt(request.url!, marketplace.look, chosen);
      try {
        const rendered = await inLanguage(language, () => app.fetch(...call));
        if (CHANGING.has(request.method!) && rendered.status < 400 && CHANGES_PAGES.test(request.url!)) {
          cache.changed();
        }
        // If reading the body failed, the server has already responded.
        const isSent = response.headersSent || (await cache.send(request, response, rendered));
        return isSent ? RESPONSE_ALREADY_SENT : rendered;
      } finally {
        release();
      }
    };
    // Created only if the response is not cached.
    const makeListener = () =>
      getRequestListener(fetch, {
        hostname: new URL(baseUrl).host,
        overrideGlobalObjects: false,
        errorHandler: (error) => {
          release();
          const bad = error instanceof RequestError;
          if (!bad) log.error({ requestId, err: error }, 'request failed');
          const code: ErrorCode = bad ? 'invalid_request' : 'internal_error';
          const detail = bad ? 'The request target is not a path.' : ERRORS.internal_error.meaning;
          return problemResponse(problems(code, detail, requestId));
        },
      });
    const render = async () => {
      // The rest of the body was malformed, so the server has already responded.
      if (response.headersSent) {
        release();
        return;
      }
      response.setHeader('X-Request-Id', requestId);
      for (const [name, value] of headers) response.setHeader(name, value);
      await makeListener()(request, response);
    };
    const respond = () => cache.respond(request, response, render, release);
    const current = marketplace.refresh();
    if (current === null) respond();
    else void current.then(respond);
  };
}
