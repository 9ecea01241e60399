/** The service and proxy that the documentation's programs call, and recorded 429 and 503 responses. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../src/app/service.ts';
import { VERIFY_PATH } from '../../src/claims/verify/decision/verification.ts';
import { DATABASE_FILE } from '../../src/platform/store/open.ts';
import { createOwner, issueTokens } from '../support/marketplace.ts';
import { openSite } from '../support/site.ts';
import { type FaultyProxy, type Recorded, startFaultyProxy } from './faulty-proxy.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const SQLITE_BUSY = 5;
const LOCK_RETRY_MS = 10;

export interface Setting {
  readonly service: Service;
  /** The programs call the service through this proxy. */
  readonly proxy: FaultyProxy;
  readonly workshop: Workshop;
  readonly answers: Promise<BadAnswers>;
  close(): Promise<void>;
}

export async function openSetting(): Promise<Setting> {
  const service = await openSite('sqlite');
  // Not awaited here: the 503 arrives only after the service has waited for its locked database.
  const answers = recordAnswers();
  answers.catch(() => {});
  const proxy = await startFaultyProxy(service.baseUrl);
  const workshop = openWorkshop(proxy.url);
  return {
    service,
    proxy,
    workshop,
    answers,
    close: async () => {
      workshop.close();
      await proxy.close();
      await service.close();
    },
  };
}

interface BadAnswers {
  /** The 429 response to a key over its rate limit. */
  readonly rateLimited: Recorded;
  /** The 503 response while the database is locked. */
  readonly unavailable: Recorded;
}

/** Records responses of a separate service, so that the service under test is not disturbed. */
async function recordAnswers(): Promise<BadAnswers> {
  const service = await openSite('sqlite', { VERIFY_RATE_LIMIT: '1' });
  try {
    const [limited, other] = [await createOwner(service.context), await createOwner(service.context)];
    const [token] = await issueTokens(service.context, limited, 1);
    const ask = (key: string) => answerOf(service.baseUrl, key, token!);
    let rateLimited = await ask(limited.liveKey);
    while (rateLimited.status !== 429) rateLimited = await ask(limited.liveKey);
    const locking = await lock(join(service.dbLocation.dataDir, DATABASE_FILE));
    const unavailable = await ask(other.liveKey).finally(() => locking.close());
    if (unavailable.status !== 503)
      throw new Error(`Expected 503 while the database is locked, but got ${unavailable.body}`);
    return { rateLimited, unavailable };
  } finally {
    await service.close();
  }
}

/**
 * Takes the write lock of a database and holds it until the returned connection is closed. Retries in JavaScript,
 * because a wait inside SQLite would block this thread. The service runs in the same thread, so the service could not
 * release its own lock.
 */
async function lock(file: string): Promise<DatabaseSync> {
  const locking = new DatabaseSync(file);
  for (;;) {
    try {
      locking.exec('begin immediate');
      return locking;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
      await sleep(LOCK_RETRY_MS);
    }
  }
}

async function answerOf(baseUrl: string, key: string, token: string): Promise<Recorded> {
  const response = await fetch(baseUrl + VERIFY_PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ token, redeem: true }),
  });
  const { connection: _, 'keep-alive': __, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}
