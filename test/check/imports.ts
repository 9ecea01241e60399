/**
 * Checks the layout of `src/`: which file may import which, and what a file may contain. The zone and folder of a file
 * and, in zones of the domain, its name and imports determine its kind. `docs/ARCHITECTURE.md` describes the zones.
 */
import { posix } from 'node:path';

/** Folders of pages, one for each audience. They don't import each other. */
const AUDIENCES = ['market', 'dashboard', 'desk', 'account', 'docs'];

/** Files and folders of the zone `platform` that every file may import, and that may import each other. */
const VOCABULARY = ['errors', 'colour', 'languages', 'network', 'process', 'secrets', 'text'];

/**
 * The zones, from top to bottom, with their folders. A file imports only from its own zone and the zones below, and
 * within its zone only from its own folder and the folders to the right. `.` stands for the files directly in the zone.
 */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  app: ['cli', 'demo', '.', 'config'],
  api: ['.', 'operator', 'owner', 'public'],
  pages: [...AUDIENCES, 'editor', 'frame', 'ui'],
  background: ['notices', 'system', 'personal-data', 'link-checks', 'webhooks'],
  claims: [
    'verify',
    'import',
    'export',
    'receipts',
    'search',
    'creation',
    'codes',
    'networks',
    'claimants',
    'transfer',
    '.',
    'attempts',
  ],
  marketplace: ['waiting-list', 'campaigns', 'listings', 'offers', 'pictures'],
  people: ['invitations', 'members', 'keys', 'growth', 'visibility', 'sign-in', 'accounts', 'mail'],
  base: ['jobs', 'settings', 'events', '.', 'brand'],
  platform: ['http', 'store', ...VOCABULARY, '.'],
};
const ZONE_NAMES = Object.keys(ZONES);

/**
 * The only folders that import each other. A change to an offer locks the listing and increments the listing's version.
 * A decision on a listing publishes or restores the links of the listing's offers.
 */
const BOTH_WAYS = ['marketplace/listings', 'marketplace/offers'];

const MAIN = 'src/main.ts';
/** The parameters of most verbs. A file that imports it is a verb. */
const CONTEXT = 'src/base/context.ts';
/** The paths of pages. Every file above may import it, and it only computes. */
const PATHS = 'src/base/paths.ts';
/** The only file of the domain that the configuration may import: it has the parsers for the brand's settings. */
const BRAND = 'src/base/brand/brand.ts';

/** Files with the hand-written SQL of verifications. */
const ENGINE_PROGRAM = /^src\/claims\/verify\/(?:citus|engines)\//;

/** Folders of the domain in which a file that imports `http` or an adapter is itself an adapter. */
const WITH_ADAPTERS = /^src\/claims\/(?:verify|export)\//;

type Kind =
  | 'main'
  | 'command'
  | 'demo'
  | 'composition'
  | 'config'
  | 'api'
  | 'page'
  | 'frame'
  | 'ui'
  | 'adapter'
  | 'verb'
  | 'queries'
  | 'engine program'
  | 'noun'
  | 'context'
  | 'jobs'
  | 'http'
  | 'store'
  | 'vocabulary';

/** Folders whose files are all of one kind. */
const KINDS: Readonly<Record<string, Kind>> = {
  'app/cli': 'command',
  'app/demo': 'demo',
  'app/.': 'composition',
  'app/config': 'config',
  'pages/frame': 'frame',
  'pages/ui': 'ui',
  'base/jobs': 'jobs',
  'platform/http': 'http',
  'platform/store': 'store',
};

const DOMAIN_KINDS: readonly Kind[] = ['verb', 'queries', 'noun'];

/** What each kind may import besides its own kind and the vocabulary. */
const MAY_IMPORT: Readonly<Record<Kind, readonly Kind[]>> = {
  main: ['command', 'composition', 'config'],
  command: ['demo', 'composition', 'api', 'config', 'context', ...DOMAIN_KINDS, 'store', 'http', 'jobs'],
  demo: ['context', ...DOMAIN_KINDS, 'engine program', 'store', 'http'],
  composition: [
    'config',
    'api',
    'page',
    'frame',
    'ui',
    'adapter',
    'context',
    ...DOMAIN_KINDS,
    'engine program',
    'jobs',
    'store',
    'http',
  ],
  api: ['context', 'adapter', ...DOMAIN_KINDS, 'page', 'frame', 'store', 'http'],
  page: ['context', 'adapter', ...DOMAIN_KINDS, 'jobs', 'store', 'http', 'frame', 'ui'],
  frame: ['http', 'ui'],
  adapter: ['context', ...DOMAIN_KINDS, 'store', 'http'],
  verb: ['context', 'queries', 'noun', 'engine program', 'store', 'jobs'],
  queries: ['noun', 'store'],
  'engine program': ['noun', 'store'],
  noun: ['store'],
  context: ['noun', 'store'],
  jobs: ['store', 'context'],
  http: [],
  ui: [],
  store: [],
  config: [],
  vocabulary: [],
};

/** Only verbs of the domain open transactions, because a change and its event must share one. */
const OPEN_TRANSACTIONS: readonly Kind[] = ['verb', 'store', 'jobs'];
const HOLD_SQL: readonly Kind[] = ['engine program', 'store'];

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
  'src/claims/verify/verifier.ts',
  'src/app/cli/migrate.ts',
  'src/pages/docs/guide.ts',
  'src/platform/store/batch.ts',
  'src/platform/store/database.ts',
  'src/platform/store/dialects.ts',
  'src/platform/store/open.ts',
  'src/platform/store/move/target.ts',
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

/**
 * Returns the violations. Each starts with the name of the broken rule and says what to do. Ignores test files.
 */
export function layoutFaults(files: readonly SourceFile[]): readonly string[] {
  const sources = files.filter(({ path }) => !/\.test\.tsx?$/.test(path));
  const imports = new Map(sources.map(({ path, text }) => [path, importedPaths(path, text)]));
  const kindOf = readKinds(imports);
  return [
    ...sources.flatMap((file) => faultsOfFile(file, imports.get(file.path) ?? [], kindOf)),
    ...circularImports(imports).map(
      (loop) => `circle: ${loop.join(' -> ')}. Move what two of these files share to a separate file.`,
    ),
  ];
}

type KindOf = (path: string) => Kind | null;

function faultsOfFile(
  { path, text }: SourceFile,
  targets: readonly string[],
  kindOf: KindOf,
): readonly string[] {
  const kind = kindOf(path);
  if (kind === null) return [layoutFault(path)];
  const { zone } = locationOf(path);
  const faults: string[] = [];
  if (path.endsWith('.tsx') && zone !== 'pages') {
    faults.push(`markup: ${path} contains markup. Move it to the zone pages.`);
  }
  if (TRANSACTION.test(text) && !OPEN_TRANSACTIONS.includes(kind)) {
    faults.push(`transaction: ${path} (${kind}) opens a transaction. Call a verb that makes the change.`);
  }
  if (SQL.test(text) && !isQueries(path) && !HOLD_SQL.includes(kind)) {
    faults.push(
      `sql: ${path} (${kind}) contains SQL. Move it to queries.ts or a *-queries.ts file next to it.`,
    );
  }
  if (ENGINE_BY_NAME.test(text)) {
    faults.push(`engine: ${path} compares engines by name. Use a Record<Engine, …>.`);
  }
  if (namesCitus(text) && !NAME_CITUS.includes(path) && !OF_CITUS.some((start) => path.startsWith(start))) {
    faults.push(`citus: ${path} mentions Citus or shards. Move the code to ${OF_CITUS.join(' or ')}.`);
  }
  for (const target of targets) {
    const fault = importFault({ path, kind }, { path: target, kind: kindOf(target) });
    if (fault !== null) faults.push(fault);
  }
  return faults;
}

const layoutFault = (path: string, importer = ''): string =>
  `layout: ${importer}${path} is in no known folder. Move it to one of the folders in ZONES (test/check/imports.ts), or add its folder there, to the left of what it imports.`;

interface FileOfKind {
  readonly path: string;
  readonly kind: Kind | null;
}

/** Returns a sentence about an import that breaks a rule, or `null` if the import is allowed. */
function importFault(file: FileOfKind & { readonly kind: Kind }, target: FileOfKind): string | null {
  if (target.kind === null) return layoutFault(target.path, `${file.path} imports ${target.path}. `);
  const [from, to] = [locationOf(file.path), locationOf(target.path)];
  const subject = `${file.path} must not import ${target.path}`;
  if (ZONE_NAMES.indexOf(from.zone) > ZONE_NAMES.indexOf(to.zone)) {
    return `zone: ${subject}: ${to.zone} is above ${from.zone}. Move what both need to ${from.zone} or below, or let the caller pass it in.`;
  }
  if (isAudience(from) && isAudience(to) && from.folder !== to.folder) {
    return `audience: ${subject}: pages of different audiences share nothing but editor, frame and ui. Move what both need there.`;
  }
  if (target.kind === 'vocabulary' || (file.kind === 'config' && target.path === BRAND)) return null;
  if (from.zone === to.zone && isRightToLeft(from, to)) {
    return `order: ${subject}: in ${from.zone}, ${to.folder} is above ${from.folder} (ZONES in test/check/imports.ts). Move what both need to the lower folder, or let the caller pass it in.`;
  }
  if (target.kind === file.kind) return null;
  return MAY_IMPORT[file.kind].includes(target.kind)
    ? null
    : `kind: ${subject}: a file of the kind “${file.kind}” may import ${MAY_IMPORT[file.kind].join(', ') || 'nothing else'}, not “${target.kind}”.`;
}

interface FileLocation {
  readonly zone: string;
  readonly folder: string;
}

function locationOf(path: string): FileLocation {
  const [, zone = '', folder = '', file] = path.split('/');
  return { zone, folder: file === undefined ? '.' : folder };
}

const isAudience = ({ zone, folder }: FileLocation): boolean =>
  zone === 'pages' && AUDIENCES.includes(folder);

function isRightToLeft(from: FileLocation, to: FileLocation): boolean {
  const isAllowed = [from, to].every(({ zone, folder }) => BOTH_WAYS.includes(`${zone}/${folder}`));
  const order = ZONES[from.zone] ?? [];
  return !isAllowed && order.indexOf(from.folder) > order.indexOf(to.folder);
}

const isQueries = (path: string): boolean => /\/(?:[a-z-]+-)?queries\.ts$/.test(path);

/** Returns whether the file defines an operation of the API. */
const isOperation = (path: string): boolean => /\/(?:[a-z-]+-)?operation\.ts$/.test(path);

const ONLY_COMPUTE: readonly (Kind | null)[] = ['vocabulary', 'store', 'noun'];

/** Returns a function that finds the kind of a file. In zones of the domain, the kind depends on the file's imports. */
function readKinds(imports: ReadonlyMap<string, readonly string[]>): KindOf {
  const kinds = new Map<string, Kind>();
  const kindOf: KindOf = (path) => {
    const { zone, folder } = locationOf(path);
    if (path === MAIN) return 'main';
    if (path === CONTEXT) return 'context';
    if (path === PATHS) return 'vocabulary';
    if (ZONES[zone]?.includes(folder) !== true) return null;
    const kindOfFolder = KINDS[`${zone}/${folder}`];
    if (kindOfFolder !== undefined) return kindOfFolder;
    if (zone === 'api') return 'api';
    if (zone === 'pages') return isQueries(path) ? 'queries' : 'page';
    if (zone === 'platform') return VOCABULARY.includes(nameOf(path, folder)) ? 'vocabulary' : null;
    if (zone === 'base' && folder === '.') return null;
    const kind = kinds.get(path);
    if (kind !== undefined) return kind;
    // A preliminary value that ends the recursion for circular imports.
    kinds.set(path, 'verb');
    kinds.set(path, domainKind(path, (imports.get(path) ?? []).map(kindOf)));
    return kinds.get(path)!;
  };
  return kindOf;
}

const nameOf = (path: string, folder: string): string =>
  folder === '.' ? posix.basename(path).replace(/\.tsx?$/, '') : folder;

/** `imported` contains the kinds of the imported files. A noun only computes, without a database or a Context. */
function domainKind(path: string, imported: readonly (Kind | null)[]): Kind {
  if (isQueries(path)) return 'queries';
  if (ENGINE_PROGRAM.test(path)) return 'engine program';
  const isServed = imported.includes('http') || imported.includes('adapter');
  if (isOperation(path) || (WITH_ADAPTERS.test(path) && isServed)) return 'adapter';
  return imported.every((kind) => ONLY_COMPUTE.includes(kind)) ? 'noun' : 'verb';
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
