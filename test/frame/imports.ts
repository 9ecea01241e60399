/**
 * The layout of `src/`: what a file is follows from its folder and its name, and that decides what it may import and
 * hold. `docs/ARCHITECTURE.md` draws the same picture.
 */
import { posix } from 'node:path';

/** A domain may import those before it, never those after it. */
export const DOMAINS = [
  'events',
  'mail',
  'accounts',
  'keys',
  'listings',
  'offers',
  'campaigns',
  'attempts',
  'claims',
  'webhooks',
  'link-checks',
  'system',
];

/**
 * The one pair that imports both ways. An offer is written under the lock of its listing, and the version of the
 * listing counts changes of its offers too; a decision on a listing in turn publishes or restores the links of its
 * offers.
 */
const BOTH_WAYS = ['listings', 'offers'];

/** Pages, one folder for each kind of reader. */
const AUDIENCES = ['market', 'dashboard', 'desk', 'account', 'docs'];

/** Domain files that only compute: they read no database and take no Context. */
const NOUNS = [
  'accounts/account',
  'accounts/authenticator',
  'accounts/cookies',
  'accounts/guessable-password',
  'accounts/one-time-code',
  'accounts/password',
  'accounts/session',
  'attempts/attempt-filter',
  'attempts/cause',
  'campaigns/label',
  'campaigns/share-link',
  'claims/bulk/import-file',
  'claims/bulk/import-row',
  'claims/bulk/lines',
  'claims/bulk/read-ahead',
  'claims/claim',
  'claims/claim-filter',
  'claims/claimant',
  'claims/export/export-input',
  'claims/receipts/receipt',
  'claims/token',
  'claims/verify/batch',
  'claims/verify/body',
  'claims/verify/idempotency-key',
  'claims/verify/verification',
  'events/cursor',
  'events/event-data',
  'keys/key',
  'link-checks/link-check',
  'listings/fields',
  'listings/listing',
  'listings/review',
  'mail/failure',
  'offers/fields',
  'offers/offer',
  'offers/redemption-link',
  'webhooks/endpoint',
  'webhooks/message',
  'webhooks/schedule',
  'webhooks/signing',
];

/** The SQL of a verification, written for each engine by hand. */
const ENGINE_PROGRAMS = [
  'claims/verify/citus/verify-citus',
  'claims/verify/callers',
  'claims/verify/postgres-batch',
  'claims/verify/postgres-reads',
  'claims/verify/program',
  'claims/verify/verify-postgres',
  'claims/verify/verify-sqlite',
];

/** Domain files that speak HTTP or start threads. */
const ADAPTERS = [
  'claims/export/export-thread',
  'claims/export/exporter',
  'claims/verify/answers',
  'claims/verify/authenticate',
  'claims/verify/endpoint',
  'claims/verify/fixed-answers',
  'claims/verify/fixed-tokens',
  'claims/verify/metrics',
  'claims/verify/send-again',
];

/** Files directly in `src/`; every other one there is vocabulary, which every part may import: errors, text, secrets. */
const TOP_FILES: Readonly<Record<string, Part>> = {
  main: 'main',
  api: 'app',
  app: 'app',
  workers: 'app',
  'open-context': 'app',
  config: 'config',
  'secret-key-file': 'config',
  context: 'context',
};

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

/** A change and its event belong in one transaction of one verb, so other parts open no transaction. */
const OPEN_TRANSACTIONS: readonly Part[] = ['verb', 'store', 'jobs'];
const HOLD_SQL: readonly Part[] = ['engine program', 'store'];
const MARKUP_FOLDERS = [...AUDIENCES, 'ui', 'http'];

/** `read.transaction().execute(…)` is for reading, and takes no function. */
const TRANSACTION = /\.transaction\((?!\))/;
const SQL =
  /\bsql(?:<[^`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bclient\.query\(|\.prepare\(/;

/** Code that asks for one engine by name would treat a third engine as the other one, without an error. */
const ENGINE_BY_NAME =
  /\bengine\b\s*[!=]==?|[!=]==?\s*(?:engine\b|'(?:sqlite|postgres|citus)')|\bcase '(?:sqlite|postgres|citus)'/;

/** What knows of Citus, and the files where engines are chosen and described. Everything else can be read without it. */
const OF_CITUS = ['src/store/citus/', 'src/claims/verify/citus/'];
const NAME_CITUS = [
  'src/claims/verify/program.ts',
  'src/claims/verify/verifier.ts',
  'src/cli/migrate.ts',
  'src/docs/guide.ts',
  'src/store/batch.ts',
  'src/store/database.ts',
  'src/store/dialects.ts',
  'src/store/open.ts',
];
const CITUS = /citus|shard/i;
const RECORD_BY_ENGINE = /\bRecord<\s*Engine,/;
const KEY_OF_CITUS = /\bcitus: /g;

const namesCitus = (text: string): boolean =>
  CITUS.test(RECORD_BY_ENGINE.test(text) ? text.replace(KEY_OF_CITUS, '') : text);

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** What is wrong with the layout, a sentence each that begins with the broken rule; test files are left out. */
export function layoutFaults(files: readonly SourceFile[]): readonly string[] {
  const sources = files.filter(({ path }) => !/\.test\.tsx?$/.test(path));
  const imports = new Map(sources.map(({ path, text }) => [path, importedPaths(path, text)]));
  return [
    ...sources.flatMap((file) => faultsOfFile(file, imports.get(file.path) ?? [])),
    ...circularImports(imports).map((loop) => `circle: ${loop.join(' -> ')}`),
  ];
}

/** Names in the lists above without a file. */
export function namesWithoutFile(files: readonly SourceFile[]): readonly string[] {
  const paths = new Set(files.map(({ path }) => path));
  return [...NOUNS, ...ENGINE_PROGRAMS, ...ADAPTERS].filter((name) => !paths.has(`src/${name}.ts`));
}

function faultsOfFile({ path, text }: SourceFile, targets: readonly string[]): readonly string[] {
  const part = partOf(path);
  if (part === null) return [`layout: ${path} has no place`];
  const folder = folderOf(path);
  const faults: string[] = [];
  if (path.endsWith('.tsx') && !MARKUP_FOLDERS.includes(folder)) {
    faults.push(`markup: ${path} makes markup; pages are in ${AUDIENCES.join(', ')}`);
  }
  if (TRANSACTION.test(text) && !OPEN_TRANSACTIONS.includes(part)) {
    faults.push(`transaction: ${path} (${part}) opens one; a change belongs into a verb`);
  }
  if (SQL.test(text) && !isQueries(path) && !HOLD_SQL.includes(part)) {
    faults.push(`sql: ${path} (${part}) holds SQL; it belongs into a queries file`);
  }
  if (ENGINE_BY_NAME.test(text)) {
    faults.push(`engine: ${path} compares engines by name; what differs belongs into a Record<Engine, …>`);
  }
  if (namesCitus(text) && !NAME_CITUS.includes(path) && !OF_CITUS.some((start) => path.startsWith(start))) {
    faults.push(
      `citus: ${path} names Citus or shards; what differs there belongs into ${OF_CITUS.join(', ')}`,
    );
  }
  for (const target of targets) {
    const rule = brokenRule(path, part, target);
    if (rule !== null) faults.push(`${rule}: ${path} (${part}) must not import ${target}`);
  }
  return faults;
}

/** The rule that an import breaks; `null` for one that is allowed. */
function brokenRule(path: string, part: Part, target: string): string | null {
  const targetPart = partOf(target);
  if (targetPart === null) return 'layout';
  const from = folderOf(path);
  const to = folderOf(target);
  if (AUDIENCES.includes(from) && AUDIENCES.includes(to) && from !== to) return 'audience';
  if (DOMAINS.indexOf(from) < DOMAINS.indexOf(to) && DOMAINS.includes(from)) {
    const isAllowed = BOTH_WAYS.includes(from) && BOTH_WAYS.includes(to);
    if (!isAllowed) return 'order';
  }
  const isFree = targetPart === part || targetPart === 'vocabulary';
  return isFree || MAY_IMPORT[part].includes(targetPart) ? null : 'arrow';
}

const isQueries = (path: string): boolean => /\/(?:[a-z-]+-)?queries\.ts$/.test(path);

/** The definition of an operation of the API. */
const isOperation = (path: string): boolean => /\/(?:[a-z-]+-)?operation\.ts$/.test(path);

const folderOf = (path: string): string => path.split('/')[1] ?? '';

function partOf(path: string): Part | null {
  const [top, folder = '', ...rest] = path.split('/');
  if (top !== 'src') return null;
  if (rest.length === 0) return TOP_FILES[folder.replace(/\.tsx?$/, '')] ?? 'vocabulary';
  switch (folder) {
    case 'cli':
    case 'demo':
    case 'operator-api':
    case 'http':
    case 'ui':
    case 'store':
    case 'jobs':
    case 'app':
    case 'config':
      return folder;
  }
  if (AUDIENCES.includes(folder)) return isQueries(path) ? 'queries' : 'page';
  if (!DOMAINS.includes(folder)) return null;
  const name = path.slice('src/'.length).replace(/\.tsx?$/, '');
  if (isQueries(path)) return 'queries';
  if (NOUNS.includes(name)) return 'noun';
  if (ENGINE_PROGRAMS.includes(name)) return 'engine program';
  return ADAPTERS.includes(name) || isOperation(path) ? 'adapter' : 'verb';
}

/** Every relative import, export-from, dynamic import and worker module, types too, as a path from the root. */
function importedPaths(path: string, text: string): readonly string[] {
  const specifiers = text.matchAll(
    /(?:\bfrom|\bimport|\bimport\s*\(|\bnew URL\()\s*['"](\.{1,2}\/[^'"]+\.tsx?)['"]/g,
  );
  return [...specifiers].map((match) => posix.join(posix.dirname(path), match[1]!));
}

/** Files that import each other in a circle, types too; each circle once. */
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
