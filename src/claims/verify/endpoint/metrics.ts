import { errorsOf } from '../../../platform/http/operations/operation.ts';
import type { Metrics } from '../../../platform/http/server/metrics.ts';
import { claim, VERIFY_CLAIM } from './operation.ts';

const LATENCY_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const BATCH_SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const BATCH_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];

export type VerifyMetrics = ReturnType<typeof createVerifyMetrics>;

export function createVerifyMetrics(metrics: Metrics) {
  const outcomes = metrics.counts(
    'claimcheck_verifications_total',
    'Verifications by outcome or error code; `fixed_token` for fixed test tokens.',
    'outcome',
    [...claim.shape.status.options, 'not_found', ...Object.keys(errorsOf(VERIFY_CLAIM))],
  );
  const latency = metrics.histogram(
    'claimcheck_verification_seconds',
    'Time from the arrival of the headers to the response.',
    LATENCY_BUCKETS_S,
  );
  const batchSize = metrics.histogram(
    'claimcheck_batch_size',
    'Verifications in a batch.',
    BATCH_SIZE_BUCKETS,
  );
  const batchSeconds = metrics.histogram(
    'claimcheck_batch_seconds',
    'Time from the start of a batch until it is durable.',
    BATCH_BUCKETS_S,
  );
  return {
    batch: (size: number, milliseconds: number): void => {
      batchSize(size);
      batchSeconds(milliseconds / 1_000);
    },
    showWaiting: (waiting: () => number): void =>
      metrics.gauge('claimcheck_verifications_waiting', 'Verifications waiting for a batch.', waiting),
    /** `outcome`: a `status`, or a problem's `code`. */
    count: (outcome: string, latencyUs: number): void => {
      outcomes(outcome);
      latency(latencyUs / 1e6);
    },
    /** Counted separately, because outcomes of fixed tokens say nothing about claims or the service. */
    countFixed: (): void => outcomes('fixed_token'),
  };
}
