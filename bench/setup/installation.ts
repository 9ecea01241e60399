/** An installation of the service, set up with commands. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { DATABASE_FILE } from '../../src/platform/store/open.ts';
import { withInMemory } from './memory.ts';
import { type PostgresServer, query } from './postgres.ts';
import { type Environment, type Run, run, type Server, startServer } from './processes.ts';
import { type Sizes, sizesInFile, sizesInPostgres } from './sizes.ts';
import { readTokens } from './tokens.ts';

export const ENGINES = ['embedded', 'postgresql'] as const;
export type Engine = (typeof ENGINES)[number];

const PROGRAM = fileURLToPath(new URL('../../bin/claimcheck.js', import.meta.url));
/** The same as in `npm start`, `npm run claimcheck`, the installed command and the image. */
const NODE_OPTIONS = ['--max-semi-space-size=8', '--max-old-space-size=1024'];
const MALLOC_ARENA_MAX = '1';
export const REDEMPTION_LINK = 'https://bench.example/welcome?claim={claim}';

/** With these values, `openInstallation` opens an existing installation. */
export interface InstallationFacts {
  readonly engine: Engine;
  readonly accountId: string;
  readonly offerId: string;
  readonly apiKey: string;
  readonly secretKey: string;
  /** Path and fragment of the link with which the owner signs in for the first time. */
  readonly invitationPath: string;
  /** `null` for the embedded database. */
  readonly databaseUrl: string | null;
  readonly folder: string;
}

export interface Installation extends InstallationFacts {
  /** Runs a `claimcheck` command and waits until it exits. Writes the output to `stdoutFile`, if given. */
  command(args: readonly string[], stdoutFile?: string): Promise<Run>;
  /**
   * Runs a `claimcheck` command with `--json` and returns the parsed output. `line` is split into arguments at spaces.
   * Each of `words` is one argument.
   */
  ask(line: string, ...words: string[]): Promise<Record<string, string>>;
  /**
   * Issues `count` claims with the label `via`. `tokens` returns the tokens of these claims in order of creation. If
   * there are more than `limit` claims, `tokens` returns a random sample of `limit` tokens.
   */
  issue(count: number, via?: string): Promise<{ run: Run; tokens: (limit?: number) => Promise<string[]> }>;
  /**
   * Starts the server for load from many people. The server trusts `X-Forwarded-For`, so that each person can have a
   * different address. The mail server accepts connections but never responds, so that mail is queued but not sent.
   */
  serveCrowd(): Promise<Server>;
  /** `args`: additional arguments of `claimcheck serve`. */
  serve(...args: string[]): Promise<Server>;
  /**
   * Starts a second server. On PostgreSQL, both servers use the same database. The embedded database allows only one
   * server, so the second server uses a copy.
   */
  serveBeside(): Promise<Server>;
  /** Runs an SQL statement on the installation's database. The server may be running. */
  query(text: string): Promise<Record<string, unknown>[]>;
  redeemedRows(): Promise<number>;
  sizes(): Promise<Sizes>;
  /**
   * Call this function after a bulk load. On PostgreSQL, the function runs `VACUUM` and `CHECKPOINT`, so that
   * PostgreSQL does neither during a round.
   */
  settle(): Promise<void>;
  /**
   * Loads the claims and their token index into memory, as far as they fit, and then runs `work`. Needs the extension
   * pg_prewarm on PostgreSQL, and Python with the embedded database.
   */
  inMemory<T>(work: () => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

export async function install(
  engine: Engine,
  scratch: string,
  postgres: () => Promise<PostgresServer>,
): Promise<Installation> {
  const folder = await mkdtemp(join(scratch, `${engine}-`));
  await mkdir(join(folder, 'data'));
  const server = engine === 'postgresql' ? await postgres() : null;
  const databaseUrl = (await server?.createDatabase()) ?? null;
  const secretKey = randomBytes(32).toString('hex');
  const blank = { accountId: '', offerId: '', apiKey: '', invitationPath: '' };
  const { ask } = openInstallation({ engine, folder, databaseUrl, secretKey, ...blank }, server);

  const account = await ask('accounts create --email owner@bench.example --name Bench --plan studio');
  const accountId = account['id']!;
  // Without an operator, every page would say that the service is not set up.
  await ask('accounts create --operator --email operator@bench.example --name Operator');
  await ask(
    `listings create --account ${accountId} --slug bench --name Bench --url https://bench.example/ --approve`,
  );
  const offer = await ask(
    `offers create --listing bench --kind discount --redemption-link ${REDEMPTION_LINK} --offer`,
    'Twenty per cent off the first year for everyone who comes through the marketplace',
  );
  const key = await ask(`keys create --account ${accountId} --name bench`);
  const facts = {
    ...{ engine, folder, databaseUrl, secretKey, accountId },
    ...{ offerId: offer['id']!, apiKey: key['key']!, invitationPath: pathOf(account['invitation_link']!) },
  };
  return openInstallation(facts, server);
}

export function openInstallation(facts: InstallationFacts, server: PostgresServer | null): Installation {
  const { databaseUrl, folder, secretKey } = facts;
  const dataDir = join(folder, 'data');
  const settings: Environment = {
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    MALLOC_ARENA_MAX,
    VERIFY_RATE_LIMIT: '0',
    // The benchmark's webhook receivers are on this machine.
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
  const command = (args: readonly string[], stdoutFile?: string): Promise<Run> =>
    run(
      [process.execPath, ...NODE_OPTIONS, PROGRAM, ...args],
      settings,
      stdoutFile === undefined ? {} : { stdoutFile },
    );
  const serve = (environment: Environment, args: readonly string[] = []): Promise<Server> =>
    startServer(
      [process.execPath, ...NODE_OPTIONS, PROGRAM, 'serve', ...args],
      environment,
      '/readyz',
      join(folder, 'serve.log'),
    );
  const statement = (text: string): Promise<Record<string, unknown>[]> =>
    databaseUrl === null ? queryFile(join(dataDir, DATABASE_FILE), text) : query(databaseUrl, text);
  const ask = async (line: string, ...words: string[]): Promise<Record<string, string>> =>
    JSON.parse((await command([...line.split(' '), ...words, '--json'])).stdout) as Record<string, string>;

  return {
    ...facts,
    command,
    ask,
    issue: async (count, via = 'newsletter') => {
      const file = join(folder, 'issued.ndjson');
      const issued = await command(
        `claims issue --offer ${facts.offerId} --count ${count} --via ${via} --json`.split(' '),
        file,
      );
      return { run: issued, tokens: (limit) => readTokens(file, limit) };
    },
    serve: (...args) => serve(settings, args),
    serveCrowd: async () => {
      const mail = await startSilentServer();
      const crowd = {
        TRUSTED_PROXIES: '127.0.0.1',
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        MAIL_FROM: 'claims@bench.example',
      };
      const server = await serve({ ...settings, ...crowd });
      return { ...server, stop: () => server.stop().finally(mail.close) };
    },
    serveBeside: async () => {
      if (databaseUrl !== null) return serve(settings);
      const copy = join(folder, 'copy');
      await rm(copy, { recursive: true, force: true });
      await mkdir(copy);
      await command(['backup', join(copy, DATABASE_FILE)]);
      return serve({ ...settings, DATA_DIR: copy });
    },
    query: statement,
    redeemedRows: async () => {
      const rows = await statement(
        'select count(*) as redeemed from claim_rows where redeemed_at is not null',
      );
      return Number(rows[0]?.['redeemed']);
    },
    sizes: async () =>
      databaseUrl === null ? sizesInFile(join(dataDir, DATABASE_FILE)) : sizesInPostgres(databaseUrl),
    settle: async () => {
      if (databaseUrl === null) return;
      await query(databaseUrl, 'vacuum (analyze) claim_rows');
      await query(databaseUrl, 'checkpoint');
    },
    inMemory: async (work) => {
      if (databaseUrl === null) return withInMemory(join(dataDir, DATABASE_FILE), work);
      await query(databaseUrl, 'create extension if not exists pg_prewarm');
      await query(databaseUrl, `select pg_prewarm('claims_by_token'), pg_prewarm('claim_rows')`);
      return work();
    },
    remove: async () => {
      if (databaseUrl !== null) await server?.dropDatabase(databaseUrl);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The account's number in `claim_rows` and `event_rows`. PostgreSQL only. */
export async function accountNumber({ databaseUrl, accountId }: Installation): Promise<number> {
  const rows = await query(databaseUrl!, 'select number from accounts where id = $1', [accountId]);
  return Number(rows[0]?.['number']);
}

/** Path and fragment of a link. The fragment of an invitation is its code. */
export function pathOf(link: string): string {
  const { pathname, hash } = new URL(link);
  return pathname + hash;
}

/** Starts a server that accepts connections but never sends anything. */
async function startSilentServer(): Promise<{ readonly port: number; readonly close: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function queryFile(file: string, text: string): Promise<Record<string, unknown>[]> {
  const database = new DatabaseSync(file, { timeout: 60_000 });
  try {
    return database.prepare(text).all();
  } finally {
    database.close();
  }
}
