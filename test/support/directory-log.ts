/**
 * Computes the folder states that a power cut can leave on a file system that persists directory operations in any
 * order. An operation is certain to survive only after the folder has been flushed.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';

interface Node {
  readonly key: string;
  content: Buffer;
}

/** The names that one atomic step changes. `node`: the name's file after the step; `null` if the name was removed. */
type Change = readonly (readonly [name: string, node: Node | null])[];
type Folder = ReadonlyMap<string, Node>;
export type FolderState = ReadonlyMap<string, Buffer>;

type Step = { readonly change: Change; readonly contents: ReadonlyMap<Node, Buffer> } | 'flush';

export interface DirectoryLog {
  /** Records changes made outside `step`. For example, SQLite creates and deletes log files. */
  observe(): void;
  /** Runs a rename, link or removal and records it as one atomic step. */
  step<T>(work: () => T): T;
  /** Records a flush of the folder. */
  flushed(): void;
  /** Number of flushes of the folder so far. */
  flushes(): number;
  /**
   * Returns every state that a power cut can leave. `without`: indexes (from 0) of flushes to ignore, as if the folder
   * had not been flushed.
   */
  states(without?: readonly number[]): FolderState[];
}

export function recordDirectory(folder: string): DirectoryLog {
  const nodes = new Map<string, Node>();
  const read = (): Map<string, Node> => {
    const found = new Map<string, Node>();
    for (const name of fs.readdirSync(folder)) {
      const path = join(folder, name);
      const { ino, birthtimeNs } = fs.statSync(path, { bigint: true });
      // The key includes the creation time, because a new file may reuse the inode number of a deleted file.
      const key = `${ino}:${birthtimeNs}`;
      const node = nodes.get(key) ?? { key, content: Buffer.alloc(0) };
      nodes.set(key, node);
      node.content = fs.readFileSync(path);
      found.set(name, node);
    }
    return found;
  };

  const start = read();
  const startContents = contentsOf(start);
  let current = start;
  const steps: Step[] = [];
  let flushes = 0;

  const note = (change: Change) => {
    if (change.length > 0) steps.push({ change, contents: contentsOf(current) });
  };
  const observe = () => {
    const now = read();
    const changes = differences(current, now);
    current = now;
    for (const change of changes) note([change]);
  };
  return {
    observe,
    step: (work) => {
      observe();
      const result = work();
      const now = read();
      const change = differences(current, now);
      current = now;
      note(change);
      return result;
    },
    flushed: () => {
      observe();
      steps.push('flush');
      flushes += 1;
    },
    flushes: () => flushes,
    states: (without = []) => statesOf(start, startContents, steps, without),
  };
}

const contentsOf = (folder: Folder): ReadonlyMap<Node, Buffer> =>
  new Map([...folder.values()].map((node) => [node, node.content]));

function differences(before: Folder, after: Folder): [string, Node | null][] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => [name, after.get(name) ?? null]);
}

function statesOf(
  start: Folder,
  startContents: ReadonlyMap<Node, Buffer>,
  steps: readonly Step[],
  without: readonly number[],
): FolderState[] {
  const states: FolderState[] = [];
  const contents = new Map(startContents);
  let durable = new Map(start);
  let pending: Change[] = [];
  let flush = 0;
  for (const step of steps) {
    if (step === 'flush') {
      if (!without.includes(flush)) {
        durable = applied(durable, pending);
        pending = [];
      }
      flush += 1;
      continue;
    }
    pending.push(step.change);
    for (const [node, content] of step.contents) contents.set(node, content);
    for (let subset = 0; subset < 2 ** pending.length; subset += 1) {
      const reached = applied(
        durable,
        pending.filter((_, index) => (subset & (2 ** index)) !== 0),
      );
      states.push(new Map([...reached].map(([name, node]) => [name, contents.get(node)!])));
    }
  }
  return states;
}

function applied(folder: Folder, changes: readonly Change[]): Map<string, Node> {
  const result = new Map(folder);
  for (const change of changes) {
    for (const [name, node] of change) {
      if (node === null) result.delete(name);
      else result.set(name, node);
    }
  }
  return result;
}
