/** The programs of the documentation, one for each language, and what each needs to run. */
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../support/program.ts';
import { callScript, converse, type Program } from './conversation.ts';
import {
  compileDotNet,
  compileGo,
  compileJava,
  DOT_NET,
  dotNetEnv,
  type Env,
  jars,
  missingCommand,
  phpHas,
  type Runnable,
} from './runtimes.ts';

const DRIVERS = join(REPOSITORY, 'test/snippets/drivers');
export const JACKSON = jars('jackson-databind', 'jackson-core', 'jackson-annotations');

export interface Language extends Runnable {
  /** In `docs/snippets/`. */
  readonly file: string;
  /** Builds the program from a folder that has its file; what it answers starts it. */
  build(folder: string, env: Env): Promise<() => Program>;
}

/** Copies the driver of a program beside it. */
function copyDriver(folder: string, name: string): string {
  copyFileSync(join(DRIVERS, name), join(folder, name));
  return join(folder, name);
}

const starting = (command: readonly string[], env: Env) => () => converse(command, env);

const onNode = (title: string, file: string): Language => ({
  title,
  file,
  missing: null,
  build: async (folder, env) =>
    starting([process.execPath, join(DRIVERS, 'driver.js')], { ...env, MODULE: join(folder, file) }),
});

export const LANGUAGES: readonly Language[] = [
  {
    title: 'curl',
    file: 'claimcheck.sh',
    missing: missingCommand('curl'),
    build: async (folder, env) => () => callScript(join(folder, 'claimcheck.sh'), env),
  },
  onNode('JavaScript', 'claimcheck.js'),
  onNode('TypeScript', 'claimcheck.ts'),
  {
    title: 'Python',
    file: 'claimcheck.py',
    missing: missingCommand('python3'),
    build: async (folder, env) => starting(['python3', '-B', copyDriver(folder, 'driver.py')], env),
  },
  {
    title: 'PHP',
    file: 'claimcheck.php',
    missing: missingCommand('php') ?? (phpHas('curl') ? null : 'php-curl'),
    build: async (folder, env) => starting(['php', copyDriver(folder, 'driver.php')], env),
  },
  {
    title: 'Ruby',
    file: 'claimcheck.rb',
    missing: missingCommand('ruby'),
    build: async (folder, env) => starting(['ruby', copyDriver(folder, 'driver.rb')], env),
  },
  {
    title: 'Go',
    file: 'claimcheck.go',
    missing: missingCommand('go'),
    build: async (folder, env) => {
      mkdirSync(join(folder, 'claimcheck'));
      renameSync(join(folder, 'claimcheck.go'), join(folder, 'claimcheck/claimcheck.go'));
      copyDriver(folder, 'driver.go');
      return starting(await compileGo(folder, env), env);
    },
  },
  {
    title: 'Java',
    file: 'Claimcheck.java',
    missing: missingCommand('javac') ?? (JACKSON === null ? 'libjackson2-databind-java' : null),
    build: async (folder, env) => {
      copyDriver(folder, 'Driver.java');
      const files = ['Claimcheck.java', 'Driver.java'];
      return starting(await compileJava(folder, files, 'Driver', JACKSON!, env), env);
    },
  },
  {
    title: 'C#',
    file: 'Claimcheck.cs',
    missing: DOT_NET === null ? 'dotnet' : null,
    build: async (folder, env) => {
      copyDriver(folder, 'Driver.cs');
      const files = ['Claimcheck.cs', 'Driver.cs'];
      const command = await compileDotNet(folder, files, ['Microsoft.NETCore.App'], env);
      return starting(command, { ...env, ...dotNetEnv(folder) });
    },
  },
];
