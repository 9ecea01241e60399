/** The process edge, run by being imported: arguments, signals and exit codes. All below gets them passed in. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import { CommanderError } from 'commander';
import { explainFailure } from './cli/failure.ts';
import { GROUPS } from './cli/groups.ts';
import { asSentence, type Io } from './cli/output.ts';
import { createProgram, UsageError } from './cli/program.ts';
import { isWorker } from './workers.ts';

const FAILURE_EXIT_CODE = 1;
const USAGE_EXIT_CODE = 2;
/** What a shell reports for a process that a signal ended: this plus the signal's number. */
const SIGNAL_EXIT_BASE = 128;

/** Runs one command line and ends the process. `args` are those after the name of the program. */
async function main(args: readonly string[]): Promise<void> {
  let exitCode = 0;
  let stop: AbortController | undefined;
  let stopped: NodeJS.Signals | undefined;
  const io: Io = {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    random: randomBytes,
    setExitCode(code) {
      exitCode = code;
    },
    stopSignal() {
      if (stop === undefined) {
        const controller = new AbortController();
        stop = controller;
        for (const name of ['SIGINT', 'SIGTERM'] as const) {
          process.on(name, () => {
            // ctrl-C and supervisors signal all processes at once; a worker stops when its first process says so.
            if (isWorker() && (name === 'SIGINT' || stopped !== undefined)) return;
            if (stopped !== undefined) process.exit(signalExitCode(name));
            stopped = name;
            controller.abort(name);
          });
        }
      }
      return stop.signal;
    },
  };
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader (`| head`) is gone: end as a program that SIGPIPE ends, without a word.
    if (error.code === 'EPIPE') process.exit(signalExitCode('SIGPIPE'));
    fail(`The output cannot be written: ${error.message}`, error);
  });
  // Where nobody reads the words there is nobody to tell.
  process.stderr.on('error', () => {});
  process.on('uncaughtException', (error) => fail(explainFailure(error), error));
  process.on('unhandledRejection', (error) => fail(explainFailure(error), error));

  try {
    await createProgram(io, GROUPS).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      // Help or the version was asked for and has been printed.
    } else if (error instanceof UsageError || error instanceof CommanderError) {
      process.stderr.write(`${asSentence(usageSentence(error))}\n`);
      exitCode = USAGE_EXIT_CODE;
    } else {
      report(explainFailure(error), error);
      exitCode = FAILURE_EXIT_CODE;
    }
  }
  // Ends here whatever handle a library left open, but not before the reader has everything.
  process.stdout.write('', () => process.exit(exitCode));
}

function usageSentence(error: UsageError | CommanderError): string {
  return error instanceof CommanderError && error.code === 'commander.help'
    ? 'Name a command; claimcheck --help lists them.'
    : error.message;
}

function report(sentence: string, error: unknown): void {
  process.stderr.write(`${asSentence(sentence)}\n`);
  const level = process.env['LOG_LEVEL'];
  if ((level === 'debug' || level === 'trace') && error instanceof Error) {
    process.stderr.write(`${error.stack}\n`);
  }
}

function fail(sentence: string, error: unknown): never {
  report(sentence, error);
  process.exit(FAILURE_EXIT_CODE);
}

const signalExitCode = (name: NodeJS.Signals): number => SIGNAL_EXIT_BASE + constants.signals[name];

await main(process.argv.slice(2));
