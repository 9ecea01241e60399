import type { Metrics } from '../../http/metrics.ts';

/** Upper bounds in seconds. */
const LATENCY_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export interface VerifyMetrics {
  /** One answered call: the outcome's `status` or the problem's `code`. */
  count(outcome: string, latencyUs: number): void;
  /** A fixed token was answered: its outcome says nothing about claims or about the service. */
  countFixed(): void;
}

export function createVerifyMetrics(metrics: Metrics): VerifyMetrics {
  const outcome = metrics.counts(
    'claimcheck_verifications_total',
    'Answered verifications by outcome or error code; `fixed_token` for those of fixed test tokens.',
    'outcome',
  );
  const latency = metrics.histogram(
    'claimcheck_verification_seconds',
    'From the arrival of the headers of a verification to its answer.',
    LATENCY_BUCKETS_S,
  );
  return {
    count(name, latencyUs) {
      outcome(name);
      latency(latencyUs / 1e6);
    },
    countFixed: () => outcome('fixed_token'),
  };
}
