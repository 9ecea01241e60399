/** The documentation's example programs, one per language, and what each requires to run. */
import { join } from 'node:path';
import { callScript, converse, type Program } from './conversation.ts';
import { type Command, JACKSON, javaCommand, missingCommand, phpMisses, type Runnable } from './runtimes.ts';
import type { Trial } from './trial.ts';
import { DRIVERS, type Version } from './workshop.ts';

export interface Language extends Runnable {
  /** File name in `docs/snippets/`. */
  readonly file: string;
  start(version: Version, trial: Trial): Promise<Program>;
}

const driver = (name: string): string => join(DRIVERS, name);
const inEnv = ({ env }: Trial, command: readonly string[]): Command => ({ command, env });

/** A language whose driver gets the path of the program as its argument. */
const interpreted = (
  title: string,
  file: string,
  missing: string | null,
  ...command: string[]
): Language => ({
  title,
  file,
  missing,
  start: async (version, trial) =>
    converse(inEnv(trial, [...command, trial.setting.workshop.pathOf(version, file)])),
});

export const LANGUAGES: readonly Language[] = [
  {
    title: 'curl',
    file: 'claimcheck.sh',
    missing: missingCommand('curl'),
    start: async (version, trial) =>
      callScript(inEnv(trial, ['sh', trial.setting.workshop.pathOf(version, 'claimcheck.sh')])),
  },
  interpreted('JavaScript', 'claimcheck.mjs', null, process.execPath, driver('driver.js')),
  interpreted('TypeScript', 'claimcheck.ts', null, process.execPath, driver('driver.js')),
  interpreted('Python', 'claimcheck.py', missingCommand('python3'), 'python3', '-B', driver('driver.py')),
  interpreted('PHP', 'claimcheck.php', phpMisses('curl', 'pcntl'), 'php', driver('driver.php')),
  interpreted('Ruby', 'claimcheck.rb', missingCommand('ruby'), 'ruby', driver('driver.rb')),
  {
    title: 'Go',
    file: 'claimcheck.go',
    missing: missingCommand('go'),
    start: async (version, trial) =>
      converse(inEnv(trial, [join(await trial.setting.workshop.compiledGo(), version)])),
  },
  {
    title: 'Java',
    file: 'Claimcheck.java',
    missing: missingCommand('javac') ?? (JACKSON === null ? 'libjackson2-databind-java' : null),
    start: async (version, trial) => {
      const main = version === 'right' ? 'Driver' : 'wrong.Driver';
      return converse(inEnv(trial, javaCommand(await trial.setting.workshop.compiledJava(), main)));
    },
  },
];
