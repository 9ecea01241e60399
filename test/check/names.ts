/**
 * Finds declared names that say nothing about what they hold, and words that stood for several things. `CONTRIBUTING.md`
 * lists the words to use instead.
 */
import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';

const SAY_WHAT_IT_HOLDS = 'what it holds, such as claim, existingClaim, newOffer or visibleColumns';

/** Not allowed as a whole name, for values and types. */
const WHOLE_NAMES: Readonly<Record<string, string>> = {
  asked: 'changeRequest, or what was requested',
  found: SAY_WHAT_IT_HOLDS,
  goon: 'what continues, such as continueAfterSignIn',
  kept: SAY_WHAT_IT_HOLDS,
  known: SAY_WHAT_IT_HOLDS,
  made: SAY_WHAT_IT_HOLDS,
  many: 'countText, or what there is more than one of',
  naming: SAY_WHAT_IT_HOLDS,
  shown: SAY_WHAT_IT_HOLDS,
  taken: SAY_WHAT_IT_HOLDS,
  told: SAY_WHAT_IT_HOLDS,
  took: 'elapsedMs',
  wanted: SAY_WHAT_IT_HOLDS,
  whose: 'scope, or the filter that it is',
};

/** Not allowed as a word within a name: `place`, `createShardCache`, `PAIR_COLUMNS`. */
const WORDS: Readonly<Record<string, string>> = {
  admission: 'authorization, or semaphore',
  admit: 'authorize, enqueue, or require followed by the condition',
  admitted: 'authorized',
  book: 'the noun of what is stored, such as visitorStore',
  crowd: 'grouped, as in grouped transaction',
  judge: 'settle, or decide',
  lane: 'queue, as in fair queue',
  lanes: 'queues, as in fair queue',
  place: 'slot, cursor, index, rank, section, shard, or workAccount',
  places: 'slots, cursors, indexes, ranks, sections, shards, or workAccounts',
  room: 'diskIsFull, claimsLeft, quota, or padding',
  spread: 'fanOut',
};

/** Phrases that contain a word with its usual meaning. */
const PHRASES = /InPlace\b|IN_PLACE\b/;

/** Types of stored data, such as columns and the data of events, whose names can't change. */
const STORED = /^src\/(?:platform\/store\/tables|base\/events\/catalogue)\//;
/** Members of other stored data, by file. */
const STORED_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'src/platform/http/server/watch-proxies.ts': ['found'],
  'src/platform/store/settings.ts': ['found'],
  'src/marketplace/listings/review.ts': ['asked'],
};

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [name: string]: unknown;
}

export interface BadName {
  readonly name: string;
  /** File and line, for example `src/claims/creation/issue.ts:67`. */
  readonly at: string;
  readonly advice: string;
}

/** Checks all source files except tests, in order of path and position. */
export const badNames = (root: string): readonly BadName[] =>
  globSync('src/**/*.{ts,tsx}', { cwd: root })
    .filter((path) => !/\.test\.tsx?$|\.d\.ts$/.test(path) && !STORED.test(path))
    .toSorted()
    .flatMap((path) => badNamesIn(path, readFileSync(`${root}${path}`, 'utf8')));

export function badNamesIn(path: string, source: string): readonly BadName[] {
  const names: BadName[] = [];
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    if (isNode(node)) {
      for (const { name, start } of declaredBy(node)) {
        const advice = adviceOn(name);
        if (advice !== null && !STORED_MEMBERS[path]?.includes(name)) {
          names.push({ name, at: `${path}:${source.slice(0, start).split('\n').length}`, advice });
        }
      }
    }
    for (const part of Object.values(node)) visit(part);
  };
  visit(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body);
  return names;
}

const isNode = (node: object): node is Node => typeof (node as Node).type === 'string';

export function adviceOn(name: string): string | null {
  const whole = name.toLowerCase();
  if (Object.hasOwn(WHOLE_NAMES, whole)) return WHOLE_NAMES[whole]!;
  if (PHRASES.test(name)) return null;
  for (const word of name.split(/(?<=[a-z0-9])(?=[A-Z])|_/)) {
    if (Object.hasOwn(WORDS, word.toLowerCase())) return WORDS[word.toLowerCase()]!;
  }
  return null;
}

type Declared = readonly { readonly name: string; readonly start: number }[];

/** The names that a node declares. Properties of object literals are not declared, because a type declares them. */
function declaredBy(node: Node): Declared {
  switch (node.type) {
    case 'VariableDeclarator':
      return namesIn(node['id']);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
      return [...namesIn(node['id']), ...parametersOf(node)];
    case 'ArrowFunctionExpression':
    case 'TSFunctionType':
    case 'TSDeclareFunction':
      return parametersOf(node);
    case 'TSMethodSignature':
      return [...namesIn(node['key']), ...parametersOf(node)];
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return namesIn(node['id']);
    case 'TSPropertySignature':
    case 'PropertyDefinition':
    case 'MethodDefinition':
      return namesIn(node['key']);
    default:
      return [];
  }
}

const parametersOf = (node: Node): Declared =>
  ((node['params'] as readonly unknown[] | undefined) ?? []).flatMap(namesIn);

/** The names in an identifier or a pattern, such as `{ id, name: title, ...rest }`. */
function namesIn(node: unknown): Declared {
  if (node === null || typeof node !== 'object' || !isNode(node)) return [];
  switch (node.type) {
    case 'Identifier':
      return [{ name: node['name'] as string, start: node.start }];
    case 'ObjectPattern':
      return (node['properties'] as readonly Node[]).flatMap((one) => namesIn(one['value'] ?? one));
    case 'ArrayPattern':
      return (node['elements'] as readonly unknown[]).flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(node['left']);
    case 'RestElement':
      return namesIn(node['argument']);
    default:
      return [];
  }
}

/** All words that the check refuses. */
export const REFUSED_WORDS = [...Object.keys(WHOLE_NAMES), ...Object.keys(WORDS)];
