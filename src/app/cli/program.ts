import { Command } from 'commander';
import { readVersion } from '../../platform/process/version.ts';
import { UsageError } from './options.ts';
import type { Io } from './output.ts';
import { readTarget, refuseRemote, type TargetOptions } from './remote.ts';

export type Register = (program: Command, io: Io) => unknown;

export function createProgram(io: Omit<Io, 'target'>, groups: readonly Register[]): Command {
  const program = new Command('claimcheck');
  program
    .description(
      'Claimcheck: a marketplace of offers, and the service that verifies claims on them. Each claim token can be redeemed only once.',
    )
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .option(
      '--url <base>',
      "run the command on the service at this URL, through the operator's API; put this option before the command, or set CLAIMCHECK_URL",
    )
    .option(
      '--key <key>',
      'the operator key for --url; CLAIMCHECK_KEY is safer, because other users of this machine can see options with ps',
    )
    // Some commands have their own --url and --key options, which follow the command name.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // `runCommandLine` prints each error as one sentence.
      writeErr: () => {},
    })
    .exitOverride()
    .addHelpText(
      'after',
      '\nEvery command takes --json, which prints data as JSON lines on stdout and messages on stderr.\nSettings come from the environment: PORT, HOST, BASE_URL, DATA_DIR, DATABASE_URL, SECRET_KEY and others (see docs/guide/settings.md, or /docs/settings on the service).',
    );
  const target = () => readTarget(program.opts<TargetOptions>(), io.env);
  program.hook('preAction', (_, command) => refuseRemote(command, pathOf(command), target()));
  for (const register of groups) register(program, { ...io, target });
  for (const command of program.commands) finish(command, `claimcheck ${command.name()}`);
  return program;
}

const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** Adds `--json` to commands. Makes groups report a usage error if no command is given. */
function finish(command: Command, path: string): void {
  if (command.commands.length === 0) {
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
