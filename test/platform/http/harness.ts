/** Starts the HTTP server with a stub verifier whose answers the test sets. */
import type { Server } from 'node:http';
import { type AddressInfo, BlockList } from 'node:net';
import { beforeAll, beforeEach, onTestFinished } from 'vitest';
import type { Attempt } from '../../../src/claims/attempts/attempt.ts';
import {
  type ApiCaller,
  VERIFY_PATH,
  type Verification,
  type VerificationResponse,
} from '../../../src/claims/verify/decision/verification.ts';
import { createAuthenticator, createVerifyEndpoint } from '../../../src/claims/verify/endpoint/endpoint.ts';
import { createVerifyMetrics } from '../../../src/claims/verify/endpoint/metrics.ts';
import { VERIFY_CLAIM } from '../../../src/claims/verify/endpoint/operation.ts';
import type { Verifier } from '../../../src/claims/verify/verifier.ts';
import { createFallback } from '../../../src/pages/frame/fallback.ts';
import { createRoutes } from '../../../src/pages/frame/routes.tsx';
import type { OperatorCaller } from '../../../src/people/keys/authorize.ts';
import { readKey } from '../../../src/people/keys/key.ts';
import type { RefusedCall } from '../../../src/platform/errors.ts';
import { createOpenApiDocument } from '../../../src/platform/http/operations/openapi.ts';
import { AUDIENCES } from '../../../src/platform/http/operations/operation.ts';
import {
  type KeyHolder,
  type OperationRoute,
  serveOperations,
} from '../../../src/platform/http/operations/operation-routes.ts';
import { createProblems } from '../../../src/platform/http/operations/problem.ts';
import {
  createUnknownKeyLimit,
  UNKNOWN_KEYS_PER_SECOND,
} from '../../../src/platform/http/server/cached-keys.ts';
import { createClientAddress } from '../../../src/platform/http/server/client-address.ts';
import { createDrain, type Drain, type DrainTimes } from '../../../src/platform/http/server/drain.ts';
import { createMetrics } from '../../../src/platform/http/server/metrics.ts';
import { createRequestIds, policyHeaders } from '../../../src/platform/http/server/response-headers.ts';
import { createHttpServer } from '../../../src/platform/http/server/server.ts';
import type { ServerLimits } from '../../../src/platform/http/server/server-limits.ts';
import { createMatcher } from '../../../src/platform/network/network.ts';
import { createSecurityLog } from '../../../src/platform/network/security-log.ts';
import { createLog } from '../../../src/platform/process/log.ts';
import { withChecksum } from '../../../src/platform/secrets/secrets.ts';
import { DatabaseUnavailable } from '../../../src/platform/store/database.ts';
import { NO_PAGES } from '../../support/no-pages.ts';

export const BASE_URL = 'https://claims.example';
export const CALLER = { accountId: 'account-1', keyId: 'key-1', mode: 'live', networks: null } as const;

export const KEY = withChecksum(`cck_live_${'a'.repeat(32)}`);
export const TEST_KEY = withChecksum(`cck_test_${'a'.repeat(32)}`);
export const TOKEN = withChecksum(`clm_${'b'.repeat(27)}`);

export const FOUND_BODY =
  '{"status":"redeemed","offer_id":"018f3c5e-0000-7000-8000-000000000001","offer":"20 % off – für immer","kind":"discount","listing":"notes","via":"spring","claimed_at":"2026-11-20T10:00:00.000Z","redeemed_at":"2026-11-20T11:00:00.000Z"}';

export const found = (replayed = false): VerificationResponse => ({
  kind: 'found',
  status: 'redeemed',
  replayed,
  body: FOUND_BODY,
  offerId: '018f3c5e-0000-7000-8000-000000000001',
  via: 'spring',
  caller: CALLER,
});

export type Answerer = (
  verification: Verification,
) => VerificationResponse | Error | Promise<VerificationResponse>;

/** Returns an answerer that accepts every key and finds every token. */
const answerOf =
  (caller: ApiCaller | (OperatorCaller & KeyHolder)): Answerer =>
  ({ tokenHash }) =>
    tokenHash === null ? { kind: 'authorized', caller: caller as ApiCaller } : found();
export const answerAll = answerOf(CALLER);

const noRecords = () => ({
  submitted: [] as Verification[],
  attempts: [] as Omit<Attempt, 'atMs'>[],
  /** The key ID of each call with a known key. */
  usedKeys: [] as string[],
  browserCalls: [] as RefusedCall[],
  wrongMethods: [] as RefusedCall[],
  outsideCalls: [] as RefusedCall[],
  /** Log lines in JSON. */
  log: [] as string[],
  /** The network of each call that was rejected because the network had sent too many unknown keys. */
  unknownKeys: [] as string[],
});

export interface TestServer extends Readonly<ReturnType<typeof noRecords>> {
  readonly server: Server;
  readonly port: number;
  readonly url: string;
  readonly drain: Drain;
  answer: Answerer;
  attemptsWanted: boolean;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly rateLimit?: number;
  readonly goodKeys?: readonly Uint8Array[];
  readonly limits?: ServerLimits;
  readonly drainTimes?: DrainTimes;
  readonly trustedProxies?: BlockList;
  readonly metricsToken?: string;
  readonly securityTxt?: () => string;
  readonly checkWritable?: () => Promise<boolean>;
  /** If set, the server calls this verifier instead of `answer`. */
  readonly verifier?: Verifier;
  /** Operations that are served and documented in addition to verify. */
  readonly routes?: readonly OperationRoute<never, never>[];
  /** Passed to the handlers of `routes`. */
  readonly services?: unknown;
  /** The owner or operator to whom every key belongs. */
  readonly caller?: ApiCaller | (OperatorCaller & KeyHolder);
  readonly clock?: () => number;
}

/** Starts a server and stores its properties in `test`. Returns `test`. */
export async function startServer(
  options: TestServerOptions = {},
  test = {} as TestServer,
): Promise<TestServer> {
  const records = noRecords();
  const log = createLog('debug', { write: (line) => void records.log.push(line) });
  const problems = createProblems(BASE_URL);
  const drain = createDrain(options.drainTimes);
  const metrics = createMetrics({ process: false });
  const verifier: Verifier = options.verifier ?? {
    submit(verification, done) {
      records.submitted.push(verification);
      setImmediate(async () => {
        const answer = await test.answer(verification);
        if (answer instanceof Error) done(answer, null);
        else done(null, answer);
      });
    },
  };
  const unknownKeyLimit = createUnknownKeyLimit(
    (options.rateLimit ?? 0) === 0 ? 0 : UNKNOWN_KEYS_PER_SECOND,
    options.goodKeys ?? [],
  );
  const onUnknownKeys = (network: string) => void records.unknownKeys.push(network);
  const clientAddress = createClientAddress(options.trustedProxies ?? new BlockList());
  const operations = [VERIFY_CLAIM, ...(options.routes ?? []).map(({ operation }) => operation)];
  const operation = createVerifyEndpoint({
    verifier,
    problems,
    policy: policyHeaders(BASE_URL),
    drain,
    rateLimit: options.rateLimit ?? 0,
    unknownKeys: unknownKeyLimit,
    onUnknownKeys,
    recorder: {
      touch: (_accountId, keyId) => void records.usedKeys.push(keyId),
      wants: () => test.attemptsWanted,
      record: ({ atMs: _, ...attempt }) => void records.attempts.push(attempt),
      recordBrowserCall: (call) => void records.browserCalls.push(call),
      recordWrongMethod: (call) => void records.wrongMethods.push(call),
      recordOutsideCall: (call) => void records.outsideCalls.push(call),
    },
    now: Date.now,
    clientAddress,
    metrics: createVerifyMetrics(metrics),
    log,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
  });
  const routes = createRoutes({
    baseUrl: BASE_URL,
    verifyPath: VERIFY_PATH,
    problems,
    drain,
    diskIsFull: () => false,
    checkWritable: options.checkWritable ?? (async () => true),
    metrics,
    metricsToken: options.metricsToken,
    securityTxt: options.securityTxt ?? (() => null),
    securityLog: createSecurityLog((bindings, message) => log.warn(bindings, message)),
    api: {
      document: (audience) =>
        createOpenApiDocument({
          baseUrl: BASE_URL,
          name: 'Tests',
          version: '1.2.3',
          contact: null,
          operations: operations.filter(
            ({ caller }) => audience === undefined || caller === AUDIENCES[audience],
          ),
          webhooks: [],
        }),
      keySet: async () => ({ keys: [] }),
      serve: (app, frame) =>
        serveOperations(
          app,
          {
            routes: (options.routes ?? []) as readonly OperationRoute<ApiCaller, never>[],
            services: options.services as never,
            readKey,
            authenticate: createAuthenticator(verifier),
            rateLimit: options.rateLimit ?? 0,
            unknownKeys: unknownKeyLimit,
            onUnknownKeys,
            onKeyUsed: ({ keyId }) => void records.usedKeys.push(keyId),
            onBrowserCall: (call) => void records.browserCalls.push(call),
            onOutsideCall: (call) => void records.outsideCalls.push(call),
            ...(options.clock === undefined ? {} : { clock: options.clock }),
          },
          frame,
        ),
    },
    isUnavailable: (error) => error instanceof DatabaseUnavailable,
    pages: NO_PAGES,
    log,
  });
  const server = createHttpServer({
    operationPath: VERIFY_PATH,
    operation,
    fallback: createFallback(routes, BASE_URL, problems, log, NO_PAGES),
    isTrustedProxy: createMatcher(options.trustedProxies ?? new BlockList()),
    watchProxies: () => {},
    problems,
    requestIds: createRequestIds(),
    drain,
    log,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(test, records, {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    drain,
    answer: answerOf(options.caller ?? CALLER),
    attemptsWanted: true,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** Starts a server that is closed when the current test finishes. */
export async function openServer(options: TestServerOptions = {}): Promise<TestServer> {
  const test = await startServer(options);
  onTestFinished(() => test.close());
  return test;
}

/** A server shared by all tests of a file or `describe` block. `answer` and the records are reset before each test. */
export function shareServer(options: TestServerOptions = {}): TestServer {
  const test = {} as TestServer;
  beforeAll(async () => {
    await startServer(options, test);
    return () => test.close();
  });
  beforeEach(() => {
    test.answer = answerOf(options.caller ?? CALLER);
    for (const name of Object.keys(noRecords()) as (keyof ReturnType<typeof noRecords>)[]) {
      test[name].length = 0;
    }
  });
  return test;
}
