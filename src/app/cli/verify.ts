import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { VERIFY_PATH } from '../../claims/verify/decision/verification.ts';
import { randomBase62 } from '../../platform/secrets/secrets.ts';
import { noResponse, type ServiceResponse, send, serviceUrl, unexpectedResponse } from './call.ts';
import { createOutput, type Io } from './output.ts';
import { type OwnerOptions, ownerOptions, ownerService } from './owner.ts';
import { example } from './program.ts';

interface VerifyOptions extends OwnerOptions {
  readonly redeem?: boolean;
  readonly reference?: string;
}

const OUTCOMES: ReadonlyMap<unknown, { readonly status: number; readonly exitCode: number }> = new Map([
  ['redeemed', { status: 200, exitCode: 0 }],
  ['valid', { status: 200, exitCode: 0 }],
  ['already_redeemed', { status: 200, exitCode: 3 }],
  ['not_found', { status: 404, exitCode: 4 }],
]);

/** Per call, after lost responses and 503s. A redemption sends the same Idempotency-Key. */
const MAX_TRIES = 4;
const FIRST_WAIT_MS = 250;
/** Longest wait before a retry, even if Retry-After asks for a longer wait, because a person is waiting. */
const MAX_WAIT_MS = 5_000;
const RESPONSE_TIMEOUT_MS = 10_000;
const IDEMPOTENCY_KEY_LENGTH = 22;
const UNAVAILABLE = 503;
const DOUBT = 'It is unknown whether the claim was redeemed.';

export function registerVerify(program: Command, io: Io): void {
  example(
    ownerOptions(
      program
        .command('verify')
        .summary('verify a claim token, and redeem it if you ask for it')
        .description(
          'verify a claim token over HTTP; exit code 0: redeemed or valid, 2: invalid command line, 3: already redeemed, 4: not found, 1: any other failure',
        )
        .argument('<token>', 'the claim token')
        .option('--redeem', 'also redeem the claim, which is possible only once')
        .option('--reference <text>', 'your reference for the redemption, such as an order number'),
    ),
    'CLAIMCHECK_API_KEY=cck_live_… claimcheck verify clm_… --redeem',
  ).action(async (token: string, options: VerifyOptions) => {
    const output = createOutput(io, options);
    const redeem = options.redeem === true;
    const { url: base, key: apiKey } = ownerService(io, options);
    const url = serviceUrl(base, VERIFY_PATH);
    const { reference } = options;
    const response = await callVerify(io, { url, apiKey, token, redeem, reference });
    const outcome = OUTCOMES.get(response.body?.['status']);
    // A mistyped URL or a proxy can also cause a 404, so the body must have a matching `status`.
    if (response.body === null || outcome?.status !== response.status) {
      if (output.json && response.body !== null) await output.record(response.body);
      throw new Error(explainResponse(response, url));
    }
    await output.record(response.body);
    io.setExitCode(outcome.exitCode);
  });
}

interface Call {
  readonly url: URL;
  readonly apiKey: string;
  readonly token: string;
  readonly redeem: boolean;
  readonly reference: string | undefined;
}

async function callVerify(io: Io, call: Call): Promise<ServiceResponse> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${call.apiKey}`,
    'content-type': 'application/json',
  };
  if (call.redeem) headers['idempotency-key'] = `cli-${randomBase62(io.random, IDEMPOTENCY_KEY_LENGTH)}`;
  const body = JSON.stringify({ token: call.token, redeem: call.redeem, reference: call.reference });
  for (let tries = 1; ; tries += 1) {
    let waitMs = FIRST_WAIT_MS * 2 ** (tries - 1);
    try {
      const response = await send(call.url, { method: 'POST', headers, body }, RESPONSE_TIMEOUT_MS);
      if (response.status !== UNAVAILABLE || tries >= MAX_TRIES) return response;
      if (response.retryAfterS !== null) waitMs = response.retryAfterS * 1_000;
    } catch (error) {
      if (tries >= MAX_TRIES) throw noResponse(call.url, error, call.redeem ? DOUBT : null);
    }
    await sleep(Math.min(waitMs, MAX_WAIT_MS));
  }
}

function explainResponse(response: ServiceResponse, url: URL): string {
  const words = [response.body?.['title'], response.body?.['detail']].filter(
    (part) => typeof part === 'string',
  );
  return words.length > 0 ? words.join(': ') : unexpectedResponse(response, url);
}
