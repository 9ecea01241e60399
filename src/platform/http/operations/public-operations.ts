/** Serves operations without a key. Scripts on any site may call them (CORS), and caches may store the responses. */
import { Refusal } from '../../errors.ts';
import { yieldToEventLoop } from '../../process/yielding.ts';
import { isKnownTag, tagOf } from '../server/entity-tags.ts';
import { methodDetail } from '../server/request-checks.ts';
import { requestIdOf } from '../server/response-headers.ts';
import { errorsOf, methodsOf, type OperationApp } from './operation.ts';
import {
  callHandler,
  createFaultOf,
  type OperationFrame,
  type OperationRoute,
  routePathOf,
} from './operation-routes.ts';
import { problemResponse, withHeaders } from './problem.ts';

const MAX_AGE_S = 60;
/** How long a browser may cache the response to a preflight request. */
const PREFLIGHT_MAX_AGE_S = 86_400;

const ANY_ORIGIN = 'Access-Control-Allow-Origin';

/** Allows scripts on any site to read a response. An operation may also list this header for its errors. */
export const READABLE = {
  [ANY_ORIGIN]: { description: 'Scripts on any site may read the response.', value: '*' },
} as const;

/** Headers of every successful response. Each public operation must list them in its `outputs`. */
export const PUBLIC_HEADERS = {
  'Cache-Control': {
    description: 'How long the response may be cached.',
    value: `public, max-age=${MAX_AGE_S}`,
  },
  ETag: {
    description: 'Changes with the response. Send it as `If-None-Match`; 304 means that nothing changed.',
  },
  ...READABLE,
} as const;

export function servePublicOperations<Services>(
  app: OperationApp,
  routes: readonly OperationRoute<null, Services>[],
  services: Services,
  frame: OperationFrame,
): void {
  const faultOf = createFaultOf(frame);
  for (const route of routes) {
    const { operation } = route;
    const methods = methodsOf([operation]);
    const problems = withHeaders(frame.problems, errorsOf(operation));
    app.all(routePathOf(operation), async (c) => {
      const requestId = requestIdOf(c.env.outgoing);
      c.header(ANY_ORIGIN, '*');
      if (c.req.method === 'OPTIONS' && c.req.header('origin') !== undefined) {
        c.header('Access-Control-Allow-Methods', methods.join(', '));
        c.header('Access-Control-Allow-Headers', 'If-None-Match');
        c.header('Access-Control-Max-Age', String(PREFLIGHT_MAX_AGE_S));
        return c.body(null, 204);
      }
      try {
        if (!methods.includes(c.req.method)) {
          const detail = methodDetail(operation.path, methods, c.req.method);
          throw new Refusal('method_not_allowed', detail);
        }
        await yieldToEventLoop();
        const response = await callHandler(route, services, { c, requestId, caller: null });
        const text = await response.text();
        const headers = { 'Cache-Control': PUBLIC_HEADERS['Cache-Control'].value, ETag: tagOf(text) };
        if (isKnownTag(c.req.header('if-none-match'), headers.ETag)) return c.body(null, 304, headers);
        return c.body(text, 200, { ...headers, 'Content-Type': 'application/json' });
      } catch (error) {
        const { code, detail } = faultOf(operation, error, requestId);
        return problemResponse(problems(code, detail, requestId));
      }
    });
  }
}
