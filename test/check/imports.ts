/**
 * Checks the layout of `src/`. Each file belongs to a part, and the part determines what the file may import and
 * contain. `docs/ARCHITECTURE.md` describes the same layout.
 */
import { posix } from 'node:path';

/** A domain may import only domains before it in this list. */
const DOMAINS = [
  'events',
  'brand',
  'mail',
  'accounts',
  'keys',
  'members',
  'pictures',
  'listings',
  'offers',
  'campaigns',
  'attempts',
  'claims',
  'webhooks',
  'link-checks',
  'people',
  'system',
  'notices',
];

/**
 * The only domains that import each other. A change to an offer locks the listing and increments the listing's version.
 * A decision on a listing publishes or restores the links of the listing's offers.
 */
const BOTH_WAYS = ['listings', 'offers'];

/** The only domain file that the configuration may import: it has the parsers for the brand's settings. */
const BRAND = 'src/base/brand/brand.ts';

/** Folders of pages, one for each audience. */
const AUDIENCES = ['market', 'dashboard', 'desk', 'account', 'docs'];

/** Files with the hand-written SQL of verifications. */
const ENGINE_PROGRAM = /^src\/claims\/verify\/(?:citus|engines)\//;

/** Domain folders in which a file that imports `http` or an adapter is itself an adapter. */
const WITH_ADAPTERS = /^src\/claims\/(?:verify|export)\//;

/** The only files allowed directly in `src/`. */
const TOP_FILES = ['main', 'app', 'config', 'context', 'errors'];

/** Files and folders that every part may import. */
const VOCABULARY = ['colour', 'errors', 'languages', 'network', 'process', 'secrets', 'text'];

type Part =
  | 'main'
  | 'app'
  | 'config'
  | 'context'
  | 'vocabulary'
  | 'cli'
  | 'demo'
  | 'operator-api'
  | 'http'
  | 'ui'
  | 'store'
  | 'jobs'
  | 'page'
  | 'adapter'
  | 'verb'
  | 'queries'
  | 'engine program'
  | 'noun';

/** Parts that have a folder with the same name. */
const FOLDERS: readonly Part[] = [
  'cli',
  'demo',
  'operator-api',
  'http',
  'ui',
  'store',
  'jobs',
  'app',
  'config',
];

const DOMAIN_PARTS: readonly Part[] = ['verb', 'queries', 'noun'];

/** What each part may import besides its own files and the vocabulary. */
const MAY_IMPORT: Readonly<Record<Part, readonly Part[]>> = {
  main: ['cli', 'app', 'config'],
  cli: ['demo', 'app', 'operator-api', 'config', 'context', ...DOMAIN_PARTS, 'store', 'http', 'jobs'],
  demo: ['context', ...DOMAIN_PARTS, 'engine program', 'store', 'http'],
  app: [
    'config',
    'context',
    'page',
    'operator-api',
    'adapter',
    ...DOMAIN_PARTS,
    'engine program',
    'store',
    'http',
    'ui',
    'jobs',
  ],
  'operator-api': ['context', 'adapter', ...DOMAIN_PARTS, 'store', 'http'],
  page: ['context', 'adapter', ...DOMAIN_PARTS, 'store', 'http', 'ui', 'jobs'],
  adapter: ['context', ...DOMAIN_PARTS, 'store', 'http'],
  verb: ['context', 'queries', 'noun', 'engine program', 'store', 'jobs'],
  queries: ['noun', 'store'],
  'engine program': ['noun', 'store'],
  noun: ['store'],
  context: ['noun', 'store'],
  http: ['ui'],
  jobs: ['store', 'http', 'context'],
  ui: [],
  store: [],
  config: [],
  vocabulary: [],
};

/**
 * Parts that may open transactions. Among the parts of a domain, only verbs may, because a change and its event must
 * share a transaction.
 */
const OPEN_TRANSACTIONS: readonly Part[] = ['verb', 'store', 'jobs'];
const HOLD_SQL: readonly Part[] = ['engine program', 'store'];
const MARKUP_FOLDERS = [...AUDIENCES, 'ui', 'http'];

/** Matches a call that opens a transaction, except `read.transaction().execute(…)`, because that call only reads. */
const TRANSACTION = /\.transaction\((?!\))/;
const SQL =
  /\bsql(?:<[^`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bclient\.query\(|\.prepare\(/;

/** Matches comparisons with the name of an engine. With such comparisons, a new engine could take the wrong branch. */
const ENGINE_BY_NAME =
  /\bengine\b\s*[!=]==?|[!=]==?\s*(?:engine\b|'(?:sqlite|postgres|citus)')|\bcase '(?:sqlite|postgres|citus)'/;

/** Only these folders and the files in `NAME_CITUS` may mention Citus. */
const OF_CITUS = ['src/platform/store/citus/', 'src/claims/verify/citus/'];
/** Files that choose or describe engines. */
const NAME_CITUS = [
  'src/claims/verify/engines/verifier.ts',
  'src/app/cli/migrate.ts',
  'src/pages/docs/guide.ts',
  'src/platform/store/batch.ts',
  'src/platform/store/database.ts',
  'src/platform/store/dialects.ts',
  'src/platform/store/open.ts',
];
const CITUS = /citus|shard/i;
const RECORD_BY_ENGINE = /\bRecord<\s*Engine,/;
const KEY_OF_CITUS = /\bcitus: /g;

const namesCitus = (text: string): boolean =>
  CITUS.test(RECORD_BY_ENGINE.test(text) ? text.replace(KEY_OF_CITUS, '') : text);

export interface SourceFile {
  /** Relative to the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Returns the violations. Each violation starts with the name of the broken rule. Ignores test files. */
export function layoutFaults(files: readonly SourceFile[]): readonly string[] {
  const sources = files.filter(({ path }) => !/\.test\.tsx?$/.test(path));
  const imports = new Map(sources.map(({ path, text }) => [path, importedPaths(path, text)]));
  const partOf = readParts(imports);
  return [
    ...sources.flatMap((file) => faultsOfFile(file, imports.get(file.path) ?? [], partOf)),
    ...circularImports(imports).map((loop) => `circle: ${loop.join(' -> ')}`),
  ];
}

type PartOf = (path: string) => Part | null;

function faultsOfFile(
  { path, text }: SourceFile,
  targets: readonly string[],
  partOf: PartOf,
): readonly string[] {
  const part = partOf(path);
  if (part === null) return [`layout: ${path} belongs to no part`];
  const folder = folderOf(path);
  const faults: string[] = [];
  if (path.endsWith('.tsx') && !MARKUP_FOLDERS.includes(folder)) {
    faults.push(`markup: ${path} contains markup; pages belong in ${AUDIENCES.join(', ')}`);
  }
  if (TRANSACTION.test(text) && !OPEN_TRANSACTIONS.includes(part)) {
    faults.push(`transaction: ${path} (${part}) opens a transaction; changes belong in a verb`);
  }
  if (SQL.test(text) && !isQueries(path) && !HOLD_SQL.includes(part)) {
    faults.push(`sql: ${path} (${part}) contains SQL, which belongs in a queries file`);
  }
  if (ENGINE_BY_NAME.test(text)) {
    faults.push(`engine: ${path} compares engines by name; use a Record<Engine, …>`);
  }
  if (namesCitus(text) && !NAME_CITUS.includes(path) && !OF_CITUS.some((start) => path.startsWith(start))) {
    faults.push(`citus: ${path} mentions Citus or shards; code for Citus belongs in ${OF_CITUS.join(', ')}`);
  }
  for (const target of targets) {
    const rule = brokenRule({ path, part }, { path: target, part: partOf(target) });
    if (rule !== null) faults.push(`${rule}: ${path} (${part}) must not import ${target}`);
  }
  return faults;
}

interface Placed {
  readonly path: string;
  readonly part: Part | null;
}

/** Returns the rule that an import breaks, or `null` if the import is allowed. */
function brokenRule(file: Placed & { readonly part: Part }, target: Placed): string | null {
  if (target.part === null) return 'layout';
  const from = folderOf(file.path);
  const to = folderOf(target.path);
  if (AUDIENCES.includes(from) && AUDIENCES.includes(to) && from !== to) return 'audience';
  if (DOMAINS.indexOf(from) < DOMAINS.indexOf(to) && DOMAINS.includes(from)) {
    const isAllowed = BOTH_WAYS.includes(from) && BOTH_WAYS.includes(to);
    if (!isAllowed) return 'order';
  }
  const isFirstBrand = file.part === 'config' && target.path === BRAND;
  const isFree = target.part === file.part || target.part === 'vocabulary' || isFirstBrand;
  return isFree || MAY_IMPORT[file.part].includes(target.part) ? null : 'arrow';
}

const isQueries = (path: string): boolean => /\/(?:[a-z-]+-)?queries\.ts$/.test(path);

/** Returns whether the file defines an operation of the API. */
const isOperation = (path: string): boolean => /\/(?:[a-z-]+-)?operation\.ts$/.test(path);

const folderOf = (path: string): string => path.split('/')[1] ?? '';

const ONLY_COMPUTE: readonly (Part | null)[] = ['vocabulary', 'store', 'noun'];

/** Returns a function that finds the part of a file. In domain folders, the part depends on the file's imports. */
function readParts(imports: ReadonlyMap<string, readonly string[]>): PartOf {
  const known = new Map<string, Part>();
  const partOf: PartOf = (path) => {
    const folder = folderOf(path);
    if (!DOMAINS.includes(folder)) return partByFolder(path, folder);
    const part = known.get(path);
    if (part !== undefined) return part;
    // A preliminary value that ends the recursion for circular imports.
    known.set(path, 'verb');
    known.set(path, domainPart(path, (imports.get(path) ?? []).map(partOf)));
    return known.get(path)!;
  };
  return partOf;
}

function partByFolder(path: string, folder: string): Part | null {
  if (path.split('/').length === 2) {
    const name = folder.replace(/\.tsx?$/, '');
    if (!TOP_FILES.includes(name)) return null;
    return VOCABULARY.includes(name) ? 'vocabulary' : (name as Part);
  }
  if (VOCABULARY.includes(folder)) return 'vocabulary';
  if (AUDIENCES.includes(folder)) return isQueries(path) ? 'queries' : 'page';
  return FOLDERS.find((part) => part === folder) ?? null;
}

/** `imported` contains the parts of the imported files. A noun only computes, without a database or a Context. */
function domainPart(path: string, imported: readonly (Part | null)[]): Part {
  if (isQueries(path)) return 'queries';
  if (ENGINE_PROGRAM.test(path)) return 'engine program';
  const isServed = imported.includes('http') || imported.includes('adapter');
  if (isOperation(path) || (WITH_ADAPTERS.test(path) && isServed)) return 'adapter';
  return imported.every((part) => ONLY_COMPUTE.includes(part)) ? 'noun' : 'verb';
}

/** Returns the paths of all relative imports, re-exports, dynamic imports and worker modules. Includes type imports. */
function importedPaths(path: string, text: string): readonly string[] {
  const specifiers = text.matchAll(
    /(?:\bfrom|\bimport|\bimport\s*\(|\bnew URL\()\s*['"](\.{1,2}\/[^'"]+\.tsx?)['"]/g,
  );
  return [...specifiers].map((match) => posix.join(posix.dirname(path), match[1]!));
}

/** Returns each import cycle once. Includes cycles of type imports. */
function circularImports(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const done = new Set<string>();
  const way: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): void => {
    const at = way.indexOf(path);
    if (at !== -1) circles.push([...way.slice(at), path]);
    if (at !== -1 || done.has(path)) return;
    way.push(path);
    for (const target of imports.get(path) ?? []) visit(target);
    way.pop();
    done.add(path);
  };
  for (const path of imports.keys()) visit(path);
  return circles;
}
