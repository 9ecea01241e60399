/** What a process ends with. */
import { constants } from 'node:os';

export const FAILURE_EXIT_CODE = 1;
export const USAGE_EXIT_CODE = 2;
/** What a shell reports for a process that a signal ended: this plus the signal's number. */
const SIGNAL_EXIT_BASE = 128;

export const signalExitCode = (name: NodeJS.Signals): number => SIGNAL_EXIT_BASE + constants.signals[name];
