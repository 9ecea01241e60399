/** `npm test`: runs lint next to the build and the tests. The arguments are those of `vitest run`; without any, all tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

const codeOf = async (child: ChildProcess): Promise<number> => {
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
};

const run = (command: string, args: readonly string[]): Promise<number> =>
  codeOf(spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }));

const lint = spawn('npm run -s lint 2>&1', { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
// Lint uses the processor time that the tests leave.
setPriority(lint.pid!, constants.priority.PRIORITY_LOW);
const linted = codeOf(lint);
const lintOutput = text(lint.stdout);

/** This file exists while `.ci/run` installs tools that the tests need. */
const installing = process.env['CI_INSTALLING'];
const POLL_MS = 100;

const built = await run('npm', ['run', '-s', 'build']);
while (installing !== undefined && existsSync(installing)) await setTimeout(POLL_MS);
const tested = built === 0 ? await run('vitest', ['run', ...process.argv.slice(2)]) : built;

// Printed last, so that it doesn't interrupt the output of the tests.
process.stdout.write(await lintOutput);
process.exitCode = (await linted) || tested;
