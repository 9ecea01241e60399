import { Command } from 'commander';
import { settingOf } from '../../platform/process/environment.ts';
import { readVersion } from '../../platform/process/version.ts';
import { DEFAULT_DATA_DIR, DEMO_DATA_DIR } from '../config/config.ts';
import { addSettings, exposureOf, readSettingsFile, type SettingsFile } from '../config/settings-file.ts';
import { isWorker } from '../workers.ts';
import { UsageError } from './options.ts';
import type { Io } from './output.ts';
import { readTarget, refuseRemote, type TargetOptions } from './remote.ts';

export type Register = (program: Command, io: Io) => unknown;

export const headingText = (heading: string): string => `${heading}:`;

/** `env`: receives the variables of the settings file before a command runs. */
type ProgramIo = Omit<Io, 'target' | 'settingsFile' | 'env'> & {
  readonly env: Record<string, string | undefined>;
};

export function createProgram(io: ProgramIo, groups: readonly Register[]): Command {
  const program = new Command('claimcheck');
  program
    .description(
      'Claimcheck: a marketplace of offers, and the service that verifies claims on them. Each claim token can be redeemed only once.',
    )
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .addHelpCommand(
      new Command('help')
        .argument('[command]')
        .description('show help for a command')
        .helpGroup(headingText('Reference')),
    )
    .option(
      '--url <base>',
      "run the command on the service at this URL, through the operator's API; put this option before the command, or set CLAIMCHECK_URL",
    )
    .option(
      '--key <key>',
      'the operator key for --url; CLAIMCHECK_KEY is safer, because other users of this machine can see options with ps',
    )
    .option(...ENV_FILE)
    // Some commands have their own --url and --key options, which follow the command name.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // `runCommandLine` prints each error as one sentence.
      writeErr: () => {},
    })
    .exitOverride()
    .configureHelp({ minWidthToWrap: MIN_WIDTH_TO_WRAP, subcommandTerm })
    .addHelpText('after', () => {
      const width = (io.stdout.isTTY && io.stdout.columns) || DEFAULT_WIDTH;
      return HELP_NOTES.map((note) => `\n${program.createHelp().boxWrap(note, width)}`).join('\n');
    });
  const target = () => readTarget(program.opts<TargetOptions>(), io.env);
  let settingsFile: SettingsFile | null = null;
  program.hook('preAction', (_, command) => {
    settingsFile = loadSettings(io, command);
    return refuseRemote(command, pathOf(command), target());
  });
  for (const register of groups) register(program, { ...io, target, settingsFile: () => settingsFile });
  for (const command of program.commands) finish(command, `claimcheck ${command.name()}`);
  return program;
}

/** Width of help without a terminal, in characters. */
const DEFAULT_WIDTH = 80;

/** Descriptions are wrapped if at least this many characters remain for them. */
const MIN_WIDTH_TO_WRAP = 24;

/** Without `[options]`: every command has options. */
const subcommandTerm = (command: Command): string =>
  [
    command.name(),
    ...command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    ),
  ].join(' ');

const HELP_NOTES: readonly string[] = [
  'claimcheck help COMMAND describes a command. Every command takes --json, which prints data as JSON lines on stdout and messages on stderr.',
  'Settings come from the environment or from claimcheck.env in the data folder: see docs/guide/settings.md, or /docs/settings on the service.',
];

const ENV_FILE = [
  '--env-file <file>',
  'file with settings (default: claimcheck.env in the data folder, if it exists)',
] as const;

/** A worker process inherits the settings of the process that started it. The command `init` creates the file. */
function loadSettings({ env, stderr }: ProgramIo, command: Command): SettingsFile | null {
  if (isWorker() || command.name() === 'init') return null;
  const { envFile } = command.optsWithGlobals<{ readonly envFile?: string }>();
  const defaultFolder = command.name() === 'demo' ? DEMO_DATA_DIR : DEFAULT_DATA_DIR;
  const file = readSettingsFile(envFile ?? null, settingOf(env, 'DATA_DIR') ?? defaultFolder);
  if (file === null) return null;
  // The command `doctor` says the same in its table.
  if (file.repair !== null && command.name() !== 'doctor') stderr.write(`${exposureOf(file)}\n`);
  addSettings(env, file);
  return file;
}

const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** Adds `--env-file` and `--json` to commands. Makes groups report a usage error if no command is given. */
function finish(command: Command, path: string): void {
  if (command.commands.length === 0) {
    command.option(...ENV_FILE);
    command.option('--json', 'print data as JSON lines on stdout, messages on stderr');
    return;
  }
  const names = command.commands.map((child) => child.name()).join('|');
  command.exitOverride((error) => {
    if (error.code === 'commander.help') {
      throw new UsageError(`Name a command: ${path} ${names} (${path} --help explains them).`);
    }
    throw error;
  });
  for (const child of command.commands) finish(child, `${path} ${child.name()}`);
}

export function example(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText('after', `\nExample:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
