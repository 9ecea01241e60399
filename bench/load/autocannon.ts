/**
 * Generates the same load as `redeem.lua` on machines without wrk, and prints the same line of JSON. Takes the same
 * environment variables, plus URL, SECONDS and CONNECTIONS.
 */
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const env = (name: string): string => process.env[name] ?? '';
const tokens = readFileSync(env('TOKENS'), 'utf8').trimEnd().split('\n');
const redeem = env('REDEEM') !== 'false';
let sent = 0;

const result = await autocannon({
  url: env('URL'),
  connections: Number(env('CONNECTIONS')),
  duration: Number(env('SECONDS')),
  requests: [
    {
      method: 'POST',
      path: '/api/v1/marketplace/claims/verify',
      setupRequest: (request) => {
        const token = tokens[sent++ % tokens.length]!;
        return {
          ...request,
          headers: {
            authorization: `Bearer ${env('API_KEY')}`,
            'content-type': 'application/json',
            ...(env('IDEMPOTENCY') === '1' ? { 'idempotency-key': `"bench-${token}"` } : {}),
          },
          body: JSON.stringify({ token, redeem }),
        };
      },
    },
  ],
});

process.stdout.write(
  `${JSON.stringify({
    answered: result.requests.total,
    microseconds: result.duration * 1e6,
    refused: result.non2xx,
    failed: result.errors + result.timeouts,
    p50us: result.latency.p50 * 1000,
    p99us: result.latency.p99 * 1000,
  })}\n`,
);
