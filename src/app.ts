/** The composition root of the service: creates every part and connects them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createSetUpCheck } from './accounts/set-up.ts';
import { openApiDocument } from './api.ts';
import { createAdmitChange } from './app/admit-change.ts';
import { startJobs } from './app/background-jobs.ts';
import { createFindViewer } from './app/find-viewer.ts';
import { pageGroups } from './app/page-groups.ts';
import { prepareToServe } from './app/prepare-to-serve.ts';
import { reportProxies } from './app/report-proxies.ts';
import { serveApi } from './app/serve-api.ts';
import { serveVerify } from './app/serve-verify.ts';
import { createAttemptRecorder } from './attempts/recorder.ts';
import { createBackground } from './background.ts';
import { createExporter } from './claims/export/exporter.ts';
import { readKeySet } from './claims/receipts/keys.ts';
import { createMeasuredVerifier } from './claims/verify/metrics.ts';
import { VERIFY_PATH } from './claims/verify/verification.ts';
import { baseUrlOf } from './config/address.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { countQueue } from './desk/review/queries.ts';
import { createReadSettled } from './events/settled.ts';
import { createClientAddress, createIsTrusted } from './http/client-address.ts';
import { createDrain, type Drain, type DrainTimes } from './http/drain.ts';
import { listen } from './http/listen.ts';
import { createLog, type Logger } from './http/log.ts';
import { createMetrics } from './http/metrics.ts';
import { policyHeaders } from './http/policy-headers.ts';
import { createProblems, type Problems } from './http/problem.ts';
import { createRequestIds } from './http/request-id.ts';
import { createFallback, createRoutes } from './http/routes.tsx';
import { createSecurityTxt } from './http/security-txt.ts';
import { createHttpServer } from './http/server.ts';
import { createUnknownKeyLimit, MAX_GOOD_KEYS, UNKNOWN_KEYS_PER_SECOND } from './http/unknown-keys.ts';
import { listUsedKeyHashes } from './keys/queries.ts';
import { createMailer } from './mail/mail.ts';
import { type OpenContext, openContext, type Surroundings } from './open-context.ts';
import { createOutgoing } from './outgoing-request.ts';
import { createSecurityLog } from './security-log.ts';
import { DatabaseUnavailable } from './store/database.ts';
import { watchDiskReserve } from './store/disk-reserve.ts';
import { isDemoDatabase } from './store/settings.ts';
import { awaitDataFolder, type FolderWait } from './store/sqlite/serving-lock.ts';

type Fallback = ReturnType<typeof createFallback>;

/** Longest time from the signal to the end, even if the database does not answer. */
const STOP_WITHIN_MS = 9_700;

export interface Service {
  /** Where it is reached, without a trailing slash. */
  readonly baseUrl: string;
  readonly log: Logger;
  readonly context: Context;
  /** Every route of the framework, so that tests can cover each. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** Stops as an orderly restart does: no request fails, everything recorded is written. Resolves within 10 s. */
  stop(): Promise<void>;
}

export interface ServiceSurroundings extends Surroundings {
  /** Waiting times of a stop; the defaults suit a load balancer. */
  readonly drainTimes?: DrainTimes;
  /** `STOP_WITHIN_MS` unless given. */
  readonly stopWithinMs?: number;
  /** How to wait for another server on the data folder; without it the start fails immediately. */
  readonly folderWait?: FolderWait;
  /** Called with the open database before the port opens, for instance to make the first operator. */
  readonly beforeServing?: (context: Context) => Promise<void>;
}

/**
 * Starts serving; resolves once the port is open and the database ready. Throws `DatabaseUnfit` where another server
 * has the embedded database and keeps it.
 */
export async function startService(config: Config, surroundings: ServiceSurroundings): Promise<Service> {
  const unlock =
    config.databaseUrl === null
      ? await awaitDataFolder(config.dataDir, surroundings.folderWait ?? null)
      : () => {};
  try {
    const service = await startOn(config, surroundings);
    const stop = async () => {
      await service.stop();
      unlock();
    };
    return { ...service, stop };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function startOn(config: Config, surroundings: ServiceSurroundings): Promise<Service> {
  const context = await openContext(config, surroundings, { create: true });
  const opened = new AsyncDisposableStack();
  opened.defer(() => context.db.close());
  try {
    await surroundings.beforeServing?.(context);
    return await serve(context, createDrain(surroundings.drainTimes), opened, surroundings.stopWithinMs);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** `opened` closes what was opened, in reverse order, also if the start fails half-way. */
async function serve(
  context: OpenContext,
  drain: Drain,
  opened: AsyncDisposableStack,
  stopWithinMs = STOP_WITHIN_MS,
): Promise<Service> {
  const { config, db, now } = context;
  const log = createLog(config.logLevel);
  const exporter = createExporter();
  opened.defer(() => exporter.close());
  await prepareToServe(context, log);
  const watchProxies = await reportProxies(context, () => reachedAt, log);
  const outgoing = createOutgoing({
    allowed: config.allowedNetworks,
    onNoConnection: (host, reason) => log.debug({ host, reason }, 'no connection to an address of an owner'),
  });
  opened.defer(() => outgoing.close());
  const background = createBackground((error) =>
    log.warn(
      { err: error },
      'work behind an answer failed: the use of a session or key, a refused sign-in or a link check',
    ),
  );
  opened.defer(async () => void (await background.drained()));
  const clientAddress = createClientAddress(config.trustedProxies);
  const securityLog = createSecurityLog((bindings, message) => log.warn(bindings, message));
  const mailer = createMailer(context, {
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    onFailure: (error) => log.error({ err: error }, 'a mail was not kept or sent'),
    onAttemptFailed: ({ mailId, attempts, sentence, isLast }) =>
      log.warn(
        { mailId, attempts, reason: sentence },
        isLast ? 'a mail was not sent' : 'a mail was not accepted; it is tried again',
      ),
  });
  opened.defer(() => mailer.close());
  const metrics = createMetrics();
  const reserve = config.databaseUrl === null ? watchDiskReserve(config.dataDir, reportRoom(log)) : null;
  opened.defer(() => reserve?.close());
  const hasRoom = reserve?.hasRoom ?? (() => true);
  const recorder = createAttemptRecorder(context, {
    mayGrow: hasRoom,
    onFailure: (error) => log.warn({ err: error }, 'the request log was not written'),
  });
  opened.defer(() => recorder.close());
  const verifier = createMeasuredVerifier(db, now, metrics);
  metrics.total(
    'claimcheck_unrecorded_calls_total',
    'Answered and refused calls of verify that were not recorded in the request log.',
    () => recorder.unrecorded(),
  );
  const unknownKeys = createUnknownKeyLimit(
    config.verifyRateLimit === 0 ? 0 : UNKNOWN_KEYS_PER_SECOND,
    await listUsedKeyHashes(db.read, MAX_GOOD_KEYS),
  );
  const onUnknownKeys = (network: string, requestId: string) =>
    securityLog('unknown_keys', { network, requestId });
  const readSettled = createReadSettled(db, now);
  const isDemo = await isDemoDatabase(db);

  const policy = policyHeaders(baseUrlOf(config));
  // The base URL is known once the port is open; problems and pages that contain it are made then.
  let reachedAt = baseUrlOf(config);
  let makeProblem = createProblems(reachedAt);
  const problems: Problems = (code, detail, requestId, extra) => makeProblem(code, detail, requestId, extra);
  const parts = {
    background,
    clientAddress,
    context,
    drain,
    exporter,
    hasRoom,
    log,
    mailer,
    metrics,
    onUnknownKeys,
    outgoing,
    policy,
    problems,
    readSettled,
    recorder,
    securityLog,
    unknownKeys,
    verifier,
  };

  let fallback: Fallback;
  const server = createHttpServer({
    operationPath: VERIFY_PATH,
    operation: serveVerify(parts),
    fallback: (...call) => fallback(...call),
    policy,
    watchProxies,
    isTrustedProxy: createIsTrusted(config.trustedProxies),
    problems,
    requestIds: createRequestIds(),
    drain,
    log,
  });

  // Synchronous: a request that arrived before the routes exist would never be answered.
  const openRoutes = (baseUrl: string) => {
    reachedAt = baseUrl;
    makeProblem = createProblems(baseUrl);
    const routes = createRoutes({
      baseUrl,
      verifyPath: VERIFY_PATH,
      problems,
      drain,
      hasRoom,
      checkWritable: () => db.checkWritable(),
      metrics,
      metricsToken: config.metricsToken ?? undefined,
      securityTxt:
        config.securityContact === null
          ? null
          : createSecurityTxt({ contact: config.securityContact, baseUrl, now }),
      api: {
        keySet: () => readKeySet(context),
        document: () => openApiDocument(baseUrl, config.securityContact),
        serve: (app, frame) => serveApi(app, frame, { ...parts, baseUrl }),
      },
      pages: {
        groups: pageGroups({ ...parts, baseUrl }),
        findViewer: createFindViewer({ ...parts, baseUrl }),
        admitChange: createAdmitChange(context),
        countWaiting: () => countQueue(db.read),
        isDemo,
        timeZone: context.timeZone,
        isSetUp: createSetUpCheck(db.read),
        isUnavailable: (error) => error instanceof DatabaseUnavailable,
      },
      securityLog,
      log,
    });
    fallback = createFallback(routes, baseUrl, problems, log);
    return routes;
  };
  const port = await listen(server, config);
  opened.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = baseUrlOf(config, port);
  const routes = openRoutes(baseUrl);
  const jobs = startJobs({ ...parts, baseUrl });
  opened.defer(() => jobs.close());

  const stop = async () => {
    const cut = sleep(stopWithinMs, undefined, { ref: false });
    await drain.begin(server);
    // A database that does not answer must not hold up the end.
    await Promise.race([opened.disposeAsync(), cut]);
  };
  return { baseUrl, log, context, routes: routes.routes, stop };
}

const reportRoom =
  (log: Logger): Parameters<typeof watchDiskReserve>[1] =>
  (hasRoom, { freeBytes, reservedBytes }) => {
    const bindings = { freeBytes, reservedBytes };
    if (hasRoom) log.info(bindings, 'the disk has room again: all requests are taken');
    else
      log.error(
        bindings,
        'the disk is nearly full: until there is room only verifications, operators and what ends a session are taken',
      );
  };
