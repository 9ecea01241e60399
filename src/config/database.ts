/** DATABASE_URL and DATABASE_READ_URL. No sentence repeats a value: it holds a password. */
import { hostSelectionProblem, hostUrls, standbySelectionProblem } from '../database-hosts.ts';
import type { Complain } from './setting.ts';

export function parseDatabaseUrl(text: string | null, complain: Complain): string | null {
  if (text === null) return null;
  const problem = postgresUrlProblem('DATABASE_URL', text) ?? hostSelectionProblem(text);
  if (problem !== null) complain(problem);
  return text;
}

/** `onPostgres`: DATABASE_URL is set. */
export function parseDatabaseReadUrl(
  text: string | null,
  onPostgres: boolean,
  complain: Complain,
): string | null {
  if (text === null) return null;
  const problem = onPostgres
    ? (postgresUrlProblem('DATABASE_READ_URL', text) ?? standbySelectionProblem(text))
    : 'DATABASE_READ_URL names a standby of the server in DATABASE_URL, which is not set; the embedded database has none.';
  if (problem !== null) complain(problem);
  return text;
}

/** What is wrong with a URL of PostgreSQL, or with one of its hosts; `null`: nothing. */
function postgresUrlProblem(setting: string, text: string): string | null {
  const urls = hostUrls(text);
  const url = urls.every((each) => URL.canParse(each)) ? new URL(urls[0]!) : null;
  if (url === null || (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')) {
    return `${setting} must be a URL such as postgres://user:password@host:5432/claimcheck and is not.`;
  }
  return url.pathname.length <= 1
    ? `${setting} must name a database after the host, as in postgres://host/claimcheck.`
    : null;
}
