/** The process edge, run on import: arguments, signals and exit codes. All other modules get them passed in. */
import { randomBytes } from 'node:crypto';
import { fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { CommanderError } from 'commander';
import { createFileOutput } from './cli/file-output.ts';
import { GROUPS } from './cli/groups.ts';
import { asSentence, type Io } from './cli/output.ts';
import { createProgram, UsageError } from './cli/program.ts';
import { FAILURE_EXIT_CODE, signalExitCode, USAGE_EXIT_CODE } from './exit-codes.ts';
import { explainFailure } from './failure.ts';
import { escapeUnprintable } from './text.ts';
import { isWorker } from './workers.ts';

/** Characters of the sentence about a command line that is not valid. */
const MAX_USAGE_SENTENCE = 300;

/** Runs one command line and ends the process. `args` are those after the name of the program. */
async function main(args: readonly string[]): Promise<void> {
  let exitCode = 0;
  let stop: AbortController | undefined;
  let stopped: NodeJS.Signals | undefined;
  let lostOutputWords: (() => string) | null = null;
  const stdout = openOutput();
  const io: Io = {
    env: process.env,
    stdin: process.stdin,
    stdout,
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
            // ctrl-C and supervisors signal all processes at once; a worker stops when the process that started it says so.
            if (isWorker() && (name === 'SIGINT' || stopped !== undefined)) return;
            if (stopped !== undefined) process.exit(signalExitCode(name));
            stopped = name;
            controller.abort(name);
          });
        }
      }
      return stop.signal;
    },
    onLostOutput(words) {
      lostOutputWords = words;
    },
  };
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    const words = lostOutputWords?.();
    if (error.code === 'EPIPE') {
      // The reader (`| head`) is gone: end as SIGPIPE would, silently unless something is lost.
      if (words !== undefined) process.stderr.write(`The output was closed: ${words}\n`);
      process.exit(signalExitCode('SIGPIPE'));
    }
    fail(`The output cannot be written (${error.message})${words === undefined ? '' : `: ${words}`}`, error);
  });
  // stderr is closed; ignore EPIPE.
  process.stderr.on('error', () => {});
  process.on('uncaughtException', (error) => fail(explainFailure(error), error));
  process.on('unhandledRejection', (error) => fail(explainFailure(error), error));

  try {
    await createProgram(io, GROUPS).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      // Help or the version has been printed.
    } else if (error instanceof UsageError || error instanceof CommanderError) {
      process.stderr.write(`${asSentence(usageSentence(error))}\n`);
      exitCode = USAGE_EXIT_CODE;
    } else {
      report(explainFailure(error), error);
      exitCode = FAILURE_EXIT_CODE;
    }
  }
  // Ends even if a library left a handle open, but only once the reader has everything.
  stdout.write('', () => process.exit(exitCode));
}

const openOutput = (): Writable =>
  fstatSync(process.stdout.fd).isFile() ? createFileOutput(process.stdout.fd) : process.stdout;

/** It repeats typed text, which must neither break the line nor fill the screen. */
function usageSentence(error: UsageError | CommanderError): string {
  if (error instanceof CommanderError && error.code === 'commander.help') {
    return 'Name a command; claimcheck --help lists them.';
  }
  const line = escapeUnprintable(error.message.replace(/\n(?=\(Did you mean )/, ' '));
  return line.length > MAX_USAGE_SENTENCE ? `${line.slice(0, MAX_USAGE_SENTENCE)}….` : line;
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

await main(process.argv.slice(2));
