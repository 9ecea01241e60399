/** Background work: what a job is, and what the database remembers of its runs. */

export interface Job {
  /** In words, as the system page and the log show it, such as `Fold label counts`. */
  readonly name: string;
  /** Time between the starts of two runs, over all processes; it may be a tenth shorter, and a second at most. */
  readonly intervalMs: number;
  /**
   * Whether a run would find work. Writes nothing, so that an idle service writes nothing. A job without it runs at
   * every interval.
   */
  readonly isDue?: (() => Promise<boolean>) | undefined;
  /**
   * Works in short transactions and checks `signal` between two of them: it is aborted when the process stops or has
   * lost the job to another one.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** The last runs of a job, in any process. */
export interface JobReport {
  readonly name: string;
  readonly intervalMs: number;
  readonly startedAt: string;
  /** When it last succeeded; `null` if it never did. */
  readonly finishedAt: string | null;
  /** How long the last run that ended took; `null` if none did. */
  readonly tookMs: number | null;
  /** When it last failed; `null` if it never did. */
  readonly failedAt: string | null;
  readonly runs: number;
  readonly failures: number;
  readonly isRunning: boolean;
}

/** Whether the latest run that ended failed. */
export const hasFailed = ({ failedAt, finishedAt }: Pick<JobReport, 'failedAt' | 'finishedAt'>): boolean =>
  failedAt !== null && (finishedAt === null || failedAt > finishedAt);
