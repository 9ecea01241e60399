/** Composition root: creates and connects all parts of the service. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openApiDocument, serveApi } from '../api/operations.ts';
import type { Context } from '../base/context.ts';
import type { JobRunner } from '../base/jobs/runner.ts';
import { readKeySet } from '../claims/receipts/signing.ts';
import { VERIFY_PATH } from '../claims/verify/decision/verification.ts';
import { createVerifyEndpoint } from '../claims/verify/endpoint/endpoint.ts';
import { countWaiting } from '../marketplace/listings/queue-queries.ts';
import { findPictureFile } from '../marketplace/pictures/queries.ts';
import { createFindDisplay } from '../pages/account/display-pages.ts';
import { createConfirmIdentity } from '../pages/account/proof/identity-check.tsx';
import { createFallback } from '../pages/frame/fallback.ts';
import { createRoutes, type RoutesOptions } from '../pages/frame/routes.tsx';
import { OpenOffers } from '../pages/market/more-apps.tsx';
import { createSetUpCheck } from '../people/sign-in/set-up.ts';
import { createProblems, type Problems } from '../platform/http/operations/problem.ts';
import { securityTxt } from '../platform/http/operations/well-known.ts';
import { createClientAddress } from '../platform/http/server/client-address.ts';
import { createDrain, type Drain, type DrainTimes } from '../platform/http/server/drain.ts';
import { listen } from '../platform/http/server/listen.ts';
import { createRequestIds, policyHeaders } from '../platform/http/server/response-headers.ts';
import { createHttpServer } from '../platform/http/server/server.ts';
import { SERVER_LIMITS } from '../platform/http/server/server-limits.ts';
import { createMatcher } from '../platform/network/network.ts';
import { createLog } from '../platform/process/log.ts';
import { DatabaseUnavailable } from '../platform/store/database.ts';
import { isUpgrade, type MigrationResult } from '../platform/store/migrations/migrations.ts';
import { DATABASE_FILE } from '../platform/store/open.ts';
import { rememberServedAs } from '../platform/store/settings.ts';
import { removeIncoming } from '../platform/store/sqlite/files.ts';
import { awaitDataFolder, type FolderWait } from '../platform/store/sqlite/serving-lock.ts';
import { SECOND_MS } from '../platform/text/durations.ts';
import { startJobs } from './background-jobs.ts';
import { baseUrlOf } from './config/address.ts';
import type { Config } from './config/config.ts';
import { FIELD_LENGTHS } from './field-lengths.ts';
import { createFindViewer, createIsStillAllowed, createLimitChange } from './find-viewer.ts';
import { reportService } from './metrics.ts';
import { type OpenContext, openContext, type Surroundings } from './open-context.ts';
import { pageGroups } from './page-groups.ts';
import { createParts, type Parts, prepareToServe, reportMailServer, reportProxies } from './parts.ts';

/** Maximum duration of a graceful stop, even if the database does not respond. */
const STOP_WITHIN_MS = 9_700;

export interface Service {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly log: Logger;
  readonly context: Context;
  /** All routes, so that tests can check that they cover each route. */
  readonly routes: readonly { readonly method: string; readonly path: string; readonly handler: object }[];
  /** The background jobs, so that tests need not wait for them, and can end them. */
  readonly jobs: Pick<JobRunner, 'jobs' | 'runIfDue' | 'close'>;
  /** Stops gracefully: drains requests, then flushes buffered records. Resolves within 10 s. */
  stop(): Promise<void>;
}

export interface ServiceSurroundings extends Surroundings {
  /** When each phase of a graceful stop begins; the defaults suit a load balancer. */
  readonly drainTimes?: DrainTimes;
  readonly stopWithinMs?: number;
  /** How to wait while another server is using the data folder; if unset, startup fails immediately. */
  readonly folderWait?: FolderWait;
  /** Called after the database is opened and before the server listens, for instance to create the first operator. */
  readonly beforeServing?: (context: Context) => Promise<void>;
}

/** Resolves once the service is ready. Throws `DatabaseUnusable` if another server is using the embedded database. */
export async function startService(config: Config, surroundings: ServiceSurroundings): Promise<Service> {
  const opened = new AsyncDisposableStack();
  try {
    if (config.databaseUrl === null) {
      opened.defer(await awaitDataFolder(config.dataDir, surroundings.folderWait ?? null));
      removeIncoming(join(config.dataDir, DATABASE_FILE));
    }
    const log = createLog(config.logLevel);
    const onMigrated = (migration: MigrationResult) => {
      if (isUpgrade(migration)) log.info(migration, 'migrated the database');
    };
    const context = await openContext(config, surroundings, { create: true, onMigrated });
    opened.defer(() => context.db.close());
    await surroundings.beforeServing?.(context);
    return await serve(context, log, createDrain(surroundings.drainTimes), opened, surroundings.stopWithinMs);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Registers every cleanup in `opened`, which runs the cleanups in reverse order, even if startup fails. */
async function serve(
  context: OpenContext,
  log: Logger,
  drain: Drain,
  opened: AsyncDisposableStack,
  stopWithinMs = STOP_WITHIN_MS,
): Promise<Service> {
  const { config, db, now } = context;
  await prepareToServe(context, log);
  // The base URL may contain the port, which is known only once the port is open. Problem responses contain links, so
  // `makeProblem` is replaced once the base URL is final.
  let baseUrl = baseUrlOf(config);
  let makeProblem = createProblems(baseUrl);
  const problems: Problems = (code, detail, requestId, extra) => makeProblem(code, detail, requestId, extra);
  const watchProxies = await reportProxies(context, () => baseUrl, log);
  const parts = await createParts(context, log, opened);
  reportService(parts);

  let fallback: ReturnType<typeof createFallback>;
  const server = createHttpServer({
    operationPath: VERIFY_PATH,
    operation: createVerifyEndpoint({
      ...parts,
      problems,
      policy: policyHeaders(baseUrl),
      drain,
      clientAddress: createClientAddress(config.trustedProxies),
      now,
      metrics: parts.verifyMetrics,
      rateLimit: config.verifyRateLimit,
    }),
    fallback: (...call) => fallback(...call),
    watchProxies,
    isTrustedProxy: createMatcher(config.trustedProxies),
    problems,
    requestIds: createRequestIds(),
    drain,
    log,
    ...(config.keepAliveSeconds !== null && {
      limits: { ...SERVER_LIMITS, keepAliveTimeoutMs: config.keepAliveSeconds * SECOND_MS },
    }),
  });

  const port = await listen(server, config);
  opened.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  baseUrl = baseUrlOf(config, port);
  makeProblem = createProblems(baseUrl);
  // Don't `await` between `listen` and the assignment of `fallback`: a request in between would never get a response.
  const routes = createRoutes(routesOptions(parts, { baseUrl, problems, drain }));
  fallback = createFallback(routes, baseUrl, problems, log, {
    marketplace: context.marketplace,
    findDisplay: createFindDisplay(baseUrl),
  });
  const jobs = startJobs({ ...parts, baseUrl });
  opened.defer(() => jobs.close());
  void reportMailServer(context, log);
  // A full disk must not prevent the start.
  await rememberServedAs(db, { baseUrl, sendsMail: config.smtpUrl !== null }).catch((error) =>
    log.warn({ err: error }, 'BASE_URL was not stored, so links that commands print may be wrong'),
  );

  const stop = async () => {
    const cut = sleep(stopWithinMs, undefined, { ref: false });
    await drain.begin(server);
    await Promise.race([opened.disposeAsync(), cut]);
  };
  return { baseUrl, log, context, routes: routes.routes, jobs, stop };
}

function routesOptions(
  parts: Parts,
  frame: Pick<RoutesOptions, 'baseUrl' | 'problems' | 'drain'>,
): RoutesOptions {
  const { context, isDemo } = parts;
  const { config, db, now, marketplace } = context;
  const { baseUrl } = frame;
  const withUrl = { ...parts, baseUrl };
  return {
    ...withUrl,
    ...frame,
    verifyPath: VERIFY_PATH,
    checkWritable: () => db.checkWritable(),
    isUnavailable: (error) => error instanceof DatabaseUnavailable,
    metricsToken: config.metricsToken ?? undefined,
    securityTxt: () => {
      const contact = config.firstBrand.contact ?? marketplace.brand.contact;
      return contact === null ? null : securityTxt(contact, baseUrl, now());
    },
    api: {
      keySet: () => readKeySet(context),
      document: (audience) => openApiDocument(baseUrl, marketplace.brand, audience),
      serve: (app, operations) => serveApi(app, operations, withUrl),
    },
    pages: {
      groups: pageGroups(withUrl),
      renderOpenOffers: async () => OpenOffers(await parts.readOpenApps()),
      findPicture: (name) => findPictureFile(db.read, name),
      findViewer: createFindViewer(withUrl),
      findDisplay: createFindDisplay(baseUrl),
      limitChange: createLimitChange(context),
      countWaiting: () => countWaiting(db.read),
      isStillAllowed: createIsStillAllowed(parts.context),
      confirmIdentity: createConfirmIdentity(withUrl, config.oidc.providers),
      isDemo,
      hasSignUp: !config.oidc.isOnly,
      marketplace,
      fieldLengths: FIELD_LENGTHS,
      isSetUp: createSetUpCheck(db.read),
    },
  };
}
