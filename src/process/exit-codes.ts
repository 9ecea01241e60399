/** Exit codes of the process. */
import { constants } from 'node:os';

export const FAILURE_EXIT_CODE = 1;
export const USAGE_EXIT_CODE = 2;
/** A shell reports a process ended by a signal as this plus the signal's number. */
const SIGNAL_EXIT_BASE = 128;

export const signalExitCode = (name: NodeJS.Signals): number => SIGNAL_EXIT_BASE + constants.signals[name];
