/** Webhooks in the OpenAPI document: the requests that this service sends (OpenAPI 3.1). */
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { capital } from '../../text/text.ts';

type Registry = OpenAPIHono['openAPIRegistry'];

export interface WebhookDescription {
  /** The type of the event, or another name. */
  readonly name: string;
  readonly summary: string;
  readonly message: z.ZodObject;
  /** Members of `data` whose own examples don't fit this event. */
  readonly example?: Readonly<Record<string, unknown>> | undefined;
}

export const WEBHOOKS_TAG = 'webhooks';

/** The headers of each request. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const HEADERS = {
  'webhook-id': 'Identifies the event. A message that is sent again has the same id.',
  'webhook-timestamp':
    'When the request was signed, in seconds since 1970. Refuse requests older than five minutes.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of id, timestamp and body, joined by dots, in Base64. Several signatures are separated by spaces: one of them must match.',
};

/** https://www.w3.org/TR/trace-context/ */
const TRACE_HEADER = {
  traceparent:
    'The trace of the request that caused the event, if the request had this header: the same trace ID, and a new parent ID for each attempt.',
};

const RESPONSES = {
  '2XX': ['Received', 'The message was received. Respond first, and do the work afterwards.'],
  410: ['Gone', 'The endpoint was removed. The service disables it.'],
  429: ['Busy', 'The endpoint is busy: its queue waits for as long as `Retry-After` says. So does 503.'],
} as const;

export function registerWebhooks(registry: Registry, webhooks: readonly WebhookDescription[]): void {
  if (webhooks.length === 0) return;
  const parameters = Object.entries({ ...HEADERS, ...TRACE_HEADER }).map(
    ([name, description]) =>
      registry.registerComponent('parameters', name, {
        name,
        in: 'header',
        required: name in HEADERS,
        description,
        schema: { type: 'string' },
      }).ref,
  );
  const responses = Object.fromEntries(
    Object.entries(RESPONSES).map(([status, [name, description]]) => [
      status,
      registry.registerComponent('responses', `Webhook${name}`, { description }).ref,
    ]),
  );
  for (const { name, summary, message } of webhooks) {
    registry.registerWebhook({
      method: 'post',
      path: name,
      operationId: `receive${name.split(/\W|_/).map(capital).join('')}`,
      tags: [WEBHOOKS_TAG],
      summary,
      security: [],
      parameters,
      request: { body: { required: true, content: { 'application/json': { schema: message } } } },
      responses,
    });
  }
}
