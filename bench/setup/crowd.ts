/** Creates signed-in people with SQL, because signing in through the pages would take too long. */
import { randomBytes, randomUUID } from 'node:crypto';
import { cookieName } from '../../src/people/sign-in/sessions/cookies.ts';
import { hashOfSecret } from '../../src/platform/secrets/secrets.ts';
import { DAY_MS } from '../../src/platform/text/durations.ts';
import type { Installation } from './installation.ts';

const ROWS_A_STATEMENT = 1_000;

type Database = Pick<Installation, 'query'>;

/**
 * Exempts the crowd from limits: all its people have unused mails, new accounts and addresses at one domain, which could
 * otherwise take only half of a limited offer.
 */
export async function exemptCrowd({ query }: Database): Promise<void> {
  const policy = JSON.stringify({ unusedMails: 100_000, domains: ['crowd.example'] });
  await query(
    `insert into settings (name, value) values ('policy', '${policy}') on conflict (name) do update set value = excluded.value`,
  );
}

/** Adds `count` signed-in people. Returns one session cookie per person. */
export async function addCrowd(database: Database, url: string, count: number): Promise<readonly string[]> {
  const at = new Date().toISOString();
  const ids = Array.from({ length: count }, () => randomUUID());
  for (let from = 0; from < count; from += ROWS_A_STATEMENT) {
    const accounts = ids
      .slice(from, from + ROWS_A_STATEMENT)
      .map(
        (id) => `('${id}', '${id}@crowd.example', '${id}@crowd.example', 'Ada', 'starter', '${at}', '${at}')`,
      );
    await database.query(
      `insert into accounts (id, email, mailbox, name, plan, email_verified_at, created_at) values ${accounts.join()}`,
    );
  }
  return addSessions(database, url, ids);
}

/** Signs in to each of the accounts. Returns one session cookie per account. */
export async function addSessions(
  { query }: Database,
  url: string,
  accountIds: readonly string[],
): Promise<readonly string[]> {
  const at = new Date().toISOString();
  const until = new Date(Date.now() + DAY_MS).toISOString();
  const secrets = accountIds.map(() => randomBytes(32).toString('base64url'));
  for (let from = 0; from < accountIds.length; from += ROWS_A_STATEMENT) {
    const sessions = accountIds
      .slice(from, from + ROWS_A_STATEMENT)
      .map(
        (id, n) =>
          `('${randomUUID()}', '${id}', '${hashOfSecret(secrets[from + n]!)}', 1, '${at}', '${at}', '${at}', '${until}', '${until}')`,
      );
    await query(
      `insert into sessions (id, account_id, token_hash, factors, proven_at, created_at, last_seen_at, expires_at, idle_expires_at) values ${sessions.join()}`,
    );
  }
  return secrets.map((secret) => `${cookieName(url, 'session_token')}=${secret}`);
}
