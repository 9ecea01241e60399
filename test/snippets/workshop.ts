/** Copies of `docs/snippets/` that call a proxy, in two versions: correct, and with deliberate mistakes. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE_BASE_URL } from '../../src/pages/docs/fill.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { REPOSITORY } from '../support/program.ts';
import { MUTATIONS, mutated } from './mutations.ts';
import { compileGo, compileJava, SPRING } from './runtimes.ts';

export const DRIVERS = join(REPOSITORY, 'test/snippets/drivers');
export const SERVERS = join(REPOSITORY, 'test/snippets/servers');
const SNIPPETS = join(REPOSITORY, 'docs/snippets');

/** `right`: as in the documentation. `wrong`: with the mistakes of `mutations.ts`. */
export type Version = 'right' | 'wrong';
const VERSIONS: readonly Version[] = ['right', 'wrong'];

/** Compiles all programs of a language in one run, because a compiler spends most of its time starting. */
export interface Workshop {
  /** Path of a file from `docs/snippets/`. */
  pathOf(version: Version, file: string): string;
  makeFolder(): string;
  /** Folder with the executables `right` and `wrong`. */
  compiledGo(): Promise<string>;
  /** Folder with the classes `Driver`, `wrong.Driver` and, if Spring is installed, `Server`. */
  compiledJava(): Promise<string>;
  close(): void;
}

export function openWorkshop(baseUrl: string): Workshop {
  const root = makeTemporaryFolder('claimcheck-snippets-');
  const makeFolder = () => makeTemporaryFolder('of-', root);
  // Node.js searches parent folders for modules.
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  for (const version of VERSIONS) mkdirSync(join(root, version));
  for (const file of readdirSync(SNIPPETS)) {
    const text = readFileSync(join(SNIPPETS, file), 'utf8');
    const filled = text.replaceAll(EXAMPLE_BASE_URL, baseUrl);
    // Node.js requires the file extension, which the Next.js page omits.
    writeFileSync(join(root, 'right', file), filled.replace(`'./claimcheck'`, `'./claimcheck.ts'`));
    const mutations = MUTATIONS[file];
    if (mutations !== undefined) writeFileSync(join(root, 'wrong', file), mutated(filled, mutations));
  }
  const pathOf = (version: Version, file: string) => join(root, version, file);
  return {
    pathOf,
    makeFolder,
    compiledGo: once(() => compileGo(layOutGo(makeFolder(), pathOf), VERSIONS)),
    compiledJava: once(() => compileJava(...layOutJava(makeFolder(), pathOf))),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

type Sources = [folder: string, files: readonly string[]];

/** Writes a changed copy of a file and returns the path of the copy. */
function write(from: string, to: string, change = (text: string) => text): string {
  writeFileSync(to, change(readFileSync(from, 'utf8')));
  return to;
}

/** Creates a folder per version, with the program and the driver that calls it. */
function layOutGo(folder: string, pathOf: Workshop['pathOf']): string {
  for (const version of VERSIONS) {
    mkdirSync(join(folder, version, 'claimcheck'), { recursive: true });
    copyFileSync(pathOf(version, 'claimcheck.go'), join(folder, version, 'claimcheck/claimcheck.go'));
    write(join(DRIVERS, 'driver.go'), join(folder, version, 'driver.go'), (text) =>
      text.replace('example.com/right/', `example.com/${version}/`),
    );
  }
  return folder;
}

/** Puts the `wrong` program and its driver into the package `wrong`, so that both versions compile together. */
function layOutJava(folder: string, pathOf: Workshop['pathOf']): Sources {
  const inPackage = (text: string) => `package wrong; ${text}`;
  mkdirSync(join(folder, 'wrong'));
  const files = [
    pathOf('right', 'Claimcheck.java'),
    join(DRIVERS, 'Driver.java'),
    write(pathOf('wrong', 'Claimcheck.java'), join(folder, 'wrong/Claimcheck.java'), inPackage),
    write(join(DRIVERS, 'Driver.java'), join(folder, 'wrong/Driver.java'), inPackage),
  ];
  const page = () => write(pathOf('right', 'page-spring.java'), join(folder, 'WelcomeController.java'));
  return [folder, SPRING === null ? files : [...files, join(SERVERS, 'Server.java'), page()]];
}
