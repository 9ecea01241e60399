/** What a check of a deployment found. */
export interface Check {
  readonly check: string;
  readonly ok: boolean;
  /** Nothing is wrong, and it is worth knowing all the same. */
  readonly note?: true;
  /** What was found; where it is wrong, also what to do. */
  readonly detail: string;
}

export const passed = (check: string, detail: string): Check => ({ check, ok: true, detail });
export const noted = (check: string, detail: string): Check => ({ check, ok: true, note: true, detail });
export const failed = (check: string, detail: string): Check => ({ check, ok: false, detail });
