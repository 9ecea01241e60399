/** Many people with sessions, written by SQL: to sign in each of them by the pages would take longer than the row. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sessionCookieName } from '../../src/accounts/cookies.ts';
import type { Installation } from './installation.ts';

const ROWS_A_STATEMENT = 500;
const DAY_MS = 86_400_000;

/** The `Cookie` headers of new people, who are signed in at the address. */
export async function addCrowd(
  { query }: Pick<Installation, 'query'>,
  url: string,
  count: number,
): Promise<string[]> {
  const at = new Date().toISOString();
  const until = new Date(Date.now() + DAY_MS).toISOString();
  const cookies: string[] = [];
  for (let from = 0; from < count; from += ROWS_A_STATEMENT) {
    const people = Array.from({ length: Math.min(ROWS_A_STATEMENT, count - from) }, () => {
      const secret = randomBytes(32).toString('base64url');
      cookies.push(`${sessionCookieName(url)}=${secret}`);
      return { id: randomUUID(), hash: createHash('sha256').update(secret).digest('base64url') };
    });
    await query(
      `insert into accounts (id, email, mailbox, name, plan, email_verified_at, created_at) values ${people
        .map(
          ({ id }) =>
            `('${id}', '${id}@crowd.example', '${id}@crowd.example', 'Ada', 'starter', '${at}', '${at}')`,
        )
        .join(', ')}`,
    );
    await query(
      `insert into sessions (id, account_id, token_hash, factors, proven_at, created_at, last_seen_at, expires_at, idle_expires_at) values ${people
        .map(
          ({ id, hash }) =>
            `('${randomUUID()}', '${id}', '${hash}', 1, '${at}', '${at}', '${at}', '${until}', '${until}')`,
        )
        .join(', ')}`,
    );
  }
  return cookies;
}
