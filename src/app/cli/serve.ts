import { once } from 'node:events';
import type { Command } from 'commander';
import type { Context } from '../../base/context.ts';
import { SIGN_IN_PATH } from '../../base/paths.ts';
import { issueSetUpLink, makeNamedOperator } from '../../people/sign-in/set-up.ts';
import { checkAddress } from '../../platform/http/server/listen.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import { DatabaseUnavailable } from '../../platform/store/database.ts';
import { baseUrlOf } from '../config/address.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { isWorker, startWorkers } from '../workers.ts';
import { withConfig } from './context.ts';
import { UsageError, wholeNumber } from './options.ts';
import { type CommonOptions, createOutput, type Io, type Output } from './output.ts';
import { example } from './program.ts';

interface ServeOptions extends CommonOptions {
  readonly port?: string;
  readonly workers?: number;
}

/** A supervisor may start this server while the previous one is stopping, which takes at most ten seconds. */
const FOLDER_WAIT_MS = 30_000;

const MAX_WORKERS = 256;

export function registerServe(program: Command, io: Io): void {
  example(
    program
      .command('serve')
      .summary('start the service')
      .description('start the service; SIGINT or SIGTERM stops it gracefully, a second signal immediately')
      .option('--port <n>', 'port to listen on, instead of PORT; 0: any free port')
      .option('--workers <n>', 'number of processes (default: 1); more than one needs PostgreSQL', (text) =>
        wholeNumber('--workers', text, MAX_WORKERS),
      ),
    'claimcheck serve --port 8080',
  ).action(async (options: ServeOptions) => {
    const output = createOutput(io, options);
    const { workers = 1 } = options;
    const config = parseConfig(io.env, { port: options.port });
    if (workers === 1 || isWorker()) await serve(io, output, config);
    else await serveByWorkers(io, output, config, workers);
  });
}

/** Serves in this process until a signal stops it. Calls `announce` with the URL once the port is open. */
export async function serve(
  io: Io,
  output: Output,
  config: Config,
  announce: (output: Output, baseUrl: string, context: Context) => Promise<void> = announceAddress,
): Promise<void> {
  const stop = io.stopSignal();
  // Imported lazily, so that other commands start faster.
  const { startService } = await import('../service.ts');
  let isNamed = false;
  const beforeServing = async (context: Context) => {
    isNamed = await nameOperator(context, config);
  };
  const folderWait = {
    ms: FOLDER_WAIT_MS,
    signal: stop,
    onWait: () =>
      output.say(
        `Another server is still using the data folder ${config.dataDir}. Waiting up to ${FOLDER_WAIT_MS / 1_000} seconds for it to stop.`,
      ),
  };
  const service = await startService(config, { ...io, folderWait, beforeServing }).catch((error) => {
    if (stop.aborted) return null;
    throw error;
  });
  if (service === null) return;
  // With workers, `serveByWorkers` announces once all workers are listening.
  if (!isWorker()) {
    await announce(output, service.baseUrl, service.context);
    await announceSetUp(output, service.context, config, service.baseUrl, isNamed);
  }
  service.log.info({ url: service.baseUrl }, 'serving');
  await aborted(stop);
  service.log.info('stopping');
  await service.stop();
}

async function announceAddress(output: Output, url: string): Promise<void> {
  if (output.json) await output.record({ url });
  else output.say(`Claimcheck is running at ${url}. Press Ctrl-C to stop it.`);
}

/** Creates the operator from ADMIN_EMAIL. `false`: it isn't set, there is an operator, or the database is down. */
async function nameOperator(context: Context, config: Config): Promise<boolean> {
  try {
    return config.admin !== null && (await makeNamedOperator(context, config.admin, baseUrlOf(config)));
  } catch (error) {
    // The service must start even if the disk is full. `announceSetUp` retries and reports a failure.
    if (!(error instanceof DatabaseUnavailable)) throw error;
    return false;
  }
}

/**
 * Prints where the new operator of ADMIN_EMAIL signs in, or a setup link if there is no operator. The link is never
 * logged. If not `isNamed`, retries `nameOperator`.
 */
export async function announceSetUp(
  output: Output,
  context: Context,
  config: Config,
  baseUrl: string,
  isNamed = false,
): Promise<void> {
  const { admin, dataDir } = config;
  try {
    if (admin !== null && (isNamed || (await makeNamedOperator(context, admin, baseUrl)))) {
      output.say(
        config.oidc.isOnly
          ? `${admin.email} is an operator. For a link to sign in, run: ${COMMAND_NAME} accounts sign-in-link ${admin.email}`
          : `${admin.email} is an operator. Sign in at ${baseUrl}${SIGN_IN_PATH}`,
      );
    }
    const link = await issueSetUpLink(context, { baseUrl, dataDir });
    if (link !== null) {
      output.say(`No operator exists yet. Open this link within 30 minutes to create one:\n\n  ${link}\n`);
    }
  } catch (error) {
    // Not fatal: the service may still become ready, for example when a full disk has space again.
    if (!(error instanceof DatabaseUnavailable)) throw error;
    output.say(
      `No operator could be created (${error.message}). Fix this, then restart or run: ${COMMAND_NAME} accounts create --operator`,
    );
  }
}

async function serveByWorkers(io: Io, output: Output, config: Config, count: number): Promise<void> {
  if (config.databaseUrl === null) {
    throw new UsageError(
      '--workers needs PostgreSQL: set DATABASE_URL. The embedded database allows one process.',
    );
  }
  const stop = io.stopSignal();
  // Migrates the database and reports wrong settings once, instead of in every worker.
  let isNamed = false;
  await withConfig(
    io,
    config,
    async (context) => {
      isNamed = await nameOperator(context, config);
    },
    { create: true },
  );
  await checkAddress(config);
  const workers = await startWorkers(count, io.env, (pid, how) =>
    output.say(`Worker ${pid} exited (${how}). A new worker will replace it.`),
  );
  const baseUrl = baseUrlOf(config, workers.port);
  await announceAddress(output, baseUrl);
  await withConfig(io, config, (context) => announceSetUp(output, context, config, baseUrl, isNamed));
  await aborted(stop);
  await workers.stop();
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
