import { CommanderError } from 'commander';
import { settingOf } from '../../platform/process/environment.ts';
import { explainFailure, FAILURE_EXIT_CODE, USAGE_EXIT_CODE } from '../../platform/process/failure.ts';
import { withoutSecrets } from '../../platform/secrets/secrets.ts';
import { escapeUnprintable } from '../../platform/text/text.ts';
import { addBulkCommands } from './claims.ts';
import { UsageError } from './options.ts';
import { asSentence, type Io } from './output.ts';
import { createProgram, type Register } from './program.ts';

const MAX_USAGE_SENTENCE = 300;

/** The part of `Io` that `main.ts` provides. */
export type ProcessIo = Omit<Io, 'setExitCode' | 'settingsFile' | 'target'>;

/** Returns the exit code. Writes failures to stderr as one sentence. `args`: without the program's name. */
export async function runCommandLine(args: readonly string[], processIo: ProcessIo): Promise<number> {
  // The settings file adds to this copy, so that child processes don't inherit its secrets.
  const io = { ...processIo, env: { ...processIo.env } };
  let exitCode = 0;
  const setExitCode = (code: number) => {
    exitCode = code;
  };
  try {
    const groups = await groupsFor(args);
    await createProgram({ ...io, setExitCode }, groups).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      // Help or the version has been printed.
    } else if (error instanceof UsageError || error instanceof CommanderError) {
      io.stderr.write(`${withoutSecrets(asSentence(usageSentence(error)))}\n`);
      exitCode = USAGE_EXIT_CODE;
    } else {
      reportFailure(io, explainFailure(error), error);
      exitCode = FAILURE_EXIT_CODE;
    }
  }
  return exitCode;
}

const BULK_COMMANDS = ['issue', 'import', 'export'];

/** Without the operator API's schemas for bulk work on claims: they take as much memory as the work itself. */
const groupsFor = async ([group, command = '']: readonly string[]): Promise<readonly Register[]> =>
  group === 'claims' && BULK_COMMANDS.includes(command)
    ? [(program, io) => addBulkCommands(program.command('claims'), io)]
    : (await import('./groups.ts')).groupsNamed(group);

/** The message may quote user input, so line breaks are escaped and long messages are truncated. */
function usageSentence(error: UsageError | CommanderError): string {
  const code = error instanceof CommanderError ? error.code : null;
  if (code === 'commander.help') return 'Name a command; claimcheck --help lists all commands.';
  if (code === 'commander.unknownOption' && /'--(?:url|key)\b/.test(error.message)) {
    return 'Put --url and --key before the command: claimcheck --url URL COMMAND.';
  }
  const line = escapeUnprintable(error.message.replace(/\n(?=\(Did you mean )/, ' '));
  return line.length > MAX_USAGE_SENTENCE ? `${line.slice(0, MAX_USAGE_SENTENCE)}….` : line;
}

/** Writes the sentence and, at LOG_LEVEL debug or trace, the stack trace. */
export function reportFailure(
  { env, stderr }: Pick<Io, 'env' | 'stderr'>,
  sentence: string,
  error: unknown,
): void {
  stderr.write(`${withoutSecrets(asSentence(sentence))}\n`);
  const level = settingOf(env, 'LOG_LEVEL');
  if ((level === 'debug' || level === 'trace') && error instanceof Error) {
    stderr.write(`${withoutSecrets(error.stack ?? '')}\n`);
  }
}
