/** The parts of the service that are created before the port is open and the base URL is known. */

import type { Logger } from 'pino';
import { type CheckName, docsOfCheck } from '../background/system/check.ts';
import { examineAtStart } from '../background/system/examine.ts';
import type { Context } from '../base/context.ts';
import { createReadSettled } from '../base/events/settled.ts';
import { offerOfClaimPage } from '../base/paths.ts';
import { createAttemptRecorder } from '../claims/attempts/recorder.ts';
import { createClaimQueue } from '../claims/creation/claim-offer.ts';
import { createExporter } from '../claims/export/exporter.ts';
import { prepareSigningKey } from '../claims/receipts/signing.ts';
import { createVerifyMetrics } from '../claims/verify/endpoint/metrics.ts';
import { createVerifier } from '../claims/verify/verifier.ts';
import { createVisitCounter } from '../marketplace/campaigns/count-visits.ts';
import { readOfferNames } from '../marketplace/offers/queries.ts';
import { createPictureEncoder } from '../marketplace/pictures/encoder.ts';
import { createUploads } from '../pages/frame/uploads.ts';
import { createOpenApps } from '../pages/market/more-apps.tsx';
import { listUsedKeyHashes } from '../people/keys/queries.ts';
import { createMailer } from '../people/mail/mail.ts';
import { createMailGate } from '../people/sign-in/limits/mail-gate.ts';
import { issuerSpellings } from '../people/sign-in/oidc/provider.ts';
import { readStrangerRights } from '../people/visibility/read-rights.ts';
import { mayView } from '../people/visibility/visibility.ts';
import {
  createUnknownKeyLimit,
  MAX_GOOD_KEYS,
  UNKNOWN_KEYS_PER_SECOND,
} from '../platform/http/server/cached-keys.ts';
import { createMetrics } from '../platform/http/server/metrics.ts';
import { type ProxyFault, type ProxyWatch, watchProxies } from '../platform/http/server/watch-proxies.ts';
import { createOutgoing } from '../platform/network/outgoing-request.ts';
import { createSecurityLog } from '../platform/network/security-log.ts';
import { createBackground } from '../platform/process/background.ts';
import { watchDiskReserve } from '../platform/store/disk-reserve.ts';
import { createGroupedTransaction } from '../platform/store/grouped-transaction.ts';
import { arePartitionsMissing } from '../platform/store/partitions.ts';
import { forgetProxyFindings, isDemoDatabase, rememberProxyFinding } from '../platform/store/settings.ts';
import { isUuid } from '../platform/store/uuid.ts';
import { baseUrlOf } from './config/address.ts';
import { docsOfSetting } from './config/settings.ts';
import { deploymentOf, type OpenContext } from './open-context.ts';
import { isFirstWorker } from './workers.ts';

const LOST_RECEIPT_KEY_WARNING =
  'no configured secret key decrypts the key that signs receipts: no receipt can be signed until `claimcheck receipts rotate-key` creates a new signing key, or the former secret key is added after the current one';

/** Logs problems instead of throwing: a full disk, for example, must not prevent startup. */
export async function prepareToServe(context: OpenContext, log: Logger): Promise<void> {
  const docs = (check: CheckName) => baseUrlOf(context.config) + docsOfCheck(check);
  if (!context.secretKeyFits) {
    log.warn(
      { docs: docs('secret key') },
      'this database was used with a different secret key before: claim links made with that key cannot be shown again',
    );
  }
  for (const { check, detail } of await examineAtStart(deploymentOf(context)))
    log.warn({ check, docs: docs(check) }, String(detail));
  await createMissingPartitions(context).catch((error) =>
    log.warn(
      { err: error },
      'partitions for the coming months could not be created; a job retries every hour',
    ),
  );
  const canSign = await prepareSigningKey(context).catch((error) => {
    log.warn({ err: error }, 'the key that signs receipts could not be prepared');
    return true;
  });
  if (!canSign) log.warn({ docs: docs('missing secret key') }, LOST_RECEIPT_KEY_WARNING);
}

/** Checks the mail server in the background, so that a server that doesn't respond can't delay the start. */
export async function reportMailServer({ mailServer, config }: OpenContext, log: Logger): Promise<void> {
  // With several workers, only the first one checks.
  if (mailServer === null || !isFirstWorker()) return;
  const { failure } = await mailServer.check();
  if (failure === null) log.info('the mail server accepts the login');
  else log.warn({ reason: failure, docs: baseUrlOf(config) + docsOfCheck('mail') }, 'mail cannot be sent');
}

/** A service that was down for months may have no partition for the current month. */
async function createMissingPartitions({ db, now }: OpenContext): Promise<void> {
  if (await arePartitionsMissing(db.partitions, now())) await db.partitions?.create(now());
}

export type Parts = Awaited<ReturnType<typeof createParts>>;

export interface ServingParts extends Parts {
  readonly baseUrl: string;
}

/** Registers every cleanup in `opened`, so that the cleanups run even if a later step fails. */
export async function createParts(context: OpenContext, log: Logger, opened: AsyncDisposableStack) {
  const { config, db, now } = context;
  const exporter = createExporter();
  opened.defer(() => exporter.close());
  const outgoing = createOutgoing({
    allowed: config.allowedNetworks,
    onNoConnection: (host, reason) =>
      log.debug({ host, reason }, 'could not connect to a host that an owner configured'),
  });
  opened.defer(() => outgoing.close());
  const background = createBackground((error) =>
    log.warn(
      { err: error },
      'background work failed (one of: recording the use of a session or key, recording a refused sign-in, checking links)',
    ),
  );
  opened.defer(async () => void (await background.drained()));
  const isDemo = await isDemoDatabase(db);
  const mailer = createServiceMailer(context, log, isDemo);
  opened.defer(() => mailer.close());
  const mailGate = createMailGate(context, (error) =>
    log.warn({ err: error }, 'the number of used emails was not written'),
  );
  opened.defer(() => mailGate.close());
  const pictureEncoder = createPictureEncoder({
    onFailure: (reason) => log.error({ reason }, 'a picture could not be processed'),
  });
  opened.defer(() => pictureEncoder.close());
  const reserve =
    config.databaseUrl === null
      ? watchDiskReserve(config.dataDir, reportDiskSpace(log, baseUrlOf(config) + docsOfCheck('disk')))
      : null;
  opened.defer(() => reserve?.close());
  const diskIsFull = reserve?.isFull ?? (() => false);
  const recorder = createAttemptRecorder(context, {
    mayGrow: () => !diskIsFull(),
    onFailure: (error) => log.warn({ err: error }, 'the request log was not written'),
  });
  opened.defer(() => recorder.close());
  const visits = createVisitCounter(context, {
    mayGrow: () => !diskIsFull(),
    onFailure: (error) => log.warn({ err: error }, 'visits to listings were not written'),
  });
  opened.defer(() => visits.close());
  const metrics = createMetrics();
  metrics.total(
    'claimcheck_unrecorded_calls_total',
    'Calls to verify, answered or refused, that were not recorded in the request log.',
    () => recorder.unrecorded(),
  );
  const verifyMetrics = createVerifyMetrics(metrics);
  const verifier = createVerifier(db, now, verifyMetrics);
  verifyMetrics.showWaiting(verifier.waiting);
  const securityLog = createSecurityLog((bindings, message) => log.warn(bindings, message));
  return {
    background,
    claimQueue: createClaimQueue(context),
    context,
    groupedTransaction: createGroupedTransaction(context.db),
    exporter,
    findIntended: async (path: string) => {
      const offerId = offerOfClaimPage(path);
      if (offerId === undefined || !isUuid(offerId)) return null;
      const [offer = null] = await readOfferNames(db.read, [offerId]);
      // The mail may go to anybody, so it names only offers that everybody may see.
      const isVisible =
        offer !== null && mayView(await readStrangerRights(db.read), { ...offer, id: offer.listing_id });
      return isVisible ? offer : null;
    },
    hasProvider: config.oidc.providers.length > 0,
    isOidcOnly: config.oidc.isOnly,
    operatorIssuers: config.oidc.providers.flatMap(({ operatorClaim, issuer }) =>
      operatorClaim === null ? [] : issuerSpellings(issuer),
    ),
    diskIsFull,
    isDemo,
    log,
    mailer,
    mailGate,
    metrics,
    onUnknownKeys: (network: string, requestId: string) =>
      securityLog('unknown_keys', { network, requestId }),
    outgoing,
    pictureEncoder,
    uploads: createUploads(),
    readOpenApps: createOpenApps(context),
    readSettled: createReadSettled(db, now),
    recorder,
    securityLog,
    unknownKeys: createUnknownKeyLimit(
      config.verifyRateLimit === 0 ? 0 : UNKNOWN_KEYS_PER_SECOND,
      await listUsedKeyHashes(db.read, MAX_GOOD_KEYS),
    ),
    verifier,
    verifyMetrics,
    visits,
  };
}

const createServiceMailer = (context: OpenContext, log: Logger, isDemo: boolean) =>
  createMailer(context, {
    smtpUrl: context.config.smtpUrl,
    isDemo,
    from: context.config.mailFrom,
    onFailure: (error) => log.error({ err: error }, 'an email could not be stored or sent'),
    onAttemptFailed: ({ mailId, attempts, sentence, isLast }) =>
      log.warn(
        {
          mailId,
          attempts,
          reason: sentence,
          docs: baseUrlOf(context.config) + docsOfCheck('mail delivery'),
        },
        isLast ? 'an email was not sent' : 'an email was not accepted; sending will be retried',
      ),
  });

const reportDiskSpace =
  (log: Logger, docs: string): Parameters<typeof watchDiskReserve>[1] =>
  (isFull, { freeBytes, reservedBytes }) => {
    const bindings = { freeBytes, reservedBytes, docs };
    if (!isFull) log.info(bindings, 'the disk has room again: all requests are accepted');
    else
      log.error(
        bindings,
        'the disk is nearly full: until there is room, only redemptions, sign-outs, changes by operators at the desk, and API calls that stop abuse may write',
      );
  };

const UNTRUSTED =
  'requests from this address have forwarding headers, but TRUSTED_PROXIES does not name the address: if it belongs to your proxy, per-address limits treat all clients of the proxy as one';

const WARNINGS: Readonly<Record<ProxyFault, string>> = {
  untrusted: UNTRUSTED,
  'untrusted elsewhere': UNTRUSTED,
  unreadable:
    'the client address that this trusted proxy sends cannot be read: per-address limits treat all of its clients as one',
  unnamed: 'this trusted proxy sends no X-Forwarded-For: per-address limits treat all of its clients as one',
  'other address':
    'people reach the service through this proxy under a host name other than the one in BASE_URL, but share links, QR codes and emails lead to BASE_URL',
};

/** Deletes the findings of earlier runs, then logs and stores new ones. `baseUrl`: see `ProxyWatchOptions`. */
export async function reportProxies(
  { db, now }: Context,
  baseUrl: () => string,
  log: Logger,
): Promise<ProxyWatch> {
  // A full disk, for example, must not prevent startup.
  await forgetProxyFindings(db).catch((error) =>
    log.warn({ err: error }, 'the proxy findings of earlier runs could not be deleted'),
  );
  return watchProxies({
    baseUrl,
    onFound: (report) => {
      const { fault, ...bindings } = report;
      const docs = docsOfSetting(WARNINGS[fault]) ?? docsOfCheck('proxies');
      log.warn({ ...bindings, docs: baseUrl() + docs }, WARNINGS[fault]);
      if (fault === 'untrusted elsewhere') return;
      rememberProxyFinding(db, { ...report, seenAt: new Date(now()).toISOString() }).catch((error) =>
        log.warn({ err: error }, 'a finding about a proxy could not be stored'),
      );
    },
  });
}
