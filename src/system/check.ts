import { explainFailure } from '../process/failure.ts';

export interface Check {
  readonly check: string;
  readonly ok: boolean;
  /** Nothing is wrong, but the operator should know it. */
  readonly note?: true;
  /** What was found and, if the check failed, the remedy. */
  readonly detail: string;
}

export const passed = (check: string, detail: string): Check => ({ check, ok: true, detail });
export const noted = (check: string, detail: string): Check => ({ check, ok: true, note: true, detail });
export const failed = (check: string, detail: string): Check => ({ check, ok: false, detail });

/** What `examine` finds; if it fails itself, the check has failed. */
export async function examined(
  check: string,
  examine: () => Promise<Check | readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return [await examine()].flat();
  } catch (error) {
    return [failed(check, explainFailure(error))];
  }
}
