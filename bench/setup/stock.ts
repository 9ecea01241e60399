/** An installation with a running server and a stock of unredeemed claims. */
import { type Engine, type Installation, install } from './installation.ts';
import type { PostgresServer } from './postgres.ts';
import type { Run, Server } from './processes.ts';
import { shuffle } from './tokens.ts';

export interface Stock {
  readonly installation: Installation;
  /** The command that issued the first `count` claims. Before this command, the database had no claims. */
  readonly firstIssue: { readonly count: number; readonly run: Run };
  /** Starts the server on first use. */
  server(): Promise<Server>;
  stopServer(): Promise<void>;
  /** Returns the next `count` tokens but keeps them in the stock. Issues more claims if too few are left. */
  peek(count: number): Promise<readonly string[]>;
  /** Removes the next `count` tokens from the stock, even if their claims have not been redeemed. */
  spend(count: number): void;
  /** Ensures that at least `count` tokens are left, and shuffles the stock. Later issues shuffle the stock again. */
  scatter(count: number): Promise<void>;
  remove(): Promise<void>;
}

export async function openStock(
  engine: Engine,
  count: number,
  scratch: string,
  postgres: () => Promise<PostgresServer>,
): Promise<Stock> {
  const installation = await install(engine, scratch, postgres);
  const first = await installation.issue(count).catch(async (error: unknown) => {
    await installation.remove();
    throw error;
  });
  let tokens = await first.tokens();
  if (tokens.length !== count) throw new Error(`${tokens.length} of ${count} claims were issued`);
  await installation.settle();
  let spent = 0;
  let scattered = false;
  let server: Promise<Server> | null = null;

  const need = async (wanted: number): Promise<void> => {
    if (tokens.length - spent >= wanted) return;
    const more = await (await installation.issue(Math.max(wanted - (tokens.length - spent), count))).tokens();
    await installation.settle();
    tokens = tokens.slice(spent).concat(more);
    spent = 0;
    if (scattered) shuffle(tokens);
  };
  const stopServer = async (): Promise<void> => {
    const stopping = server;
    server = null;
    await (await stopping)?.stop();
  };

  return {
    installation,
    firstIssue: { count, run: first.run },
    server: () => {
      server ??= installation.serve();
      return server;
    },
    stopServer,
    peek: async (wanted) => {
      await need(wanted);
      return tokens.slice(spent, spent + wanted);
    },
    spend: (used) => {
      spent += used;
    },
    scatter: async (wanted) => {
      await need(wanted);
      if (scattered) return;
      tokens = tokens.slice(spent);
      spent = 0;
      shuffle(tokens);
      scattered = true;
    },
    remove: async () => {
      await stopServer();
      await installation.remove();
    },
  };
}
