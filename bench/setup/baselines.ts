/** Starts the servers that the service is compared with. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accountNumber } from './installation.ts';
import { type Server, startServer } from './processes.ts';
import type { Stock } from './stock.ts';

/** Number of bytes that the durable floor writes per request. */
const RECORD_BYTES = 100;

const program = (name: string): string => fileURLToPath(new URL(`../baselines/${name}`, import.meta.url));

export const startBareHttp = (scratch: string): Promise<Server> =>
  startServer([process.execPath, program('bare-http.ts')], {}, '/readyz', join(scratch, 'bare-http.log'));

export const startBarePage = (scratch: string, answer: string): Promise<Server> =>
  startServer(
    [process.execPath, program('bare-page.ts')],
    { ANSWER: answer },
    '/readyz',
    join(scratch, 'bare-page.log'),
  );

export interface DurableFloor extends Server {
  /** Returns the number of records in the file. */
  records(): number;
}

export async function startDurableFloor(scratch: string): Promise<DurableFloor> {
  const file = join(scratch, 'durable-floor.records');
  const server = await startServer(
    [process.execPath, program('durable-floor.ts')],
    { FILE: file, RECORD_BYTES: String(RECORD_BYTES) },
    '/readyz',
    join(scratch, 'durable-floor.log'),
  );
  return { ...server, records: () => statSync(file).size / RECORD_BYTES };
}

export async function startFastifyPg(stock: Stock, poolSize: number): Promise<Server> {
  const { databaseUrl, apiKey, offerId, folder } = stock.installation;
  if (databaseUrl === null) throw new Error('the hand-written endpoint needs PostgreSQL');
  return startServer(
    [process.execPath, program('fastify-pg.ts')],
    {
      DATABASE_URL: databaseUrl,
      API_KEY: apiKey,
      ACCOUNT_NUMBER: String(await accountNumber(stock.installation)),
      OFFER_ID: offerId,
      POOL_SIZE: String(poolSize),
    },
    '/readyz',
    join(folder, 'fastify-pg.log'),
  );
}
