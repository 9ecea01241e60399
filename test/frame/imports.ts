/** The arrows between the parts of `src/`: which file may import which. */
import { posix } from 'node:path';

const DOMAIN_FOLDERS = [
  'accounts',
  'keys',
  'listings',
  'offers',
  'campaigns',
  'claims',
  'attempts',
  'events',
  'mail',
  'system',
  'webhooks',
];

/**
 * What a file is, from its path and, for the domain, from what it imports: a verb touches queries or takes the Context,
 * a noun does neither. `vocabulary` is what everyone may use and what uses nothing: errors, text, secrets.
 */
type Part =
  | 'main'
  | 'app'
  | 'config'
  | 'context'
  | 'vocabulary'
  | 'cli'
  | 'http'
  | 'ui'
  | 'store'
  | 'adapter'
  | 'verb'
  | 'queries'
  | 'noun';

/**
 * `main → cli, app → routes, pages → verbs → queries, nouns → store, errors`, written out. The command line and the
 * adapters may also read a list straight from queries; what changes something goes through a verb (below).
 */
const MAY_IMPORT: Readonly<Record<Part, readonly Part[]>> = {
  main: ['cli', 'app', 'config', 'vocabulary'],
  cli: ['cli', 'app', 'config', 'context', 'verb', 'queries', 'noun', 'store', 'http', 'vocabulary'],
  app: ['app', 'config', 'context', 'adapter', 'verb', 'noun', 'store', 'http', 'ui', 'vocabulary'],
  adapter: ['adapter', 'context', 'verb', 'queries', 'noun', 'store', 'http', 'ui', 'vocabulary'],
  verb: ['verb', 'context', 'queries', 'noun', 'store', 'vocabulary'],
  queries: ['queries', 'noun', 'store', 'vocabulary'],
  noun: ['noun', 'store', 'vocabulary'],
  context: ['noun', 'store', 'vocabulary'],
  http: ['http', 'ui', 'config', 'vocabulary'],
  ui: ['ui', 'vocabulary'],
  store: ['store', 'config', 'vocabulary'],
  config: ['vocabulary'],
  vocabulary: ['vocabulary'],
};

/** A write and its event belong into one transaction of one verb, so these open none. */
const WITHOUT_TRANSACTIONS: readonly (Part | null)[] = ['main', 'cli', 'adapter', 'http', 'ui'];

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** One sentence a forbidden import; test files are left out. */
export function forbiddenImports(files: readonly SourceFile[]): readonly string[] {
  const sources = files.filter(({ path }) => !/\.test\.tsx?$/.test(path));
  const imports = new Map(sources.map(({ path, text }) => [path, importedPaths(path, text)]));
  const partOf = (path: string): Part | null => partOfFile(path, imports.get(path) ?? []);
  return [...imports].flatMap(([path, targets]) => {
    const part = partOf(path);
    if (part === null) return [`${path} has no place in the layout`];
    return targets.flatMap((target) => {
      const targetPart = partOf(target);
      if (targetPart !== null && MAY_IMPORT[part].includes(targetPart)) return [];
      return [`${path} (${part}) must not import ${target} (${targetPart ?? 'outside the layout'})`];
    });
  });
}

/** One sentence a file that opens a transaction though it is no verb. */
export function strayTransactions(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(
      ({ path, text }) => WITHOUT_TRANSACTIONS.includes(partOfFile(path, [])) && /\.transaction\(/.test(text),
    )
    .map(({ path }) => `${path} opens a transaction; a change belongs into a verb`);
}

/** Every relative import, export-from, dynamic import and worker module, types too, as a path from the root. */
function importedPaths(path: string, text: string): readonly string[] {
  const specifiers = text.matchAll(
    /(?:\bfrom|\bimport|\bimport\s*\(|\bnew URL\()\s*['"](\.{1,2}\/[^'"]+\.tsx?)['"]/g,
  );
  return [...specifiers].map((match) => posix.join(posix.dirname(path), match[1]!));
}

function partOfFile(path: string, imports: readonly string[]): Part | null {
  const [top, folder = '', ...rest] = path.split('/');
  if (top !== 'src') return null;
  const file = rest.at(-1);
  if (file === undefined) {
    const name = folder.replace(/\.tsx?$/, '');
    if (name === 'workers' || name === 'open-context') return 'app';
    return name === 'main' || name === 'app' || name === 'config' || name === 'context' ? name : 'vocabulary';
  }
  if (folder === 'cli' || folder === 'http' || folder === 'ui' || folder === 'store') return folder;
  if (!DOMAIN_FOLDERS.includes(folder)) return null;
  // Markup is made by pages alone, whether it stands in their file or in one of its own.
  if (/\.tsx$/.test(file)) return 'adapter';
  if (/^(routes|([a-z-]+-)?pages|[a-z-]+-(endpoint|answers|metrics|openapi|thread))\.tsx?$/.test(file))
    return 'adapter';
  if (isQueries(path)) return 'queries';
  return imports.some((target) => isQueries(target) || target === 'src/context.ts') ? 'verb' : 'noun';
}

const isQueries = (path: string): boolean => /\/([a-z-]+-)?queries\.ts$/.test(path);
