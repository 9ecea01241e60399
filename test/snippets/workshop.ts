/**
 * The files of `docs/snippets/` with the URL of a proxy filled in, in two versions: one otherwise unchanged, and one
 * with deliberate mistakes.
 */
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
import { EXAMPLE_BASE_URL } from '../../src/docs/fill.ts';
import { makeTemporaryFolder } from '../support/folders.ts';
import { REPOSITORY } from '../support/program.ts';
import { MUTATIONS, mutated } from './mutations.ts';
import { compileDotNet, compileGo, compileJava, SPRING } from './runtimes.ts';

export const DRIVERS = join(REPOSITORY, 'test/snippets/drivers');
export const SERVERS = join(REPOSITORY, 'test/snippets/servers');
const SNIPPETS = join(REPOSITORY, 'docs/snippets');

/** As in the documentation, and with the mistakes of `mutations.ts`. */
export type Version = 'right' | 'wrong';
const VERSIONS: readonly Version[] = ['right', 'wrong'];

/** Compiles all programs of a language together, once: most of a compiler's time is its start. */
export interface Workshop {
  /** Where a file is. */
  pathOf(version: Version, file: string): string;
  /** A new folder. */
  makeFolder(): string;
  /** The folder of the programs `right` and `wrong`. */
  compiledGo(): Promise<string>;
  /** The folder of the classes `Driver`, `wrong.Driver` and, if the machine has Spring, `Server`. */
  compiledJava(): Promise<string>;
  /** Path of the compiled program, whose entry point is `Program.cs`. */
  compiledDotNet(): Promise<string>;
  close(): void;
}

export function openWorkshop(baseUrl: string): Workshop {
  const root = makeTemporaryFolder('claimcheck-snippets-');
  const makeFolder = () => makeTemporaryFolder('of-', root);
  // Node looks for modules in the parent folders.
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  for (const version of VERSIONS) mkdirSync(join(root, version));
  for (const file of readdirSync(SNIPPETS)) {
    const text = readFileSync(join(SNIPPETS, file), 'utf8');
    const filled = text.replaceAll(EXAMPLE_BASE_URL, baseUrl);
    // Node wants the file extension, which the page for Next.js leaves out.
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
    compiledDotNet: once(() => compileDotNet(...layOutDotNet(makeFolder(), pathOf))),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

type Sources = [folder: string, files: readonly string[]];

/** Writes a changed copy of a file, and returns its path. */
function write(from: string, to: string, change = (text: string) => text): string {
  writeFileSync(to, change(readFileSync(from, 'utf8')));
  return to;
}

/** Writes a folder for each version, with the driver and the program that it calls. */
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

/** The wrong program and its driver are in the package `wrong`, so that they can be compiled with the right ones. */
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

/** The wrong program and its driver are in the namespace `Wrong`, so that they can be compiled with the right ones. */
function layOutDotNet(folder: string, pathOf: Workshop['pathOf']): Sources {
  const inNamespace = (text: string) => `namespace Wrong {\n${text}\n}\n`;
  const files = [
    join(SERVERS, 'Program.cs'),
    join(SERVERS, 'Server.cs'),
    join(DRIVERS, 'Driver.cs'),
    pathOf('right', 'Claimcheck.cs'),
    pathOf('right', 'page-aspnet.cs'),
    write(join(DRIVERS, 'Driver.cs'), join(folder, 'Driver.cs'), inNamespace),
    write(pathOf('wrong', 'Claimcheck.cs'), join(folder, 'Claimcheck.cs'), inNamespace),
  ];
  return [folder, files];
}
