/** The entry point of the program: importing this module runs it. */
import { randomBytes } from 'node:crypto';
import { fstatSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { createFileOutput } from './app/cli/output.ts';
import { type ProcessIo, reportFailure, runCommandLine } from './app/cli/run.ts';
import { isWorker } from './app/workers.ts';
import { explainFailure, FAILURE_EXIT_CODE, signalExitCode } from './platform/process/failure.ts';

const PARENT_POLL_MS = 250;

async function main(args: readonly string[]): Promise<void> {
  let stop: AbortController | undefined;
  let stopped: NodeJS.Signals | undefined;
  let lostOutputWords: (() => string) | null = null;
  const stdout = openOutput();
  const io: ProcessIo = {
    env: process.env,
    stdin: process.stdin,
    stdout,
    stderr: process.stderr,
    now: Date.now,
    random: randomBytes,
    stopSignal() {
      if (stop === undefined) {
        const controller = new AbortController();
        stop = controller;
        for (const name of ['SIGINT', 'SIGTERM'] as const) {
          process.on(name, () => {
            // Ctrl-C and supervisors signal the primary and its workers. The primary stops its workers with SIGTERM, so
            // a worker ignores SIGINT and repeated SIGTERM.
            if (isWorker() && (name === 'SIGINT' || stopped !== undefined)) return;
            if (stopped !== undefined) process.exit(signalExitCode(name));
            stopped = name;
            controller.abort(name);
          });
        }
        // npm forwards signals to a shell. The shell may exit without forwarding them, and npm itself may be killed.
        // Therefore, this process also stops when its parent exits.
        if (process.env['npm_lifecycle_event'] !== undefined) {
          whenParentEnds(() => {
            stopped ??= 'SIGTERM';
            controller.abort(stopped);
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
      // The reader, for example `head`, has exited. This process exits as if killed by SIGPIPE. If output was lost, the
      // process first writes a message.
      if (words !== undefined) process.stderr.write(`The output was closed: ${words}\n`);
      process.exit(signalExitCode('SIGPIPE'));
    }
    fail(`The output cannot be written (${error.message})${words === undefined ? '' : `: ${words}`}`, error);
  });
  // Ignores write errors, for example EPIPE after stderr was closed.
  process.stderr.on('error', () => {});
  process.on('uncaughtException', (error) => fail(explainFailure(error), error));
  process.on('unhandledRejection', (error) => fail(explainFailure(error), error));

  const exitCode = await runCommandLine(args, io);
  // Flushes stdout, then exits even if a library left a handle open.
  stdout.write('', () => process.exit(exitCode));
}

/** Calls `act` when the parent process has exited. `process.ppid` changes when the parent exits. */
function whenParentEnds(act: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    act();
  }, PARENT_POLL_MS).unref();
}

const openOutput = (): Writable =>
  fstatSync(process.stdout.fd).isFile() ? createFileOutput(process.stdout.fd) : process.stdout;

function fail(sentence: string, error: unknown): never {
  reportFailure(process, sentence, error);
  process.exit(FAILURE_EXIT_CODE);
}

await main(process.argv.slice(2));
