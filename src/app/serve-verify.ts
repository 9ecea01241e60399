/** The verify operation, which the server answers ahead of the framework; its calls go to the request log. */
import type { AttemptRecorder } from '../attempts/recorder.ts';
import { createVerifyEndpoint, type VerifyEndpointOptions } from '../claims/verify/endpoint.ts';
import { createVerifyMetrics } from '../claims/verify/metrics.ts';
import type { Metrics } from '../http/metrics.ts';
import type { OperationHandler } from '../http/server.ts';
import type { OpenContext } from '../open-context.ts';

export interface VerifyParts
  extends Pick<
    VerifyEndpointOptions,
    'verifier' | 'problems' | 'policy' | 'drain' | 'unknownKeys' | 'onUnknownKeys' | 'clientAddress' | 'log'
  > {
  readonly context: OpenContext;
  readonly recorder: AttemptRecorder;
  readonly metrics: Metrics;
}

export function serveVerify({ context, recorder, metrics, ...parts }: VerifyParts): OperationHandler {
  const { config, now } = context;
  return createVerifyEndpoint({
    ...parts,
    rateLimit: config.verifyRateLimit,
    attempts: {
      used: (accountId, keyId) => recorder.touch(accountId, keyId, now()),
      wants: (accountId) => recorder.wants(accountId),
      add: (attempt) => recorder.record({ ...attempt, atMs: now() }),
    },
    onBrowserCall: (call) => recorder.recordBrowserCall(call),
    onWrongMethod: (call) => recorder.recordWrongMethod(call),
    metrics: createVerifyMetrics(metrics),
  });
}
