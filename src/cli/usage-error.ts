/** The command line is not valid; the process ends with `USAGE_EXIT_CODE`. */
export class UsageError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UsageError';
  }
}
