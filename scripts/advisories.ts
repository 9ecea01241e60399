/**
 * `npm run advisories`: asks the npm registry for known vulnerabilities of the locked packages. Exits with 1 if there
 * are vulnerabilities, and with 2 if the registry doesn't respond.
 */
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

interface Verdict {
  readonly exitCode: 0 | 1 | 2;
  readonly sentences: readonly string[];
}

interface Audit {
  readonly message?: string;
  readonly error?: { readonly summary?: string };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
  readonly metadata?: { readonly dependencies?: { readonly total?: number } };
}

/** The registry doesn't say which packages its database knows. */
const NOT_COVERED =
  'Not covered: packages that the database of the registry does not know, Node, PostgreSQL, and the images in Dockerfile and the Compose files.';

/** `output`: the output of `npm audit --json`. The output has no `vulnerabilities` if the registry did not respond. */
export function verdictOf(output: string): Verdict {
  let audit: Audit;
  try {
    audit = JSON.parse(output) as Audit;
  } catch {
    audit = {};
  }
  const { vulnerabilities, metadata, message, error } = audit;
  if (vulnerabilities === undefined) {
    const reason = message ?? error?.summary ?? 'no reason given';
    return {
      exitCode: 2,
      sentences: [
        `Nothing was checked: the registry did not answer (${reason}). Try another registry: npm run advisories -- --registry=URL`,
      ],
    };
  }
  const found = Object.entries(vulnerabilities);
  if (found.length === 0) {
    const count = metadata?.dependencies?.total;
    const packages = count === undefined ? 'the locked packages' : `the ${count} locked packages`;
    return { exitCode: 0, sentences: [`No known vulnerabilities in ${packages}.`, NOT_COVERED] };
  }
  return {
    exitCode: 1,
    sentences: [...found.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`), NOT_COVERED],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { stdout } = spawnSync('npm', ['audit', '--json', ...process.argv.slice(2)], { encoding: 'utf8' });
  const { exitCode, sentences } = verdictOf(stdout ?? '');
  process.stdout.write(`${sentences.join('\n')}\n`);
  process.exitCode = exitCode;
}
