/** DATABASE_URL. No sentence repeats its value, which holds a password. */
import { hostSelectionProblem, hostUrls } from '../network/database-hosts.ts';
import type { Complain } from './setting.ts';

export function parseDatabaseUrl(text: string | null, complain: Complain): string | null {
  if (text === null) return null;
  const problem = postgresUrlProblem(text) ?? hostSelectionProblem(text);
  if (problem !== null) complain(problem);
  return text;
}

/** What is wrong with a URL of PostgreSQL, or with one of its hosts; `null`: nothing. */
function postgresUrlProblem(text: string): string | null {
  const urls = hostUrls(text);
  const url = urls.every((each) => URL.canParse(each)) ? new URL(urls[0]!) : null;
  if (url === null || (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')) {
    return 'DATABASE_URL is not a valid PostgreSQL URL (example: postgres://user:password@host:5432/claimcheck).';
  }
  return url.pathname.length <= 1
    ? 'DATABASE_URL names no database. Add it after the host: postgres://host/claimcheck'
    : null;
}
