/** Serves page groups with the real router and page frame. The test sets the viewer. Needs no database. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { createFallback } from '../../src/pages/frame/fallback.ts';
import type { PageGroup } from '../../src/pages/frame/page-router.ts';
import type { FindPicture } from '../../src/pages/frame/pictures.ts';
import { createRoutes } from '../../src/pages/frame/routes.tsx';
import type { Viewer } from '../../src/pages/ui/viewer.ts';
import { createProblems } from '../../src/platform/http/operations/problem.ts';
import { rememberClient } from '../../src/platform/http/server/client-address.ts';
import { createDrain } from '../../src/platform/http/server/drain.ts';
import { readHeaders } from '../../src/platform/http/server/headers.ts';
import { createMetrics } from '../../src/platform/http/server/metrics.ts';
import { setRequestId } from '../../src/platform/http/server/response-headers.ts';
import { createSecurityLog } from '../../src/platform/network/security-log.ts';
import { createVisitor, type Visitor } from '../support/browser.ts';
import { NO_PAGES } from '../support/no-pages.ts';
import { Person } from '../support/person.ts';

export interface TestPages {
  readonly url: string;
  /** The signed-in person, `null` for a signed-out visitor, or an `Error` that the lookup of the viewer throws. */
  viewer: Viewer | null | Error;
  readonly get: Person['get'];
  readonly post: Person['post'];
  /** Opens the pages in Chromium. */
  readonly visitor: Visitor;
  close(): Promise<void>;
}

export const OWNER: Viewer = {
  accountId: '018f3c5e-0000-7000-8000-00000000000a',
  personId: '018f3c5e-0000-7000-8000-00000000000a',
  role: 'owner',
  worksIn: null,
  workAccounts: [],
  name: 'Ada Acme',
  email: 'ada@acme.example',
  plan: 'studio',
  isOperator: false,
  mode: 'live',
  sessionId: '018f3c5e-0000-7000-8000-0000000000aa',
  isRecentlyProven: true,
  isFreshlyProven: true,
  deskLock: null,
  menu: null,
};
export const OPERATOR: Viewer = {
  ...OWNER,
  name: 'Olga Operator',
  email: 'olga@claims.example',
  isOperator: true,
};

/** An error that makes the server respond as if the database were unavailable. */
export class Away extends Error {}

export async function startPages(
  groups: readonly PageGroup[],
  options: { isDemo?: boolean; log?: Logger; findPicture?: FindPicture } = {},
): Promise<TestPages> {
  const log = options.log ?? pino({ level: 'silent' });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const problems = createProblems(url);
  const { get, post } = new Person(url);
  const pages: TestPages = {
    url,
    viewer: null,
    get,
    post,
    visitor: createVisitor(url),
    close: async () => {
      await pages.visitor.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
  const routes = createRoutes({
    baseUrl: url,
    verifyPath: VERIFY_PATH,
    problems,
    drain: createDrain(),
    diskIsFull: () => false,
    checkWritable: async () => true,
    isUnavailable: (error) => error instanceof Away,
    metrics: createMetrics({ process: false }),
    metricsToken: undefined,
    securityTxt: () => null,
    api: { document: () => ({}), keySet: async () => ({ keys: [] }), serve: () => {} },
    pages: {
      ...NO_PAGES,
      groups,
      findPicture: options.findPicture ?? NO_PAGES.findPicture,
      findViewer: async () => {
        if (pages.viewer instanceof Error) throw pages.viewer;
        return pages.viewer;
      },
      isDemo: options.isDemo ?? false,
    },
    securityLog: createSecurityLog((bindings, message) => log.warn(bindings, message)),
    log,
  });
  const fallback = createFallback(routes, url, problems, log, NO_PAGES);
  server.on('request', (request, response) => {
    rememberClient(request, readHeaders(request.rawHeaders), () => false);
    setRequestId(response, 'req_test_1');
    fallback(request, response, () => {});
  });
  return pages;
}

/**
 * Counts the occurrences of `text` that are not bidi-isolated: neither after U+2068 nor at the start of an element with
 * `dir="auto"`. Ignores attributes and JSON-LD.
 */
export const looseTexts = (html: string, text: string): number =>
  html
    .replaceAll(/<script type="application\/ld\+json">.*?<\/script>/gs, '')
    .replaceAll(/="[^"]*"/g, (value) => (value === '="auto"' ? value : ''))
    .replaceAll(/dir="auto"[^>]*>\s*/g, '\u2068')
    .replaceAll(`\u2068${text}`, '')
    .split(text).length - 1;
