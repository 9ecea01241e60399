/** Generates the Markdown of the page that lists the events of webhooks, from their OpenAPI description. */

import { guidePath } from '../../base/paths.ts';
import { createOpenApiDocument } from '../../platform/http/operations/openapi.ts';
import type { Schema, Schemas } from '../../platform/http/operations/openapi-types.ts';
import type { WebhookDescription } from '../../platform/http/operations/openapi-webhooks.ts';
import { EXAMPLE_BASE_URL } from './fill.ts';
import { REFERENCE_PAGE } from './guide.ts';
import { fenced, MEMBER_COLUMNS, membersOf, resolve, table } from './reference-pages.ts';

interface Document {
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: {
            readonly content: { readonly 'application/json': { readonly schema: Schema } };
          };
        };
      }
    >
  >;
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters: Readonly<Record<string, Header>>;
  };
}

interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
}

export function eventsMarkdown(webhooks: readonly WebhookDescription[]): string {
  const { webhooks: described, components } = createOpenApiDocument({
    name: '',
    baseUrl: EXAMPLE_BASE_URL,
    version: '',
    contact: null,
    operations: [],
    webhooks,
  }) as Document;
  const { schemas, parameters } = components;
  const headers = Object.values(parameters).map(({ name, required, description }) => [
    `\`${name}\``,
    required ? 'always' : 'sometimes',
    description,
  ]);
  return [
    '# Webhook events',
    `The requests that the service sends to your endpoints, by type of event. [Webhooks](webhooks.md) explains endpoints, signatures and retries, the [API reference](${EXAMPLE_BASE_URL}${guidePath(REFERENCE_PAGE)}) has the requests that you send, and [/openapi.json](${EXAMPLE_BASE_URL}/openapi.json) describes both for programs.`,
    '## Headers',
    table(['Header', 'Sent', 'Description'], headers),
    ...webhooks.flatMap(({ name, summary, example }) => {
      const { schema } = described[name]!.post.requestBody.content['application/json'];
      return [
        `## ${name}`,
        `${summary}.`,
        ...membersText(schema, schemas),
        fenced('json', JSON.stringify(withData(exampleOf(schema, schemas), example), null, 2)),
      ];
    }),
    '',
  ].join('\n\n');
}

/** A message with many types has them below the table, where a line has space for several. */
function membersText(schema: Schema, schemas: Schemas): readonly string[] {
  const members = membersOf(schema, schemas, false);
  const types = resolve(schema, schemas).properties?.['type']?.enum ?? [];
  if (types.length <= 1) return [table(MEMBER_COLUMNS, members)];
  const [, ...others] = members;
  return [
    table(MEMBER_COLUMNS, [['`type`', 'string', 'One of the types below the table.'], ...others]),
    `Types: ${types.map((type) => `\`${type}\``).join(', ')}.`,
  ];
}

type Example = Readonly<Record<string, unknown>>;

const withData = (message: Example, data: Example = {}): Example => ({
  ...message,
  data: { ...(message['data'] as Example), ...data },
});

/** The examples of the members. A choice is shown with its first value. */
function exampleOf(schema: Schema, schemas: Schemas): Example {
  const members = Object.entries(resolve(schema, schemas).properties ?? {}).map(([name, member]) => {
    const resolved = resolve(member, schemas);
    const { example, enum: values } = resolved;
    return [name, example ?? values?.[0] ?? exampleOf(resolved, schemas)];
  });
  return Object.fromEntries(members);
}
