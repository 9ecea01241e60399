import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { parseEventTypes } from '../../background/webhooks/endpoint.ts';
import { FIXED_HEADERS } from '../../background/webhooks/send.ts';
import { mintSecret, signedHeaders } from '../../background/webhooks/signing.ts';
import { WEBHOOK_EVENT_TYPES } from '../../base/events/catalogue.ts';
import { signalExitCode } from '../../platform/process/failure.ts';
import { causeOf, RefusedCall } from './call.ts';
import { UsageError } from './options.ts';
import { createOutput, type Io, type Output } from './output.ts';
import { type OwnerCall, type OwnerOptions, type OwnerOutput, ownerCall, ownerOptions } from './owner.ts';
import { example } from './program.ts';

interface ListenOptions extends OwnerOptions {
  readonly forward: string;
  readonly events?: string;
}

const POLL_MS = 1_000;
/** First and longest delay of the exponential backoff after failed calls. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** The same timeout as for webhook endpoints. */
const FORWARD_MS = 15_000;

export function registerListen(program: Command, io: Io): void {
  example(
    ownerOptions(
      program
        .command('listen')
        .summary('forward new events to a URL on this machine')
        .description('forward new events of your account to a URL on this machine, as webhooks')
        .requiredOption('--forward <url>', 'URL to POST the events to, such as http://localhost:8080/hooks')
        .option('--events <types>', 'event types separated by commas (default: all)'),
    ),
    'CLAIMCHECK_API_KEY=cck_test_… claimcheck listen --url https://claims.example.com --forward http://localhost:8080/hooks',
  ).action(async (options: ListenOptions) => {
    const output = createOutput(io, options);
    const forward = parseForward(options.forward);
    const types = options.events?.split(',').map((type) => type.trim());
    if (types !== undefined) parseEventTypes(types, WEBHOOK_EVENT_TYPES);
    const call = await ownerCall(io, options);
    const secret = mintSecret(io.random);
    const stop = io.stopSignal();
    const read = createReader({ call, types: types?.join(','), output, stop });
    // Detects a wrong key or URL before the secret is printed.
    await read.begin();
    if (output.json) await output.record({ secret, forward: forward.href });
    output.say(`Forwarding new events to ${forward.href}. Signing secret of this run: ${secret}`);
    while (!stop.aborted) {
      for (const event of await read.next()) {
        if (stop.aborted) break;
        const result = await forwardEvent(io, { forward, secret, event, stop });
        if (result !== null) await show(output, event, result);
      }
    }
    io.setExitCode(signalExitCode(stop.reason));
  });
}

type Event = OwnerOutput<'listEvents'>['events'][number];

interface Reading {
  readonly call: OwnerCall;
  readonly types: string | undefined;
  readonly output: Output;
  readonly stop: AbortSignal;
}

/**
 * Retries with backoff after network errors, 429, 5xx and responses that are not from Claimcheck. Continues with new
 * events if the cursor has expired. Throws other refusals.
 */
function createReader({ call, types, output, stop }: Reading) {
  let after: string | undefined;
  let waitMs = 0;
  let failures = 0;

  const pause = () => sleep(waitMs, undefined, { signal: stop }).catch(() => {});
  const read = async (): Promise<readonly Event[]> => {
    const page = await call('listEvents', { query: { after, types } });
    after = page.next;
    waitMs = page.has_more ? 0 : POLL_MS;
    return page.events;
  };
  const onFailure = (error: unknown): void => {
    if (error instanceof RefusedCall && error.code === 'cursor_gone') {
      output.say(`${error.message} Events may be missing. Listening for new events.`);
      after = undefined;
    } else if (isFinal(error)) {
      throw error;
    } else if (failures === 0) {
      output.say(`${(error as Error).message} Retrying until a call succeeds.`);
    }
    waitMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
    failures += 1;
  };
  return {
    begin: read,
    next: async (): Promise<readonly Event[]> => {
      await pause();
      if (stop.aborted) return [];
      try {
        const events = await read();
        if (failures > 0) output.say('Listening again.');
        failures = 0;
        return events;
      } catch (error) {
        onFailure(error);
        return [];
      }
    },
  };
}

const isFinal = (error: unknown): boolean =>
  error instanceof RefusedCall && error.code !== null && error.status < 500 && error.status !== 429;

interface Forwarding {
  readonly forward: URL;
  readonly secret: string;
  readonly event: Event;
  readonly stop: AbortSignal;
}

interface Result {
  readonly status: number | null;
  readonly error: string | null;
  readonly took_ms: number;
}

/** Returns `null` if the command was stopped. */
async function forwardEvent(io: Io, { forward, secret, event, stop }: Forwarding): Promise<Result | null> {
  const { id, type, timestamp, data } = event;
  const payload = JSON.stringify({ type, timestamp, data });
  const atMs = io.now();
  const done = (status: number | null, error: string | null) => ({ status, error, took_ms: io.now() - atMs });
  try {
    const response = await fetch(forward, {
      method: 'POST',
      headers: { ...FIXED_HEADERS, ...signedHeaders([secret], { id, atMs, payload }) },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(FORWARD_MS)]),
    });
    await response.body?.cancel();
    return done(response.status, null);
  } catch (error) {
    if (stop.aborted) return null;
    const { name, message } = causeOf(error);
    const isLate = name === 'TimeoutError';
    return done(null, isLate ? `timed out after ${FORWARD_MS / 1_000} seconds` : message);
  }
}

async function show(output: Output, { id, type, timestamp }: Event, result: Result): Promise<void> {
  if (output.json) return output.record({ id, type, timestamp, ...result });
  const response = result.status ?? `no response: ${result.error}`;
  return output.raw(`${timestamp}  ${type}  ${id}  ${response} (${result.took_ms} ms)\n`);
}

function parseForward(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new UsageError(
      '--forward must be a URL such as http://localhost:8080/hooks, without a user name or password.',
    );
  }
  return url;
}
