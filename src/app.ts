/** The composition root of the service: creates every part and connects them. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cookieOf,
  modeCookieName,
  seenCookieName,
  sessionCookieName,
  setCookie,
} from './accounts/cookies.ts';
import { createIdentityProvider } from './accounts/oidc-provider.ts';
import type { SignInServices } from './accounts/services.ts';
import { deskLock } from './accounts/session.ts';
import { findSession } from './accounts/session-queries.ts';
import { touchSession } from './accounts/sessions.ts';
import { openApiDocument } from './api.ts';
import { createAttemptRecorder } from './attempts/recorder.ts';
import { createBackground } from './background.ts';
import { backgroundJobs } from './background-jobs.ts';
import { createExporter } from './claims/export/exporter.ts';
import { prepareSigningKey, readKeySet } from './claims/receipts/keys.ts';
import { createVerifyEndpoint } from './claims/verify/endpoint.ts';
import { createVerifyMetrics } from './claims/verify/metrics.ts';
import { VERIFY_PATH } from './claims/verify/verification.ts';
import { createVerifier } from './claims/verify/verifier.ts';
import { baseUrlOf } from './config/address.ts';
import { secondFactorRule } from './config/sign-in.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { countQueue } from './desk/review/queries.ts';
import { createReadSettled } from './events/settled.ts';
import { createClientAddress } from './http/client-address.ts';
import { createDrain, type Drain, type DrainTimes } from './http/drain.ts';
import { listen } from './http/listen.ts';
import { createLog, type Logger } from './http/log.ts';
import { createMetrics } from './http/metrics.ts';
import { audienceOf } from './http/pages.ts';
import { policyHeaders } from './http/policy-headers.ts';
import { createProblems, type Problems } from './http/problem.ts';
import { createRequestIds } from './http/request-id.ts';
import { createFallback, createRoutes } from './http/routes.tsx';
import { createSecurityTxt } from './http/security-txt.ts';
import { createHttpServer } from './http/server.ts';
import { createUnknownKeyLimit, MAX_GOOD_KEYS, UNKNOWN_KEYS_PER_SECOND } from './http/unknown-keys.ts';
import { watchUntrustedProxies } from './http/untrusted-proxies.ts';
import { createJobRunner } from './jobs/runner.ts';
import type { Mode } from './keys/key.ts';
import { listUsedKeyHashes } from './keys/queries.ts';
import { usualMode } from './keys/usual-mode.ts';
import { createMailer } from './mail/mail.ts';
import { deploymentOf, type OpenContext, openContext, type Surroundings } from './open-context.ts';
import { listUsedOperatorKeyHashes } from './operator-keys/queries.ts';
import { createOutgoing } from './outgoing-request.ts';
import { pageGroups } from './page-groups.ts';
import { createSecurityLog } from './security-log.ts';
import { serveApi } from './serve-api.ts';
import { DatabaseUnavailable } from './store/database.ts';
import { openStaleReads } from './store/open.ts';
import { needRoom } from './store/partitions.ts';
import { forgetUntrustedProxy, isDemoDatabase, rememberUntrustedProxy } from './store/settings.ts';
import { lockDataFolder } from './store/sqlite/serving-lock.ts';
import { examineAtStart } from './system/checks.ts';
import { refuseForeignStandby } from './system/reads.ts';
import { createDeliverer } from './webhooks/deliver.ts';

type Fallback = ReturnType<typeof createFallback>;

/** Upper bounds of the batch size histogram. */
const BATCH_SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
/** Upper bounds in seconds of the batch time histogram. */
const BATCH_SECONDS_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];
/** Longest time from the signal to the end, even if the database does not answer. */
const STOP_WITHIN_MS = 9_700;

const LOST_RECEIPT_KEY_WARNING =
  'no secret key opens the key of receipts: they are not signed until `claimcheck receipts rotate-key` makes a new one, or the former secret key is added behind the first';

const UNTRUSTED_PROXY_WARNING =
  'requests from this address have forwarding headers, and TRUSTED_PROXIES does not name it: if it is your proxy, limits by address count all of its clients as one';

/** Longer than a standby that is read from may be behind. */
const SEEN_COOKIE_MS = 60_000;
/** A place that no standby has: what was written is read from the primary. */
const BEHIND_ALL = '18446744073709551615';

/** The place in the cookie of a request; a malformed one counts as none. */
function seenOf(request: Request, baseUrl: string): string | null {
  const value = cookieOf(request.headers.get('cookie'), seenCookieName(baseUrl));
  return value !== null && /^\d{1,20}$/.test(value) ? value : null;
}

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
}

/**
 * Starts serving; resolves once the port is open and the database ready. Throws `DatabaseUnfit` while another server
 * has the embedded database.
 */
export async function startService(config: Config, surroundings: ServiceSurroundings): Promise<Service> {
  const unlock = config.databaseUrl === null ? lockDataFolder(config.dataDir) : () => {};
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
    return await serve(context, createDrain(surroundings.drainTimes), opened, surroundings.stopWithinMs);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** A service that was down for months may have none for this one. */
async function makeRoom({ db, now }: OpenContext): Promise<void> {
  if (await needRoom(db.partitions, now())) await db.partitions?.makeRoom(now());
}

/** `opened`: closes what was opened, the last one first; also where the start fails half-way. */
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
  const staleReads = openStaleReads(db, config.databaseReadUrl, now);
  opened.defer(() => staleReads.close());
  const deployment = deploymentOf(context, staleReads);
  await refuseForeignStandby(deployment.standby);
  const outgoing = createOutgoing({ allowed: config.allowedNetworks });
  opened.defer(() => outgoing.close());
  const background = createBackground((error) =>
    log.warn(
      { err: error },
      'work behind an answer failed: the use of a session or key, a refused sign-in or a check-up',
    ),
  );
  opened.defer(async () => void (await background.drained()));
  if (!context.secretKeyFits) {
    log.warn('this database was filled under another secret key: claim links shown again would not work');
  }
  for (const { check, detail } of await examineAtStart(deployment)) log.warn({ check }, detail);
  const clientAddress = createClientAddress(config.trustedProxies);
  const securityLog = createSecurityLog((bindings, message) => log.warn(bindings, message));
  // A database that cannot be written now, as on a full disk, must not keep the service from starting.
  await forgetUntrustedProxy(db).catch((error) =>
    log.warn({ err: error }, 'the address of an untrusted proxy is kept from before this start'),
  );
  await makeRoom(context).catch((error) =>
    log.warn({ err: error }, 'partitions for the next months were not made; a job tries it again every hour'),
  );
  const canSign = await prepareSigningKey(context).catch((error) => {
    log.warn({ err: error }, 'the key of receipts was not prepared');
    return true;
  });
  if (!canSign) log.warn(LOST_RECEIPT_KEY_WARNING);
  const mailer = createMailer(context, {
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    onFailure: (error) => log.error({ err: error }, 'a mail was not sent'),
  });
  opened.defer(() => mailer.close());
  const metrics = createMetrics();
  const requestIds = createRequestIds();
  const recorder = createAttemptRecorder(context, {
    onFailure: (error) => log.warn({ err: error }, 'the request log was not written'),
  });
  opened.defer(() => recorder.close());
  const batchSize = metrics.histogram(
    'claimcheck_batch_size',
    'Verifications in a batch.',
    BATCH_SIZE_BUCKETS,
  );
  const batchSeconds = metrics.histogram(
    'claimcheck_batch_seconds',
    'From the start of a batch until it is durable.',
    BATCH_SECONDS_BUCKETS,
  );
  const verifier = createVerifier(db, now, {
    batch: (size, milliseconds) => {
      batchSize(size);
      batchSeconds(milliseconds / 1_000);
    },
  });
  metrics.gauge('claimcheck_verifications_waiting', 'Verifications that wait for a batch.', verifier.waiting);
  metrics.total(
    'claimcheck_attempts_dropped_total',
    'Verifications and refused calls that the request log had no room for.',
    () => recorder.stats().dropped,
  );

  const policy = policyHeaders(baseUrlOf(config));
  // The base URL is known once the port is open; problems and pages that contain it are made then.
  let makeProblem = createProblems(baseUrlOf(config));
  const problems: Problems = (code, detail, requestId, extra) => makeProblem(code, detail, requestId, extra);
  const unknownKeys = createUnknownKeyLimit(config.verifyRateLimit === 0 ? 0 : UNKNOWN_KEYS_PER_SECOND, [
    ...(await listUsedOperatorKeyHashes(db.read, MAX_GOOD_KEYS)),
    ...(await listUsedKeyHashes(db.read, MAX_GOOD_KEYS)),
  ]);
  const onUnknownKeys = (network: string, requestId: string) =>
    securityLog('unknown_keys', { network, requestId });
  const readSettled = createReadSettled(db, now);
  let fallback: Fallback;
  const server = createHttpServer({
    operationPath: VERIFY_PATH,
    operation: createVerifyEndpoint({
      verifier,
      problems,
      policy,
      drain,
      rateLimit: config.verifyRateLimit,
      unknownKeys,
      onUnknownKeys,
      attempts: {
        used: (accountId, keyId) => recorder.touch(accountId, keyId, now()),
        wants: (caller, cause) => recorder.wants(caller, cause),
        add: (attempt) => recorder.record({ ...attempt, atMs: now() }),
      },
      onBrowserCall: (call) => recorder.recordBrowserCall(call),
      onWrongMethod: (call) => recorder.recordWrongMethod(call),
      clientAddress,
      metrics: createVerifyMetrics(metrics),
      log,
    }),
    fallback: (request, response) => fallback(request, response),
    policy,
    onForwarded: watchUntrustedProxies({
      trusted: config.trustedProxies,
      onFound: (address, isOwn) => {
        log.warn({ address }, UNTRUSTED_PROXY_WARNING);
        if (!isOwn) return;
        rememberUntrustedProxy(db, address, new Date(now()).toISOString()).catch((error) =>
          log.warn({ err: error }, 'the address of an untrusted proxy was not stored'),
        );
      },
    }),
    problems,
    requestIds,
    drain,
    log,
  });

  const isDemo = await isDemoDatabase(db);
  // Synchronous: a request that arrived before the routes exist would never be answered.
  const openRoutes = (baseUrl: string) => {
    makeProblem = createProblems(baseUrl);
    const signIn: SignInServices = {
      context,
      mailer,
      securityLog,
      background,
      baseUrl,
    };
    const provider = config.oidc === null ? null : createIdentityProvider(config.oidc, baseUrl);
    const isLocked = secondFactorRule(config.operatorSecondFactor, baseUrl) === 'required';
    /** Chosen in this browser, or the usual one of the account; only the dashboard asks for that. */
    const modeFor = async (request: Request, accountId: string): Promise<Mode> => {
      const chosen = cookieOf(request.headers.get('cookie'), modeCookieName(baseUrl));
      if (chosen === 'live' || chosen === 'test') return chosen;
      const isDashboard = audienceOf(new URL(request.url).pathname) === 'dashboard';
      return isDashboard ? usualMode(context, accountId) : 'live';
    };
    const routes = createRoutes({
      baseUrl,
      verifyPath: VERIFY_PATH,
      problems,
      drain,
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
        serve: (app, frame) =>
          serveApi(app, frame, {
            context,
            baseUrl,
            verifier,
            recorder,
            readSettled,
            unknownKeys,
            onUnknownKeys,
            clientAddress,
            background,
            securityLog,
          }),
      },
      pages: {
        groups: pageGroups({
          context,
          signIn,
          clientAddress,
          staleReads,
          exporter,
          verifier,
          outgoing,
          provider,
        }),
        findViewer: async (request) => {
          const cookie = cookieOf(request.headers.get('cookie'), sessionCookieName(baseUrl));
          const session = cookie === null ? null : await findSession(db.read, cookie, now());
          // In the background: the page does not wait for this write.
          if (session !== null) background.start(() => touchSession(context, session));
          if (session === null) return null;
          return {
            ...session,
            deskLock: deskLock(session, isLocked),
            mode: await modeFor(request, session.accountId),
          };
        },
        countWaiting: () => countQueue(db.read),
        written: {
          seen: (request) => seenOf(request, baseUrl),
          note: async () => {
            const place = await staleReads.place().catch((error) => {
              log.warn({ err: error }, 'the place of a change in the log was not read');
              return BEHIND_ALL;
            });
            return place === null ? null : setCookie(baseUrl, seenCookieName(baseUrl), place, SEEN_COOKIE_MS);
          },
        },
        isDemo,
        isUnavailable: (error) => error instanceof DatabaseUnavailable,
      },
      clientAddress,
      securityLog,
      log,
    });
    fallback = createFallback(routes, problems, log);
    return routes;
  };
  const port = await listen(server, config);
  opened.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = baseUrlOf(config, port);
  const routes = openRoutes(baseUrl);

  const countRun = metrics.counts(
    'claimcheck_job_runs_total',
    'Runs of background jobs that ended here.',
    'job',
  );
  const countFailure = metrics.counts(
    'claimcheck_job_failures_total',
    'Runs of background jobs that failed here.',
    'job',
  );
  const countAttempt = metrics.counts(
    'claimcheck_webhook_attempts_total',
    'Requests of webhooks that were made here, by result.',
    'result',
  );
  const deliverer = createDeliverer({
    context,
    outgoing,
    mailer,
    baseUrl,
    onAttempt: (hasSucceeded) => countAttempt(hasSucceeded ? 'delivered' : 'failed'),
  });
  const jobs = createJobRunner(context, {
    jobs: backgroundJobs(context, deliverer),
    onRun: (job, { hasFailed }) => {
      countRun(job.name);
      if (hasFailed) countFailure(job.name);
    },
    onFailure: (job, error) => log.warn({ err: error, job: job.name }, 'a background job failed'),
  });
  opened.defer(() => jobs.close());
  jobs.start();

  const stop = async () => {
    const cut = sleep(stopWithinMs, undefined, { ref: false });
    await drain.begin(server);
    // A database that does not answer must not hold up the end.
    await Promise.race([opened.disposeAsync(), cut]);
  };
  return { baseUrl, log, context, routes: routes.routes, stop };
}
